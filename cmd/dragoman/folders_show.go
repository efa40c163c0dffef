package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
)

func newFoldersShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "show FOLDER",
		Short:             "Show all settings of a watched folder and how it is doing",
		Long:              "Show all settings of a watched folder and how it is doing.\n\n" + aFolder,
		Args:              between(1, 1, "show takes one folder"),
		ValidArgsFunction: completeWatched,
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			f, err := findFolder(c.Context(), client, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(f)
			}
			return writeFolder(c.OutOrStdout(), f)
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return c
}

// writeFolder shows a folder with all that can be set of it.
func writeFolder(out io.Writer, f api.Folder) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	s, status := f.Settings, f.Status
	line("folder", "%d, %s", f.ID, s.Path)
	line("state", "%s", join(string(status.State), status.Message))
	line("languages", "%s", languagesOf(s))
	where := map[api.Place]string{api.PlaceBeside: "beside their originals, in ", api.PlaceFolder: "in another folder, "}[s.Place]
	line("translations", "%s%s", where, outputOf(s))
	line("their names", "%s", cmp.Or(s.Name, "{name}.{lang}{ext}"))
	line("files", "%s", filesOf(s))
	originals := map[api.Original]string{
		api.OriginalStay: "stay", api.OriginalDone: "are moved to the sub-folder done", api.OriginalBin: "are moved to the bin",
	}
	line("originals", "%s", cmp.Or(originals[s.Original], string(s.Original)))
	if s.Glossary != "" {
		line("terms", "of %s, then your own", s.Glossary)
	}
	for _, rule := range []struct{ name, says string }{
		{"encoding", s.Encoding}, {"values of JSON", strings.Join(s.JSONPaths, " ")}, {"columns", strings.Join(s.Columns, ", ")},
	} {
		if rule.says != "" {
			line(rule.name, "%s", rule.says)
		}
	}
	looked := "when the system reports a change, and now and then (folders.rescan)"
	if s.Poll {
		looked = "at intervals (folders.poll)"
	}
	line("looked at", "%s", looked)
	line("counts", "%d waiting, %d done, %d failed", status.Waiting, status.Done, status.Failed)
	if work := status.Current; work != nil {
		line("now", "%s into %s, %s (job %d)", work.Path, work.To, howFar(work.Done, work.Total, work.RestMS), work.Job)
	}
	if status.LastFile != "" {
		line("last", "%s, %s", status.LastFile, status.LastDone.Local().Format(time.DateTime))
	}
	return w.Flush()
}

// filesOf says which files of a folder are taken.
func filesOf(s api.FolderSettings) string {
	taken := []string{"all that can be translated"}
	if len(s.Include) > 0 {
		taken[0] = "those like " + strings.Join(s.Include, ", ")
	}
	if len(s.Exclude) > 0 {
		taken = append(taken, "none like "+strings.Join(s.Exclude, ", "))
	}
	for _, also := range []struct {
		taken bool
		what  string
	}{{s.Recursive, "in sub-folders too"}, {s.Hidden, "hidden ones too"}, {s.Temp, "unfinished ones too"}} {
		if also.taken {
			taken = append(taken, also.what)
		}
	}
	return strings.Join(taken, "; ")
}
