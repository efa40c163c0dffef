// Package page makes the pages that the tray opens in a browser: the history and
// the help. Each is one file of HTML without scripts and without anything to be
// fetched, in the language of the tray's menu.
//
// It may import daemon/api and tray/message.
package page
