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
package store
