package queue

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
)

// logPanic notes where a task panicked. It is called by the deferred function
// that recovered, while the stack is still that of the panic. The value's text
// is left out, because it may be a user's, save for the runtime's own errors.
func (q *Queue[P, R]) logPanic(id int64, lane Lane, value any) {
	what := fmt.Sprintf("a value of type %T", value)
	switch v := value.(type) {
	case nil:
		what = "the end of its goroutine"
	case runtime.Error:
		what = v.Error()
	}
	log := q.opts.Log
	if log == nil {
		log = slog.Default()
	}
	log.Error("a task of the queue panicked", "task", id, "lane", lane.String(), "with", what, "stack", stack())
}

// stack names the functions and lines above, without their arguments.
func stack() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs)]) // without ourselves and the deferred function
	var b strings.Builder
	for {
		f, more := frames.Next()
		if f.Function != "" {
			fmt.Fprintf(&b, "%s (%s:%d)\n", f.Function, filepath.Base(f.File), f.Line)
		}
		if !more {
			return b.String()
		}
	}
}
