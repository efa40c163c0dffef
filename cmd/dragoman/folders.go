package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
)

func newFolders() *cobra.Command {
	c := &cobra.Command{
		Use:   "folders",
		Short: "Choose the folders whose files the service translates",
		Args:  knownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		newFoldersAdd(), newFoldersList(),
		folderCommand("remove", "No longer watch a folder; its files and translations stay", func(ctx context.Context, client *api.Client, f api.Folder) error {
			return client.RemoveFolder(ctx, f.ID)
		}),
		folderCommand("pause", "Leave a folder's files alone for a while", func(ctx context.Context, client *api.Client, f api.Folder) error {
			_, err := client.PauseFolder(ctx, f.ID)
			return err
		}),
		folderCommand("resume", "Go on with a folder after a pause", func(ctx context.Context, client *api.Client, f api.Folder) error {
			_, err := client.ResumeFolder(ctx, f.ID)
			return err
		}),
		folderCommand("rescan", "Look at all files of a folder again", func(ctx context.Context, client *api.Client, f api.Folder) error {
			return client.RescanFolder(ctx, f.ID)
		}),
	)
	return c
}

func newFoldersAdd() *cobra.Command {
	var s api.FolderSettings
	var output, original string
	var beside bool
	c := &cobra.Command{
		Use:   "add --to LANGUAGE[,LANGUAGE…] FOLDER",
		Short: "Translate the files that are dropped into a folder",
		Long: `Translate the files that are dropped into a folder, from now on and after each
start of the service. A folder that is not there is made.

FOLDER/NAME.txt becomes FOLDER/translated/NAME.LANGUAGE.txt, unless --output or
--beside say otherwise. Inputs are never changed.`,
		Example: "  dragoman folders add ~/Translate --to es\n  dragoman folders add ~/Letters --from de --to en,fr --recursive --original done",
		Args:    between(1, 1, "add takes one folder"),
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			if len(s.To) == 0 {
				return usageError{errors.New("the language to translate into is missing: add --to LANGUAGE, see `dragoman languages`")}
			}
			var err error
			if s.Path, err = filepath.Abs(args[0]); err != nil {
				return err
			}
			if !utf8.ValidString(s.Path) {
				return inputError{errors.New("the name of the folder is not UTF-8, which the service cannot be told: rename it")}
			}
			if err := placeOf(&s, output, beside); err != nil {
				return err
			}
			s.Original = api.Original(original)
			if err := makeDropFolder(c, s.Path); err != nil {
				return inputError{err}
			}
			f, err := client.AddFolder(c.Context(), s)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "Folder %d is watched: drop files into %s, find their translations in %s.\n", f.ID, printable(f.Settings.Path), printable(outputOf(f.Settings)))
			return err
		}),
	}
	flags := c.Flags()
	flags.StringVar(&s.From, "from", api.Auto, "`LANGUAGE` of the files, or auto to find out")
	flags.StringSliceVar(&s.To, "to", nil, "`LANGUAGE` to translate into, or several with commas (required)")
	flags.StringVarP(&output, "output", "o", "", "`FOLDER` for the translations: a name below the watched folder, or a path elsewhere (default translated)")
	flags.BoolVar(&beside, "beside", false, "put translations beside their originals")
	flags.StringVar(&s.Name, "name", "", "`PATTERN` of the translations' names (default {name}.{lang}{ext})")
	flags.StringSliceVar(&s.Include, "include", nil, "take only files that match a `PATTERN` such as *.txt (may be repeated)")
	flags.StringSliceVar(&s.Exclude, "exclude", nil, "leave files and folders alone that match a `PATTERN` (may be repeated)")
	flags.BoolVarP(&s.Recursive, "recursive", "r", false, "sub-folders too")
	flags.BoolVar(&s.Hidden, "hidden", false, "hidden files too")
	flags.BoolVar(&s.Temp, "temp", false, "files too whose names look unfinished, such as *.tmp")
	flags.StringVar(&original, "original", "", "what becomes of a translated `FILE`: stay, done (moved to FOLDER/done) or bin (default stay)")
	flags.BoolVar(&s.Poll, "poll", false, "look at intervals even where the system reports changes, for network folders that report only some")
	return c
}

