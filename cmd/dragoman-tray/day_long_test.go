//go:build long && linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray/desktest"
)

// TestADayOfCopying lets somebody work for some minutes with xclip, xsel and
// applications, at a person's pace, with all that could feed itself turned on:
// first at every copy, then at double copies. Each job must belong to a copy of
// theirs. DRAGOMAN_TEST_DAY is how long it takes, such as 30m.
func TestADayOfCopying(t *testing.T) {
	long := 3 * time.Minute
	if text := os.Getenv("DRAGOMAN_TEST_DAY"); text != "" {
		var err error
		long, err = time.ParseDuration(text)
		require.NoError(t, err, "DRAGOMAN_TEST_DAY")
	}
	desktest.Need(t, "xclip", "xclip")
	desktest.Need(t, "xsel", "xsel")
	s := newSeat(t, "clipboard.watch = \"every\"\nclipboard.replace = true\nclipboard.two_way = true\nclipboard.other = \"de\"\nclipboard.window = \"2s\"\n")
	service := s.service()
	tray, icon := s.tray("Ready")
	p := &person{seat: s, icon: icon, rand: rand.New(rand.NewPCG(2026, 11)), used: map[string]bool{}, did: map[string]int{}}
	before := residentKiB(t, tray.cmd.Process.Pid)
	begun := time.Now()
	p.work(begun.Add(long * 2 / 3))
	p.settle()
	every := len(s.texts())
	icon.Choose(t, "When a text is copied twice")
	s.eventually("it waits for double copies", func() bool {
		_, double := desktest.Find(icon.Menu(t), "Watch the clipboard: on double copy")
		return double
	})
	p.doubles = true
	p.work(begun.Add(long))
	p.settle()
	tray.alive()
	service.alive()
	t.Logf("%s, %d things done %v", time.Since(begun).Round(time.Second), len(p.copies)+p.clicks, p.did)
	t.Logf("%d jobs at every copy, %d at double copies, of %d copies; %d notes; tray %d KiB resident before, %d after",
		every, len(s.texts())-every, len(p.copies), len(s.desk.Notes()), before, residentKiB(t, tray.cmd.Process.Pid))
	p.check()
}

// person copies and clicks.
type person struct {
	*seat
	icon    *desktest.Item
	rand    *rand.Rand
	doubles bool // copies twice what shall be translated
	used    map[string]bool
	did     map[string]int
	copies  []human
	clicks  int
	secrets []*application // password managers
	images  []*application
}

// human is a copy that somebody made.
type human struct {
	text        string
	least, most int // jobs that may come of it
}

