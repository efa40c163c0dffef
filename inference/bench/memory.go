package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	memoryPatience = time.Minute            // for the translation of one sentence
	memoryPause    = 100 * time.Millisecond // between two looks for it
)

// measureMemory reads what the system says of a process that stays after its
// first translation: `dragoman watch`, the form that is always on. The peak is
// that process's own. (What wait4 tells of a child's peak counts its parent's
// memory too, from before the child's exec.)
func (b *bench) measureMemory(ctx context.Context, m checkpoint, group string) error {
	folder, err := os.MkdirTemp(b.in(), "drop-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(filepath.Join(folder, "text.txt"), []byte(sentence+"\n"), 0o644); err != nil {
		return err
	}
	c, err := b.dragoman(ctx, m, "watch", folder)
	if err != nil {
		return err
	}
	var complaints bytes.Buffer
	c.Stderr = &complaints
	if err := c.Start(); err != nil {
		return err
	}
	err = waitFor(ctx, filepath.Join(folder, "translated", "text.es.txt"))
	var status map[string]float64
	if err == nil {
		status, err = readStatus(c.Process.Pid)
	}
	_ = c.Process.Kill() // it may have ended by itself, then err says what is missing
	_ = c.Wait()         // that it was killed is no news
	if err != nil {
		return fmt.Errorf("dragoman watch: %w: %s", err, bytes.TrimSpace(complaints.Bytes()))
	}
	target := m.rss
	if target == 0 {
		bytes, err := weightsSize(b.cache(m))
		if err != nil {
			return err
		}
		b.report.add(group, "quantised weights", "MB", 0, bytes/1e6)
		target = rssFactor * bytes / 1e6
	}
	b.report.add(group, "resident after the first translation", "MB", target, status["VmRSS"])
	b.report.add(group, "of it anonymous", "MB", 0, status["RssAnon"])
	b.report.add(group, "peak", "MB", 0, status["VmHWM"])
	return nil
}

// waitFor waits until there is a file.
func waitFor(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, memoryPatience)
	defer cancel()
	look := time.NewTicker(memoryPause)
	defer look.Stop()
	for {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", filepath.Base(path), ctx.Err())
		}
	}
}

// readStatus reads the memory of a process, in MB by name.
func readStatus(pid int) (map[string]float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return nil, fmt.Errorf("memory is only measured on Linux: %w", err)
	}
	sizes := map[string]float64{}
	for entry := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(entry, ":")
		var kibibytes float64
		if _, err := fmt.Sscanf(strings.TrimSpace(value), "%f kB", &kibibytes); err == nil {
			sizes[name] = kibibytes * 1024 / 1e6
		}
	}
	return sizes, nil
}

// weightsSize is the size of a model's quantised weights in its cache, in bytes: of
// encoder and decoder, which are files of their own.
func weightsSize(cache string) (float64, error) {
	sizes := map[string]int64{} // by folder: of what other recipes made
	err := filepath.WalkDir(cache, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "weights.bin" && entry.Name() != "decoder.bin" {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		sizes[filepath.Dir(path)] += info.Size()
		return nil
	})
	largest := int64(0)
	for _, size := range sizes {
		largest = max(largest, size)
	}
	if err == nil && largest == 0 {
		err = fmt.Errorf("no weights in %s", cache)
	}
	return float64(largest), err
}
