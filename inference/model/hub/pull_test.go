package hub

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/model/catalogue"
)

func TestPull(t *testing.T) {
	h := newLocalHub(t)
	o := h.options()
	var last Progress
	o.Progress = func(p Progress) { last = p }
	m, err := Pull(t.Context(), o)
	require.NoError(t, err)
	h.requireWhole(o.Dir)
	require.Equal(t, h.commit, m.Revision, "the branch may move on, the manifest does not")
	require.Len(t, m.Files, 4, "what loading does not need is not fetched")
	require.Equal(t, m.Bytes(), last.Done)
	require.Equal(t, last.Total, last.Done)

	before := len(h.asks("model.safetensors"))
	again, err := Pull(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, m, again)
	require.Len(t, h.asks("model.safetensors"), before, "nothing is fetched twice")
}

// Each fault comes to a good end, and so that no more is fetched than needed.
func TestFaultsOfTheHub(t *testing.T) {
	const file = "model.safetensors"
	half := func(h *localHub) []byte { return h.files[file][:len(h.files[file])/2] }
	for name, test := range map[string]struct {
		fault func(*localHub)
		parts []string // that the weights are asked for in
	}{
		"truncated": {func(h *localHub) {
			h.times(file, 1, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(h.files[file])))
				_, _ = w.Write(half(h))
			})
		}, []string{"", "bytes=1572864-"}},
		"stalled": {func(h *localHub) {
			h.times(file, 1, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(h.files[file])))
				_, _ = w.Write(half(h))
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			})
		}, []string{"", "bytes=1572864-"}},
		"corrupted": {func(h *localHub) {
			h.times(file, 1, func(w http.ResponseWriter, r *http.Request) {
				wrong := append([]byte{h.files[file][0] + 1}, h.files[file][1:]...)
				_, _ = w.Write(wrong)
			})
		}, []string{"", ""}},
		"too many requests": {func(h *localHub) {
			h.times(file, 2, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
			})
		}, []string{"", "", ""}},
		"server error": {func(h *localHub) {
			h.times(file, 1, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		}, []string{"", ""}},
		"redirected": {func(h *localHub) {
			h.times(file, 1, func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, h.URL+r.URL.Path+"?from=elsewhere", http.StatusFound)
			})
		}, []string{"", ""}},
		"longer than promised": {func(h *localHub) {
			h.times(file, 1, func(w http.ResponseWriter, r *http.Request) {
				_, _ = w.Write(h.files[file])
				_, _ = w.Write(make([]byte, 1<<20))
			})
		}, []string{""}},
		"range refused": {func(h *localHub) {
			h.times(file, 2, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Range") != "" {
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
					return
				}
				w.Header().Set("Content-Length", fmt.Sprint(len(h.files[file])))
				_, _ = w.Write(half(h))
			})
		}, []string{"", "bytes=1572864-", ""}},
		"range not known": {func(h *localHub) {
			h.times(file, 2, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(h.files[file])))
				if r.Header.Get("Range") != "" {
					_, _ = w.Write(h.files[file])
					return
				}
				_, _ = w.Write(half(h))
			})
		}, []string{"", "bytes=1572864-"}},
		"another range": {func(h *localHub) {
			h.times(file, 2, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Range") != "" {
					w.Header().Set("Content-Range", fmt.Sprintf("bytes 5-9/%d", len(h.files[file])))
					w.WriteHeader(http.StatusPartialContent)
					return
				}
				w.Header().Set("Content-Length", fmt.Sprint(len(h.files[file])))
				_, _ = w.Write(half(h))
			})
		}, []string{"", "bytes=1572864-", ""}},
		"changed in the middle": {func(h *localHub) {
			h.times(file, 1, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(h.files[file])))
				_, _ = w.Write(make([]byte, len(half(h)))) // of the file as it was
			})
		}, []string{"", "bytes=1572864-", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newLocalHub(t)
			test.fault(h)
			o := h.options()
			if name == "stalled" {
				o.Stall = 300 * time.Millisecond
			}
			_, err := Pull(t.Context(), o)
			require.NoError(t, err)
			h.requireWhole(o.Dir)
			require.Equal(t, test.parts, h.asks(file))
		})
	}
}