// work does one thing after the other until a time.
func (p *person) work(until time.Time) {
	things := []struct {
		name   string
		weight int
		does   func()
	}{
		{"sentence", 10, func() { p.wants(p.sentence()) }},
		{"sentence with a manager", 2, p.managed},
		{"text", 1, func() { p.wants(p.text()) }},
		{"Spanish", 2, func() {
			p.maybe(p.fresh("La %s está cerca de la estación número %d.", "casa", "tienda", "escuela", "puerta"))
		}},
		{"word", 5, func() {
			p.maybe(p.pick("window", "neighbour", "bread", "weather", "quickly", "yesterday", "beautiful", "railway"))
		}},
		{"address", 4, func() { p.not(p.fresh("https://example.org/%s/%d?x=1", "page", "news", "shop")) }},
		{"mail", 1, func() { p.not(p.fresh("%s%d@example.org", "anna", "john", "office")) }},
		{"path", 2, func() { p.not(p.fresh("/home/anna/%s/report-%d.pdf", "papers", "letters")) }},
		{"number", 3, func() { p.not(p.fresh("%s%d", "+49 30 ", "1,", "-")) }},
		{"code", 3, func() { p.maybe(p.fresh("for %s := range %d {\n\tfmt.Println(\"x\")\n}", "i", "n", "item")) }},
		{"token", 2, func() { p.not(p.fresh("%s%dzQ!x", "Tr0ub4dor&", "hX7$kQ", "p@ss")) }},
		{"password of a manager", 4, p.password},
		{"picture", 2, func() {
			p.images = append(p.images, p.gives(map[string]string{"image/png": "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 50_000)}))
		}},
		{"files", 2, func() {
			p.gives(map[string]string{"text/uri-list": "file:///home/anna/a.txt", "UTF8_STRING": "/home/anna/a.txt", "x-special/gnome-copied-files": "copy"})
		}},
		{"nothing", 1, func() { p.run("", "xsel", "--clipboard", "--clear") }},
		{"marked with the mouse", 2, func() { p.run(p.sentence(), "xclip", "-selection", "primary") }},
		{"the same again", 3, p.again},
		{"translation again", 4, func() { p.ours(func(e api.HistoryEntry) string { return e.Target }) }},
		{"translation wrapped", 2, func() {
			p.ours(func(e api.HistoryEntry) string { return strings.Replace(e.Target, " ", "\n", 1) + "\n" })
		}},
		{"part of a translation", 4, func() { p.ours(p.part) }},
		{"note", 4, p.note},
		{"menu", 3, p.menu},
	}
	total := 0
	for _, thing := range things {
		total += thing.weight
	}
	for time.Now().Before(until) {
		n := p.rand.IntN(total)
		for _, thing := range things {
			if n -= thing.weight; n < 0 {
				p.did[thing.name]++
				thing.does()
				break
			}
		}
		time.Sleep(time.Second + time.Duration(p.rand.Int64N(int64(4*time.Second)))) // reads, types, looks for the next
	}
}

func (p *person) pick(of ...string) string { return of[p.rand.IntN(len(of))] }

// fresh is a text that was not copied before.
func (p *person) fresh(format string, words ...string) string {
	for {
		if text := fmt.Sprintf(format, p.pick(words...), p.rand.IntN(100_000)); !p.used[text] {
			p.used[text] = true
			return text
		}
	}
}

func (p *person) sentence() string {
	for {
		text := fmt.Sprintf("The %s %s the %s %s %s.",
			p.pick("old man", "young woman", "teacher", "doctor", "driver", "child", "farmer", "neighbour", "cook", "guest", "captain", "student"),
			p.pick("sees", "buys", "paints", "opens", "cleans", "finds", "brings", "wants", "loses", "draws"),
			p.pick("red", "small", "new", "heavy", "white", "cheap", "long", "broken"),
			p.pick("chair", "door", "book", "bicycle", "table", "letter", "picture", "bag", "boat", "lamp"),
			p.pick("in the morning", "after the meeting", "at the station", "before the winter", "without help", "near the river", "on Monday"))
		if !p.used[text] {
			p.used[text] = true
			return text
		}
	}
}

func (p *person) text() string {
	var b strings.Builder
	for i := range 12 {
		b.WriteString(p.sentence())
		b.WriteString([]string{" ", " ", "\n\n"}[i%3])
	}
	return b.String()
}

// wants copies what must be translated.
func (p *person) wants(text string) {
	p.copied(text, 1, 1)
	p.copyAsWanted(text)
}

// maybe copies what may need a translation: it is not sure what it is in.
func (p *person) maybe(text string) {
	p.copied(text, 0, 1)
	p.copyAsWanted(text)
}

// not copies what must not be translated.
func (p *person) not(text string) {
	p.copied(text, 0, 0)
	p.copyAsWanted(text)
}

func (p *person) copied(text string, least, most int) {
	p.copies = append(p.copies, human{strings.TrimSpace(text), least, most})
}

// copyAsWanted copies so that it is translated if it is worth it; with doubles a
// person sometimes copies once only, or is too slow.
func (p *person) copyAsWanted(text string) {
	times, wait := 1, 250*time.Millisecond
	if p.doubles {
		times = 2
		switch p.rand.IntN(4) {
		case 0:
			times = 1
		case 1:
			wait = 3 * time.Second
		}
		if times == 1 || wait > time.Second {
			c := &p.copies[len(p.copies)-1]
			c.least, c.most = 0, 0
		}
	}
	from := p.rand.IntN(3)
	var a *application
	for i := range times {
		if i > 0 {
			time.Sleep(wait)
		}
		switch from {
		case 0:
			p.run(text, "xclip", "-selection", "clipboard")
		case 1:
			p.run(text, "xsel", "--clipboard", "--input")
		default:
			if a == nil {
				a = p.application()
			}
			a.own(map[string]string{"UTF8_STRING": text, "STRING": text, "text/plain": text, "text/html": "<p>" + text, "TIMESTAMP": "0000"})
		}
	}
}

func (p *person) run(stdin, program string, args ...string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), desktest.Soon)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Stdin = []string{"DISPLAY=" + p.display, "HOME=" + p.dir}, strings.NewReader(stdin)
	require.NoError(p.t, cmd.Run(), program)
}

// gives copies formats.
func (p *person) gives(formats map[string]string) *application {
	a := p.application()
	for range 1 + p.rand.IntN(2) {
		a.own(formats)
		time.Sleep(250 * time.Millisecond)
	}
	return a
}

func (p *person) password() {
	text := p.sentence() // nothing of its form gives it away
	p.copied(text, 0, 0)
	mark := p.pick("x-kde-passwordManagerHint", "ExcludeClipboardContentFromMonitorProcessing", "Clipboard Viewer Ignore", "org.nspasteboard.ConcealedType")
	p.secrets = append(p.secrets, p.gives(map[string]string{"UTF8_STRING": text, "text/plain": text, mark: "secret"}))
}

// managed is a sentence that a clipboard manager takes over at once.
func (p *person) managed() {
	text := p.sentence()
	if p.doubles {
		p.copied(text, 0, 1)
	} else {
		p.copied(text, 1, 1)
	}
	p.application().copy(text)
	time.Sleep(100 * time.Millisecond)
	p.application().copy(text)
}

// again copies something old once more.
func (p *person) again() {
	if e, ok := p.result(); ok {
		p.maybe(e.Source)
	}
}

// ours copies what is our own, whole or a part, from another program.
func (p *person) ours(of func(api.HistoryEntry) string) {
	e, ok := p.result()
	if !ok {
		return
	}
	text := of(e)
	p.used[text] = true
	p.not(text)
}

// result is a translation that there is, most often the last one.
func (p *person) result() (api.HistoryEntry, bool) {
	all := p.texts()
	// What came back as it was is not shown and not ours.
	all = slices.DeleteFunc(all, func(e api.HistoryEntry) bool { return strings.TrimSpace(e.Source) == strings.TrimSpace(e.Target) })
	if len(all) == 0 {
		return api.HistoryEntry{}, false
	}
	if p.rand.IntN(2) == 0 {
		return all[len(all)-1], true
	}
	return all[p.rand.IntN(len(all))], true
}

// part is at least two words, or all.
func (p *person) part(e api.HistoryEntry) string {
	words := strings.Fields(e.Target)
	if len(words) < 4 {
		return e.Target
	}
	from := p.rand.IntN(len(words) - 2)
	return strings.Join(words[from:from+2+p.rand.IntN(len(words)-from-1)], " ")
}

// note clicks on a button of the last note, and may copy what that brought.
func (p *person) note() {
	notes := p.desk.Notes()
	if len(notes) == 0 {
		return
	}
	n := notes[len(notes)-1]
	var buttons []string
	for i := 0; i < len(n.Actions); i += 2 {
		if slices.Contains([]string{"copy", "replace", "restore", "default"}, n.Actions[i]) {
			buttons = append(buttons, n.Actions[i])
		}
	}
	if len(buttons) == 0 {
		return
	}
	p.clicks++
	p.desk.Click(p.t, n.ID, p.pick(buttons...))
	time.Sleep(time.Second)
	p.ownAgain()
}

// menu clicks on one of the last translations.
func (p *person) menu() {
	var results []desktest.Entry
	below := false
	for _, e := range p.icon.Menu(p.t) {
		switch {
		case e.Visible && e.Label == "Last translations (a click copies)":
			below = true
		case e.Separator:
			below = false
		case below && e.Visible:
			results = append(results, e)
		}
	}
	if len(results) == 0 {
		return
	}
	p.clicks++
	p.icon.Click(p.t, results[p.rand.IntN(len(results))].ID)
	time.Sleep(time.Second)
	p.ownAgain()
}

// ownAgain pastes what we have put on the clipboard and copies it from there.
func (p *person) ownAgain() {
	if text := p.paste(); text != "" && p.rand.IntN(2) == 0 {
		p.not(text)
	}
}

// settle waits until all is translated that was copied. Whoever restored an
// original and copied it again has no further job.
func (p *person) settle() {
	p.t.Helper()
	text := p.sentence()
	p.copied(text, 1, 1)
	if p.doubles {
		p.application().copyTwice(text)
	} else {
		p.application().copy(text)
	}
	p.translation(text)
	p.says(p.icon, "Ready")
	p.eventually("nothing waits", func() bool {
		for _, j := range p.jobs() {
			if j.Finished.IsZero() {
				return false
			}
		}
		return true
	})
}

func (p *person) jobs() []api.Job {
	p.t.Helper()
	answer, err := p.client().Jobs(p.t.Context(), api.JobQuery{Limit: 1000})
	require.NoError(p.t, err)
	return answer.Jobs
}

// check compares what was translated with what was copied.
func (p *person) check() {
	p.t.Helper()
	least, most := map[string]int{}, map[string]int{}
	for _, c := range p.copies {
		least[c.text] += c.least
		most[c.text] += c.most
	}
	entries := p.texts()
	made := map[string]int{}
	var chars, ofJobs []int
	for _, e := range entries {
		made[strings.TrimSpace(e.Source)]++
		chars = append(chars, len([]rune(e.Source)))
	}
	var unasked, missing []string
	for text, n := range made {
		if n > most[text] {
			unasked = append(unasked, fmt.Sprintf("%d instead of %d of %q", n, most[text], text))
		}
	}
	for text, n := range least {
		if made[text] < n {
			missing = append(missing, fmt.Sprintf("%d instead of %d of %q", made[text], n, text))
		}
	}
	require.Empty(p.t, unasked, "jobs that nobody asked for")
	require.Empty(p.t, missing, "texts that were not translated")
	for _, j := range p.jobs() {
		require.Equal(p.t, api.OriginClipboard, j.Origin)
		require.Equal(p.t, api.JobDone, j.State)
		ofJobs = append(ofJobs, j.Chars)
	}
	require.ElementsMatch(p.t, chars, ofJobs, "the jobs are those of the history")
	for _, a := range p.secrets {
		for _, asked := range a.requests() {
			require.Contains(p.t, []string{"TARGETS", "x-kde-passwordManagerHint"}, asked, "a password was asked for")
		}
	}
	for _, a := range p.images {
		require.NotContains(p.t, a.requests(), "image/png")
	}
	require.Zero(p.t, strings.Count(p.log(), "level=ERROR"))
}
