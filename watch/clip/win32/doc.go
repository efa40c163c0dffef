// Package win32 reads, watches and writes the clipboard of Windows. It owns the
// calls (winuser.h, as Microsoft's documentation of the clipboard describes
// them) and none of the rules of what may be read; of ours it must import
// nothing but selection.
//
// Windows posts a message for each change, so nothing is asked for while nothing
// is copied. What the clipboard holds is listed without opening it; it is opened
// for as long as one format is read or all of ours are written. The library
// golang.design/x/clipboard is not used, since its watch fetches every text
// before anybody could look at the formats.
package win32
