package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dragoman/daemon/api"
)

// measureFiles compares a drop folder of short files with translating texts
// like theirs by the library one after another, and reads the memory afterwards.
func (b *bench) measureFiles(ctx context.Context) error {
	s, err := b.startService(ctx)
	if err != nil {
		return err
	}
	if err = s.warm(ctx); err == nil {
		err = b.measureTurns(ctx, s)
	}
	if err == nil {
		err = b.measureMemory(s)
	}
	return errors.Join(err, s.stop())
}

// measureTurns lets the service and the library take turns, each with a part of
// the texts. The service is paused while the library works, so that what else
// the machine does meets both alike.
func (b *bench) measureTurns(ctx context.Context, s *service) error {
	p := b.report.begin(fmt.Sprintf("drop folder of %d files of one sentence, and the library, in turns", b.files))
	defer p.end()
	if _, err := b.loaded(ctx); err != nil {
		return err
	}
	if _, err := s.Pause(ctx, api.PauseRequest{}); err != nil {
		return err
	}
	id, err := s.drop(ctx, b.tempDir("drop-"), b.texts.files(b.files))
	if err == nil {
		err = s.accepted(ctx, id, b.files)
	}
	if err != nil {
		return err
	}
	var ours, theirs, ratios, costs []float64
	for i := range b.turns {
		var mine, direct turn
		some := b.texts.files(b.files / b.turns)
		dropped := func() (err error) {
			mine, err = s.translateFiles(ctx, id, b.files*(i+1)/b.turns)
			return err
		}
		called := func() (err error) {
			direct, err = b.translateTexts(ctx, some)
			return err
		}
		if i%2 == 1 {
			dropped, called = called, dropped
		}
		if err := errors.Join(dropped(), called()); err != nil {
			return err
		}
		ours, theirs = append(ours, mine.texts/mine.seconds), append(theirs, direct.texts/direct.seconds)
		ratios = append(ratios, ours[i]/theirs[i])
		costs = append(costs, mine.processor/mine.texts/(direct.processor/direct.texts))
	}
	now, err := s.Resume(ctx)
	if err == nil && now.Totals.Remembered > 0 {
		err = fmt.Errorf("the memory knew %d sentences, which should all be new", now.Totals.Remembered)
	}
	if err != nil {
		return err
	}
	p.add("service", "files/s", nil, ours...)
	p.add("library", "files/s", nil, theirs...)
	p.add("files a second, service / library, turn by turn", "", least(0.9), ratios...)
	p.add("processor time of a file, service / library", "", nil, costs...)
	return b.measureFirst(ctx, s, p)
}

// measureFirst times one file that is dropped into a folder while nothing else
// waits.
func (b *bench) measureFirst(ctx context.Context, s *service, p *part) error {
	dir := b.tempDir("drop-")
	id, err := s.drop(ctx, dir, nil)
	if err != nil {
		return err
	}
	var took []float64
	for i := range lone {
		begun := time.Now()
		name := filepath.Join(dir, fmt.Sprintf("lone-%d.txt", i))
		if err := os.WriteFile(name, []byte(b.texts.short()), 0o644); err != nil {
			return err
		}
		if err := s.wait(ctx, id, i+1); err != nil {
			return err
		}
		took = append(took, time.Since(begun).Seconds())
	}
	p.add("one file dropped, until it is done; 1 s of it must be quiet", "s", nil, took...)
	return nil
}

// lone is how many files are dropped one by one.
const lone = 5

// turn is one side's work on a part of the texts.
type turn struct{ texts, seconds, processor float64 }

// tempDir is a new folder of this run.
func (b *bench) tempDir(name string) string {
	dir, err := os.MkdirTemp(b.home, name)
	if err != nil {
		panic(err) // the disk of our own folder is full
	}
	return dir
}

func (b *bench) translateTexts(ctx context.Context, texts []string) (turn, error) {
	t, err := measured(os.Getpid(), func() error {
		for _, text := range texts {
			if _, err := b.directly(ctx, text); err != nil {
				return err
			}
		}
		return nil
	})
	t.texts = float64(len(texts))
	return t, err
}

// translateFiles lets the service work until so many files of a folder are done
// in all.
func (s *service) translateFiles(ctx context.Context, id int64, files int) (turn, error) {
	before, err := s.Folder(ctx, id)
	if err != nil {
		return turn{}, err
	}
	t, err := s.measured(func() error {
		if _, err := s.Resume(ctx); err != nil {
			return err
		}
		if err := s.wait(ctx, id, files); err != nil {
			return err
		}
		_, err := s.Pause(ctx, api.PauseRequest{})
		return err
	})
	if err != nil {
		return turn{}, err
	}
	after, err := s.Folder(ctx, id)
	t.texts = float64(after.Status.Done - before.Status.Done)
	return t, err
}

func (s *service) measured(work func() error) (turn, error) {
	return measured(s.process.Process.Pid, work)
}

// measured times work that a process does.
func measured(pid int, work func() error) (turn, error) {
	before, err := usageOf(pid)
	if err != nil {
		return turn{}, err
	}
	if err := work(); err != nil {
		return turn{}, err
	}
	after, err := usageOf(pid)
	return turn{seconds: after.at.Sub(before.at).Seconds(), processor: (after.processor - before.processor).Seconds()}, err
}

func (b *bench) measureMemory(s *service) error {
	p := b.report.begin("memory of the service after these files")
	defer p.end()
	resident, anonymous, peak, err := memoryOf(s.process.Process.Pid)
	if err != nil {
		return err
	}
	weights, err := weightsSize(b.cache())
	if err != nil {
		return err
	}
	collections, live, next := s.heap.now()
	p.add("resident", "MB", most(200), resident)
	p.add("of it anonymous", "MB", nil, anonymous)
	p.add("peak", "MB", nil, peak)
	p.add("quantised weights", "MB", nil, weights/1e6)
	p.add("resident / weights", "", nil, resident*1e6/weights)
	p.add("Go's heap, live", "MB", nil, live)
	p.add("Go's heap, next collection at", "MB", nil, next)
	p.add("collections", "", nil, float64(collections))
	return nil
}

// weightsSize is the size of the model's quantised weights in its cache, bytes.
func weightsSize(cache string) (float64, error) {
	largest := int64(0)
	err := filepath.WalkDir(cache, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "weights.bin" {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			largest = max(largest, info.Size())
		}
		return err
	})
	if err == nil && largest == 0 {
		err = fmt.Errorf("no weights.bin in %s", cache)
	}
	return float64(largest), err
}
