package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/words"
	"dragoman/internal/english"
)

func newMemory() *cobra.Command {
	c := &cobra.Command{
		Use:   "memory",
		Short: "Use translations of your own: TMX files and corrections",
		Long: `Use translations of your own: TMX files of other programs, and corrections made
with ` + "`dragoman correct`" + `. They count before what the service remembers and before the
model, for whole texts and for single sentences. The files lie in the folder
"memory" of the data folder; where the machine's service translates for you, in
its data folder.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newMemorySearch(), newMemoryImport(), newMemoryExport(), newMemoryForget(), newMemoryList())
	return c
}

func newMemorySearch() *cobra.Command {
	var q api.MemoryQuery
	c := &cobra.Command{
		Use:     "search --from LANGUAGE --to LANGUAGE TEXT…",
		Short:   "Show the likest texts with their translations and how like they are",
		Example: `  dragoman memory search --from en --to de "Save the file."`,
		RunE: withWords(func(c *cobra.Command, own ownWords, args []string) error {
			if len(args) == 0 || q.From == "" || q.To == "" {
				return usageError{errors.New("name the languages with --from and --to, and a text")}
			}
			if q.Least < 1 || q.Limit < 1 {
				return usageError{errors.New("--least is a percentage from 1 to 100, --limit at least 1")}
			}
			q.Text = strings.Join(args, " ")
			found, err := own.SearchMemory(c.Context(), q)
			for _, m := range found.Matches {
				fmt.Fprintf(c.OutOrStdout(), "%d %%  %s\n%s\n%s\n\n", m.Percent, printable(m.File), shown(c.OutOrStdout(), m.Source), shown(c.OutOrStdout(), m.Target))
			}
			return err
		}),
	}
	c.Flags().StringVar(&q.From, "from", "", "`LANGUAGE` of the text")
	c.Flags().StringVar(&q.To, "to", "", "`LANGUAGE` of the translations")
	c.Flags().IntVar(&q.Least, "least", 60, "`PERCENT` of the words that must be the same")
	c.Flags().IntVar(&q.Limit, "limit", 5, "at most `N` texts")
	return c
}

func newMemoryImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE…",
		Short: "Add TMX files; one with an error changes nothing",
		RunE: withWords(func(c *cobra.Command, own ownWords, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("name a TMX file")}
			}
			files, err := readWords(args, words.CheckMemory)
			if err != nil {
				return err
			}
			return addWords(c, files, "unit", own.AddMemory)
		}),
	}
}

func newMemoryExport() *cobra.Command {
	return &cobra.Command{
		Use:   "export",
		Short: "Write all units as TMX to the standard output",
		Args:  noArgs,
		RunE: withWords(func(c *cobra.Command, own ownWords, _ []string) error {
			all, err := own.ExportMemory(c.Context())
			if err != nil {
				return err
			}
			_, err = io.WriteString(c.OutOrStdout(), all.Content)
			return err
		}),
	}
}

func newMemoryList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the files and how many units they have",
		Args:  noArgs,
		RunE: withWords(func(c *cobra.Command, own ownWords, _ []string) error {
			found, err := own.MemoryFiles(c.Context())
			var wrong []string
			for _, f := range found.Files {
				if f.Problem != "" {
					wrong = append(wrong, f.Problem)
					continue
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", printable(f.Name), english.Count(f.Units, "unit"))
			}
			return errors.Join(err, problems(wrong))
		}),
	}
}

func newMemoryForget() *cobra.Command {
	return &cobra.Command{
		Use:   "forget FILE | TEXT",
		Short: "Remove a file by its name, or the correction of a text",
		RunE: withWords(func(c *cobra.Command, own ownWords, args []string) error {
			if len(args) != 1 {
				return usageError{errors.New("name one file, or one text in quotes: see `dragoman memory list`")}
			}
			if words.IsMemory(args[0]) {
				return own.RemoveMemory(c.Context(), filepath.Base(args[0]))
			}
			return own.ForgetCorrection(c.Context(), args[0])
		}),
	}
}

func newCorrect() *cobra.Command {
	var k api.Correction
	c := &cobra.Command{
		Use:     "correct --from LANGUAGE --to LANGUAGE TEXT TRANSLATION",
		Short:   "Say how a text is to be translated from now on",
		Example: `  dragoman correct --from en --to de "Save the file." "Sichere die Datei."`,
		RunE: withWords(func(c *cobra.Command, own ownWords, args []string) error {
			if len(args) != 2 || k.From == "" || k.To == "" || k.From == k.To || strings.TrimSpace(args[0]) == "" || strings.TrimSpace(args[1]) == "" {
				return usageError{errors.New("name the languages with --from and --to, the text and its translation, each in quotes")}
			}
			k.Text, k.Translation = args[0], args[1]
			if err := own.Correct(c.Context(), k); err != nil {
				return err
			}
			fmt.Fprintln(c.OutOrStdout(), "This text is translated so from now on.")
			return nil
		}),
	}
	c.Flags().StringVar(&k.From, "from", "", "`LANGUAGE` of the text")
	c.Flags().StringVar(&k.To, "to", "", "`LANGUAGE` of the translation")
	return c
}
