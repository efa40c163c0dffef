package m2m100

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"dragoman/inference/checksum"
	"dragoman/inference/ir"
	"dragoman/inference/m2m100/host"
	"dragoman/inference/mapped"
	"dragoman/inference/model"
)

// graphVersion changes whenever the graphs or the weight formats change, so
// that files of an older writer are not used.
const graphVersion = 3

// Buckets are the lengths of the static encoder graphs, in tokens. Each costs
// an accelerator a copy of the weights, so there are few: see
// docs/architecture.md for the lengths of real sentences behind them.
var Buckets = []int{32, 64, 128}

// Files of a prepared model in its folder.
const (
	weightsFile     = "weights.bin"
	encoderFile     = "encoder.xml"
	decoderFile     = "decoder.xml"
	beamFile        = "decoder_beams.xml"
	hostDecoderFile = "decoder.bin"
	manifestFile    = "manifest.json"
)

func staticEncoderFile(bucket int) string { return fmt.Sprintf("encoder_%d.xml", bucket) }

// manifest is written last: a folder without it, or with files of another
// size, was not finished or was changed.
type manifest struct {
	Version int                `json:"version"`
	Recipe  string             `json:"recipe"`
	Files   map[string]written `json:"files"`
	// Constants are where the encoder's are in the file of weights.
	Constants map[string]ir.Span `json:"constants,omitempty"`
	// Sum is XXH3-128 of the manifest without it, in hexadecimal: places that were
	// changed would give other weights, and no error.
	Sum string `json:"xxh3"`
}

// sum is what Sum must be.
func (m manifest) sum() (string, error) {
	m.Sum = ""
	content, err := json.Marshal(m) // maps in the order of their keys
	return checksum.Of(content).String(), err
}

// written is what a file was when it was written.
type written struct {
	Size int64  `json:"size"` // bytes
	Sum  string `json:"xxh3"` // XXH3-128 of its content, in hexadecimal
}

// errDamaged is the error of a prepared file whose content has changed.
var errDamaged = errors.New("a file of the prepared model is damaged")

// check compares content with what was written.
func (w written) check(path string, content []byte) error {
	if checksum.Of(content).String() != w.Sum {
		return fmt.Errorf("%w: %s", errDamaged, path)
	}
	return nil
}

// lockPause is how often a process looks whether another is done preparing.
const lockPause = 50 * time.Millisecond

// ErrCache is the error of a folder that the prepared graphs cannot be written to.
var ErrCache = errors.New("the prepared model cannot be stored")

// Prepare makes sure that o.Dir holds the graphs of the checkpoint, and writes
// them where it does not. The folder appears whole or not at all; ErrCache
// means that it could not be written.
func Prepare(ctx context.Context, o Options) error {
	return prepare(ctx, o.Checkpoint, o.recipe(), o.Forbidden, o.Threads, o.Dir, o.Preparing)
}

func prepare(ctx context.Context, c *model.Checkpoint, r Recipe, forbid []int32, threads int, dir string, tell func(percent int)) error {
	if complete(dir, r) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	// Another process may be preparing the same model: wait for it.
	lock := flock.New(dir + ".lock")
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	defer lock.Unlock()
	if complete(dir, r) {
		return nil
	}
	unfinished := unfinishedMark + filepath.Base(dir) + "-"
	if err := removeUnfinished(filepath.Dir(dir), unfinished); err != nil {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), unfinished)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	defer os.RemoveAll(temp)
	if err := writeFiles(ctx, c, r, forbid, threads, temp, newPreparation(c, r, tell)); err != nil {
		return err
	}
	c.Release() // only the embeddings are read again
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("%w: replace the old one: %w", ErrCache, err)
	}
	if err := os.Rename(temp, dir); err != nil {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	removeUnused(filepath.Dir(dir), time.Now())
	return nil
}

// removeUnfinished takes away the folders of processes that were killed while
// they prepared this model: the caller holds the lock, so none is at work.
func removeUnfinished(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// complete tells whether dir holds what writeFiles wrote, by names and sizes.
// The sums are compared only when a graph is compiled: they need the whole
// content to be read, which an imported graph does without.
func complete(dir string, r Recipe) bool {
	m, err := readManifest(dir)
	if err != nil || m.Version != graphVersion || m.Recipe != r.String() || len(m.Files) == 0 {
		return false
	}
	if _, ok := m.Files[beamFile]; !ok && !r.Host { // written before there were beam searches
		return false
	}
	for name, file := range m.Files {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() != file.Size {
			return false
		}
	}
	return true
}

func readManifest(dir string) (manifest, error) {
	var m manifest
	path := filepath.Join(dir, manifestFile)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return m, errors.Join(err, fmt.Errorf("%s is no file", path))
	}
	f, err := os.Open(path)
	if err != nil {
		return m, err
	}
	defer f.Close()
	if err := json.NewDecoder(io.LimitReader(f, 1<<20)).Decode(&m); err != nil {
		return m, err
	}
	if sum, err := m.sum(); err != nil || sum != m.Sum {
		return m, errors.Join(err, fmt.Errorf("%w: %s", errDamaged, path))
	}
	return m, nil
}

