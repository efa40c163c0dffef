// Package store keeps what must outlive the daemon in one SQLite file: the
// drop folders, the ledger of their files, the history of texts and the
// translation memory.
//
// It owns the file state.db with all that SQLite puts beside it. It knows
// neither the wire types nor the queue nor file formats and must not import
// anything else of ours; its row types are its own.
//
// One goroutine writes and shares a commit between all who wait for one
// (writer); a few connections read at the same time. Writes of the ledger, of
// folders and of the history are on the disk when the method returns
// (synchronous=FULL); the translation memory is a cache and written behind.
//
// The file is looked after while it is open (Mend). One that was removed under
// way is written anew from what is open. Where another was put in its place the
// running database wins, since clients have seen it and files were translated
// by it, and the other is renamed to state.db.other-TIME, never removed: it may
// be a copy that someone wants to go back to, for which the daemon has to be
// stopped. What is erased from the history is erased from it too. A damaged file
// is renamed to state.db.corrupt-TIME, at the start or under way, and what can be
// read of the folders and the ledger goes on; it is removed when texts are erased.
package store
