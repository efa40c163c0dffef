package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dragoman/internal/english"
)

// damagedSuffix names the mark beside a file that was found damaged while it
// was in use, so that the next Open knows even after a kill.
const damagedSuffix = ".damaged"

// asideInfix comes between the name of a damaged file and the time.
const asideInfix = ".corrupt-"

// SetAside says, for the user, that Open found the file damaged, where it was
// moved to and what was lost; "" if nothing of the kind happened.
func (s *Store) SetAside() string { return s.aside }

func (s *Store) markDamaged() {
	if s.damaged.Swap(true) {
		return
	}
	if err := os.WriteFile(s.path+damagedSuffix, nil, 0o600); err != nil {
		s.log.Error("mark the database as damaged", "error", err)
	}
	s.troubled()
}

// setAside renames the file and what SQLite has beside it, and returns the new
// name. The newest two such files are kept.
func setAside(path string, now time.Time) (string, error) {
	aside := path + asideInfix + mendStamp(now)
	for exists(aside) {
		aside += "+"
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !os.IsNotExist(err) {
			return "", fmt.Errorf("set the damaged database aside: %w; move %s away", err, path)
		}
	}
	os.Remove(path + damagedSuffix)
	old := beside(path, asideInfix)
	for _, file := range old[:max(0, len(old)-2)] {
		removeDatabase(file)
	}
	return aside, nil
}

// beside lists the databases that were renamed with this infix, oldest first.
func beside(path, infix string) []string {
	entries, _ := os.ReadDir(filepath.Dir(path))
	var found []string
	for _, e := range entries { // sorted by name, and so by time
		name := e.Name()
		if strings.HasPrefix(name, filepath.Base(path)+infix) && !strings.HasSuffix(name, "-wal") && !strings.HasSuffix(name, "-shm") {
			found = append(found, filepath.Join(filepath.Dir(path), name))
		}
	}
	return found
}

// checkLedger looks at the tables without which files would be lost or made
// twice, after an end that was not clean. They are small; the rest is checked
// in the background, since it may be hundreds of megabytes.
func (s *Store) checkLedger(ctx context.Context) error {
	for _, table := range []string{"meta", "folders", "files", "outputs", "written"} {
		if err := s.check(ctx, table); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) checkAll() {
	for _, table := range []string{"history", "history_index_data", "memory"} {
		if err := s.check(s.background, table); err != nil {
			if s.background.Err() == nil {
				s.log.Error("check the database", "error", err)
			}
			return
		}
	}
}

func (s *Store) check(ctx context.Context, table string) error {
	var verdict string
	err := s.readers.QueryRowContext(ctx, "PRAGMA quick_check('"+table+"')").Scan(&verdict)
	if err == nil && verdict != "ok" {
		s.markDamaged()
		// The verdict may quote a value of a user.
		return fmt.Errorf("check the table %s in %s: %w", table, s.path, ErrCorrupt)
	}
	return s.fail("check the table "+table, err)
}

// salvage copies what can be read of folders and of the files in them from a
// damaged file into this new one: above all the names of outputs, which must
// not be taken for inputs. Files become pending without a checksum, so that
// each is looked at again, but for those that nothing is to be done for. Whatever
// cannot be read is lost, so that every folder counts as one with outputs that
// are not known.
func (s *Store) salvage(ctx context.Context, c *conn, aside string) (saved salvaged) {
	// The clock stands in for a counter that cannot be read: nobody counts
	// faster than milliseconds go by.
	revision := s.now().UnixMilli()
	defer func() {
		if err := putMeta(c, map[string]int64{"revision": revision}); err != nil {
			s.log.Warn("go on with the revisions", "error", err)
		}
	}()
	if _, err := c.once("ATTACH ? AS aside", address(aside)+"?mode=ro"); err != nil {
		return saved
	}
	defer c.once("DETACH aside")
	saved.folders = copyRows(ctx, c, "folders", "INSERT OR IGNORE INTO folders SELECT id, path, settings, removed, 0, 1 FROM aside.folders WHERE rowid = ?")
	saved.files = copyRows(ctx, c, "files", fmt.Sprintf(`INSERT OR IGNORE INTO files
		SELECT id, folder, path, lang, size, mtime, '', output, recipe, iif(state IN (%d, %d), state, %d), '', 0, accepted, 0, '', '' FROM aside.files WHERE rowid = ?`, Moved, Cancelled, Pending))
	copyRows(ctx, c, "files", "INSERT OR IGNORE INTO outputs SELECT folded, file, output FROM aside.outputs WHERE file = ?")
	c.once("INSERT OR IGNORE INTO written SELECT place, content FROM aside.written") // all or none
	goOnCounting(c)
	c.QueryRowContext(ctx, "SELECT max(value, ?) FROM aside.meta WHERE name = 'revision'", revision).Scan(&revision)
	return saved
}

// salvaged counts what was kept of a damaged database.
type salvaged struct{ folders, files int }

// tell says, for the user, what has happened.
func (saved salvaged) tell(path, aside string) string {
	lost := fmt.Sprintf("The database %s was damaged and is now %s; a new one was begun. History and translation memory were lost", path, aside)
	if saved.folders+saved.files == 0 {
		return lost + ", folders have to be added again."
	}
	return fmt.Sprintf("%s; %s and the names of %s were saved. Check the folders' settings.", lost, english.Count(saved.folders, "folder"), english.Count(saved.files, "file"))
}

// goOnCounting keeps ids of rows that are gone from being given again, where the
// attached file tells: clients may still know them.
func goOnCounting(c *conn) {
	c.once(`INSERT INTO main.sqlite_sequence SELECT name, 0 FROM aside.sqlite_sequence
		WHERE name IN (SELECT name FROM main.sqlite_schema) AND name NOT IN (SELECT name FROM main.sqlite_sequence)`)
	c.once(`UPDATE main.sqlite_sequence AS mine SET seq = max(seq,
		coalesce((SELECT max(seq) FROM aside.sqlite_sequence AS theirs WHERE theirs.name = mine.name), 0))`)
}

// copyRows runs statement for each row of the attached table, by its id. Rows
// that cannot be read or copied are left out.
func copyRows(ctx context.Context, c *conn, table, statement string) (copied int) {
	ids := readableIDs(ctx, c, table)
	if _, err := c.once("BEGIN IMMEDIATE"); err != nil {
		return 0
	}
	for _, id := range ids {
		if result, err := c.exec(statement, id); err == nil {
			n, _ := result.RowsAffected()
			copied += int(n)
		}
	}
	if _, err := c.once("COMMIT"); err != nil {
		c.once("ROLLBACK")
		return 0
	}
	return copied
}

// readableIDs walks over the attached table by id. Where a page cannot be read
// it tries again further on, in growing steps.
func readableIDs(ctx context.Context, c *conn, table string) (ids []int64) {
	next := int64(1)
	for step := int64(1); step < 1<<40; step *= 2 {
		rows, err := c.QueryContext(ctx, "SELECT rowid FROM aside."+table+" NOT INDEXED WHERE rowid >= ? ORDER BY rowid", next)
		if err == nil {
			for rows.Next() {
				var id int64
				if rows.Scan(&id) == nil {
					ids = append(ids, id)
					next, step = id+1, 1
				}
			}
			err = rows.Err()
			rows.Close()
		}
		if err == nil {
			break
		}
		next += step
	}
	return ids
}
