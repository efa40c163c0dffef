// Package tray decides what the tray shows: Render turns what is known into a
// View, a value that can be compared, drawn and tested without any desktop.
//
// It owns icon, tooltip and menu as values and the names of what can be
// clicked. It may import daemon/api, assets and its own sub-packages, and it
// draws nothing: tray/systray does. It must not import watch/clip; what it
// shows of the clipboard are facts of State.
package tray
