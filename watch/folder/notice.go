package folder

import (
	"errors"
	"fmt"
	"log/slog"
)

// ErrMissing says that the watched folder itself is not there.
var ErrMissing = errors.New("the folder is missing")

// Notice is one thing the user should know about a folder. Each problem is told
// once, and once more with Over set when it has passed.
type Notice struct {
	Key  string // tells problems of a folder apart; the same when one is over
	Err  error  // one sentence that names the place and the way out
	Over bool
}

// String is the sentence to show.
func (n Notice) String() string {
	if n.Over {
		return fmt.Sprintf("no longer: %v", n.Err)
	}
	return n.Err.Error()
}

// teller keeps from telling the same thing twice.
type teller struct {
	notify func(Notice)
	told   map[string]error // by a key of what is wrong
}

func newTeller(notify func(Notice)) *teller {
	if notify == nil {
		notify = func(n Notice) {
			if n.Over {
				slog.Info("Folder problem is over", "err", n.Err)
				return
			}
			slog.Warn("Folder problem", "err", n.Err)
		}
	}
	return &teller{notify: notify, told: map[string]error{}}
}

func (t *teller) problem(key string, err error) {
	if _, known := t.told[key]; known {
		return
	}
	t.told[key] = err
	t.notify(Notice{Key: key, Err: err})
}

func (t *teller) over(key string) {
	err, known := t.told[key]
	if !known {
		return
	}
	delete(t.told, key)
	t.notify(Notice{Key: key, Err: err, Over: true})
}

// reason is the problem that was told under key and is not over.
func (t *teller) reason(key string) string {
	if err := t.told[key]; err != nil {
		return err.Error()
	}
	return ""
}
