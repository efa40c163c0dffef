package drop

import (
	"fmt"
	"sync"
	"time"

	"dragoman/daemon/api"
)

// voice says what goes on in a folder, of each subject the last words, and takes
// it back when it is over.
type voice struct {
	opts   Options
	folder int64

	mu   sync.Mutex
	said map[string]string // by subject
}

func newVoice(o Options, folder int64) *voice {
	return &voice{opts: o, folder: folder, said: map[string]string{}}
}

// say tells of a subject, unless the same was said last.
func (v *voice) say(subject, level, message string) {
	v.mu.Lock()
	news := v.said[subject] != message
	v.said[subject] = message
	v.mu.Unlock()
	if news {
		v.opts.Say(v.key(subject), api.Notice{Time: time.Now(), Level: level, Message: message})
		v.opts.Changed()
	}
}

// over takes back what was said of a subject.
func (v *voice) over(subject string) {
	v.mu.Lock()
	_, known := v.said[subject]
	delete(v.said, subject)
	v.mu.Unlock()
	if known {
		v.opts.Withdraw(v.key(subject))
		v.opts.Changed()
	}
}

// fallSilent takes everything back.
func (v *voice) fallSilent() {
	v.mu.Lock()
	said := v.said
	v.said = map[string]string{}
	v.mu.Unlock()
	for subject := range said {
		v.opts.Withdraw(v.key(subject))
	}
}

func (v *voice) key(subject string) string { return fmt.Sprintf("folder %d %s", v.folder, subject) }

// Subjects of a folder; the watch has some of its own.
const (
	aboutLoading   = "loading"
	aboutFault     = "fault"
	aboutTrouble   = "trouble"
	aboutOriginals = "originals"
	aboutFailures  = "failures"
	aboutWatch     = "watch "
)

// failures are the files that failed since the folder was started, and did not
// do better since. They have one notice: a hundred would hide all others.
type failures struct {
	*voice

	mu    sync.Mutex
	all   map[string]string // what was the matter, by path and language
	shown string            // of them
}

func (f *failures) add(rel, lang, message string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all == nil {
		f.all = map[string]string{}
	}
	f.shown = failureOf(rel, lang)
	f.all[f.shown] = message
	f.show()
}

// mended forgets failures of a file in some languages.
func (f *failures) mended(rel string, langs ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := len(f.all)
	for _, lang := range langs {
		delete(f.all, failureOf(rel, lang))
	}
	if len(f.all) < before {
		f.show()
	}
}

// show needs the lock.
func (f *failures) show() {
	if len(f.all) == 0 {
		f.all = nil // a map keeps the room of what was in it
		f.over(aboutFailures)
		return
	}
	if _, there := f.all[f.shown]; !there {
		for f.shown = range f.all {
			break
		}
	}
	message := f.all[f.shown]
	if more := len(f.all) - 1; more > 0 {
		message += fmt.Sprintf("; %d more in this folder failed: see `dragoman jobs --state failed`", more)
	}
	f.say(aboutFailures, "warning", message)
}

// failureOf is the key of a file and a language, in which there is no space.
func failureOf(rel, lang string) string { return lang + " " + rel }
