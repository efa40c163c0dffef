package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/internal/english"
)

func newHistory() *cobra.Command {
	var limit int
	var asJSON bool
	c := &cobra.Command{
		Use:   "history [WORD…]",
		Short: "Show translated texts, or those that hold all the words",
		Long: `Show translated texts that were kept, newest first, or those that hold all the
words. Texts of up to 20,000 characters are kept unless history.enabled is false;
files of drop folders are not in it.`,
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			if err := checkLimit(c); err != nil {
				return err
			}
			found, err := client.History(c.Context(), api.HistoryQuery{Search: strings.Join(args, " "), Limit: limit})
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(found.Entries)
			}
			for _, e := range found.Entries {
				_, err := fmt.Fprintf(c.OutOrStdout(), "%d  %s  %s > %s\n%s\n%s\n\n", e.ID, e.Time.Local().Format(time.DateTime),
					cmp.Or(e.From, "?"), e.To, shown(c.OutOrStdout(), e.Source), shown(c.OutOrStdout(), e.Target))
				if err != nil {
					return err
				}
			}
			if !found.Enabled {
				fmt.Fprintln(c.ErrOrStderr(), "dragoman: new texts are not kept (history.enabled is false)")
			}
			return nil
		}),
	}
	c.Flags().IntVar(&limit, "limit", 0, "at most `N` texts, 1 to 1000 (default 50)")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	c.AddCommand(newHistoryErase(), newHistoryDelete())
	return c
}

// shown is a text as it may be written to out: a terminal would act on control
// characters.
func shown(out io.Writer, text string) string {
	if terminalOf(out) == nil {
		return text
	}
	return printableLines(text)
}

// printableLines is printable for texts: lines and tabs are kept.
func printableLines(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return '\ufffd'
		}
		return r
	}, text)
}

func newHistoryErase() *cobra.Command {
	var days int
	var yes bool
	c := &cobra.Command{
		Use:   "erase",
		Short: "Erase all kept texts, or those that are older than some days, for good",
		Long: `Erase kept texts for good: they are overwritten in the database. Without
--older-than everything is erased, the translation memory too.

On a terminal you are asked before; --yes answers that. Where there is no terminal
nothing is asked, and to erase everything needs --yes.`,
		Args: noArgs,
		RunE: asking(func(c *cobra.Command, client *api.Client, _ []string) error {
			if days < 0 {
				return usageError{errors.New("--older-than: give a number of days")}
			}
			what := "all texts that were kept, and the translation memory"
			var before time.Time
			if days > 0 {
				before = time.Now().AddDate(0, 0, -days)
				what = fmt.Sprintf("the texts from before %s", before.Format(time.DateTime))
			}
			switch sure, asked, err := confirm(c, yes, "Erase "+what+" for good?"); {
			case err != nil:
				return err
			case asked && !sure:
				return errors.New("nothing was erased")
			case !sure && days == 0:
				return usageError{errors.New("this erases everything that was kept: add --yes, or --older-than DAYS")}
			}
			erased, err := client.EraseHistory(c.Context(), before)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "Erased %s.\n", english.Count(erased.Entries, "text"))
			return err
		}),
	}
	c.Flags().IntVar(&days, "older-than", 0, "only texts that are older than so many `DAYS`")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func newHistoryDelete() *cobra.Command {
	return &cobra.Command{
		Use:   "delete TEXT",
		Short: "Erase one kept text by its number",
		Args:  between(1, 1, "delete takes one text"),
		RunE: asking(func(c *cobra.Command, client *api.Client, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id < 1 {
				return usageError{fmt.Errorf("%q is no text: give its number in `dragoman history`", args[0])}
			}
			return client.EraseHistoryEntry(c.Context(), id)
		}),
	}
}
