package probe

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
)

// playVariable has this test binary be a process that says the variable's lines
// and then does what the last one asks for. It is a fake of Main, which is
// tested with a device in package cases.
const playVariable = "DRAGOMAN_TEST_PLAY"

func TestMain(m *testing.M) {
	if lines := os.Getenv(playVariable); lines != "" {
		play(strings.Split(lines, "\n"))
	}
	os.Exit(m.Run())
}

func play(lines []string) {
	asked, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	if !strings.Contains(asked, `"device":"NPU"`) {
		os.Exit(exitRequest)
	}
	for _, line := range lines {
		switch line {
		case "hang":
			select {}
		case "panic":
			panic("as a driver does")
		case "end":
			os.Exit(0)
		default:
			fmt.Println(line)
		}
	}
	os.Exit(0)
}

var patient = Limits{Start: time.Minute, Compile: time.Minute, Infer: time.Minute}

func run(t *testing.T, ctx context.Context, l Limits, p Progress, lines ...string) error {
	t.Helper()
	if p.Device == nil {
		p.Device = func(device.Device) error { return nil }
	}
	if p.Step == nil {
		p.Step = func(m2m100.Step) {}
	}
	return Run(ctx, func(ctx context.Context) (*exec.Cmd, error) {
		exe, err := os.Executable()
		cmd := exec.CommandContext(ctx, exe)
		cmd.Env = append(os.Environ(), playVariable+"="+strings.Join(lines, "\n"))
		return cmd, err
	}, Request{Device: ladder.NPU}, l, p)
}

const (
	found = `{"device":{"kind":"NPU","name":"Intel(R) AI Boost","driver":{},"node":{}}}`
	one   = `{"step":{"Graph":1,"Of":2}}`
	two   = `{"step":{"Graph":2,"Of":2}}`
	tried = `{"tried":1}`
	done  = `{"done":true}`
)

func TestRunListens(t *testing.T) {
	var names []string
	var steps []m2m100.Step
	require.NoError(t, run(t, t.Context(), patient, Progress{
		Device: func(d device.Device) error { names = append(names, d.Name); return nil },
		Step:   func(s m2m100.Step) { steps = append(steps, s) },
	}, "a library says what it likes", found, one, "{", two, tried, done))
	require.Equal(t, []string{"Intel(R) AI Boost"}, names)
	require.Equal(t, []m2m100.Step{{Graph: 1, Of: 2}, {Graph: 2, Of: 2}}, steps)
	require.NoError(t, run(t, t.Context(), patient, Progress{}, found, one, two, tried, done, "hang"), "its end is not waited for")
}

func TestRunTellsWhatWentWrong(t *testing.T) {
	short := Limits{Start: 300 * time.Millisecond, Compile: 300 * time.Millisecond, Infer: 300 * time.Millisecond}
	for name, c := range map[string]struct {
		limits Limits
		lines  []string
		want   ladder.Kind
		says   string
	}{
		"says why":          {patient, []string{found, `{"failed":{"kind":"memory","detail":"bad_alloc"}}`}, ladder.Memory, "bad_alloc"},
		"crashes at once":   {patient, []string{"panic"}, ladder.Crashed, "it looked for the device"},
		"crashes compiling": {patient, []string{found, one, two, "panic"}, ladder.Crashed, "it compiled graph 2 of 2"},
		"crashes running":   {patient, []string{found, one, two, tried, "panic"}, ladder.Crashed, "it ran the model"},
		"hangs at once":     {short, []string{"hang"}, ladder.Slow, "did not say what it is"},
		"hangs compiling":   {Limits{Start: time.Minute, Compile: 300 * time.Millisecond, Infer: time.Minute}, []string{found, one, "hang"}, ladder.Slow, "it compiled graph 1 of 2"},
		"hangs running":     {Limits{Start: time.Minute, Compile: time.Minute, Infer: 300 * time.Millisecond}, []string{found, one, two, tried, "hang"}, ladder.Slow, "it ran the model"},
		"takes all memory":  {Limits{Start: time.Minute, Compile: time.Minute, Infer: time.Minute, Memory: 1}, []string{found, one, "hang"}, ladder.Memory, "more than 0 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(t, t.Context(), c.limits, Progress{}, c.lines...)
			var why *ladder.Reason
			require.ErrorAs(t, err, &why)
			require.Equal(t, c.want, why.Kind, "%v", err)
			require.Equal(t, ladder.NPU, why.Device)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestRunOfNoAnswer(t *testing.T) {
	require.Error(t, run(t, t.Context(), patient, Progress{}, found, "end"))
	_, err := exec.LookPath("no such program")
	require.Error(t, Run(t.Context(), func(context.Context) (*exec.Cmd, error) { return nil, err }, Request{}, patient, Progress{}))
	require.Error(t, Run(t.Context(), func(ctx context.Context) (*exec.Cmd, error) {
		return exec.CommandContext(ctx, "no such program"), nil
	}, Request{}, patient, Progress{}))
}

func TestRunIsEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := run(t, ctx, patient, Progress{Step: func(m2m100.Step) { cancel() }}, found, one, "hang")
	require.ErrorIs(t, err, context.Canceled)
	refused := errors.New("it is known to be wrong")
	err = run(t, t.Context(), patient, Progress{Device: func(device.Device) error { return refused }}, found, "hang")
	require.ErrorIs(t, err, refused)
}

func TestMainNeedsARequest(t *testing.T) {
	require.Equal(t, exitRequest, Main(strings.NewReader("translate this\n"), os.Stdout))
	require.Equal(t, exitRequest, Main(strings.NewReader(""), os.Stdout))
}
