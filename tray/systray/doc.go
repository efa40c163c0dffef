// Package systray shows views in the notification area, by fyne.io/systray,
// whose only importer it is.
//
// It owns the items of the menu and the connection to the session bus that tells
// when the bus goes. It must not import anything of ours but tray, tray/bus and
// assets/icons, and it never decides what is shown.
package systray
