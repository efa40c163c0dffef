package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dragoman/inference/glossary"
	"dragoman/watch/document"
)

// glossaryDir is where the glossaries lie that count.
func (s setup) glossaryDir() string { return filepath.Join(s.paths.DataDir, "glossary") }

// words are the person's own words; what is wrong with a file of them is told.
func (s setup) words(c *cobra.Command) *glossary.Glossary {
	return counting(c, glossary.NewFolder(s.glossaryDir()))
}

func newGlossary() *cobra.Command {
	c := &cobra.Command{
		Use:   "glossary",
		Short: "Say how terms are to be translated, and which stay as they are",
		Long: `Say how terms are to be translated, and which stay as they are.

A glossary is a file: a table (.csv, .tsv) whose first line names languages
(en,de,fr) or the columns from,to,source,target; a termbase (.tbx); or a list of
words that stay as they are (.txt, one a line). Changes count at once. The files
lie in the folder "glossary" of the data folder.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newGlossaryAdd(), newGlossaryRemove(), newGlossaryList(), newGlossaryCheck())
	return c
}

func newGlossaryAdd() *cobra.Command {
	var from, to string
	c := &cobra.Command{
		Use:   "add FILE… | add [--from LANGUAGE] [--to LANGUAGE] TERM [TRANSLATION]",
		Short: "Add files, or a term; one without a translation stays as it is",
		Example: `  dragoman glossary add terms.csv
  dragoman glossary add --from en --to de folder Ordner
  dragoman glossary add "Blue Moon"`,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return usageError{errors.New("name a file, or a term and its translation")}
			}
			if from == "" && to == "" && isGlossaryFile(args[0]) {
				return addGlossaries(c, s, args)
			}
			if len(args) > 2 || len(args) == 2 && (from == "" || to == "") {
				return usageError{errors.New("a term has one translation, and --from and --to say of which languages")}
			}
			return addTerm(c, s, glossary.Entry{From: from, To: to, Source: args[0], Target: strings.Join(args[1:], "")})
		},
	}
	c.Flags().StringVar(&from, "from", "", "`LANGUAGE` of the term (default: all)")
	c.Flags().StringVar(&to, "to", "", "`LANGUAGE` of the translation (default: all)")
	return c
}

func isGlossaryFile(name string) bool {
	return slices.Contains(glossary.Extensions, strings.ToLower(filepath.Ext(name)))
}

// addGlossaries checks all files before any counts.
func addGlossaries(c *cobra.Command, s setup, files []string) error {
	for _, file := range files {
		if _, err := glossary.Read(file); err != nil {
			return inputError{err}
		}
	}
	if err := os.MkdirAll(s.glossaryDir(), 0o700); err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return inputError{err}
		}
		entries, err := glossary.Parse(file, strings.NewReader(string(data)))
		if err != nil {
			return inputError{err}
		}
		if err := document.WriteAtomic(filepath.Join(s.glossaryDir(), filepath.Base(file)), data, 0o600); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %d entries\n", printable(filepath.Base(file)), len(entries))
	}
	return nil
}

func addTerm(c *cobra.Command, s setup, e glossary.Entry) error {
	name := filepath.Join(s.glossaryDir(), glossary.Own)
	entries, err := glossary.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return inputError{err}
	}
	entries = slices.DeleteFunc(entries, func(old glossary.Entry) bool {
		return old.From == e.From && old.To == e.To && old.Source == e.Source
	})
	if err := writeTerms(name, append(entries, e)); err != nil {
		return err
	}
	if e.Target == "" {
		fmt.Fprintf(c.OutOrStdout(), "%q stays as it is\n", printable(e.Source))
	} else {
		fmt.Fprintf(c.OutOrStdout(), "%q (%s) becomes %q (%s)\n", printable(e.Source), e.From, printable(e.Target), e.To)
	}
	return nil
}

// writeTerms writes what can be read again, or nothing.
func writeTerms(name string, entries []glossary.Entry) error {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"from", "to", "source", "target"}) // to memory
	for _, e := range entries {
		_ = w.Write([]string{e.From, e.To, e.Source, e.Target})
	}
	w.Flush()
	if _, err := glossary.Parse(name, strings.NewReader(b.String())); err != nil {
		return usageError{err}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return document.WriteAtomic(name, []byte(b.String()), 0o600)
}

func newGlossaryRemove() *cobra.Command {
	return &cobra.Command{
		Use:   "remove FILE | TERM",
		Short: "Remove a file by its name, or a term that was added by itself",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return usageError{errors.New("name one file or term, see `dragoman glossary list`")}
			}
			if name := filepath.Join(s.glossaryDir(), filepath.Base(args[0])); isGlossaryFile(args[0]) {
				err := os.Remove(name)
				if errors.Is(err, fs.ErrNotExist) {
					return inputError{fmt.Errorf("there is no glossary %q: see `dragoman glossary list`", printable(args[0]))}
				}
				return err
			}
			name := filepath.Join(s.glossaryDir(), glossary.Own)
			entries, err := glossary.Read(name)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return inputError{err}
			}
			left := slices.DeleteFunc(slices.Clone(entries), func(e glossary.Entry) bool { return e.Source == args[0] })
			if len(left) == len(entries) {
				return inputError{fmt.Errorf("the term %q was not added by itself: see `dragoman glossary list` for its file", printable(args[0]))}
			}
			return writeTerms(name, left)
		},
	}
}

func newGlossaryList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the terms and the files that they are from",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, e := range s.words(c).Entries() {
				languages, target := e.From+" > "+e.To, e.Target
				if e.From == "" && e.To == "" {
					languages = "all"
				}
				if target == "" {
					target = "(stays)"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s:%d\n", languages, printable(e.Source), printable(target), printable(filepath.Base(e.File)), e.Line)
			}
			return w.Flush()
		},
	}
}

func newGlossaryCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Check files, or those that were added, without changing anything",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				s, err := loadSetup()
				if err != nil {
					return err
				}
				if args, err = glossary.NewFolder(s.glossaryDir()).Files(); err != nil {
					return err
				}
			}
			return countFiles(c, args, glossary.Read, "entries")
		},
	}
}
