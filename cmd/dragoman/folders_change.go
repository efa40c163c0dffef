package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dragoman/daemon/api"
)

// folderFlags are what add and set say about a folder.
type folderFlags struct {
	given            api.FolderSettings
	reading          readingFlags
	output, original string
	beside           bool
}

func (s *folderFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&s.given.From, "from", api.Auto, "`LANGUAGE` of the files, or auto to find out")
	flags.StringSliceVar(&s.given.To, "to", nil, "`LANGUAGE` to translate into, or several with commas")
	flags.StringVarP(&s.output, "output", "o", "", "`FOLDER` for the translations: a name below the watched folder, or a path elsewhere (default translated)")
	flags.BoolVar(&s.beside, "beside", false, "put translations beside their originals")
	flags.StringVar(&s.given.Name, "name", "", "`PATTERN` of the translations' names (default {name}.{lang}{ext})")
	flags.StringSliceVar(&s.given.Include, "include", nil, "take only files that match a `PATTERN` such as *.txt (may be repeated)")
	flags.StringSliceVar(&s.given.Exclude, "exclude", nil, "leave files and folders alone that match a `PATTERN` (may be repeated)")
	flags.BoolVarP(&s.given.Recursive, "recursive", "r", false, "sub-folders too")
	flags.BoolVar(&s.given.Hidden, "hidden", false, "hidden files too")
	flags.BoolVar(&s.given.Temp, "temp", false, "files too whose names look unfinished, such as *.tmp")
	flags.StringVar(&s.original, "original", "", "`WHAT` becomes of a file that was translated: stay, done (moved to FOLDER/done) or bin (default stay)")
	flags.StringVar(&s.given.Glossary, "glossary", "", "`FILE` or folder of terms that count for this folder before your own, see dragoman glossary")
	s.reading.add(flags)
	flags.BoolVar(&s.given.Poll, "poll", false, "look at intervals even where the system reports changes, for network folders that report only some")
}

// apply puts what was given on the command line into settings.
func (s *folderFlags) apply(flags *pflag.FlagSet, settings *api.FolderSettings) error {
	if s.beside && s.output != "" {
		return usageError{errors.New("--beside and --output exclude each other")}
	}
	for flag, take := range map[string]func(){
		"from":      func() { settings.From = s.given.From },
		"to":        func() { settings.To = s.given.To },
		"name":      func() { settings.Name = s.given.Name },
		"include":   func() { settings.Include = s.given.Include },
		"exclude":   func() { settings.Exclude = s.given.Exclude },
		"recursive": func() { settings.Recursive = s.given.Recursive },
		"hidden":    func() { settings.Hidden = s.given.Hidden },
		"temp":      func() { settings.Temp = s.given.Temp },
		"original":  func() { settings.Original = api.Original(s.original) },
		"glossary":  func() { settings.Glossary = s.given.Glossary },
		"encoding":  func() { settings.Encoding = s.reading.said.Encoding },
		"json-path": func() { settings.JSONPaths = s.reading.said.JSONPaths },
		"columns":   func() { settings.Columns = s.reading.said.Columns },
		"poll":      func() { settings.Poll = s.given.Poll },
	} {
		if flags.Changed(flag) {
			take()
		}
	}
	if flags.Changed("glossary") && settings.Glossary != "" {
		path, err := filepath.Abs(settings.Glossary)
		if err != nil {
			return err
		}
		settings.Glossary = path
	}
	if slices.Equal(settings.JSONPaths, []string{""}) {
		settings.JSONPaths = nil // a list of one flag cannot be empty
	}
	if len(settings.To) == 0 {
		return usageError{errors.New("the language to translate into is missing: add --to LANGUAGE, see `dragoman languages`")}
	}
	// --beside=false ends beside, and says nothing of a folder elsewhere.
	if s.beside || flags.Changed("output") || flags.Changed("beside") && settings.Place == api.PlaceBeside {
		return s.place(settings)
	}
	return nil
}

// place finds out where translations go.
func (s *folderFlags) place(settings *api.FolderSettings) error {
	settings.Place, settings.Output = api.PlaceSubfolder, ""
	switch {
	case s.beside:
		settings.Place = api.PlaceBeside
	case !strings.ContainsAny(s.output, `/`+string(filepath.Separator)):
		settings.Output = s.output
	default:
		path, err := filepath.Abs(s.output)
		if err != nil {
			return err
		}
		settings.Place, settings.Output = api.PlaceFolder, path
	}
	return nil
}

