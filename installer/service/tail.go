package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

const (
	tailBytes = 1 << 20 // of a file's end are looked through for lines
	tailPoll  = time.Second
)

// tailLog reads the daemon's own file.
func tailLog(ctx context.Context, o Options, out io.Writer, follow bool, lines int) error {
	if o.LogFile == "" {
		return errors.New("read the log: the place of its file is not known: name the state folder with DRAGOMAN_STATE")
	}
	return tail(ctx, o.LogFile, out, follow, lines)
}

// tail writes the last lines of a log file to out and, with follow, those that
// are added until ctx ends, also after the file was rotated.
func tail(ctx context.Context, path string, out io.Writer, follow bool, lines int) error {
	text, offset, err := readEnd(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the log: %w: the daemon has not run yet, or logs elsewhere", err)
	}
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	if _, err := out.Write(lastLines(text, lines)); err != nil {
		return err
	}
	for follow {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(tailPoll):
		}
		if offset, err = copyFrom(path, offset, out); err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
	}
	return nil
}

func readEnd(path string) (text []byte, size int64, err error) {
	f, err := openShared(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if size, err = f.Seek(0, io.SeekEnd); err != nil {
		return nil, 0, err
	}
	start := max(size-tailBytes, 0)
	text, err = io.ReadAll(io.NewSectionReader(f, start, size-start))
	return text, size, err
}

// copyFrom copies what was added behind offset, or the whole file if another
// one took its place, and returns the new offset.
func copyFrom(path string, offset int64, out io.Writer) (int64, error) {
	f, err := openShared(path)
	if err != nil {
		return offset, nil // between two files
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return offset, err
	}
	if info.Size() < offset {
		offset = 0
	}
	n, err := io.Copy(out, io.NewSectionReader(f, offset, info.Size()-offset))
	return offset + n, err
}

// lastLines of text, which may begin within a line.
func lastLines(text []byte, n int) []byte {
	end := len(text)
	if end > 0 && text[end-1] == '\n' {
		end--
	}
	for i := end; ; n-- {
		if n == 0 {
			return text[min(i+1, len(text)):]
		}
		if i = bytes.LastIndexByte(text[:i], '\n'); i < 0 {
			return text
		}
	}
}
