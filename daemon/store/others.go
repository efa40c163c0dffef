package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// The files beside the database that may hold texts as well: damaged ones are
// removed by whatever erases (scrub), and so is a copy that could not be put in
// its place. Others' files, which somebody may want to go back to, stay, and lose
// the same texts.

// eraseFromOthers lets erase run on each of them, in a transaction. The error names
// those that it could not be done in.
func (s *Store) eraseFromOthers(ctx context.Context, erase func(*conn) error) error {
	var failed []error
	for _, file := range beside(s.path, otherInfix) {
		if err := s.eraseFrom(ctx, file, erase); err != nil {
			failed = append(failed, fmt.Errorf("%s, which was put aside, may hold texts that are erased everywhere else: remove it unless you need it (%w)", file, err))
		}
	}
	return errors.Join(failed...)
}

func (s *Store) eraseFrom(ctx context.Context, file string, erase func(*conn) error) error {
	if size(file) == 0 {
		return nil
	}
	c, err := dialWriter(ctx, file, s.writer.busy)
	if err == nil {
		defer c.close()
		err = migrate(ctx, c, schema)
	}
	if errors.Is(err, ErrForeign) {
		return nil // no texts of ours
	}
	if err == nil {
		err = c.transaction(func() error { return erase(c) })
	}
	if err == nil {
		err = clean(ctx, c)
	}
	if k := kind(err); k != nil {
		return k
	}
	return err
}

// removeCopy removes a copy of the database that waits to be put in its place. It
// is made anew if it is still needed.
func (s *Store) removeCopy() error {
	s.mending.Lock()
	defer s.mending.Unlock()
	for _, suffix := range []string{copyingSuffix, copySuffix} {
		if err := removeIfThere(s.path + suffix); err != nil {
			return fmt.Errorf("remove a copy of the database that holds erased texts: %w; remove it", err)
		}
	}
	return nil
}

// removeDamaged removes what was set aside.
func (s *Store) removeDamaged() error {
	for _, file := range beside(s.path, asideInfix) {
		if err := removeDatabase(file); err != nil {
			return fmt.Errorf("remove a damaged database that holds erased texts: %w; remove it", err)
		}
	}
	return nil
}

func removeDatabase(path string) error {
	var first error
	for _, suffix := range suffixes {
		if err := os.Remove(path + suffix); err != nil && !os.IsNotExist(err) && first == nil {
			first = err
		}
	}
	return first
}
