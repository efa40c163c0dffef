package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dragoman/inference/language"
	"dragoman/inference/m2m100/tokenizer"
)

func newLanguages(o *options) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "languages",
		Short: "List the languages of the model",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			dir, err := s.findModel(o.model)
			if err != nil {
				return err
			}
			t, err := tokenizer.Load(dir)
			if err != nil {
				return setupError{err}
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(t.Languages())
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, code := range t.Languages() {
				english, own := language.Names(code)
				fmt.Fprintf(w, "%s\t%s\t%s\n", code, english, own)
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the codes as a JSON list")
	return c
}
