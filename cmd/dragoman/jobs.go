package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/internal/english"
)

func newJobs() *cobra.Command {
	var q api.JobQuery
	var state, folder, before string
	var asJSON bool
	c := &cobra.Command{
		Use:   "jobs",
		Short: "List what the service translates and has translated",
		Long: `List what the service translates and has translated, newest first: the last 1000
texts of this run of the service (t1, t2 and so on), and files. Texts that are
translated with --private are listed while they are at work, and then forgotten.`,
		Example: `  dragoman jobs --state failed
  dragoman jobs --limit 20 --before t17`,
		Args: knownCommand,
		RunE: asking(func(c *cobra.Command, client *api.Client, _ []string) error {
			var err error
			if q.State, err = jobState(state); err != nil {
				return err
			}
			if err := checkLimit(c); err != nil {
				return err
			}
			if before != "" {
				if q.Before, err = jobID(before); err != nil {
					return err
				}
			}
			if folder != "" {
				f, err := findFolder(c.Context(), client, folder)
				if err != nil {
					return err
				}
				q.Folder = f.ID
			}
			found, err := client.Jobs(c.Context(), q)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(found.Jobs)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "JOB\tSTATE\tINTO\tSINCE\tWHAT")
			for _, j := range found.Jobs {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", j.Name(), j.State, cmp.Or(j.To, "-"), j.Accepted.Local().Format(time.DateTime), printable(whatOf(j)))
			}
			return w.Flush()
		}),
	}
	c.Flags().StringVar(&state, "state", "", "only those in a `STATE`: queued, running, done, failed or cancelled")
	c.Flags().StringVar(&folder, "folder", "", "only files of a watched `FOLDER` (number or path)")
	c.Flags().IntVar(&q.Limit, "limit", 0, "at most `N` jobs, 1 to 1000 (default 100)")
	c.Flags().StringVar(&before, "before", "", "only what comes after a `JOB` in the list, for the next page")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON list; ids of texts are whole numbers there")
	c.AddCommand(newJobsCancel(), newJobsRetry())
	return c
}

// whatOf says what a job is about.
func whatOf(j api.Job) string {
	what := fmt.Sprintf("text of %s, %s", english.Count(j.Chars, "character"), j.Origin)
	switch {
	case j.Private:
		return "private text"
	case j.Kind == api.JobFile:
		what = j.Path + " -> " + j.Output
	}
	if j.State == api.JobRunning && j.Total > 0 {
		what += " (" + howFar(j.Done, j.Total, j.RestMS) + ")"
	}
	return what + prefixed(": ", j.Error)
}

// howFar says how much of a translation is done, and for how long it goes on.
func howFar(done, total int, restMS int64) string {
	text := fmt.Sprintf("%d of %s", done, english.Count(total, "sentence"))
	if rest := time.Duration(restMS) * time.Millisecond; rest >= time.Second {
		text += ", about " + english.Duration(rest.Round(time.Second)) + " left"
	}
	return text
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func newJobsCancel() *cobra.Command {
	return &cobra.Command{
		Use:   "cancel JOB",
		Short: "Give a job up",
		Args:  between(1, 1, "cancel takes one job"),
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			id, err := jobID(args[0])
			if err != nil {
				return err
			}
			return client.CancelJob(c.Context(), id)
		}),
	}
}

func newJobsRetry() *cobra.Command {
	return &cobra.Command{
		Use:   "retry JOB",
		Short: "Try a file again that could not be translated",
		Args:  between(1, 1, "retry takes one job"),
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			id, err := jobID(args[0])
			if err != nil {
				return err
			}
			_, err = client.RetryJob(c.Context(), id)
			return err
		}),
	}
}

// jobID takes what the list shows, t12 or 345, and the number of --json.
func jobID(arg string) (int64, error) {
	id, err := api.ParseJobName(arg)
	if err != nil {
		return 0, usageError{fmt.Errorf("%w: see `dragoman jobs`", err)}
	}
	return id, nil
}

func jobState(name string) (api.JobState, error) {
	states := []api.JobState{api.JobQueued, api.JobRunning, api.JobDone, api.JobFailed, api.JobCancelled}
	if name != "" && !slices.Contains(states, api.JobState(name)) {
		return "", usageError{fmt.Errorf("--state: %q is none: use queued, running, done, failed or cancelled", name)}
	}
	return api.JobState(name), nil
}

// checkLimit refuses a --limit that the service would not take. It was left out
// where it is the default.
func checkLimit(c *cobra.Command) error {
	limit := c.Flags().Lookup("limit")
	if n, err := strconv.Atoi(limit.Value.String()); limit.Changed && (err != nil || n < 1 || n > api.MaxLimit) {
		return usageError{fmt.Errorf("--limit: %s is none: use 1 to %d", limit.Value, api.MaxLimit)}
	}
	return nil
}