func TestListingHasFaultsToo(t *testing.T) {
	h := newLocalHub(t)
	h.times("list", 1, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	o := h.options()
	_, err := Pull(t.Context(), o)
	require.NoError(t, err)
	h.requireWhole(o.Dir)
}

// What cannot come to a good end says why, and leaves no model behind.
func TestRefused(t *testing.T) {
	const file = "model.safetensors"
	for name, test := range map[string]struct {
		prepare func(*localHub, *Options)
		want    []string
	}{
		"always corrupted": {func(h *localHub, o *Options) {
			h.always(file, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(make([]byte, len(h.files[file]))) })
		}, []string{file, "checksum"}},
		"never answers": {func(h *localHub, o *Options) {
			h.always(file, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
		}, []string{file, "500", "tried 6 times", "call again later"}},
		"gated": {func(h *localHub, o *Options) {
			h.always(file, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) })
		}, []string{"403", "dragoman models import"}},
		"not there": {func(h *localHub, o *Options) { o.Model.Repository = "some/other" }, []string{"404", "does not have it"}},
		"no hub": {func(h *localHub, o *Options) {
			h.always("list", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "<html>hello</html>") })
		}, []string{"no hub or mirror"}},
		"no address":   {func(h *localHub, o *Options) { o.Hub = "models" }, []string{`"models"`, "https://"}},
		"nobody there": {func(h *localHub, o *Options) { h.Close() }, []string{"refused", "tried 6 times"}},
		"no weights":   {func(h *localHub, o *Options) { delete(h.files, file) }, []string{"no weights", "pytorch_model.bin"}},
		"no vocabulary": {func(h *localHub, o *Options) { delete(h.files, "vocab.json") },
			[]string{"no vocab.json", "Hugging Face's layout"}},
		"another file than known": {func(h *localHub, o *Options) {
			o.Model.Files = []catalogue.File{{Path: file, SHA256: strings.Repeat("0", 64)}}
		}, []string{file, "is not the file that dragoman knows"}},
		"small file other than known": {func(h *localHub, o *Options) {
			o.Model.Files = []catalogue.File{{Path: "vocab.json", SHA256: strings.Repeat("0", 64)}}
		}, []string{"vocab.json", "checksum"}},
		"no checksum": {func(h *localHub, o *Options) {
			h.always("list", func(w http.ResponseWriter, r *http.Request) {
				_, _ = fmt.Fprintf(w, `{"sha":"ab","siblings":[{"rfilename":"config.json","size":1,"blobId":"../../x"},{"rfilename":"vocab.json"},{"rfilename":"sentencepiece.bpe.model"},{"rfilename":%q}]}`, file)
			})
		}, []string{"config.json", "checksum"}},
		"sizes that add up to less than nothing": {func(h *localHub, o *Options) {
			h.always("list", func(w http.ResponseWriter, r *http.Request) {
				sum := strings.Repeat("0", 40)
				_, _ = fmt.Fprintf(w, `{"sha":"ab","siblings":[{"rfilename":"config.json","size":4611686018427387904,"blobId":%q},{"rfilename":"vocab.json","size":4611686018427387904,"blobId":%q},{"rfilename":"sentencepiece.bpe.model","size":1,"blobId":%q},{"rfilename":%q,"size":1,"blobId":%q}]}`, sum, sum, sum, file, sum)
			})
		}, []string{"config.json", "more than any model"}},
		"a very long name": {func(h *localHub, o *Options) {
			h.always("list", func(w http.ResponseWriter, r *http.Request) {
				sum, long := strings.Repeat("0", 40), "model-"+strings.Repeat("ü", 3000)+".safetensors"
				_, _ = fmt.Fprintf(w, `{"sha":"ab","siblings":[{"rfilename":"config.json","size":1,"blobId":%q},{"rfilename":"vocab.json","size":1,"blobId":%q},{"rfilename":"sentencepiece.bpe.model","size":1,"blobId":%q},{"rfilename":"model.safetensors.index.json","size":1,"blobId":%q},{"rfilename":%q,"size":1,"blobId":%q}]}`, sum, sum, sum, sum, long, sum)
			})
		}, []string{"model-üü", "too long", "6018 bytes"}},
		"a very long checksum": {func(h *localHub, o *Options) {
			h.always("list", func(w http.ResponseWriter, r *http.Request) {
				_, _ = fmt.Fprintf(w, `{"sha":"ab","siblings":[{"rfilename":"config.json","size":1,"blobId":%q},{"rfilename":"vocab.json"},{"rfilename":"sentencepiece.bpe.model"},{"rfilename":%q}]}`, strings.Repeat("x", 5000), file)
			})
		}, []string{"config.json", "checksum"}},
		"a very long answer": {func(h *localHub, o *Options) {
			h.always("list", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "http://"+strings.Repeat("x", 4000)+".invalid/")
				w.WriteHeader(http.StatusFound)
			})
		}, []string{"the list of files"}},
		"more than the disk": {func(h *localHub, o *Options) {
			h.always("list", func(w http.ResponseWriter, r *http.Request) {
				sum := strings.Repeat("0", 40)
				_, _ = fmt.Fprintf(w, `{"sha":"ab","siblings":[{"rfilename":"config.json","size":1,"blobId":%q},{"rfilename":"vocab.json","size":1,"blobId":%q},{"rfilename":"sentencepiece.bpe.model","size":1,"blobId":%q},{"rfilename":%q,"size":8796093022208,"blobId":%q}]}`, sum, sum, sum, file, sum)
			})
		}, []string{"MB left", "free some space", "DRAGOMAN_DATA"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newLocalHub(t)
			o := h.options()
			test.prepare(h, &o)
			_, err := Pull(t.Context(), o)
			require.Error(t, err)
			for _, want := range append(test.want, "fetch model some") {
				require.ErrorContains(t, err, want)
			}
			require.Less(t, len(err.Error()), 800)
			require.NoDirExists(t, filepath.Join(o.Dir, "some"))
		})
	}
}

