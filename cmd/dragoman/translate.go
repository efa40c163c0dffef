package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"dragoman/inference"
	"dragoman/watch/document"
)

type translateCommand struct {
	*options
	languageFlags
	output string
	text   bool
	json   bool
	stats  bool
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
files need --output FOLDER and become FOLDER/NAME.LANGUAGE.EXT.`,
		Example: `  dragoman translate --from en --to de "Where is the nearest train station?"
  dragoman translate --to es letter.txt --output letter.es.txt
  cat letter.txt | dragoman translate --to fr`,
		RunE: func(c *cobra.Command, args []string) error { return t.run(c, args) },
	}
	t.add(c)
	c.Flags().StringVarP(&t.output, "output", "o", "", "file or folder to write to (default: the standard output)")
	c.Flags().BoolVar(&t.text, "text", false, "take the arguments as text even where a file has that name")
	c.Flags().BoolVar(&t.json, "json", false, "print a JSON object for each text, with its timings")
	c.Flags().BoolVar(&t.stats, "stats", false, "print the timings on the standard error")
	return c
}

func (t *translateCommand) run(c *cobra.Command, args []string) error {
	ctx := c.Context()
	inputs, err := gather(args, t.text, c.InOrStdin())
	if err != nil {
		return err
	}
	targets, err := t.targets(inputs)
	if err != nil {
		return err
	}
	translator, err := openTranslator(ctx, t.options)
	if err != nil {
		return err
	}
	defer translator.Close()
	if err := translator.CheckLanguages(t.from, t.to); err != nil {
		return err
	}
	var failed error
	for i, in := range inputs {
		err := t.one(c, translator, in, targets[i])
		if errors.Is(err, context.Canceled) {
			return err
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

func (t *translateCommand) one(c *cobra.Command, translator *inference.Translator, in input, target string) error {
	doc, err := in.read()
	if err != nil {
		return inputError{err}
	}
	bar := newProgress(c.ErrOrStderr(), in.name)
	result, err := translator.Translate(c.Context(), inference.Request{Text: doc.Body, From: t.from, To: t.to, Progress: bar.update})
	bar.finish()
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	if t.stats {
		printStats(c.ErrOrStderr(), in.name, result.Stats)
	}
	if target != "" {
		data, err := doc.Encode(result.Text)
		if err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		if err := document.WriteAtomic(target, data, doc.Mode); err != nil {
			return err
		}
	}
	switch {
	case t.json:
		return json.NewEncoder(c.OutOrStdout()).Encode(jsonResult(in, target, t.languageFlags, result))
	case target == "" && in.argument:
		_, err = fmt.Fprintln(c.OutOrStdout(), result.Text)
	case target == "":
		_, err = fmt.Fprint(c.OutOrStdout(), result.Text)
	}
	return err
}

// targets are the files that the inputs' translations go to, "" for the
// standard output.
func (t *translateCommand) targets(inputs []input) ([]string, error) {
	targets := make([]string, len(inputs))
	if t.output == "" {
		if len(inputs) > 1 && !t.json {
			return nil, usageError{fmt.Errorf("%d files need --output FOLDER (or --json)", len(inputs))}
		}
		return targets, nil
	}
	folder := len(inputs) > 1 || os.IsPathSeparator(t.output[len(t.output)-1])
	if info, err := os.Stat(t.output); err == nil && info.IsDir() {
		folder = true
	}
	if folder && inputs[0].path == "" {
		return nil, usageError{fmt.Errorf("--output %s is a folder: name a file for the text", t.output)}
	}
	if folder {
		if err := os.MkdirAll(t.output, 0o755); err != nil {
			return nil, fmt.Errorf("make the output folder: %w", err)
		}
	}
	taken := map[string]string{}
	for i, in := range inputs {
		targets[i] = t.output
		if folder {
			name, err := document.OutputName(filepath.Base(in.path), t.to, false)
			if err != nil {
				return nil, inputError{err}
			}
			targets[i] = filepath.Join(t.output, name)
		}
		if other, ok := taken[targets[i]]; ok {
			return nil, inputError{fmt.Errorf("%s and %s would both become %s: translate them into different folders", other, in.path, targets[i])}
		}
		taken[targets[i]] = in.path
		if sameFile(targets[i], in.path) {
			return nil, inputError{fmt.Errorf("%s is the input: dragoman never writes over it, choose another --output", targets[i])}
		}
	}
	return targets, nil
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
