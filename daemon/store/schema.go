package store

import (
	"context"
	"fmt"
)

// application marks our files (PRAGMA application_id): "drag".
const application = 0x64726167

// schema holds the steps from each version to the next: schema[0] makes version
// 1 in an empty file. A step that was released never changes.
//
// Paths are BLOBs, since on Linux they may hold any bytes. AUTOINCREMENT keeps
// ids of deleted rows from coming back, and lets everything be ordered by id:
// clocks jump. Times are nanoseconds since 1970, 0 where there is none.
var schema = []string{`
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE folders (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	path BLOB NOT NULL UNIQUE,
	settings BLOB NOT NULL,
	removed INTEGER NOT NULL DEFAULT 0,  -- its ledger is kept
	last INTEGER NOT NULL DEFAULT 0      -- files.id of what was done last
);

CREATE TABLE files (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	folder INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
	path BLOB NOT NULL,
	lang TEXT NOT NULL,
	size INTEGER NOT NULL,
	mtime INTEGER NOT NULL,
	sha256 TEXT NOT NULL,
	output BLOB NOT NULL,
	recipe TEXT NOT NULL,
	state INTEGER NOT NULL,
	error TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	accepted INTEGER NOT NULL,
	finished INTEGER NOT NULL,
	UNIQUE (folder, path, lang)
);
CREATE INDEX files_state ON files (state);
CREATE INDEX files_folder ON files (folder, state);

-- All outputs that files have or had, by the name that file systems may take
-- for the same.
CREATE TABLE outputs (
	folded BLOB PRIMARY KEY,
	file INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
	output BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX outputs_file ON outputs (file);

-- Files by folder and state, since the status is asked for often.
CREATE TABLE counts (
	folder INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
	state INTEGER NOT NULL,
	files INTEGER NOT NULL,
	PRIMARY KEY (folder, state)
) WITHOUT ROWID;
CREATE TRIGGER files_counted AFTER INSERT ON files BEGIN
	INSERT INTO counts VALUES (new.folder, new.state, 1)
		ON CONFLICT (folder, state) DO UPDATE SET files = files + 1;
END;
CREATE TRIGGER files_recounted AFTER UPDATE OF state ON files WHEN old.state <> new.state BEGIN
	UPDATE counts SET files = files - 1 WHERE folder = old.folder AND state = old.state;
	INSERT INTO counts VALUES (new.folder, new.state, 1)
		ON CONFLICT (folder, state) DO UPDATE SET files = files + 1;
END;
CREATE TRIGGER files_discounted AFTER DELETE ON files BEGIN
	UPDATE counts SET files = files - 1 WHERE folder = old.folder AND state = old.state;
END;

CREATE TABLE history (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	time INTEGER NOT NULL,
	origin TEXT NOT NULL,
	from_lang TEXT NOT NULL,
	to_lang TEXT NOT NULL,
	source TEXT NOT NULL,
	target TEXT NOT NULL,
	bytes INTEGER NOT NULL
);
-- Every three letters in a row, for searches in any script.
CREATE VIRTUAL TABLE history_index USING fts5 (
	source, target, content = 'history', content_rowid = 'id',
	tokenize = 'trigram remove_diacritics 1', detail = none, columnsize = 0
);
-- Without this, deleted words stay in the index until it is merged.
INSERT INTO history_index (history_index, rank) VALUES ('secure-delete', 1);

-- id and tag are parts of a hash over scope and source, which are not kept.
CREATE TABLE memory (
	id INTEGER PRIMARY KEY,
	tag INTEGER NOT NULL,
	generation INTEGER NOT NULL,
	target TEXT NOT NULL
);
`, `
-- Checksums of what was written to the output, and while pending also of what
-- may have been: another content is not ours.
ALTER TABLE files ADD COLUMN written TEXT NOT NULL DEFAULT '';
`, `
-- What a file failed with: the same is not tried again.
ALTER TABLE files ADD COLUMN tried TEXT NOT NULL DEFAULT '';
-- Cancelled files were failed ones that a restart brought back.
UPDATE files SET state = 5 WHERE state = 3 AND error = 'cancelled';
`, `
-- All contents that were written somewhere, whatever became of the rows:
-- checksums of the place and of the content.
CREATE TABLE written (
	place BLOB NOT NULL,
	content BLOB NOT NULL,
	PRIMARY KEY (place, content)
) WITHOUT ROWID;
-- Whether there were outputs from before this ledger; NULL is not known yet.
ALTER TABLE folders ADD COLUMN inherited INTEGER;
`}

// migrate brings the file to version len(steps), each step in a transaction.
func migrate(ctx context.Context, c *conn, steps []string) error {
	var version, app, tables int
	err := c.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).Scan(&version, &app, &tables)
	if err != nil {
		return err
	}
	switch {
	case app != application && (tables > 0 || version > 0 || app != 0):
		return ErrForeign
	case version > len(steps):
		return fmt.Errorf("%w (it has version %d, this dragoman knows %d)", ErrNewer, version, len(steps))
	case version == 0:
		// Space of erased texts goes back to the disk; only possible before the
		// first table.
		if _, err := c.once("PRAGMA auto_vacuum=INCREMENTAL"); err != nil {
			return err
		}
	}
	// FULL waits for the log at each commit.
	if _, err := c.once("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL"); err != nil {
		return err
	}
	for ; version < len(steps); version++ {
		_, err := c.once(fmt.Sprintf("BEGIN IMMEDIATE; %s; PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT",
			steps[version], application, version+1))
		if err != nil {
			c.once("ROLLBACK")
			return fmt.Errorf("from version %d to %d: %w", version, version+1, err)
		}
	}
	return nil
}
