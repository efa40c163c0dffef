package probe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/internal/english"
)

// Limits bound the process.
type Limits struct {
	Start   time.Duration // until the device has said what it is
	Compile time.Duration // for each graph
	Infer   time.Duration // for each inference
	Memory  int64         // resident bytes; 0 is no limit
}

// DefaultLimits are generous: compiles of 80 seconds were reported of sound NPUs,
// and a slow machine under load may take several times as long. The compiler of
// the 418M model needs 1.8 GB at most, and memory grows with the weights.
func DefaultLimits(weightBytes int64) Limits {
	return Limits{Start: 30 * time.Second, Compile: 10 * time.Minute, Infer: 30 * time.Second, Memory: 3<<30 + 4*weightBytes}
}

// Progress is told what the process does. device is called once; an error of it
// ends the trial.
type Progress struct {
	Device func(device.Device) error
	Step   func(m2m100.Step)
}

// memoryPause is how often the memory of the process is looked at.
const memoryPause = 50 * time.Millisecond

// Run tries a device in the process that command makes, which must run Main. The
// error is a *ladder.Reason, but for the context's and Progress's own.
func Run(ctx context.Context, command func(context.Context) (*exec.Cmd, error), r Request, l Limits, p Progress) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd, err := command(ctx)
	if err != nil {
		return fmt.Errorf("start the process that tries the device: %w", err)
	}
	hide(cmd)
	c := &conversation{request: r, limits: l, progress: p, cancel: cancel}
	err = c.hold(cmd)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// conversation is one run of the process.
type conversation struct {
	request  Request
	limits   Limits
	progress Progress
	cancel   context.CancelCauseFunc // ends the process

	graph, of int // that is being compiled
	done      bool
	err       error
}

func (c *conversation) reason(kind ladder.Kind, format string, args ...any) *ladder.Reason {
	return &ladder.Reason{Kind: kind, Device: c.request.Device, Detail: fmt.Sprintf(format, args...)}
}

// hold starts the process, asks, listens and waits for its end.
func (c *conversation) hold(cmd *exec.Cmd) error {
	text, err := json.Marshal(c.request)
	if err != nil {
		return err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the process that tries the device: %w", err)
	}
	stop := c.watchMemory(cmd.Process)
	timer := time.AfterFunc(c.limits.Start, func() {
		c.cancel(c.reason(ladder.Slow, "it did not say what it is within %s", english.Duration(c.limits.Start)))
	})
	_, err = in.Write(append(text, '\n'))
	if err == nil {
		err = c.listen(out, timer)
	}
	timer.Stop()
	if c.done || c.err != nil {
		// It has said all. A driver that hangs at the end of its process is not
		// waited for.
		_ = cmd.Process.Kill()
	}
	waited := cmd.Wait() // closes the pipes
	stop()
	var ended *exec.ExitError
	switch {
	case c.err != nil:
		return c.err
	case c.done:
		return nil
	case errors.As(waited, &ended):
		return c.reason(ladder.Crashed, "the process ended with %q while %s", ended.Error(), c.stage())
	}
	return fmt.Errorf("ask the process that tries the device: %w", errors.Join(err, waited, io.ErrUnexpectedEOF))
}

// stage is what was under way.
func (c *conversation) stage() string {
	switch {
	case c.of == 0:
		return "it looked for the device"
	case c.graph <= c.of:
		return fmt.Sprintf("it compiled graph %d of %d", c.graph, c.of)
	}
	return "it ran the model"
}

// listen reads what the process says until it says no more.
func (c *conversation) listen(out io.Reader, timer *time.Timer) error {
	var limit time.Duration
	expire := func() time.Duration { // the next limit
		if c.of > 0 && c.graph > c.of {
			return c.limits.Infer
		}
		return c.limits.Compile
	}
	lines := bufio.NewReader(out)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		var m message
		if json.Unmarshal(text, &m) != nil {
			continue // a library's own words
		}
		switch {
		case m.Done:
			c.done = true
			return nil
		case m.Failed != nil:
			c.err = c.reason(m.Failed.Kind, "%s", m.Failed.Detail)
			return nil
		case m.Device != nil:
			if err := c.progress.Device(*m.Device); err != nil {
				c.err = err
				return nil
			}
		case m.Step != nil:
			c.graph, c.of = m.Step.Graph, m.Step.Of
			c.progress.Step(*m.Step)
		case m.Tried > 0:
			c.graph = c.of + 1
		}
		limit = expire()
		timer.Stop()
		stage := c.stage()
		timer = time.AfterFunc(limit, func() {
			c.cancel(c.reason(ladder.Slow, "it took longer than %s while %s", english.Duration(limit), stage))
		})
		defer timer.Stop()
	}
}

// watchMemory ends the process when it takes more than it may.
func (c *conversation) watchMemory(process *os.Process) (stop func()) {
	if c.limits.Memory == 0 {
		return func() {}
	}
	ended := make(chan struct{})
	go func() {
		tick := time.NewTicker(memoryPause)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			if bytes, err := resident(process.Pid); err == nil && bytes > c.limits.Memory {
				c.cancel(c.reason(ladder.Memory, "compiling took more than %d MB", c.limits.Memory>>20))
				return
			}
		}
	}()
	return func() { close(ended) }
}
