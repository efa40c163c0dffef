package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/inference/language"
	"dragoman/inference/m2m100/tokenizer"
)

func newLanguages(o *options) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "languages",
		Short: "List the languages of the model",
		Long: `List the languages of the model: of the service where it runs, else of the one that
the settings name. Each line has the code, the English name and the own name.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			codes, err := languageCodes(c.Context(), o)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(codes)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, code := range codes {
				english, own := language.Names(code)
				fmt.Fprintf(w, "%s\t%s\t%s\n", code, english, own)
			}
			return w.Flush()
		},
	}
	o.addModel(c.Flags())
	o.addLocal(c.Flags(), "--model implies it")
	c.Flags().BoolVar(&asJSON, "json", false, "print the codes as a JSON list")
	return c
}

// languageCodes asks the service, which may have another model than the
// settings say now, or the model's vocabulary.
func languageCodes(ctx context.Context, o *options) ([]string, error) {
	if !o.alone() {
		client, err := newClient()
		if err != nil {
			return nil, err
		}
		var codes []string
		if err = answers(ctx, client); err == nil {
			codes, err = remote{client: client}.languages(ctx)
		}
		if err == nil || !errors.Is(err, api.ErrNotRunning) && !errors.Is(err, fs.ErrPermission) {
			return codes, err
		}
	}
	s, err := loadSetup()
	if err != nil {
		return nil, err
	}
	dir, err := s.findModel(o.model)
	if err != nil {
		return nil, err
	}
	t, err := tokenizer.Load(dir)
	if err != nil {
		return nil, setupError{err}
	}
	return t.Languages(), nil
}
