// Package desktop asks the user's desktop for what the tray cannot do itself:
// to open files, to choose a folder, to listen to keys in whichever program, to
// say whether the machine runs on its battery. It must not import anything of
// ours but tray/bus.
package desktop