func writeFiles(ctx context.Context, c *model.Checkpoint, r Recipe, forbid []int32, threads int, dir string, p *preparation) error {
	m := manifest{Version: graphVersion, Recipe: r.String(), Files: map[string]written{}}
	var spans map[string]ir.Span
	err := writeFile(dir, weightsFile, m.Files, func(out io.Writer) error {
		w := ir.NewWeights(contextWriter{ctx, out, p})
		graphs := map[string]*builder{
			encoderFile: encoderGraph(c, w, r.Encoder, 0),
		}
		if !r.Host {
			graphs[decoderFile] = decoderGraph(c, w, r, forbid)
			graphs[beamFile] = beamGraph(c, w, r, forbid)
		}
		for _, bucket := range bucketsOf(c.Config) {
			graphs[staticEncoderFile(bucket)] = encoderGraph(c, w, r.Encoder, bucket)
		}
		for name, graph := range graphs {
			if err := writeFile(dir, name, m.Files, graph.writeXML); err != nil {
				return err
			}
		}
		spans = w.Spans()
		if r.HostEncoder {
			m.Constants = spans
		}
		return w.Err()
	})
	if err == nil && r.Host {
		err = writeHostDecoder(ctx, c, r, forbid, cmp.Or(max(threads, 0), runtime.GOMAXPROCS(0)), dir, spans, m.Files, p)
	}
	if err != nil {
		return fmt.Errorf("write the graphs of %s: %w", c.Dir, err)
	}
	if m.Sum, err = m.sum(); err != nil {
		return err
	}
	return writeFile(dir, manifestFile, nil, func(out io.Writer) error { return json.NewEncoder(out).Encode(m) })
}

// writeHostDecoder comes after the file of weights, by which a calibration encodes.
func writeHostDecoder(ctx context.Context, c *model.Checkpoint, r Recipe, forbid []int32, threads int, dir string, spans map[string]ir.Span, files map[string]written, p *preparation) error {
	var calibration *host.Calibration
	if r.calibrates(c.Config) {
		weights, err := mapped.Open(filepath.Join(dir, weightsFile))
		if err != nil {
			return err
		}
		defer weights.Close()
		if calibration, err = calibrate(ctx, c, constants(weights.Bytes(), spans), forbid, threads, p); err != nil {
			return fmt.Errorf("calibrate: %w", err)
		}
	}
	return writeFile(dir, hostDecoderFile, files, func(out io.Writer) error {
		return host.Write(contextWriter{ctx, out, p}, c, r.hostFormat(), calibration, threads)
	})
}

// writeFile writes, flushes to the disk and notes what was written.
func writeFile(dir, name string, files map[string]written, fill func(io.Writer) error) (err error) {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := checksum.NewWriter()
	buffered := bufio.NewWriterSize(io.MultiWriter(cacheWriter{f}, sum), 1<<20)
	if err := fill(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	if files != nil {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		files[name] = written{Size: info.Size(), Sum: sum.Sum().String()}
	}
	return nil
}

// cacheWriter marks failures to write, so that they are told from failures to
// read the checkpoint.
type cacheWriter struct{ out io.Writer }

func (w cacheWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrCache, err)
	}
	return n, err
}

// contextWriter stops a long write when its context ends.
type contextWriter struct {
	ctx      context.Context
	out      io.Writer
	progress *preparation
}

func (w contextWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.out.Write(p)
	w.progress.wrote(int64(n))
	return n, err
}

// preparation is how much of a model is written. nil tells nobody.
type preparation struct {
	written, about int64 // bytes
	token          int64 // what a token of a calibration counts for
	told           int
	tell           func(percent int)
}

// newPreparation expects as many bytes as the weights of a checkpoint have when they
// are stored as the encoder's are.
func newPreparation(c *model.Checkpoint, r Recipe, tell func(percent int)) *preparation {
	if tell == nil {
		return nil
	}
	p := &preparation{tell: tell}
	for _, name := range c.Names() {
		if t, err := c.Tensor(name); err == nil { // else writing fails too
			p.about += int64(t.Len())
		}
	}
	if r.Encoder == Float32 {
		p.about *= 4
	}
	if r.calibrates(c.Config) {
		p.token = p.about * calibrationShare / (2 * calibrationTokens)
		p.about += p.about * calibrationShare
	}
	return p
}

// calibrationShare is how much longer a calibration takes than everything else.
const calibrationShare = 9

// calibrated is told of tokens twice: when they are generated, and when all layers
// have seen them.
func (p *preparation) calibrated(tokens int) {
	if p != nil {
		p.wrote(int64(tokens) * p.token)
	}
}

func (p *preparation) wrote(n int64) {
	if p == nil {
		return
	}
	p.written += n
	if percent := int(min(99, 100*p.written/max(p.about, 1))); percent > p.told {
		p.told = percent
		p.tell(percent)
	}
}

// bucketsOf are those that a model has positions for.
func bucketsOf(c model.Config) (sizes []int) {
	for _, size := range Buckets {
		if size <= c.MaxPositions {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// bucketFor is the smallest bucket that holds n tokens.
func bucketFor(n int) (int, bool) {
	i, _ := slices.BinarySearch(Buckets, n)
	if i == len(Buckets) {
		return 0, false
	}
	return Buckets[i], true
}
