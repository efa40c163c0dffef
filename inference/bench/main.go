// Command bench measures what dragoman promises: one sentence against
// CTranslate2 on the same weights, process start, memory, Go's share of a step,
// and the encoder's buckets. `make bench` runs it, in the checkout's root.
//
// It owns the measuring and nothing else: it runs the packages and the command
// as they are. The peer is Python.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/inference/openvino"
	"dragoman/inference/openvino/locate"
)

// Where things are, seen from the checkout's root.
const (
	scripts        = "inference/bench"
	work           = "build/bench"
	data           = "build/data"
	command        = "build/dragoman"
	starter        = "assets/starter"
	largeTokenizer = "../shared/m2m100"
	corpus         = "../shared/corpus/test"
)

type settings struct {
	threads int
	rounds  int
	quick   bool
	json    string

	parts     string // names, with commas between; "" is all
	lineCount int    // of the drop folder
	heavy     bool
	record    bool
	check     bool
	plot      string
	held      string // the instructions that both sides are held to, "" for none
}

// bench is one run.
type bench struct {
	settings
	root    string // absolute
	runtime locate.Candidate
	core    *openvino.Core
	report  report
}

func main() {
	var s settings
	flag.IntVar(&s.threads, "threads", 2, "processor threads of dragoman and of the peer")
	flag.IntVar(&s.rounds, "rounds", 15, "interleaved rounds of each comparison; half as many for the 418M shape")
	flag.BoolVar(&s.quick, "quick", false, "the starter only")
	flag.StringVar(&s.json, "json", "", "file to write all figures to")
	flag.StringVar(&s.parts, "parts", "", "measure only these, with commas between: "+strings.Join(partNames(), ", "))
	flag.IntVar(&s.lineCount, "lines", 2000, "real lines of the drop folder, at most 2000")
	flag.BoolVar(&s.heavy, "peers", false, "also compare with optimum-intel and transformers, which takes gigabytes to install")
	flag.BoolVar(&s.record, "record", false, "record the ratios in "+recordFile)
	flag.BoolVar(&s.check, "check", false, "compare the ratios with the recorded ones, and fail where one fell by more than 10 %")
	flag.StringVar(&s.plot, "plot", "", "SVG file to draw the ratios into, such as docs/performance.svg")
	flag.StringVar(&s.held, "instructions", "", "hold both sides to those of other processors: "+strings.Join(slices.Sorted(maps.Keys(instructionSets)), ", "))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, s)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	if s.rounds < 1 || s.threads < 1 || flag.NArg() > 0 {
		return errors.New("--rounds and --threads take numbers from 1 on, and there are no arguments")
	}
	if s.lineCount < 1 || s.lineCount > 2*linesOfSet {
		return fmt.Errorf("--lines takes 1 to %d", 2*linesOfSet)
	}
	for name := range strings.SplitSeq(s.parts, ",") {
		if name != "" && !slices.Contains(partNames(), name) {
			return fmt.Errorf("--parts: %q is none of %s", name, strings.Join(partNames(), ", "))
		}
	}
	if err := s.hold(); err != nil {
		return err
	}
	b, err := newBench(s)
	if err != nil {
		return err
	}
	var recorded record
	if s.check { // before hours of measuring
		all, err := readRecords(b.root)
		if err != nil {
			return err
		}
		if recorded, err = all.of(b.report.Machine); err != nil {
			return err
		}
	}
	models := []checkpoint{{name: "starter", dir: filepath.Join(b.root, starter), together: 1.3, start: 0.3, rss: 200, rounds: s.rounds}}
	for _, shape := range b.shapes() {
		if err := b.prepare(shape); err != nil {
			b.report.skip(shape.name+" shape", err)
			continue
		}
		models = append(models, shape.checkpoint)
	}
	for _, part := range parts {
		if !s.wants(part.name) {
			continue
		}
		for _, m := range models {
			fmt.Fprintf(os.Stderr, "bench: %s, %s\n", part.name, m.name)
			before := len(b.report.Lines)
			if err := part.measure(b, ctx, m); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				b.report.skip(part.name+", "+m.name, err)
			}
			if m.aimless {
				b.report.aimless(before)
			}
		}
	}
	b.report.print(os.Stdout)
	return b.keep(recorded)
}

// keep writes what was asked for and compares.
func (b *bench) keep(recorded record) error {
	if b.json != "" {
		text, err := json.MarshalIndent(b.report, "", " ")
		if err == nil {
			err = os.WriteFile(b.json, append(text, '\n'), 0o644)
		}
		if err != nil {
			return err
		}
	}
	if b.plot != "" {
		if err := b.report.plot(b.plot); err != nil {
			return err
		}
	}
	if b.check {
		if err := b.report.check(recorded, os.Stdout); err != nil {
			return err
		}
	}
	if b.record {
		return b.report.save(b.root)
	}
	return nil
}

// parts of a run. Starts come before anything is loaded here: a child of a large
// process starts slower.
var parts = []struct {
	name    string
	measure func(*bench, context.Context, checkpoint) error
}{
	{"start", (*bench).measureStart},
	{"sentence", (*bench).measureSentence},
	{"batch", (*bench).measureBatch},
	{"folder", (*bench).measureFolder},
	{"edited", (*bench).measureEdited},
	{"peers", (*bench).measureHeavy},
	{"encoder", (*bench).measureEncoder},
	{"lengths", (*bench).measureLengths},
}

func partNames() (names []string) {
	for _, part := range parts {
		names = append(names, part.name)
	}
	return names
}

// wants says whether a part is to be measured.
func (s settings) wants(part string) bool {
	if part == "peers" {
		return s.heavy
	}
	return s.parts == "" || slices.Contains(strings.Split(s.parts, ","), part)
}

func newBench(s settings) (*bench, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(root, scripts, "ct2_server.py")); err != nil {
		return nil, errors.New("run it in the checkout's root, by `make bench`")
	}
	b := &bench{settings: s, root: root, report: newReport(s.threads, s.held)}
	if err := os.MkdirAll(b.in(), 0o755); err != nil {
		return nil, err
	}
	if b.runtime, err = locate.Find(locate.Host("", filepath.Join(root, data))); err != nil {
		return nil, fmt.Errorf("no runtime: set it up by `make runtime`: %w", err)
	}
	return b, nil
}

// in is a path in the bench's own folder.
func (b *bench) in(names ...string) string {
	return filepath.Join(append([]string{b.root, work}, names...)...)
}

// openCore loads the runtime when it is first needed.
func (b *bench) openCore() (*openvino.Core, error) {
	if b.core != nil {
		return b.core, nil
	}
	rt, err := openvino.Load(b.runtime.Library, b.runtime.Preload...)
	if err != nil {
		return nil, err
	}
	b.report.Machine.OpenVINO = rt.Build
	b.core, err = rt.NewCore()
	return b.core, err
}
