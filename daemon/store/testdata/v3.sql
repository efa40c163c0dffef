PRAGMA auto_vacuum=INCREMENTAL;
PRAGMA journal_mode=WAL;
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

ALTER TABLE files ADD COLUMN written TEXT NOT NULL DEFAULT '';

ALTER TABLE files ADD COLUMN tried TEXT NOT NULL DEFAULT '';

PRAGMA application_id=1685217639;
PRAGMA user_version=3;
INSERT INTO meta VALUES ('revision', 1048576);
INSERT INTO folders (id, path, settings, last) VALUES (3, CAST('/in' AS BLOB), CAST('{"to":["es"]}' AS BLOB), 7);
INSERT INTO files VALUES (7, 3, CAST('a.txt' AS BLOB), 'es', 5, 6, 'ab', CAST('/in/translated/a.es.txt' AS BLOB), 'r', 2, '', 1, 8, 9, 'cd', 'en r ab');
INSERT INTO files VALUES (8, 3, CAST('bad.txt' AS BLOB), 'es', 5, 6, '', CAST('/in/translated/bad.es.txt' AS BLOB), '', 3, 'it is not UTF-8 text', 1, 8, 9, '', 'en r ef');
INSERT INTO files VALUES (9, 3, CAST('not.txt' AS BLOB), 'es', 5, 6, '', CAST('/in/translated/not.es.txt' AS BLOB), '', 5, 'cancelled', 1, 8, 9, '', '');
INSERT INTO outputs VALUES (CAST('/in/translated/a.es.txt' AS BLOB), 7, CAST('/in/translated/a.es.txt' AS BLOB));
INSERT INTO outputs VALUES (CAST('/in/translated/bad.es.txt' AS BLOB), 8, CAST('/in/translated/bad.es.txt' AS BLOB));
INSERT INTO outputs VALUES (CAST('/in/translated/not.es.txt' AS BLOB), 9, CAST('/in/translated/not.es.txt' AS BLOB));
INSERT INTO history VALUES (2, 10, 'command', 'en', 'es', 'Hello', 'Hola', 9);
INSERT INTO history_index (rowid, source, target) VALUES (2, 'Hello', 'Hola');
INSERT INTO meta VALUES ('history_entries', 1), ('history_bytes', 9);
