package libretranslate

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"dragoman/internal/english"
)

// Options are what New needs; zero values take the defaults in parentheses.
type Options struct {
	Backend Backend
	// APIKey is what every request for work must bring, at least MinKey
	// characters; NewKey makes one.
	APIKey string
	// Origins may ask from a browser: "https://example.org",
	// "moz-extension://ID", or "moz-extension://*" for every extension of such a
	// browser.
	Origins []string
	// Hosts are names by which this machine is called besides its loopback
	// addresses and localhost, without a port.
	Hosts []string

	CharLimit  int           // characters of one text (0 is no limit but MaxBody)
	MaxTexts   int           // texts of one request (256)
	MaxBody    int64         // bytes of a request (2 MiB)
	MaxFile    int64         // bytes of a file (1 MiB)
	Concurrent int           // requests worked on at once; more are told to come back (8)
	Timeout    time.Duration // of one request's work (2 minutes)
	// FileTimeout is for files (10 minutes), and how long a translated one waits
	// to be fetched.
	FileTimeout time.Duration
	Log         *slog.Logger // of failures, never of texts (slog.Default())
}

// Handler serves the interface; see New.
type Handler struct {
	options Options
	key     secret
	origins []originPattern
	hosts   map[string]bool
	slots   chan struct{}
	shelf   *shelf
	routes  map[string]route
}

// route is one path: its method and what answers.
type route struct {
	method string
	serve  func(http.ResponseWriter, *http.Request) error
}

// New returns a handler for the whole interface, or what is wrong with the
// options. Close it when it serves no more.
func New(o Options) (*Handler, error) {
	if o.Backend == nil {
		return nil, errors.New("libretranslate: no backend")
	}
	if len(o.APIKey) < MinKey {
		return nil, fmt.Errorf("libretranslate: the API key has %s: give it at least %d", english.Count(len(o.APIKey), "character"), MinKey)
	}
	setDefault(&o.MaxTexts, 256)
	setDefault(&o.MaxBody, 2<<20)
	setDefault(&o.MaxFile, 1<<20)
	setDefault(&o.Concurrent, 8)
	setDefault(&o.Timeout, 2*time.Minute)
	setDefault(&o.FileTimeout, 10*time.Minute)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	h := &Handler{
		options: o,
		key:     newSecret(o.APIKey),
		hosts:   map[string]bool{},
		slots:   make(chan struct{}, o.Concurrent),
		shelf:   newShelf(o.FileTimeout),
	}
	for _, text := range o.Origins {
		pattern, err := parseOrigin(text)
		if err != nil {
			return nil, err
		}
		h.origins = append(h.origins, pattern)
	}
	for _, host := range o.Hosts {
		h.hosts[canonicalHost(host)] = true
	}
	h.routes = map[string]route{
		"/translate":         {http.MethodPost, h.work(h.translate)},
		"/translate_file":    {http.MethodPost, h.work(h.translateFile)},
		"/detect":            {http.MethodPost, h.work(h.detect)},
		"/languages":         {http.MethodGet, h.languages},
		"/frontend/settings": {http.MethodGet, h.settings},
		"/health":            {http.MethodGet, h.health},
		"/suggest":           {http.MethodPost, suggest},
		downloadPath:         {http.MethodGet, h.download},
	}
	return h, nil
}

func setDefault[T comparable](value *T, to T) {
	var zero T
	if *value == zero {
		*value = to
	}
}

// Close forgets the files that wait to be fetched.
func (h *Handler) Close() { h.shelf.clear() }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Origin")
	if err := h.admit(w, r); err != nil {
		h.refuse(w, r, err)
		return
	}
	route, ok := h.routes[routeOf(r.URL.Path)]
	switch {
	case !ok:
		h.refuse(w, r, failure{http.StatusNotFound, "there is nothing at this path"})
	case r.Method == http.MethodOptions:
		h.preflight(w, route.method)
	case r.Method != route.method:
		header.Set("Allow", route.method)
		h.refuse(w, r, failure{http.StatusMethodNotAllowed, "use " + route.method + " for this path"})
	default:
		if err := route.serve(w, r); err != nil {
			h.refuse(w, r, err)
		}
	}
}
