package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// usage is what a process has used since its start.
type usage struct {
	at        time.Time
	processor time.Duration // all threads that live; those of Go stay
	wakeups   int           // times that a thread gave the processor up to wait
}

// usageOf reads /proc/PID/task: schedstat counts in nanoseconds, where stat has
// hundredths of a second.
func usageOf(pid int) (usage, error) {
	u := usage{at: time.Now()}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil || len(threads) == 0 {
		return u, fmt.Errorf("no process %d in /proc", pid)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(filepath.Join(thread, "schedstat"))
		if os.IsNotExist(err) {
			continue // it has just ended
		}
		var ran int64
		if _, err := fmt.Sscan(string(text), &ran); err != nil {
			return u, fmt.Errorf("read the times of a thread: %w", err)
		}
		u.processor += time.Duration(ran)
		status, err := os.ReadFile(filepath.Join(thread, "status"))
		switch {
		case err == nil:
			u.wakeups += int(field(string(status), "voluntary_ctxt_switches"))
		case !os.IsNotExist(err):
			return u, fmt.Errorf("read how often a thread woke up: %w", err)
		}
	}
	return u, nil
}

// memoryOf is what a process has of the machine's memory, in MB.
func memoryOf(pid int) (resident, anonymous, peak float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, 0, err
	}
	const kibi = 1024 / 1e6
	status := string(text)
	return kibi * field(status, "VmRSS"), kibi * field(status, "RssAnon"), kibi * field(status, "VmHWM"), nil
}

// field is a number in a file such as /proc/PID/status, 0 where it is missing.
func field(status, name string) (v float64) {
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			_, _ = fmt.Sscan(value, &v)
		}
	}
	return v
}
