package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/words"
	"dragoman/inference/glossary"
	"dragoman/internal/english"
)

func newGlossary() *cobra.Command {
	c := &cobra.Command{
		Use:   "glossary",
		Short: "Say how terms are to be translated, and which stay as they are",
		Long: `Say how terms are to be translated, and which stay as they are.

A glossary is a file: a table (.csv, .tsv) whose first line names languages
(en,de,fr) or the columns from,to,source,target; a termbase (.tbx); or a list of
words that stay as they are (.txt, one a line). Changes count at once. The files
lie in the folder "glossary" of the data folder; where the machine's service
translates for you, in its data folder.`,
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
		RunE: withWords(func(c *cobra.Command, own ownWords, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("name a file, or a term and its translation")}
			}
			if from == "" && to == "" && words.IsGlossary(args[0]) {
				files, err := readWords(args, words.CheckGlossary)
				if err != nil {
					return err
				}
				return addWords(c, files, "entry", own.AddGlossary)
			}
			if words.IsGlossary(args[0]) {
				if _, err := os.Stat(args[0]); err == nil {
					return usageError{fmt.Errorf("%s is a file, which says its languages itself: leave --from and --to out", printable(args[0]))}
				}
			}
			if len(args) > 2 || len(args) == 2 && (from == "" || to == "") {
				return usageError{errors.New("a term has one translation, and --from and --to say of which languages")}
			}
			t := api.Term{From: from, To: to, Source: args[0], Target: strings.Join(args[1:], "")}
			if err := own.AddTerm(c.Context(), t); err != nil {
				return err
			}
			if t.Target == "" {
				fmt.Fprintf(c.OutOrStdout(), "%q stays as it is\n", printable(t.Source))
			} else {
				fmt.Fprintf(c.OutOrStdout(), "%q (%s) becomes %q (%s)\n", printable(t.Source), from, printable(t.Target), to)
			}
			return nil
		}),
	}
	c.Flags().StringVar(&from, "from", "", "`LANGUAGE` of the term (default: all)")
	c.Flags().StringVar(&to, "to", "", "`LANGUAGE` of the translation (default: all)")
	return c
}

func newGlossaryRemove() *cobra.Command {
	var from, to string
	c := &cobra.Command{
		Use:   "remove FILE | remove [--from LANGUAGE] [--to LANGUAGE] TERM",
		Short: "Remove a file by its name, or a term that was added by itself",
		RunE: withWords(func(c *cobra.Command, own ownWords, args []string) error {
			if len(args) != 1 {
				return usageError{errors.New("name one file or term, see `dragoman glossary list`")}
			}
			if from == "" && to == "" && words.IsGlossary(args[0]) {
				return own.RemoveGlossary(c.Context(), filepath.Base(args[0]))
			}
			if err := own.RemoveTerm(c.Context(), api.Term{From: from, To: to, Source: args[0]}); err != nil {
				return err
			}
			of := "all its languages"
			if from != "" || to != "" {
				of = cmp.Or(from, "all") + " > " + cmp.Or(to, "all")
			}
			fmt.Fprintf(c.OutOrStdout(), "%q is removed, for %s\n", printable(args[0]), of)
			return nil
		}),
	}
	c.Flags().StringVar(&from, "from", "", "`LANGUAGE` of the term (default: all)")
	c.Flags().StringVar(&to, "to", "", "`LANGUAGE` of the translation (default: all)")
	return c
}

func newGlossaryList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the terms and the files that they are from",
		Args:  noArgs,
		RunE: withWords(func(c *cobra.Command, own ownWords, _ []string) error {
			found, err := own.Glossary(c.Context())
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, t := range found.Terms {
				languages, target := t.From+" > "+t.To, t.Target
				if t.From == "" && t.To == "" {
					languages = "all"
				}
				if target == "" {
					target = "(stays)"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s:%d\n", languages, printable(t.Source), printable(target), printable(t.File), t.Line)
			}
			return errors.Join(w.Flush(), problems(found.Problems))
		}),
	}
}

func newGlossaryCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Check files, or those that were added, without changing anything",
		RunE: withWords(func(c *cobra.Command, own ownWords, args []string) error {
			if len(args) > 0 {
				return checkGlossaries(c, args)
			}
			found, err := own.Glossary(c.Context())
			if err != nil {
				return err
			}
			counts, order := map[string]int{}, []string{}
			for _, t := range found.Terms {
				if counts[t.File]++; counts[t.File] == 1 {
					order = append(order, t.File)
				}
			}
			for _, file := range order {
				fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", printable(file), english.Count(counts[file], "entry"))
			}
			return problems(found.Problems)
		}),
	}
}

// checkGlossaries tells how many entries each file has, or what is wrong with it.
func checkGlossaries(c *cobra.Command, files []string) (failed error) {
	for _, file := range files {
		entries, err := glossary.Read(file)
		if err != nil {
			failed = errors.Join(failed, inputError{err})
			continue
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", printable(filepath.Base(file)), english.Count(len(entries), "entry"))
	}
	return failed
}

// problems are those of files that count for nothing.
func problems(all []string) error {
	if len(all) == 0 {
		return nil
	}
	return inputError{errors.New(strings.Join(all, "\n"))}
}
