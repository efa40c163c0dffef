package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/watch/document"
	"dragoman/watch/document/segment"
)

type translateCommand struct {
	*options
	languageFlags
	output string
	text   bool
	json   bool
	stats  bool
	// of documents
	reading   readingFlags
	bilingual bool
	dryRun    bool
	// of the beam search
	beams        int
	penalty      float64
	alternatives int
}

func newTranslate(o *options) *cobra.Command {
	t := &translateCommand{options: o}
	c := &cobra.Command{
		Use:   "translate --to LANGUAGE [TEXT… | FILE… | -]",
		Short: "Translate a text, files or the standard input",
		Long: `Translate a text, files or the standard input.

Arguments that name files are read as files; otherwise they are the text. With
"-" or no argument the standard input is translated. One file's translation
goes to the standard output unless --output names a file or folder; several
files need --output FOLDER and become FOLDER/NAME.LANGUAGE.EXT, or --json.

The format of a file is found by its content and its name; the markup of those below
is kept, and any other file is read as plain text. Text files are UTF-8, UTF-16 with a
byte order mark, or in an older encoding that the file or its bytes tell for certain or
that --encoding says. Of JSON the values are translated that look like texts for people, or
those that --json-path takes; of CSV and TSV the cells, or those of --columns. --dry-run
shows what would be translated.

  ` + strings.Join(document.Extensions(), " "),
		Example: `  dragoman translate --from en --to de "Where is the nearest train station?"
  dragoman translate --to es letter.txt --output letter.es.txt
  cat letter.txt | dragoman translate --to fr`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			if t.search, err = t.searchOf(c); err != nil {
				return usageError{err}
			}
			return t.run(c, args)
		},
	}
	t.add(c)
	needsLanguage := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if t.dryRun {
			return nil
		}
		return needsLanguage(c, args)
	}
	o.addEngine(c.Flags())
	o.addLocal(c.Flags(), "--model, --device, --weights and --threads imply it")
	c.Flags().StringVarP(&t.output, "output", "o", "", "`FILE` to write to, or a folder, which is made if its name ends with a slash or there are several files (default: the standard output)")
	c.Flags().BoolVar(&t.text, "text", false, "take the arguments as text even where a file has that name")
	c.Flags().BoolVar(&t.json, "json", false, "print a JSON object for each text, with its timings")
	c.Flags().BoolVar(&t.private, "private", false, "leave no trace in the service's history and translation memory")
	t.reading.add(c.Flags())
	c.Flags().BoolVar(&t.bilingual, "bilingual", false, "keep each text and put its translation behind it")
	c.Flags().BoolVar(&t.dryRun, "dry-run", false, "translate nothing: show the texts of the inputs and what of them is protected")
	c.Flags().BoolVar(&t.explain, "explain", false, "say on the standard error what was kept, split, remembered and tried twice, and why")
	c.Flags().IntVar(&t.beams, "beam", 0, "weigh `N` wordings against each other while translating (beam search, 1 to 8): slower, and a little better")
	c.Flags().Float64Var(&t.penalty, "length-penalty", inference.DefaultLengthPenalty, "`X` of the beam search: above 0 favours long translations")
	c.Flags().IntVar(&t.alternatives, "alternatives", 0, "print `N` other translations of a text below its own, likeliest first; --beam is at least one more, 4 if left out")
	c.Flags().BoolVar(&t.stats, "stats", false, "print the timings on the standard error")
	return c
}

// searchOf is what the flags say of a beam search.
func (t *translateCommand) searchOf(c *cobra.Command) (*inference.Search, error) {
	var penalty *float64
	if c.Flags().Changed("length-penalty") {
		penalty = &t.penalty
	}
	if c.Flags().Changed("beam") && t.beams < 1 {
		return nil, fmt.Errorf("--beam %d: 1 to %d are possible", t.beams, inference.MostBeams)
	}
	return inference.NewSearch(t.beams, penalty, t.alternatives)
}

