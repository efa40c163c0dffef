package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
)

// python is the interpreter with CTranslate2.
func (b *bench) python(ctx context.Context) (string, error) {
	return b.environment(ctx, "venv", "requirements.txt")
}

// environment sets a peer's virtual environment up where it is missing or was
// made for other versions, and returns its interpreter.
func (b *bench) environment(ctx context.Context, name, packages string) (string, error) {
	requirements := filepath.Join(b.root, scripts, packages)
	want, err := os.ReadFile(requirements)
	if err != nil {
		return "", err
	}
	venv, python := b.in(name), b.in(name, "bin", "python")
	if runtime.GOOS == "windows" {
		python = b.in(name, "Scripts", "python.exe")
	}
	done := filepath.Join(venv, "installed.txt") // what was asked of pip when it last came to its end
	if have, err := os.ReadFile(done); err == nil && bytes.Equal(have, want) {
		return python, nil
	}
	fmt.Fprintln(os.Stderr, "bench: setting the peer up in", venv)
	for _, args := range [][]string{
		{"python3", "-m", "venv", "--clear", venv},
		{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements},
	} {
		if err := quietly(ctx, args...); err != nil {
			return "", fmt.Errorf("set a peer up (it needs python3 with venv and pip): %w", err)
		}
	}
	return python, os.WriteFile(done, want, 0o644)
}

// quietly runs a command whose output matters only if it fails.
func quietly(ctx context.Context, args ...string) error {
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", args[0], err, bytes.TrimSpace(out))
	}
	return nil
}

// way is how CTranslate2 may spread its work over the threads.
type way struct{ workers, threads int }

func (w way) String() string { return fmt.Sprintf("%d×%d threads", w.workers, w.threads) }

// peer is a Python server with a model: ct2_server.py or hf_server.py.
type peer struct {
	name    string
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	errors  bytes.Buffer
	ready   struct {
		CTranslate2 string `json:"ctranslate2"`
		Type        string `json:"compute_type"`
		ISA         string `json:"isa"`
		RSS         int64  `json:"rss_bytes"`
	}
}

// startPeer converts the checkpoint where needed and starts CTranslate2.
func (b *bench) startPeer(ctx context.Context, m checkpoint, w way) (*peer, error) {
	python, err := b.python(ctx)
	if err != nil {
		return nil, err
	}
	model := b.in("ct2-" + m.name)
	if !newer(filepath.Join(model, "model.bin"), filepath.Join(m.dir, "model.safetensors")) {
		fmt.Fprintln(os.Stderr, "bench: converting", m.name, "for CTranslate2")
		if err := quietly(ctx, python, filepath.Join(b.root, scripts, "ct2_convert.py"), m.dir, model, "--quantization", "int8", "--force"); err != nil {
			return nil, fmt.Errorf("convert %s for CTranslate2: %w", m.name, err)
		}
	}
	p, err := startServer(ctx, "CTranslate2 "+w.String(), python, filepath.Join(b.root, scripts, "ct2_server.py"), model,
		"--intra-threads", strconv.Itoa(w.threads), "--inter-threads", strconv.Itoa(w.workers), "--compute-type", "int8")
	if err != nil {
		return nil, err
	}
	b.report.Machine.CTranslate2 = p.ready.CTranslate2
	b.report.Machine.PeerType, b.report.Machine.PeerISA = p.ready.Type, p.ready.ISA
	return p, nil
}

func startServer(ctx context.Context, name string, args ...string) (*peer, error) {
	p := &peer{name: name, command: exec.CommandContext(ctx, args[0], args[1:]...)}
	p.command.Stderr = &p.errors
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	if err := p.receive(&p.ready); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// task is what dragoman and its peers are both given.
type task struct {
	sources [][]int32
	target  int32
	length  int // tokens out of each sentence; 0: until the end token
}

// batching is how many sentences, or tokens, a peer takes at once; 0 is all.
type batching struct {
	size   int
	tokens bool
}

func (b batching) String() string {
	switch {
	case b.size == 0:
		return "all at once"
	case b.tokens:
		return fmt.Sprintf("%d tokens at once", b.size)
	}
	return fmt.Sprintf("%d at once", b.size)
}

// translate returns the seconds of each repeat and how many tokens came out.
func (p *peer) translate(w task, b batching, warmup, repeat int) ([]float64, int, error) {
	ask := map[string]any{
		"source_ids": w.sources, "target_prefix_ids": []int32{w.target}, "warmup": warmup, "repeat": repeat, "max_batch_size": b.size,
	}
	if w.length > 0 {
		ask["decoding_length"] = w.length
	}
	if b.tokens {
		ask["batch_type"] = "tokens"
	}
	request, err := json.Marshal(ask)
	if err != nil {
		return nil, 0, err
	}
	if _, err := p.in.Write(append(request, '\n')); err != nil {
		return nil, 0, fmt.Errorf("ask %s: %w: %s", p.name, err, &p.errors)
	}
	var answer struct {
		Seconds []float64 `json:"seconds"`
		Output  [][]int32 `json:"output_ids"`
		Error   string    `json:"error"`
	}
	if err := p.receive(&answer); err != nil {
		return nil, 0, err
	}
	if answer.Error != "" || len(answer.Seconds) != repeat || len(answer.Output) != len(w.sources) {
		return nil, 0, fmt.Errorf("%s: %s", p.name, answer.Error)
	}
	tokens := 0
	for _, out := range answer.Output {
		tokens += len(out) - 1 // without the prefix
	}
	return answer.Seconds, tokens, nil
}

func (p *peer) receive(into any) error {
	text, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s: its process ended: %w: %s", p.name, err, &p.errors)
	}
	return json.Unmarshal(text, into)
}

func (p *peer) close() error {
	return errors.Join(p.in.Close(), p.command.Wait())
}

// newer tells whether a file exists and is not older than what it was made of.
func newer(made, of string) bool {
	a, errA := os.Stat(made)
	b, errB := os.Stat(of)
	return errA == nil && errB == nil && !a.ModTime().Before(b.ModTime())
}
