package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"dragoman/inference"
)

// quietTime is how long a text may take before progress is shown.
const quietTime = time.Second

// progress shows a bar on a terminal once a text takes longer than quietTime.
type progress struct {
	out   io.Writer // nil where there is no terminal
	name  string
	start time.Time
	bar   *progressbar.ProgressBar
}

func newProgress(out io.Writer, name string) *progress {
	return &progress{out: terminalOf(out), name: name, start: time.Now()}
}

// terminalOf is out where that is a terminal, else nil.
func terminalOf(out io.Writer) io.Writer {
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return out
	}
	return nil
}

func (p *progress) update(u inference.Progress) {
	if p.out == nil || time.Since(p.start) < quietTime {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(u.Total,
			progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription(p.name),
			progressbar.OptionShowCount(), progressbar.OptionSetItsString("sentences"),
			progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	_ = p.bar.Set(u.Done) // a terminal that cannot be written to is no reason to stop
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
