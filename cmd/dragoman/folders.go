package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

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
		newFoldersAdd(), newFoldersList(), newFoldersShow(), newFoldersSet(),
		folderCommand("remove", "No longer watch a folder; its files and translations stay", func(ctx context.Context, client *api.Client, f api.Folder) error {
			return client.RemoveFolder(ctx, f.ID)
		}),
		folderCommand("pause", "Leave a folder's files alone until it is resumed", func(ctx context.Context, client *api.Client, f api.Folder) error {
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
	fmt.Fprintln(w, "FOLDER\tSTATE\tLANGUAGES\tWAITING\t  DONE\tFAILED\tPATH\tTRANSLATIONS")
	for _, f := range folders {
		fmt.Fprintf(w, "%6d\t%s\t%s\t%7d\t%6d\t%6d\t%s\t%s\n", f.ID, f.Status.State, languagesOf(f.Settings),
			f.Status.Waiting, f.Status.Done, f.Status.Failed, printable(f.Settings.Path), printable(placeName(f.Settings)))
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

func languagesOf(s api.FolderSettings) string { return s.From + " > " + strings.Join(s.To, ",") }

// placeName is where translations go, in short.
func placeName(s api.FolderSettings) string {
	switch s.Place {
	case api.PlaceBeside:
		return "beside"
	case api.PlaceFolder:
		return s.Output
	}
	return s.Output + string(filepath.Separator)
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

const aFolder = "FOLDER is its number in dragoman folders list, or its path."

// folderCommand makes a command that does something with one folder.
func folderCommand(name, short string, do func(context.Context, *api.Client, api.Folder) error) *cobra.Command {
	return &cobra.Command{
		Use:               name + " FOLDER",
		Short:             short,
		Long:              short + ".\n\n" + aFolder,
		Args:              between(1, 1, name+" takes one folder"),
		ValidArgsFunction: completeWatched,
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			f, err := findFolder(c.Context(), client, args[0])
			if err != nil {
				return err
			}
			return do(c.Context(), client, f)
		}),
	}
}

// findFolder finds a folder by its number or path, also through links.
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
	if f, ok := sameFolder(found.Folders, path); ok {
		return f, nil
	}
	return api.Folder{}, inputError{fmt.Errorf("%s is no watched folder: see `dragoman folders list`", name)}
}

// sameFolder finds the folder that path is, whatever it is called.
func sameFolder(folders []api.Folder, path string) (api.Folder, bool) {
	asked, err := os.Stat(path)
	for _, f := range folders {
		if f.Settings.Path == path {
			return f, true
		}
		if info, infoErr := os.Stat(f.Settings.Path); err == nil && infoErr == nil && os.SameFile(asked, info) {
			return f, true
		}
	}
	return api.Folder{}, false
}
