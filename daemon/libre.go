package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/libretranslate"
	"dragoman/daemon/queue"
	"dragoman/inference"
)

// libre is the LibreTranslate interface, while it is on.
type libre struct {
	mu       sync.Mutex
	settings config.LibreTranslate // in force
	handler  *libretranslate.Handler
	server   *http.Server
	at       string // address, "" while it is off
}

// configureLibre makes the interface as the settings say. Where that fails the
// rest of the daemon goes on, and the user is told.
func (d *Daemon) configureLibre() error {
	l := &d.libre
	wanted := d.settings().LibreTranslate
	l.mu.Lock()
	defer l.mu.Unlock()
	if reflect.DeepEqual(wanted, l.settings) {
		return nil
	}
	l.stop()
	l.settings = wanted
	if !wanted.Enabled {
		d.withdraw(aboutLibre)
		return nil
	}
	if err := l.start(libreBackend{d}, wanted, d.opts.Paths.LibreTranslateKeyFile()); err != nil {
		l.settings = config.LibreTranslate{} // the next reload tries again
		err = fmt.Errorf("the LibreTranslate interface is off: %w", err)
		d.say(aboutLibre, api.Notice{Level: "error", Message: "The" + strings.TrimPrefix(err.Error(), "the")})
		return err
	}
	d.withdraw(aboutLibre)
	slog.Info("LibreTranslate interface is on", "address", l.at)
	return nil
}

// start needs the lock, as stop does.
func (l *libre) start(b libretranslate.Backend, s config.LibreTranslate, keyFile string) error {
	key := s.APIKey
	if key == "" {
		var err error
		if key, err = ownKey(keyFile); err != nil {
			return err
		}
	}
	handler, err := libretranslate.New(libretranslate.Options{Backend: b, APIKey: key, Origins: s.Origins, Hosts: s.Hosts, CharLimit: s.CharLimit})
	if err != nil {
		return err
	}
	listener, err := libretranslate.Listen(s.Address)
	if err != nil {
		handler.Close()
		return err
	}
	server := handler.Server()
	bound := handler.Bound(server, listener)
	go func() {
		if err := closedIsFine(server.Serve(bound)); err != nil {
			slog.Error("LibreTranslate interface failed", "err", err)
		}
	}()
	l.handler, l.server, l.at = handler, server, listener.Addr().String()
	return nil
}

func (l *libre) stop() {
	if l.server == nil {
		return
	}
	_ = l.server.Close()
	l.handler.Close()
	l.handler, l.server, l.at = nil, nil, ""
}

func (l *libre) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stop()
}

func (l *libre) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at
}

// ownKey reads the key that the daemon made for itself, or makes it.
func ownKey(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the API key: %w", err)
	}
	key := libretranslate.NewKey()
	// By way of another name, so that half a key is never read.
	temp := file + "." + rand.Text()
	if err := os.WriteFile(temp, []byte(key+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("keep the API key: %w", err)
	}
	if err := os.Rename(temp, file); err != nil {
		return "", errors.Join(fmt.Errorf("keep the API key: %w", err), os.Remove(temp))
	}
	return key, nil
}

// libreBackend answers the interface from the daemon's queue.
type libreBackend struct{ d *Daemon }

func (b libreBackend) Translate(ctx context.Context, texts []string, from, to string, others int) (all [][]string, model string, err error) {
	search, err := inference.NewSearch(0, nil, others)
	if err != nil {
		return nil, "", problemOf(badRequest(err))
	}
	if err := b.d.checkLanguages(ctx, from, to); err != nil {
		return nil, "", problemOf(err)
	}
	asked := make([]text, len(texts))
	for i, t := range texts {
		asked[i] = text{
			text: t, from: from, to: to, lane: queue.Interactive, fair: string(api.OriginLibreTranslate), origin: api.OriginLibreTranslate, search: search,
		}
	}
	done, err := b.d.collect(ctx, asked)
	if err != nil {
		return nil, "", problemOf(err)
	}
	for i, t := range done.Translations {
		all = append(all, append([]string{t.Text}, t.Others...))
		if i == 0 {
			model = t.Model
		} else if t.Model != model {
			model = ""
		}
	}
	return all, model, nil
}

func (b libreBackend) Detect(ctx context.Context, text string) (code string, confidence float64, err error) {
	found, err := b.d.detect(ctx, text)
	if err != nil {
		return "", 0, problemOf(err)
	}
	return found.Language, found.Confidence, nil
}

func (b libreBackend) Languages(ctx context.Context) ([]api.Language, error) {
	found, err := b.d.languages(ctx)
	if err != nil {
		return nil, problemOf(err)
	}
	return found.Languages, nil
}
