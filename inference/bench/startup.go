package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

const sentence = "The weather is nice today."

// starts is how often the command is started. Its prepared files are made by
// two starts before these.
const starts = 10

// translation is what `dragoman translate --json` prints, as far as it is used.
type translation struct {
	Stats struct {
		TokensIn      int     `json:"tokens_in"`
		TokensOut     int     `json:"tokens_out"`
		TokenMedianMS float64 `json:"token_median_ms"`
		TotalMS       float64 `json:"total_ms"`
	} `json:"stats"`
}

// measureStart times whole processes of the command, from start to exit, with
// one short sentence, and reads the memory of one that stays.
func (b *bench) measureStart(ctx context.Context, m checkpoint) error {
	if !m.hasTokenizer() {
		return errors.New("it has no tokenizer")
	}
	if err := b.buildCommand(ctx); err != nil {
		return err
	}
	_, err := os.Stat(b.cache(m))
	firstEver := errors.Is(err, fs.ErrNotExist)
	var cold, warm, processor, inside, adjusted []float64
	for i := range starts + 2 {
		took, used, t, err := b.startOnce(ctx, m)
		if err != nil {
			return err
		}
		switch i {
		case 0:
			cold = append(cold, took)
		case 1: // reads from the disk what the first one wrote
		default:
			warm, processor = append(warm, took), append(processor, used)
			inside = append(inside, t.Stats.TotalMS/1000)
			surplus := float64(max(0, t.Stats.TokensOut-t.Stats.TokensIn)) * t.Stats.TokenMedianMS / 1000
			adjusted = append(adjusted, took-surplus)
		}
	}
	group := "process start, one short sentence, end: " + m.name
	if firstEver {
		b.report.add(group, "first start ever, prepares the model", "s", 0, cold...)
	}
	if m.random {
		b.report.add(group, "warm cache, with the output that random weights do not end", "s", 0, warm...)
		b.report.add(group, "warm cache, without the tokens beyond the source's length", "s", m.start, adjusted...)
	} else {
		b.report.add(group, "warm cache", "s", m.start, warm...)
	}
	b.report.add(group, "of it the translation", "s", 0, inside...)
	b.report.add(group, "processor time of all threads", "s", 0, processor...)
	return b.measureMemory(ctx, m, group)
}

func (b *bench) buildCommand(ctx context.Context) error {
	// The folder of the sources is this process's: it runs in the root.
	return quietly(ctx, "go", "build", "-o", filepath.Join(b.root, command), "./cmd/dragoman")
}

// cache is where the command keeps what it makes of a model. It stays from run
// to run.
func (b *bench) cache(m checkpoint) string { return b.in("cache-" + m.name) }

// dragoman prepares a run of the command with places of the bench's own, so
// that nothing of the user's is read or written.
func (b *bench) dragoman(ctx context.Context, m checkpoint, args ...string) (*exec.Cmd, error) {
	config := b.in("config.toml")
	if err := os.WriteFile(config, nil, 0o644); err != nil {
		return nil, err
	}
	args = append(args, "--from", "en", "--to", "es", "--model", m.dir, "--threads", strconv.Itoa(b.threads))
	c := exec.CommandContext(ctx, filepath.Join(b.root, command), args...)
	c.Env = append(os.Environ(),
		"DRAGOMAN_CONFIG="+config, "DRAGOMAN_CACHE="+b.cache(m), "DRAGOMAN_DATA="+filepath.Join(b.root, data),
		"DRAGOMAN_OPENVINO="+b.runtime.Library)
	return c, nil
}

// startOnce returns the seconds from before the process to after it, and those
// that its threads were running, which a busy machine changes less.
func (b *bench) startOnce(ctx context.Context, m checkpoint) (took, used float64, t translation, err error) {
	c, err := b.dragoman(ctx, m, "translate", "--json", "--text", sentence)
	if err != nil {
		return 0, 0, t, err
	}
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	start := time.Now()
	err = c.Run()
	took = time.Since(start).Seconds()
	if err != nil {
		return 0, 0, t, fmt.Errorf("dragoman translate: %w: %s", err, bytes.TrimSpace(complaints.Bytes()))
	}
	if err := json.Unmarshal(out.Bytes(), &t); err != nil {
		return 0, 0, t, fmt.Errorf("dragoman translate --json: %w", err)
	}
	if t.Stats.TokensOut == 0 {
		return 0, 0, t, errors.New("dragoman translate --json tells of no tokens")
	}
	used = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	return took, used, t, nil
}
