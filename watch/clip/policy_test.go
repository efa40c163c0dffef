package clip

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch/clip/selection"
)

var (
	editor  = selection.Owner{Process: "gedit", ID: 1}
	browser = selection.Owner{Process: "firefox", ID: 2}
	manager = selection.Owner{Process: "clipman", ID: 3}
)

// press is a copy some milliseconds after the first.
type press struct {
	ms    int
	text  string
	owner selection.Owner
	stamp uint64
	skip  Reason
	lost  int
	want  Reason
}

func judge(t *testing.T, p Policy, presses []press) {
	t.Helper()
	j := NewJudge(p)
	start := time.Now()
	for i, c := range presses {
		got := j.Judge(Copy{Text: c.text, Skip: c.skip, Owner: c.owner, Stamp: c.stamp, Missed: c.lost, Time: start.Add(time.Duration(c.ms) * time.Millisecond)})
		require.Equal(t, c.want, got, "press %d at %d ms: %v, not %v", i+1, c.ms, got, c.want)
	}
}

func TestDoubleCopy(t *testing.T) {
	cases := map[string][]press{
		"two presses": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 300, text: "Guten Tag", owner: editor, want: Accepted},
		},
		"white space around it may differ": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 300, text: "Guten Tag\n", owner: editor, want: Accepted},
		},
		"too late": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 1001, text: "Guten Tag", owner: editor, want: First},
			{ms: 1500, text: "Guten Tag", owner: editor, want: Accepted},
		},
		"another text between": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 200, text: "Hallo", owner: editor, want: First},
			{ms: 400, text: "Guten Tag", owner: editor, want: First},
		},
		"a secret between": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 200, skip: Secret, owner: editor, want: Secret},
			{ms: 400, text: "Guten Tag", owner: editor, want: First},
		},
		"a copy between that nobody saw": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 400, text: "Guten Tag", owner: editor, lost: 1, want: First},
		},
		"a copy between that nobody saw, before that of another application": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 300, text: "Guten Tag", owner: manager, lost: 1, want: First},
			{ms: 400, text: "Guten Tag", owner: editor, want: First},
		},
		"our own write between": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 200, skip: Own, want: Own},
			{ms: 400, text: "Guten Tag", owner: editor, want: Accepted},
		},
		"a clipboard manager takes the text over": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 300, text: "Guten Tag", owner: manager, want: First},
		},
		"a clipboard manager takes every copy over": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 60, text: "Guten Tag", owner: manager, want: First},
			{ms: 300, text: "Guten Tag", owner: editor, want: Accepted},
			{ms: 360, text: "Guten Tag", owner: manager, want: Repeated},
			{ms: 700, text: "Guten Tag", owner: editor, want: Repeated},
			{ms: 760, text: "Guten Tag", owner: manager, want: Repeated},
		},
		"the same text of another application": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 300, text: "Guten Tag", owner: browser, want: First},
			{ms: 600, text: "Guten Tag", owner: browser, want: Accepted},
		},
		"a clipboard manager and another text between": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 60, text: "Guten Tag", owner: manager, want: First},
			{ms: 200, text: "Hallo", owner: editor, want: First},
			{ms: 260, text: "Hallo", owner: manager, want: First},
			{ms: 400, text: "Guten Tag", owner: editor, want: First},
		},
		"a clipboard manager that takes over the first text alone": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 60, text: "Guten Tag", owner: manager, want: First},
			{ms: 200, text: "Hallo", owner: editor, want: First},
			{ms: 400, text: "Guten Tag", owner: editor, want: First},
		},
		"a clipboard manager and a picture between": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 60, text: "Guten Tag", owner: manager, want: First},
			{ms: 200, skip: Image, owner: editor, want: Image},
			{ms: 400, text: "Guten Tag", owner: editor, want: First},
		},
		"C27: a program repeats the press": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 20, text: "Guten Tag", owner: editor, want: Synthetic},
		},
		"C27: and again, and then the user does": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 40, text: "Guten Tag", owner: editor, want: Synthetic},
			{ms: 80, text: "Guten Tag", owner: editor, want: Synthetic},
			{ms: 400, text: "Guten Tag", owner: editor, want: Accepted},
		},
		"the application says that it was the same press": {
			{ms: 0, text: "Guten Tag", owner: editor, stamp: 7, want: First},
			{ms: 200, text: "Guten Tag", owner: editor, stamp: 7, want: Synthetic},
			{ms: 400, text: "Guten Tag", owner: editor, stamp: 9, want: Accepted},
		},
		"the third press asks for nothing new": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 300, text: "Guten Tag", owner: editor, want: Accepted},
			{ms: 600, text: "Guten Tag", owner: editor, want: Repeated},
			{ms: 900, text: "Guten Tag", owner: editor, want: Repeated},
		},
		"asked for again later": {
			{ms: 0, text: "Guten Tag", owner: editor, want: First},
			{ms: 300, text: "Guten Tag", owner: editor, want: Accepted},
			{ms: 5000, text: "Guten Tag", owner: editor, want: First},
			{ms: 5300, text: "Guten Tag", owner: editor, want: Accepted},
		},
		"Wayland names no owners": {
			{ms: 0, text: "Guten Tag", want: First},
			{ms: 300, text: "Guten Tag", want: Accepted},
		},
		"a number": {
			{ms: 0, text: "123 456", want: NoLetters},
			{ms: 300, text: "123 456", want: NoLetters},
		},
	}
	for name, presses := range cases {
		t.Run(name, func(t *testing.T) { judge(t, Policy{Mode: DoubleCopy}, presses) })
	}
}

