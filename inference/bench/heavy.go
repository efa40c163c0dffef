package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"dragoman/inference/m2m100"
)

// heavyKinds are what hf_server.py runs.
var heavyKinds = []struct{ kind, name string }{
	{"optimum", "optimum-intel int8"},
	{"transformers", "transformers"},
}

// measureHeavy compares with peers that take gigabytes to install, each with
// one sentence.
func (b *bench) measureHeavy(ctx context.Context, m checkpoint) error {
	python, err := b.environment(ctx, "venv-peers", "requirements-peers.txt")
	if err != nil {
		return err
	}
	ids, target, err := m.source(sizes[0].in)
	if err != nil {
		return err
	}
	ours, err := b.open(ctx, m, m2m100.CPU)
	if err != nil {
		return err
	}
	defer ours.close()
	for _, k := range heavyKinds {
		if err := b.measureOneHeavy(ctx, m, ours, python, k.kind, k.name, task{[][]int32{ids}, target, sizes[0].out}); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			b.report.skip(k.name+", "+m.name, err)
		}
	}
	return nil
}

func (b *bench) measureOneHeavy(ctx context.Context, m checkpoint, ours opened, python, kind, name string, w task) (err error) {
	p, err := startServer(ctx, name, python, filepath.Join(b.root, scripts, "hf_server.py"), kind, m.dir,
		"--threads", fmt.Sprint(b.threads), "--cache", b.in("peers-"+m.name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	var s steps
	mine, theirs, err := duel(max(1, m.rounds/3), contender{"dragoman int8", func() ([]float64, error) {
		return s.turn(ctx, ours, w.sources[0], w.target, w.length)
	}}, p.contender(w, batching{}))
	if err != nil {
		return err
	}
	group := fmt.Sprintf("one sentence, %d tokens in, %d out, against %s: %s", sizes[0].in, sizes[0].out, name, m.name)
	b.report.compare(group, "dragoman int8", name, 0, mine, theirs)
	return nil
}
