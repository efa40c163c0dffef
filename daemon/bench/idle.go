package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"dragoman/daemon/api"
)

const (
	folders = 5
	// scanned is how often the service looks through its folders that shows what
	// that costs, usual how often it does by default.
	scanned = 5 * time.Second
	usual   = 15 * time.Minute
	scans   = 6
	// A service is calm when it needs less than hardly of a processor.
	calmFor = 3 * time.Second
	hardly  = 0.005
)

// measureIdle looks at a service that has nothing to do but to watch folders
// full of files that are done.
func (b *bench) measureIdle(ctx context.Context) error {
	p := b.report.begin(fmt.Sprintf("idle, watching %d folders of %d files that are done", folders, b.resting))
	defer p.end()
	home := b.tempDir("home-")
	s, err := b.startServiceAt(ctx, home)
	if err != nil {
		return err
	}
	if err := errors.Join(b.fill(ctx, s, p), s.stop()); err != nil {
		return err
	}
	if s, err = b.startServiceAt(ctx, home); err != nil {
		return err
	}
	still, err := b.measureRest(ctx, s, p)
	if err := errors.Join(err, s.stop()); err != nil {
		return err
	}
	if s, err = b.startServiceAt(ctx, home, "DRAGOMAN_FOLDERS_RESCAN="+scanned.String()); err != nil {
		return err
	}
	scan, err := b.measureScans(ctx, s, p)
	if err := errors.Join(err, s.stop()); err != nil {
		return err
	}
	p.add("with a look through all folders every 15 min", "% of a processor", most(0.1), 100*(still+scan/usual.Seconds()))
	return nil
}

// fill lets the service do all files. There is no sentence in them, so that the
// model is not needed.
func (b *bench) fill(ctx context.Context, s *service, p *part) error {
	if err := s.warm(ctx); err != nil {
		return err
	}
	done, err := s.measured(func() error {
		for range folders {
			files := make([]string, b.resting)
			for i := range files {
				files[i] = fmt.Sprintf("12:30 %d\n", i)
			}
			id, err := s.drop(ctx, b.tempDir("drop-"), files)
			if err == nil {
				err = s.wait(ctx, id, len(files))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	n := float64(folders * b.resting)
	p.add("files without a sentence", "files/s", nil, n/done.seconds)
	p.add("processor time of one", "ms", nil, 1000*done.processor/n)
	return nil
}

// calm waits until the service rests.
func (s *service) calm(ctx context.Context) error {
	for {
		t, err := s.over(ctx, calmFor)
		if err != nil || t.processor < hardly*t.seconds {
			return err
		}
	}
}

// over measures what it does in some time.
func (s *service) over(ctx context.Context, length time.Duration) (turn, error) {
	return s.measured(func() error {
		select {
		case <-time.After(length):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// measureRest returns how much of a processor the service needs between looks.
func (b *bench) measureRest(ctx context.Context, s *service, p *part) (share float64, err error) {
	if err := errors.Join(s.warm(ctx), s.calm(ctx)); err != nil {
		return 0, err
	}
	before, err := s.usage()
	if err != nil {
		return 0, err
	}
	p.add("start, until all files are known to be done", "s", nil, (time.Since(s.started) - calmFor).Seconds())
	p.add("processor time of that", "s", nil, before.processor.Seconds())
	resting, err := s.over(ctx, b.idle)
	if err != nil {
		return 0, err
	}
	after, err := s.usage()
	if err != nil {
		return 0, err
	}
	how, err := b.undisturbed(ctx, s)
	if err != nil {
		return 0, err
	}
	resident, _, _, err := memoryOf(s.process.Process.Pid)
	if err != nil {
		return 0, err
	}
	share = resting.processor / resting.seconds
	_, live, _ := s.heap.now()
	p.add("time looked at", "s", nil, resting.seconds)
	p.add("between looks through the folders", "% of a processor", most(0.1), 100*share)
	wakeups := float64(after.wakeups-before.wakeups) / resting.seconds
	p.add("wake-ups of threads", "per s", nil, wakeups)
	p.add("resident", "MB", nil, resident)
	p.add("Go's heap, live", "MB", nil, live)
	p.Line = fmt.Sprintf("idle for %.0f s with %d folders of %d files, %s: %s %% of a processor, %s wake-ups/s, %s MB resident",
		resting.seconds, folders, b.resting, how, number(100*share), number(wakeups), number(resident))
	return share, nil
}

// undisturbed makes sure that the service had nothing to do, and says how it
// watches the folders.
func (b *bench) undisturbed(ctx context.Context, s *service) (how string, err error) {
	all, err := s.Folders(ctx)
	if err != nil {
		return "", err
	}
	states := map[api.FolderState]int{}
	for _, f := range all.Folders {
		states[f.Status.State]++
		if f.Status.Done != int64(b.resting) || f.Status.Waiting > 0 {
			return "", fmt.Errorf("%s was not idle: %d files done, %d waiting", f.Settings.Path, f.Status.Done, f.Status.Waiting)
		}
	}
	if len(all.Folders) != folders {
		return "", fmt.Errorf("%d folders instead of %d", len(all.Folders), folders)
	}
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(states)) {
		parts = append(parts, fmt.Sprintf("%d %s", states[state], state))
	}
	return strings.Join(parts, ", "), nil
}

// measureScans returns the processor seconds of one look through all folders,
// from a service that does little else.
func (b *bench) measureScans(ctx context.Context, s *service, p *part) (float64, error) {
	if err := s.warm(ctx); err != nil {
		return 0, err
	}
	// Calm would never come here; the start takes no longer than the last one.
	settled := time.Duration(p.last("start, until all files are known to be done") * float64(time.Second))
	if _, err := s.over(ctx, 2*settled+scanned); err != nil {
		return 0, err
	}
	scanning, err := s.over(ctx, scans*scanned)
	if err != nil {
		return 0, err
	}
	each := scanning.processor / scans
	p.add("processor time of a look through all folders", "s", nil, each)
	return each, nil
}
