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

// python sets the peer's virtual environment up where it is missing or was made
// for other versions, and returns its interpreter.
func (b *bench) python(ctx context.Context) (string, error) {
	requirements := filepath.Join(b.root, scripts, "requirements.txt")
	want, err := os.ReadFile(requirements)
	if err != nil {
		return "", err
	}
	venv, python := b.in("venv"), b.in("venv", "bin", "python")
	if runtime.GOOS == "windows" {
		python = b.in("venv", "Scripts", "python.exe")
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
			return "", fmt.Errorf("set CTranslate2 up (it needs python3 with venv and pip): %w", err)
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

// peer is ct2_server.py with a model.
type peer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	errors  bytes.Buffer
	ready   struct {
		Version string `json:"ctranslate2"`
		Type    string `json:"compute_type"`
		ISA     string `json:"isa"`
		RSS     int64  `json:"rss_bytes"`
	}
}

// startPeer converts the checkpoint where needed and starts the server.
func (b *bench) startPeer(ctx context.Context, m checkpoint) (*peer, error) {
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
	p := &peer{command: exec.CommandContext(ctx, python, filepath.Join(b.root, scripts, "ct2_server.py"), model,
		"--intra-threads", strconv.Itoa(b.threads), "--compute-type", "int8")}
	p.command.Stderr = &p.errors
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
	b.report.Machine.CTranslate2 = p.ready.Version
	b.report.Machine.PeerType, b.report.Machine.PeerISA = p.ready.Type, p.ready.ISA
	return p, nil
}

// translate returns the seconds of each repeat of one sentence with exactly
// length tokens out, and how many there were.
func (p *peer) translate(source []int32, target int32, length, warmup, repeat int) ([]float64, int, error) {
	request, err := json.Marshal(map[string]any{
		"source_ids": source, "target_prefix_ids": []int32{target}, "decoding_length": length, "warmup": warmup, "repeat": repeat,
	})
	if err != nil {
		return nil, 0, err
	}
	if _, err := p.in.Write(append(request, '\n')); err != nil {
		return nil, 0, fmt.Errorf("ask CTranslate2: %w: %s", err, &p.errors)
	}
	var answer struct {
		Seconds []float64 `json:"seconds"`
		Output  [][]int32 `json:"output_ids"`
		Error   string    `json:"error"`
	}
	if err := p.receive(&answer); err != nil {
		return nil, 0, err
	}
	if answer.Error != "" || len(answer.Seconds) != repeat || len(answer.Output) != 1 {
		return nil, 0, fmt.Errorf("CTranslate2: %s", answer.Error)
	}
	return answer.Seconds, len(answer.Output[0]) - 1, nil // without the prefix
}

func (p *peer) receive(into any) error {
	text, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("CTranslate2's process ended: %w: %s", err, &p.errors)
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