// A model of somebody else's is not taken for one of the list, which an administrator
// may have allowed by its name.
func TestNamesOfTheListAreItsModels(t *testing.T) {
	for _, name := range []string{"m2m100_418M", "M2M100_418m", "starter"} {
		h := newLocalHub(t)
		o := h.options()
		o.Model.Name = name
		_, err := Pull(t.Context(), o)
		require.ErrorContains(t, err, "the name of another model")
		require.NoDirExists(t, filepath.Join(o.Dir, name))
		require.Empty(t, h.asks("list"))
	}
	h := newLocalHub(t)
	o := h.options()
	o.Model.Name = strings.Repeat("a", 200)
	_, err := Pull(t.Context(), o)
	require.ErrorContains(t, err, "cannot be a model's name")
}

// A call that was ended goes on where it was.
func TestCancelledGoesOn(t *testing.T) {
	const file = "model.safetensors"
	h := newLocalHub(t)
	o := h.options()
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	h.times(file, 1, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(h.files[file])))
		_, _ = w.Write(h.files[file][:large])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	o.Progress = func(p Progress) {
		if p.Done >= large {
			cancel(enough)
		}
	}
	_, err := Pull(ctx, o)
	require.ErrorIs(t, err, enough)
	require.NoDirExists(t, filepath.Join(o.Dir, "some"))

	var first Progress
	o.Progress = func(p Progress) {
		if p.Done >= large && first.Done == 0 {
			first = p
		}
	}
	_, err = Pull(t.Context(), o)
	require.NoError(t, err)
	h.requireWhole(o.Dir)
	require.NotZero(t, first.Done)
	require.Len(t, h.asks(file), 2)
	require.Regexp(t, `^bytes=[1-9]\d+-$`, h.asks(file)[1])
}

func TestOneAtATime(t *testing.T) {
	h := newLocalHub(t)
	o := h.options()
	inside, release := make(chan struct{}), make(chan struct{})
	h.times("list", 1, func(w http.ResponseWriter, r *http.Request) {
		close(inside)
		<-release
		h.list(w)
	})
	done := make(chan error)
	go func() {
		_, err := Pull(t.Context(), o)
		done <- err
	}()
	<-inside
	_, err := Pull(t.Context(), o)
	require.ErrorContains(t, err, "another process is at work on it")
	close(release)
	require.NoError(t, <-done)
	h.requireWhole(o.Dir)
}

// A secure hub does not send where others can listen in.
func TestRedirectStaysSecure(t *testing.T) {
	next, err := http.NewRequest(http.MethodGet, "http://example.com/"+strings.Repeat("x", 4000), nil)
	require.NoError(t, err)
	first, err := http.NewRequest(http.MethodGet, "https://example.org/file", nil)
	require.NoError(t, err)
	require.ErrorContains(t, brief{checkRedirect(next, []*http.Request{first})}, "not encrypted")
	require.NoError(t, checkRedirect(first, []*http.Request{next}))
	var circle []*http.Request
	for range 10 {
		circle = append(circle, first)
	}
	require.ErrorContains(t, checkRedirect(first, circle), "circle")
}

