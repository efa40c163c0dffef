// Package watch says what a source of work may tell its consumer: that
// something is ready, that it is gone, or that everything has to be looked at
// again. Items carry names, never contents.
//
// Sub-packages are the sources (folder), the formats (document) and the memory
// of what was done (ledger). None of them may import the daemon, the tray or
// the translator.
package watch

import "time"

// Kind is what happened to the thing an Item names.
type Kind int

const (
	// FileSettled is a file that is complete as far as can be known: its size
	// and time stayed the same for the quiet period and it could be opened.
	FileSettled Kind = iota + 1
	// FileGone is a file told as settled earlier that no longer exists.
	FileGone
	// Rescan stands for every path of its root. A bounded queue puts it in
	// place of paths it has no room for; folder.Folder.Rescan answers it.
	Rescan
)

// String names the kind for logs.
func (k Kind) String() string {
	switch k {
	case FileSettled:
		return "settled"
	case FileGone:
		return "gone"
	case Rescan:
		return "rescan"
	}
	return "unknown"
}

// Item is one piece of news from a source.
type Item struct {
	Kind Kind
	Root string    // the folder as it was configured: absolute and cleaned
	Path string    // below Root, separated by slashes; empty for Rescan
	Seen time.Time // when the source noticed
}

// Key is equal for items that replace one another in a queue: whatever is said
// later about a path makes what was said earlier worthless.
func (i Item) Key() string {
	if i.Kind == Rescan {
		return "root\x00" + i.Root
	}
	return "path\x00" + i.Root + "\x00" + i.Path
}

// Names of what dragoman itself puts beside the user's files. The writers
// (document, ledger) and the ignore rules (folder) must agree on them.
const (
	// OutputDir is the folder below a root that takes the translations.
	OutputDir = "translated"
	// OwnPrefix starts the name of every other file dragoman creates there:
	// temporary files, the ledger and its lock. The dot hides them.
	OwnPrefix = ".dragoman"
)
