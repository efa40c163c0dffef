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
	v.tell(subject, level, message, func(last string, _ bool) bool { return last != message })
}

// sayFirst tells of a subject of which nothing is said yet.
func (v *voice) sayFirst(subject, level, message string) {
	v.tell(subject, level, message, func(_ string, known bool) bool { return !known })
}

// tell holds the lock until the words are out: else they could be taken back before
// they were said, and stand for ever.
func (v *voice) tell(subject, level, message string, news func(last string, known bool) bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if last, known := v.said[subject]; !news(last, known) {
		return
	}
	v.said[subject] = message
	v.opts.Say(v.key(subject), api.Notice{Time: time.Now(), Level: level, Message: message})
	v.opts.Changed()
}

// over takes back what was said of a subject, and says whether there was anything.
func (v *voice) over(subject string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, known := v.said[subject]; !known {
		return false
	}
	delete(v.said, subject)
	v.opts.Withdraw(v.key(subject))
	v.opts.Changed()
	return true
}

// fallSilent takes everything back.
func (v *voice) fallSilent() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for subject := range v.said {
		v.opts.Withdraw(v.key(subject))
	}
	clear(v.said)
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
