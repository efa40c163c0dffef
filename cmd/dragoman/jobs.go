package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
)

func newJobs() *cobra.Command {
	var q api.JobQuery
	var state, folder string
	var asJSON bool
	c := &cobra.Command{
		Use:   "jobs",
		Short: "List what the service translates and has translated",
		Long: `List what the service translates and has translated, newest first: texts of this
run of the service, and files.`,
		Args: knownCommand,
		RunE: asking(func(c *cobra.Command, client *api.Client, _ []string) error {
			q.State = api.JobState(state)
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
				fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", j.ID, j.State, j.To, j.Accepted.Local().Format(time.DateTime), printable(whatOf(j)))
			}
			return w.Flush()
		}),
	}
	c.Flags().StringVar(&state, "state", "", "only those in a `STATE`: queued, running, done, failed or cancelled")
	c.Flags().StringVar(&folder, "folder", "", "only files of a watched `FOLDER` (number or path)")
	c.Flags().IntVar(&q.Limit, "limit", 0, "at most `N` jobs, 1 to 1000 (default 100)")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	c.AddCommand(newJobsCancel(), newJobsRetry())
	return c
}

// whatOf says what a job is about.
func whatOf(j api.Job) string {
	what := fmt.Sprintf("text of %d characters, %s", j.Chars, j.Origin)
	if j.Kind == api.JobFile {
		what = j.Path + " -> " + j.Output
	}
	if j.State == api.JobRunning && j.Total > 0 {
		what += fmt.Sprintf(" (%d of %d sentences)", j.Done, j.Total)
	}
	return what + prefixed(": ", j.Error)
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

func jobID(arg string) (int64, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 1 {
		return 0, usageError{fmt.Errorf("%q is no job: give its number in `dragoman jobs`", arg)}
	}
	return id, nil
}
