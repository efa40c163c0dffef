-- What version 2 made of v1.sql, and had in it then.
ALTER TABLE files ADD COLUMN written TEXT NOT NULL DEFAULT '';

PRAGMA user_version=2;
UPDATE files SET written = 'cd' WHERE id = 7;
INSERT INTO files VALUES (8, 3, CAST('bad.txt' AS BLOB), 'es', 5, 6, '', CAST('/in/translated/bad.es.txt' AS BLOB), '', 3, 'it is not UTF-8 text', 1, 8, 9, '');
INSERT INTO files VALUES (9, 3, CAST('not.txt' AS BLOB), 'es', 5, 6, '', CAST('/in/translated/not.es.txt' AS BLOB), '', 3, 'cancelled', 1, 8, 9, '');
INSERT INTO outputs VALUES (CAST('/in/translated/bad.es.txt' AS BLOB), 8, CAST('/in/translated/bad.es.txt' AS BLOB));
INSERT INTO outputs VALUES (CAST('/in/translated/not.es.txt' AS BLOB), 9, CAST('/in/translated/not.es.txt' AS BLOB));
