package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/inference/language"
	"dragoman/watch/document"
	"dragoman/watch/document/segment"
)

func newDetect(o *options) *cobra.Command {
	var asJSON, asText, paragraphs bool
	c := &cobra.Command{
		Use:   "detect [TEXT… | FILE… | -]",
		Short: "Tell which language a text is in",
		Long: `Tell which language a text is in, among those of the model: its code, how sure
that is (0 to 1), and what it may be as well. A text that gives no reason for any
language, or is in one that the model does not know, is "unknown".`,
		Example: `  dragoman detect "Wo ist der nächste Bahnhof?"
  dragoman detect --paragraphs letter.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			inputs, err := gather(args, asText, c.InOrStdin(), document.Reading{})
			if err != nil {
				return err
			}
			t, err := startTranslating(c, o)
			if err != nil {
				return err
			}
			defer t.close()
			var failed error
			for _, in := range inputs {
				doc, err := in.read(c.Context())
				if err != nil {
					failed = errors.Join(failed, inputError{err})
					continue
				}
				texts := []string{doc.Sample(detectable)}
				if paragraphs {
					texts = paragraphsOf(doc)
				}
				for _, text := range texts {
					found, err := t.detect(c.Context(), text)
					if err != nil {
						return errors.Join(failed, err)
					}
					if asJSON {
						err = json.NewEncoder(c.OutOrStdout()).Encode(found)
					} else {
						_, err = fmt.Fprintln(c.OutOrStdout(), detectionLine(found))
					}
					if err != nil {
						return err
					}
				}
			}
			return failed
		},
	}
	o.addModel(c.Flags())
	o.addLocal(c.Flags(), "--model implies it")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each")
	c.Flags().BoolVar(&asText, "text", false, "take the arguments as text even where a file has that name")
	c.Flags().BoolVar(&paragraphs, "paragraphs", false, "tell it of each paragraph, for mixed texts")
	return c
}

// paragraphsOf are the texts of a document, cut at empty lines; one where it is
// no text file.
func paragraphsOf(doc *document.Document) (all []string) {
	text, err := doc.Show(segment.Options{})
	if err != nil || text == "" {
		return []string{doc.Sample(detectable)}
	}
	for p := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if strings.TrimSpace(p) != "" {
			all = append(all, p)
		}
	}
	return all
}

func detectionLine(d api.Detection) string {
	line := "unknown"
	switch {
	case d.Language != "":
		line = fmt.Sprintf("%s %.2f", d.Language, d.Confidence)
	case d.Foreign != "":
		return "unknown: it seems to be in " + language.Label(d.Foreign) + ", which the model does not know"
	}
	if d.Unsure {
		line += " unsure"
		for _, a := range d.Alternatives {
			line += fmt.Sprintf(" %s %.2f", a.Language, a.Confidence)
		}
	}
	return line
}