func (t *translateCommand) run(c *cobra.Command, args []string) error {
	ctx := c.Context()
	reading := t.reading.said
	if err := reading.Check(); err != nil {
		return usageError{err}
	}
	if t.from != api.Auto {
		reading.Language = t.from
	}
	inputs, err := gather(args, t.text, c.InOrStdin(), reading)
	if err != nil {
		return err
	}
	if t.alternatives > 0 && (t.output != "" || inputs[0].path != "") {
		return usageError{errors.New("--alternatives is for texts, not for files: give the text itself, or its file to the standard input, without --output")}
	}
	if t.reading.given() && inputs[0].path == "" {
		return usageError{errors.New("--encoding, --json-path and --columns are for files: name the file")}
	}
	if t.dryRun {
		return t.show(c, inputs)
	}
	if len(inputs) > 1 && t.output == "" && !t.json {
		return usageError{fmt.Errorf("%d files need --output FOLDER (or --json)", len(inputs))}
	}
	targets, err := newTargets(inputs, t.output, t.to)
	if err != nil {
		return err
	}
	translator, err := startTranslating(c, t.options)
	if err != nil {
		return err
	}
	defer translator.close()
	if err := translator.check(ctx, t.from, t.to); err != nil {
		return err
	}
	var failed error
	for i, in := range inputs {
		doc, err := in.read(ctx)
		if err != nil {
			failed = errors.Join(failed, inputError{err})
			continue
		}
		// Before the work, which may take long, and after the last thing that
		// can be wrong with the input.
		if err := targets.makeFolder(); err != nil {
			return errors.Join(failed, err)
		}
		err = t.one(c, translator, in, doc, targets.files[i])
		failed = errors.Join(failed, err)
		var write *document.WriteError
		if errors.Is(err, context.Canceled) || errors.As(err, &write) {
			break // the next would fail in the same way
		}
	}
	return failed
}

// withOthers puts other translations below a text's own, each on lines of its own.
func withOthers(text string, others []string) string {
	for _, other := range others {
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += other
	}
	return text
}

// show is the dry run.
func (t *translateCommand) show(c *cobra.Command, inputs []input) (failed error) {
	for _, in := range inputs {
		doc, err := in.read(c.Context())
		if err != nil {
			failed = errors.Join(failed, inputError{err})
			continue
		}
		if err := showSegments(c.OutOrStdout(), in, doc, t.json); err != nil {
			return errors.Join(failed, err)
		}
	}
	return failed
}

func (t *translateCommand) one(c *cobra.Command, translator translating, in input, doc *document.Document, target string) error {
	if target == "" && !doc.Text && t.json {
		return usageError{fmt.Errorf("%s: JSON has no place for a %s: name a file or folder with --output", in.name, doc.Format)}
	}
	if target == "" && !doc.Text && terminalOf(c.OutOrStdout()) != nil {
		return usageError{fmt.Errorf("%s: a terminal cannot show a %s: name a file with --output", in.name, doc.Format)}
	}
	if err := doc.CheckOutput(target); err != nil {
		return usageError{err}
	}
	bar := newProgress(c.ErrOrStderr(), printable(in.name))
	result, err := translateDocument(c.Context(), translator, doc, t.languageFlags, bar.update)
	bar.finish()
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	data, err := doc.Bytes(segment.Options{To: t.to, Bilingual: t.bilingual})
	if err != nil {
		return err
	}
	for _, note := range doc.Notes {
		fmt.Fprintf(c.ErrOrStderr(), "%s: %s\n", printable(in.name), note)
	}
	result.explained = t.explain
	tellDoubts(c.ErrOrStderr(), printable(in.name), result)
	if t.stats {
		printStats(c.ErrOrStderr(), in.name, result.Stats)
	}
	if target != "" {
		if err := document.WriteAtomic(target, data, doc.Mode); err != nil {
			return err
		}
	}
	switch {
	case t.json:
		if result.Text, err = doc.Show(segment.Options{To: t.to, Bilingual: t.bilingual}); err != nil {
			return err
		}
		return json.NewEncoder(c.OutOrStdout()).Encode(jsonResult(in, target, t.languageFlags, result))
	case target == "" && in.argument:
		_, err = fmt.Fprintln(c.OutOrStdout(), withOthers(string(data), result.Alternatives))
	case target == "" && !doc.Text:
		_, err = c.OutOrStdout().Write(data)
	case target == "":
		// A terminal or a pipe takes UTF-8, whatever the file has.
		if result.Text, err = doc.Show(segment.Options{To: t.to, Bilingual: t.bilingual}); err == nil {
			_, err = fmt.Fprint(c.OutOrStdout(), withOthers(result.Text, result.Alternatives))
		}
	}
	return err
}
