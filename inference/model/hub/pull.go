package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"dragoman/inference/disk"
	"dragoman/inference/model/catalogue"
)

// Default is Hugging Face's own hub.
const Default = "https://huggingface.co"

// Options say what to fetch, from where and to where.
type Options struct {
	// Hub is the address of the hub or of a mirror, "" for Default. Proxies are
	// those of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
	Hub   string
	Model catalogue.Model
	// Dir is the folder of all models. The model's is below it.
	Dir string
	// Progress is called often, from one goroutine at a time; nil is allowed.
	Progress func(Progress)
	// Stall is how long nothing may come before a connection is given up, and
	// Pause how long to wait after the first failure. 0 are 30 s and 1 s.
	Stall, Pause time.Duration
}

// Progress says how far a pull is, or what it waits for.
type Progress struct {
	Done, Total int64         // bytes of the whole model
	Rest        time.Duration // at the speed so far, 0 while that is not known
	Waiting     string        // why the next try comes later, "" while bytes come
	For         time.Duration
}

// side is how many files are fetched side by side.
const side = 3

// spare is left free on the disk, for everybody else.
const spare = 200 << 20

// markPulling is the beginning of the names of folders that are being fetched.
// No model is called so.
const markPulling = ".pull-"

var errBusy = errors.New("another process is at work on it")

// puller is one pull.
type puller struct {
	hub      *url.URL
	model    catalogue.Model
	client   *http.Client
	revision string
	stall    time.Duration
	pause    time.Duration

	mu    sync.Mutex
	tell  func(Progress)
	now   Progress
	here  int64 // bytes that came in this call
	begun time.Time
}

// Pull fetches a model and returns its manifest. Where it is there and whole
// nothing is fetched. An ended context leaves what came for the next call.
func Pull(ctx context.Context, o Options) (Manifest, error) {
	p, err := newPuller(o)
	if err == nil {
		var m Manifest
		if m, err = p.pull(ctx, o.Dir); err == nil {
			return m, nil
		}
	}
	return Manifest{}, fmt.Errorf("fetch model %s: %w", o.Model.Name, elsewhere(o.Dir, err))
}

func newPuller(o Options) (*puller, error) {
	if o.Model.Repository == "" {
		return nil, errors.New("it comes with dragoman")
	}
	if err := CheckName(o.Model.Name); err != nil {
		return nil, err
	}
	// A name stands for one model, in models.allowed too.
	for _, m := range catalogue.All() {
		if strings.EqualFold(m.Name, o.Model.Name) && m.Repository != o.Model.Repository {
			return nil, fmt.Errorf("%s would have the name of another model, %s: fetch it elsewhere, and import it under another name by `dragoman models import --name`",
				o.Model.Repository, m.Name)
		}
	}
	address := o.Hub
	if address == "" {
		address = Default
	}
	hub, err := url.Parse(address)
	if err != nil || hub.Host == "" || hub.Scheme != "https" && hub.Scheme != "http" {
		return nil, fmt.Errorf("the hub's address %q is none: give one that begins with https://", address)
	}
	p := &puller{
		hub: hub, model: o.Model, revision: o.Model.Revision, tell: o.Progress, stall: o.Stall, pause: o.Pause,
		client: &http.Client{CheckRedirect: checkRedirect},
	}
	if p.stall == 0 {
		p.stall = 30 * time.Second
	}
	if p.pause == 0 {
		p.pause = time.Second
	}
	if p.tell == nil {
		p.tell = func(Progress) {}
	}
	return p, nil
}

func (p *puller) pull(ctx context.Context, dir string) (Manifest, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Manifest{}, err
	}
	work, target := filepath.Join(dir, markPulling+p.model.Name), filepath.Join(dir, p.model.Name)
	lock := flock.New(work + ".lock")
	if got, err := lock.TryLock(); err != nil {
		return Manifest{}, fmt.Errorf("lock %s: %w", dir, err)
	} else if !got {
		return Manifest{}, errBusy
	}
	defer func() { _ = lock.Unlock() }() // the file stays: who has it open may wait for it
	if m, err := Verify(ctx, target); err == nil {
		return m, nil
	} else if ctx.Err() != nil {
		return Manifest{}, context.Cause(ctx)
	} else if _, gone := os.Stat(target); gone == nil {
		return Manifest{}, fmt.Errorf("%s is there and not whole (%w): `dragoman models remove %s` takes it away", target, err, p.model.Name)
	}
	listed, err := p.list(ctx, p.model)
	if err != nil {
		return Manifest{}, err
	}
	files, err := listed.choose(true)
	if err != nil {
		return Manifest{}, err
	}
	if listed.commit != "" {
		p.revision = listed.commit // a branch may move on meanwhile
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return Manifest{}, err
	}
	if err := p.room(work, files); err != nil {
		return Manifest{}, err
	}
	if err := p.all(ctx, work, files); err != nil {
		return Manifest{}, err
	}
	m := Manifest{Repository: p.model.Repository, Revision: p.revision, Fetched: time.Now().UTC().Truncate(time.Second), Files: files}
	if err := m.write(work); err != nil {
		return Manifest{}, err
	}
	return m, os.Rename(work, target)
}

// room refuses a model that the disk has no room for.
func (p *puller) room(work string, files []File) error {
	var need int64
	for _, f := range files {
		p.now.Total += f.Size
		need += f.Size
		for _, name := range []string{f.Path, f.Path + partSuffix} {
			if info, err := os.Stat(filepath.Join(work, name)); err == nil {
				need -= min(info.Size(), f.Size)
				break
			}
		}
	}
	free, err := disk.Free(work)
	if err != nil {
		return err
	}
	if need > 0 && int64(free) < need+spare {
		return noRoom(filepath.Dir(work), free, need)
	}
	return nil
}

func noRoom(dir string, free uint64, need int64) error {
	return fmt.Errorf("the disk of %s has %d MB left, and %d MB are needed: free some space, or choose another folder by DRAGOMAN_DATA",
		dir, free/1e6, (need+spare)/1e6)
}

func (p *puller) all(ctx context.Context, work string, files []File) error {
	p.begun = time.Now()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(side)
	for _, f := range files {
		g.Go(func() error { return p.fetch(ctx, work, f) })
	}
	return g.Wait()
}

// had tells of bytes that were here before, or were given up where n is negative.
func (p *puller) had(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Done += n
	p.tell(p.now)
}

// came tells of bytes that came now.
func (p *puller) came(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Done += n
	p.here += n
	p.now.Rest = 0
	if spent := time.Since(p.begun); p.here > 1<<20 && spent > 0 {
		p.now.Rest = time.Duration(float64(p.now.Total-p.now.Done) / float64(p.here) * float64(spent))
	}
	p.tell(p.now)
}

// told tells of a wait.
func (p *puller) told(wait Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait.Done, wait.Total = p.now.Done, p.now.Total
	p.tell(wait)
}
