// Package message holds what the tray says, in its menu and in notifications,
// in the six languages of the starter model.
//
// It owns the catalogue and the choice of the language. It must not import
// anything of ours, and it never decides when something is said. The files are
// those of go-i18n with the plural categories of CLDR; a test sees to it that
// every language has every message with the same placeholders.
package message
