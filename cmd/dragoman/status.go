package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/internal/english"
)

func newStatus() *cobra.Command {
	var watch, asJSON, stats bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Show what the service is doing",
		Args:  noArgs,
		RunE: asking(func(c *cobra.Command, client *api.Client, _ []string) error {
			out := c.OutOrStdout()
			show := func(s api.Snapshot) error {
				if asJSON {
					return json.NewEncoder(out).Encode(s)
				}
				text := statusText(s, time.Now())
				if stats {
					text = statsText(s.Telemetry)
				}
				_, err := io.WriteString(out, text)
				return err
			}
			if watch && stats {
				return usageError{errors.New("--stats is shown once: leave out --watch")}
			}
			if watch {
				return watchStatus(c.Context(), client, out, show)
			}
			s, err := client.Status(c.Context())
			if err != nil {
				return err
			}
			return show(s)
		}),
	}
	c.Flags().BoolVarP(&watch, "watch", "w", false, "show it again whenever it changes, until interrupted")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	c.Flags().BoolVar(&stats, "stats", false, "show how long texts waited and took, and what was compiled, since the service started")
	return c
}

// clearScreen moves to the upper left corner of a terminal and clears the rest.
const clearScreen = "\x1b[H\x1b[2J"

func watchStatus(ctx context.Context, client *api.Client, out io.Writer, show func(api.Snapshot) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	client.Follow(ctx, appears(ctx), func(e api.Event) {
		if e.Snapshot == nil {
			return
		}
		if terminalOf(out) != nil {
			fmt.Fprint(out, clearScreen)
		}
		if err := show(*e.Snapshot); err != nil {
			cancel(err) // nobody reads any more
		}
	})
	return context.Cause(ctx)
}

// statusText is the status on one screen.
func statusText(s api.Snapshot, now time.Time) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	line("state", "%s", stateText(s, now))
	if s.State == api.StateStopped {
		w.Flush()
		return b.String()
	}
	if s.Model.Name != "" {
		line("model", "%s, %s; encoder on %s, decoder on %s; OpenVINO %s; loaded in %s",
			s.Model.Name, s.Model.Weights, named(s.Model.Encoder, s.Model.EncoderName), s.Model.Decoder, s.Model.Runtime, english.Duration(time.Duration(s.Model.WarmUS)*time.Microsecond))
		for _, text := range deviceTexts(s.Model, now) {
			line("devices", "%s", text)
		}
	}
	line("queue", "%d interactive and %d batch waiting, %d running", s.Queue.Interactive, s.Queue.Batch, s.Queue.Running)
	for i, running := range runningTexts(s) {
		line(map[bool]string{true: "now", false: ""}[i == 0], "%s", running)
	}
	line("since the start", "%s, %s, %d failed; %s translated, %d remembered",
		english.Count(s.Totals.Texts, "text"), english.Count(s.Totals.Files, "file"), s.Totals.Failed, english.Count(s.Totals.Sentences, "sentence"), s.Totals.Remembered)
	powerLines(s.Power, line)
	line("history", "%s", map[bool]string{true: "on", false: "off"}[s.History])
	if s.LibreTranslate != "" {
		line("LibreTranslate", "http://%s", s.LibreTranslate)
	}
	line("service", "version %s, process %d, since %s", s.Version, s.PID, s.Started.Local().Format(time.DateTime))
	w.Flush()
	if len(s.Folders) > 0 {
		b.WriteString("\n")
		writeFolders(&b, s.Folders, now)
	}
	writeNotices(&b, s.Notices)
	return b.String()
}

// fewLines is how many running jobs, and how many notices, fit on the screen.
const fewLines = 5

// runningTexts say what is being translated, and how far that is.
func runningTexts(s api.Snapshot) (lines []string) {
	roots := map[int64]string{}
	for _, f := range s.Folders {
		roots[f.ID] = f.Settings.Path
	}
	for i, j := range s.Running {
		if i == fewLines {
			return append(lines, fmt.Sprintf("and %d more", len(s.Running)-i))
		}
		what := fmt.Sprintf("%s: text of %s into %s", j.Name(), english.Count(j.Chars, "character"), j.To)
		switch {
		case j.Private:
			what = j.Name() + ": private text"
		case j.Kind == api.JobFile:
			what = fmt.Sprintf("%s: %s into %s", j.Name(), filepath.Join(roots[j.Folder], filepath.FromSlash(j.Path)), j.To)
		}
		if j.Total > 0 {
			what += ", " + howFar(j.Done, j.Total, j.RestMS)
		}
		lines = append(lines, what)
	}
	return lines
}

func writeNotices(b *strings.Builder, notices []api.Notice) {
	for i, n := range notices {
		if i == 0 {
			b.WriteString("\n")
		}
		if i == fewLines {
			fmt.Fprintf(b, "and %d older notices: `dragoman status --json`\n", len(notices)-i)
			return
		}
		fmt.Fprintf(b, "%s  %s: %s\n", n.Time.Local().Format(time.DateTime), n.Level, printable(n.Message))
	}
}

func stateText(s api.Snapshot, now time.Time) string {
	switch {
	case s.State == api.StateStopped:
		return join("not running", s.Message)
	case s.State == api.StateWarming:
		return join(string(s.State), s.Model.Warming)
	case s.State == api.StatePaused && s.Power != nil && s.Power.Batch == api.PaceWait:
		return join("paused", s.Power.Why)
	case s.State == api.StatePaused && s.PausedUntil.IsZero():
		return "paused: batch work waits until `dragoman resume`"
	case s.State == api.StatePaused:
		return fmt.Sprintf("paused: batch work waits for %s, or until `dragoman resume`", english.Duration(s.PausedUntil.Sub(now)))
	case s.Queue.Running > 0:
		return join("working", s.Message)
	}
	return join(string(s.State), s.Message)
}

func join(state, why string) string {
	if why == "" {
		return state
	}
	return state + ": " + why
}

func newPause() *cobra.Command {
	return &cobra.Command{
		Use:   "pause [TIME]",
		Short: "Let files and other batch work wait",
		Long: `Let files and other batch work wait, for a time such as 30m or 2h, or until
dragoman resume, over starts of the service too. Texts that someone waits for are translated all the same.`,
		Args: between(0, 1, "pause takes one time or none"),
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			var request api.PauseRequest
			if len(args) == 1 {
				length, err := time.ParseDuration(args[0])
				if err != nil || length < time.Second {
					return usageError{fmt.Errorf("%q is no time: write it like 30m or 2h", args[0])}
				}
				request.Seconds = int64(length.Seconds())
			}
			s, err := client.Pause(c.Context(), request)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), stateText(s, time.Now()))
			return err
		}),
	}
}

func newResume() *cobra.Command {
	return &cobra.Command{
		Use:   "resume",
		Short: "Go on after a pause",
		Args:  noArgs,
		RunE: asking(func(c *cobra.Command, client *api.Client, _ []string) error {
			s, err := client.Resume(c.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), stateText(s, time.Now()))
			return err
		}),
	}
}