// placeOf finds out where translations go.
func placeOf(s *api.FolderSettings, output string, beside bool) error {
	switch {
	case beside && output != "":
		return usageError{errors.New("--beside and --output exclude each other")}
	case beside:
		s.Place = api.PlaceBeside
	case output != "" && !strings.ContainsAny(output, `/`+string(filepath.Separator)):
		s.Place, s.Output = api.PlaceSubfolder, output
	case output != "":
		path, err := filepath.Abs(output)
		if err != nil {
			return err
		}
		s.Place, s.Output = api.PlaceFolder, path
	}
	return nil
}

// outputOf is where the translations of a folder are, for people.
func outputOf(s api.FolderSettings) string {
	switch s.Place {
	case api.PlaceBeside:
		return s.Path
	case api.PlaceFolder:
		return s.Output
	}
	return filepath.Join(s.Path, s.Output)
}

func makeDropFolder(c *cobra.Command, path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is a file: name a folder", path)
	case errors.Is(err, fs.ErrNotExist):
		if err := os.Mkdir(path, 0o777); err != nil {
			return fmt.Errorf("make the folder: %w", err)
		}
		fmt.Fprintf(c.ErrOrStderr(), "dragoman: made the folder %s\n", printable(path))
	}
	return nil // the service says what else is wrong with it
}

func newFoldersList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the watched folders and how they are doing",
		Args:  noArgs,
		RunE: asking(func(c *cobra.Command, client *api.Client, _ []string) error {
			found, err := client.Folders(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(found.Folders)
			}
			if len(found.Folders) == 0 {
				fmt.Fprintln(c.ErrOrStderr(), "No folder is watched yet: add one with `dragoman folders add FOLDER --to LANGUAGE`.")
				return nil
			}
			return writeFolders(c.OutOrStdout(), found.Folders, time.Now())
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	return c
}

func writeFolders(out io.Writer, folders []api.Folder, now time.Time) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FOLDER\tSTATE\tLANGUAGES\tWAITING\tDONE\tFAILED\tPATH")
	for _, f := range folders {
		fmt.Fprintf(w, "%d\t%s\t%s > %s\t%d\t%d\t%d\t%s\n", f.ID, f.Status.State, f.Settings.From, strings.Join(f.Settings.To, ","),
			f.Status.Waiting, f.Status.Done, f.Status.Failed, printable(f.Settings.Path))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, f := range folders {
		if f.Status.Message != "" {
			if _, err := fmt.Fprintf(out, "folder %d: %s\n", f.ID, printable(f.Status.Message)); err != nil {
				return err
			}
		}
	}
	return nil
}

// folderCommand makes a command that does something with one folder.
func folderCommand(name, short string, do func(context.Context, *api.Client, api.Folder) error) *cobra.Command {
	return &cobra.Command{
		Use:   name + " FOLDER",
		Short: short,
		Long:  short + ".\n\nFOLDER is its number in dragoman folders list, or its path.",
		Args:  between(1, 1, name+" takes one folder"),
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			f, err := findFolder(c.Context(), client, args[0])
			if err != nil {
				return err
			}
			return do(c.Context(), client, f)
		}),
	}
}

// findFolder finds a folder by its number or path.
func findFolder(ctx context.Context, client *api.Client, name string) (api.Folder, error) {
	found, err := client.Folders(ctx)
	if err != nil {
		return api.Folder{}, err
	}
	id, notNumber := strconv.ParseInt(name, 10, 64)
	path, err := filepath.Abs(name)
	if err != nil {
		return api.Folder{}, err
	}
	for _, f := range found.Folders {
		if f.Settings.Path == path || notNumber == nil && f.ID == id {
			return f, nil
		}
	}
	return api.Folder{}, inputError{fmt.Errorf("%s is no watched folder: see `dragoman folders list`", name)}
}
