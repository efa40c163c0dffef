-- What version 3 made of v2.sql, and had in it then.
ALTER TABLE files ADD COLUMN tried TEXT NOT NULL DEFAULT '';

PRAGMA user_version=3;
UPDATE files SET tried = 'en r ab' WHERE id = 7;
UPDATE files SET tried = 'en r ef' WHERE id = 8;
UPDATE files SET state = 5 WHERE id = 9;
