package logs

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// style writes a message, whose attributes stand at its end, as a line or more.
type style func(at time.Time, level slog.Level, message string) string

// handler writes records in one of the styles. Attributes are in slog's text
// form, which quotes what would act on a terminal or begin a line.
type handler struct {
	out   io.Writer
	level slog.Leveler
	style style

	mu     *sync.Mutex
	buffer *bytes.Buffer // of attributes
	attrs  slog.Handler  // writes to it
}

func newHandler(out io.Writer, level slog.Leveler, s style) slog.Handler {
	buffer := new(bytes.Buffer)
	return &handler{
		out: out, level: level, style: s, mu: new(sync.Mutex), buffer: buffer,
		attrs: slog.NewTextHandler(buffer, &slog.HandlerOptions{Level: slog.Level(-128), ReplaceAttr: onlyAttrs}),
	}
}

// onlyAttrs leaves out what the style writes.
func onlyAttrs(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}

func (h *handler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.level.Level()
}

func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buffer.Reset()
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	message := r.Message
	if attrs := strings.TrimSpace(h.buffer.String()); attrs != "" {
		message += " " + attrs
	}
	_, err := io.WriteString(h.out, h.style(r.Time, r.Level, message))
	return err
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	with.attrs = h.attrs.WithAttrs(attrs)
	return &with
}

func (h *handler) WithGroup(name string) slog.Handler {
	with := *h
	with.attrs = h.attrs.WithGroup(name)
	return &with
}