func newFoldersAdd() *cobra.Command {
	var given folderFlags
	c := &cobra.Command{
		Use:   "add --to LANGUAGE[,LANGUAGE…] FOLDER",
		Short: "Translate the files that are dropped into a folder",
		Long: `Translate the files that are dropped into a folder, and those that are in it, from
now on and after each start of the service. A folder that is not there is made.

FOLDER/NAME.txt becomes FOLDER/translated/NAME.LANGUAGE.txt, unless --output,
--beside or --name say otherwise. What is in files is never changed; where a file
goes when it was translated says --original.`,
		Example: "  dragoman folders add ~/Translate --to es\n  dragoman folders add ~/Letters --from de --to en,fr --recursive --original done",
		Args:    between(1, 1, "add takes one folder"),
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			path, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			if !utf8.ValidString(path) {
				return inputError{errors.New("the name of the folder is not UTF-8, which the service cannot be told: rename it")}
			}
			settings := api.FolderSettings{Path: path, From: api.Auto}
			if err := given.apply(c.Flags(), &settings); err != nil {
				return err
			}
			return addFolder(c, client, settings)
		}),
	}
	given.add(c.Flags())
	c.Flags().Lookup("to").Usage += " (required)"
	return c
}

func addFolder(c *cobra.Command, client *api.Client, settings api.FolderSettings) error {
	made, err := makeDropFolder(settings.Path)
	if err != nil {
		return inputError{err}
	}
	f, err := client.AddFolder(c.Context(), settings)
	if err != nil {
		if made {
			err = errors.Join(err, os.Remove(settings.Path))
		}
		return explainConflict(c, client, settings.Path, err)
	}
	if made {
		fmt.Fprintf(c.ErrOrStderr(), "dragoman: made the folder %s\n", printable(settings.Path))
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "Folder %d is watched: drop files into %s, find their translations in %s.\n",
		f.ID, printable(f.Settings.Path), printable(outputOf(f.Settings)))
	return err
}

// explainConflict names the folder that is watched already.
func explainConflict(c *cobra.Command, client *api.Client, path string, err error) error {
	if !errors.Is(err, api.ErrConflict) {
		return err
	}
	found, listErr := client.Folders(c.Context())
	if listErr != nil {
		return usageError{err}
	}
	if f, ok := sameFolder(found.Folders, path); ok {
		return usageError{fmt.Errorf("%s is watched already, as folder %d (%s, %s): change it with `dragoman folders set %d`, or `dragoman folders remove %d` first",
			path, f.ID, languagesOf(f.Settings), f.Status.State, f.ID, f.ID)}
	}
	return usageError{err}
}

// makeDropFolder says whether it made the folder.
func makeDropFolder(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return false, fmt.Errorf("%s is a file: name a folder", path)
	case !errors.Is(err, fs.ErrNotExist):
		return false, nil // the service says what else is wrong with it
	}
	if err := os.Mkdir(path, 0o777); errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("there is no folder %s to make %s in: make it first", filepath.Dir(path), filepath.Base(path))
	} else if err != nil {
		return false, fmt.Errorf("make the folder: %w", err)
	}
	return true, nil
}

func newFoldersSet() *cobra.Command {
	var given folderFlags
	c := &cobra.Command{
		Use:                   "set FOLDER FLAG…",
		DisableFlagsInUseLine: true,
		Short:                 "Change how a watched folder is translated",
		Long: `Change how a watched folder is translated: what is given as for add. The rest
stays as it is; dragoman folders show tells what that is. Work on the folder is
begun anew with the new settings.

` + aFolder + `
--recursive=false and the like turn something off, --include "" and the like go
back to what counts without it.`,
		Example:           "  dragoman folders set 1 --to es,fr\n  dragoman folders set ~/Translate --recursive --output \"\"",
		Args:              between(1, 1, "set takes one folder"),
		ValidArgsFunction: completeWatched,
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			if c.Flags().NFlag() == 0 {
				return usageError{errors.New("nothing is to be changed: give what as a flag, see `dragoman folders set --help`")}
			}
			f, err := findFolder(c.Context(), client, args[0])
			if err != nil {
				return err
			}
			if err := given.apply(c.Flags(), &f.Settings); err != nil {
				return err
			}
			if f, err = client.SetFolder(c.Context(), f.ID, f.Settings); err != nil {
				if errors.Is(err, api.ErrConflict) {
					return usageError{err}
				}
				return err
			}
			return writeFolder(c.OutOrStdout(), f)
		}),
	}
	given.add(c.Flags())
	c.Flags().Lookup("from").DefValue = "" // what is not given stays
	return c
}