func TestWindowIsTheUsers(t *testing.T) {
	judge(t, Policy{Mode: DoubleCopy, Window: 3 * time.Second, Gap: 200 * time.Millisecond}, []press{
		{ms: 0, text: "Guten Tag", want: First},
		{ms: 150, text: "Guten Tag", want: Synthetic},
		{ms: 2900, text: "Guten Tag", want: Accepted},
	})
}

func TestEveryCopy(t *testing.T) {
	judge(t, Policy{Mode: EveryCopy}, []press{
		{ms: 0, text: "Guten Tag", owner: editor, want: Accepted},
		{ms: 300, text: "Guten Tag", owner: editor, want: Repeated},
		{ms: 9000, text: " Guten Tag ", owner: browser, want: Repeated},
		{ms: 9100, skip: Image, owner: browser, want: Image},
		{ms: 9200, text: "Guten Tag", owner: browser, want: Repeated},
		{ms: 9300, text: "Bonjour", owner: browser, want: Accepted},
		{ms: 9400, text: "https://example.org/", owner: browser, want: Address},
		{ms: 9500, text: "Guten Tag", owner: browser, want: Accepted},
	})
}

func TestModeOff(t *testing.T) {
	judge(t, Policy{}, []press{{ms: 0, text: "Guten Tag", want: Off}, {ms: 300, text: "Guten Tag", want: Off}})
}

func TestSetPolicyForgetsHalfADouble(t *testing.T) {
	j := NewJudge(Policy{Mode: DoubleCopy})
	now := time.Now()
	require.Equal(t, First, j.Judge(Copy{Text: "Guten Tag", Time: now}))
	j.SetPolicy(Policy{Mode: Never})
	j.SetPolicy(Policy{Mode: DoubleCopy})
	require.Equal(t, First, j.Judge(Copy{Text: "Guten Tag", Time: now.Add(300 * time.Millisecond)}))
	j.SetPolicy(Policy{Mode: DoubleCopy, Window: 3 * time.Second})
	require.Equal(t, Accepted, j.Judge(Copy{Text: "Guten Tag", Time: now.Add(2 * time.Second)}), "another setting forgets nothing")
}

func TestReasonsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for r := Accepted; r <= Synthetic; r++ {
		require.NotEmpty(t, r.String())
		require.False(t, seen[r.String()], r.String())
		seen[r.String()] = true
	}
	require.Equal(t, "unknown", (Synthetic + 1).String())
}

func TestForgetLetsATextBeAcceptedAgain(t *testing.T) {
	j := NewJudge(Policy{Mode: EveryCopy})
	c := Copy{Text: "Guten Tag", Time: time.Now()}
	require.Equal(t, Accepted, j.Judge(c))
	require.Equal(t, Repeated, j.Judge(c))
	j.Forget()
	require.Equal(t, Accepted, j.Judge(c))
	require.Equal(t, Repeated, j.Judge(c))
}
