// Command bench measures what the service promises, with the starter model and
// a real dragomand on folders of its own: what an answer costs beyond the
// library's, a memory hit, drop folders, memory, starts, many clients, and
// doing nothing. `make bench` runs it, in the checkout's root.
//
// It owns the measuring and nothing else: it runs the packages and the programs
// as they are. Where it can it lets the service and the library in this process
// take turns, because times of a machine that others use say little. Processes
// are looked into by /proc, so that it runs on Linux only.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"dragoman/inference"
	"dragoman/inference/openvino/locate"
)

// Where things are, seen from the checkout's root.
const (
	work    = "build/bench"
	data    = "build/data"
	starter = "assets/starter"
)

type settings struct {
	parts   string
	turns   int
	files   int
	crowd   int
	idle    time.Duration
	resting int
	json    string
}

// bench is one run.
type bench struct {
	settings
	root    string // absolute
	home    string // of the services; removed at the end
	runtime locate.Candidate
	library *inference.Translator
	texts   texts
	report  report
}

func main() {
	var s settings
	flag.StringVar(&s.parts, "parts", "start,answers,files,crowd,idle", "what to measure")
	flag.IntVar(&s.turns, "turns", 10, "turns of drop folder and library")
	flag.IntVar(&s.files, "files", 1000, "files of a drop folder")
	flag.IntVar(&s.crowd, "crowd", 50, "clients at once")
	flag.DurationVar(&s.idle, "idle", 30*time.Second, "how long the idle service is looked at; 10m shows more")
	flag.IntVar(&s.resting, "resting", 10000, "files in each of the idle service's five folders")
	flag.StringVar(&s.json, "json", "", "file to write all figures to")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, s)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	if s.turns < 1 || s.files < s.turns || s.crowd < 1 || s.resting < 1 || s.idle < time.Second || flag.NArg() > 0 {
		return errors.New("numbers begin with 1, --files with that of the turns, --idle with 1s, and there are no arguments")
	}
	b, err := newBench(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	wanted := strings.Split(s.parts, ",")
	for _, p := range []struct {
		name    string
		measure func(context.Context) error
	}{
		// Starts come before the library is loaded: a child of a large process
		// starts slower.
		{"start", b.measureStart},
		{"answers", b.measureAnswers},
		{"files", b.measureFiles},
		{"crowd", b.measureCrowd},
		{"idle", b.measureIdle},
	} {
		if !slices.Contains(wanted, p.name) {
			continue
		}
		if err := p.measure(ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("measure %s: %w", p.name, err)
		}
		b.report.print(os.Stdout)
	}
	if s.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(b.report, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.json, append(text, '\n'), 0o644)
}

func newBench(ctx context.Context, s settings) (*bench, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(root, starter)); err != nil {
		return nil, errors.New("run it in the checkout's root, by `make bench`")
	}
	b := &bench{settings: s, root: root}
	if b.runtime, err = locate.Find(locate.Host("", filepath.Join(root, data))); err != nil {
		return nil, fmt.Errorf("no runtime: set it up by `make runtime`: %w", err)
	}
	if err := os.MkdirAll(b.in(), 0o755); err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", b.in()+string(filepath.Separator), "./cmd/...")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build the programs: %w", err)
	}
	// On the disk of the checkout, not in a temporary folder that may be memory:
	// files are flushed.
	b.home, err = os.MkdirTemp(b.in(), "service-")
	return b, err
}

func (b *bench) close() {
	if b.library != nil {
		_ = b.library.Abandon() // the process ends
	}
	_ = os.RemoveAll(b.home)
}

// in is a path in the folder that stays from run to run.
func (b *bench) in(names ...string) string {
	return filepath.Join(append([]string{b.root, work}, names...)...)
}

// cache is where the service and the library keep what they make of the model.
func (b *bench) cache() string { return b.in("cache-service") }

// loaded is the library in this process, with the settings that the service has
// by default.
func (b *bench) loaded(ctx context.Context) (*inference.Translator, error) {
	if b.library != nil {
		return b.library, nil
	}
	t, err := inference.Open(ctx, inference.Options{
		Runtime: b.runtime, ModelDir: filepath.Join(b.root, starter), Cache: inference.Cache{Dir: b.cache()},
	})
	b.library = t
	return t, err
}

// unload lets the library begin anew.
func (b *bench) unload() error {
	if b.library == nil {
		return nil
	}
	t := b.library
	b.library = nil
	return t.Close()
}

// The languages of all texts here.
const from, to = "en", "es"

// directly translates by the library in this process.
func (b *bench) directly(ctx context.Context, text string) (inference.Result, error) {
	t, err := b.loaded(ctx)
	if err != nil {
		return inference.Result{}, err
	}
	return t.Translate(ctx, inference.Request{Text: text, From: from, To: to, Forget: true})
}
