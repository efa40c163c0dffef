package probe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"dragoman/inference/blob"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// Exit codes of the process besides 0.
const (
	exitRequest = 64 // the request cannot be read
	exitOrphan  = 65 // who asked is gone
)

// Main is the process: it reads a request, tries the device and writes what
// happens. It returns the exit code. What the device does wrong is a message, not
// a code: only a process that could not say so ends with one.
func Main(in io.Reader, out io.Writer) int {
	lines := bufio.NewReader(in)
	text, err := lines.ReadBytes('\n')
	var r Request
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe: this command is for dragoman's own use: no request on standard input:", err)
		return exitRequest
	}
	// Whoever asked holds the other end until it has its answer. Native code may
	// hang in the meantime, so the process ends from here.
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		os.Exit(exitOrphan)
	}()
	encoder := json.NewEncoder(out)
	say := func(m message) {
		if encoder.Encode(m) != nil {
			os.Exit(exitOrphan)
		}
	}
	if err := try(context.Background(), r, say); err != nil {
		why := ladder.Because(r.Device, KindOf(err, ladder.Compile), err)
		say(message{Failed: &failure{why.Kind, why.Detail}})
		return 0
	}
	say(message{Done: true})
	return 0
}

// KindOf tells the kind of a failure by its error, otherwise where it does not
// know it.
func KindOf(err error, otherwise ladder.Kind) ladder.Kind {
	for _, k := range []struct {
		err  error
		kind ladder.Kind
	}{
		{m2m100.ErrNotFinite, ladder.NotFinite}, {m2m100.ErrAllZero, ladder.Empty}, {m2m100.ErrHung, ladder.Hung},
		{m2m100.ErrNotStored, ladder.Store}, {m2m100.ErrWrong, ladder.Wrong}, {errInference, ladder.Inference},
	} {
		if errors.Is(err, k.err) {
			return k.kind
		}
	}
	return otherwise
}

// errInference is the error of a source that could not be encoded.
var errInference = errors.New("the first inference failed")

// tryLimit is how long an inference may take here: the process that waits has
// limits of its own.
const tryLimit = 10 * time.Minute

func try(ctx context.Context, r Request, say func(message)) error {
	rt, err := openvino.Load(r.Runtime.Library, r.Runtime.Preload...)
	if err != nil {
		return err
	}
	core, err := rt.NewCore()
	if err != nil {
		return err
	}
	facts, err := Facts(ctx, core, r.Runtime, r.Device)
	if err != nil {
		return err
	}
	say(message{Device: &facts})
	recipe, err := m2m100.ParseRecipe(r.Recipe)
	if err != nil {
		return err
	}
	checkpoint, err := model.Open(r.ModelDir)
	if err != nil {
		return err
	}
	defer checkpoint.Close()
	o := m2m100.Options{
		Core: core, Checkpoint: checkpoint, Recipe: recipe, ContentKey: r.ContentKey, Forbidden: r.Forbidden, Dir: r.GraphDir,
		Blobs: blob.Open(r.BlobDir, blob.Options{QuotaBytes: r.QuotaBytes}),
	}
	target, step := TargetOf(rt, facts, r.Device, r.Properties), func(s m2m100.Step) { say(message{Step: &s}) }
	if r.Decoder {
		return tryDecoder(ctx, o, target, step, say)
	}
	a, err := m2m100.OpenAccelerator(ctx, o, target, tryLimit, step)
	if err != nil {
		return err
	}
	for i, source := range r.Sources {
		if _, err := a.Outputs(ctx, source); err != nil {
			return fmt.Errorf("%w: %w", errInference, err)
		}
		say(message{Tried: i + 1})
	}
	return nil // the process ends, which gives back more than Close could
}

func tryDecoder(ctx context.Context, o m2m100.Options, t m2m100.Target, step func(m2m100.Step), say func(message)) error {
	d, err := m2m100.OpenDecoder(ctx, o, t, tryLimit, step)
	if err != nil {
		return err
	}
	if err := d.Try(ctx); err != nil {
		return fmt.Errorf("%w: %w", errInference, err)
	}
	say(message{Tried: 1})
	return nil
}