func TestVerify(t *testing.T) {
	h := newLocalHub(t)
	o := h.options()
	_, err := Pull(t.Context(), o)
	require.NoError(t, err)
	dir := filepath.Join(o.Dir, "some")
	_, err = Verify(t.Context(), dir)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o644))
	require.NoError(t, os.Remove(filepath.Join(dir, "vocab.json")))
	_, err = Verify(t.Context(), dir)
	require.ErrorContains(t, err, "config.json")
	require.ErrorContains(t, err, "vocab.json")
	_, err = Pull(t.Context(), o)
	require.ErrorContains(t, err, "dragoman models remove some")
	_, err = Verify(t.Context(), t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Who ends a pull or a check does not wait for the checksums of what is here, and is
// not told that it is damaged.
func TestChecksumsCanBeEnded(t *testing.T) {
	h := newLocalHub(t)
	o := h.options()
	_, err := Pull(t.Context(), o)
	require.NoError(t, err)
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	_, err = Pull(ctx, o)
	require.ErrorIs(t, err, enough)
	require.NotContains(t, err.Error(), "not whole")

	dir := filepath.Join(o.Dir, "some")
	m, err := ReadManifest(dir)
	require.NoError(t, err)
	f := m.Files[len(m.Files)-1]
	_, err = sameFile(ctx, filepath.Join(dir, f.Path), f)
	require.ErrorIs(t, err, enough)
	_, err = openPart(ctx, filepath.Join(dir, f.Path), f)
	require.ErrorIs(t, err, enough)
}

func TestDescribe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte("abc"), 0o644))
	m, err := Describe(dir, []string{"config.json"})
	require.NoError(t, err)
	// FIPS 180-2, B.1.
	require.Equal(t, Sum("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), m.Files[0].Sum)
	again, err := Verify(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, m, again)
}

// git hash-object gives this for "what is up, doc?" (Pro Git, 10.2).
func TestGitSum(t *testing.T) {
	s := gitSum("bd9dbf5aae1a3862dd1526723246b20206e5fc37")
	require.NoError(t, s.check())
	h := s.hash(16)
	_, _ = io.WriteString(h, "what is up, doc?")
	require.True(t, s.is(h))
	require.Error(t, Sum("git:12").check())
	require.Error(t, Sum("md5:d41d8cd98f00b204e9800998ecf8427e").check())
}

func TestShards(t *testing.T) {
	sum := gitSum(strings.Repeat("0", 40))
	var l listing
	for _, name := range append([]string{"pytorch_model.bin.index.json", "pytorch_model-00001-of-00002.bin", "pytorch_model-00002-of-00002.bin", "rust_model.ot"}, required...) {
		l.files = append(l.files, File{Path: name, Size: 1, Sum: sum})
	}
	files, err := l.choose(true)
	require.NoError(t, err)
	require.Len(t, files, 6)
	l.files = append(l.files, File{Path: "pytorch_model-/../../../evil.bin", Size: 1, Sum: sum})
	_, err = l.choose(true)
	require.ErrorContains(t, err, "no place in a model's folder")
}

func TestRetryAfter(t *testing.T) {
	require.Equal(t, 7*time.Second, retryAfter("7"))
	require.Zero(t, retryAfter("soon"))
	require.Zero(t, retryAfter("-1"))
	at := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	require.InDelta(t, time.Hour.Seconds(), retryAfter(at).Seconds(), 60)
}

// A certificate that is not valid yet, or any more, is told with the clock, at once.
func TestWrongClock(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	for name, shift := range map[string]time.Duration{"not yet": 24 * time.Hour, "any more": -48 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			template := &x509.Certificate{
				SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(shift), NotAfter: time.Now().Add(shift + 24*time.Hour),
				IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
			}
			der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
			require.NoError(t, err)
			s := httptest.NewUnstartedServer(http.NotFoundHandler())
			s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.StartTLS()
			t.Cleanup(s.Close)
			roots := x509.NewCertPool()
			own, err := x509.ParseCertificate(der)
			require.NoError(t, err)
			roots.AddCert(own)
			p, err := newPuller(Options{Hub: s.URL, Model: catalogue.Model{Name: "some", Repository: "some/model", Revision: "main"}})
			require.NoError(t, err)
			p.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
			_, err = p.pull(t.Context(), t.TempDir())
			require.ErrorContains(t, err, "set the clock")
			require.NotContains(t, err.Error(), "tried")
		})
	}
}
