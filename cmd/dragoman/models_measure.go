package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/inference"
	"dragoman/inference/fidelity"
	"dragoman/inference/openvino/locate"
	"dragoman/internal/english"
)

func newModelsMeasure() *cobra.Command {
	weights := "int8"
	c := modelCommand("measure", "Measure how near a model's quantised weights are to its own", func(c *cobra.Command, s setup, m known) error {
		if m.dir == "" {
			return m.missing()
		}
		if err := fidelity.CheckKept(m.dir); err != nil {
			return setupError{fmt.Errorf("%w: measure a copy of it, made by `dragoman models import %s --name NAME`", err, m.dir)}
		}
		rt, err := locate.Find(s.runtimes())
		if err != nil {
			return setupError{err}
		}
		hold(rt)
		o := inference.Options{Runtime: rt, ModelDir: m.dir, Recipe: weights, Threads: s.config.Inference.Threads, Cache: s.cache()}
		terminal := terminalOf(c.ErrOrStderr())
		step := func(done, of int) {
			if terminal != nil {
				fmt.Fprintf(terminal, "\r%d of %s ", done, english.Count(of, "sentence"))
			}
		}
		r, err := fidelity.Measure(c.Context(), o, step)
		if terminal != nil {
			fmt.Fprint(terminal, "\r\033[K")
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(c.OutOrStdout(), fidelityOf(r)); err != nil {
			return err
		}
		return r.Write(m.dir)
	})
	c.Long = `Measure how near a model's quantised weights are to its own: a few English sentences
are translated with both, into up to three languages. The result stays with the model,
and dragoman models info shows it. Ctrl-C ends it.`
	c.Flags().StringVar(&weights, "weights", weights, "`FORMAT` that is compared with f32: int8 or int4")
	return c
}

// fidelityOf says what was measured.
func fidelityOf(r fidelity.Result) string {
	return fmt.Sprintf("%s weights: %d of %d translations as with float weights, chrF %.1f between them (en to %s, %s)",
		r.Weights, r.Same, r.Sentences, r.ChrF, strings.Join(r.Languages, ", "), r.Measured.Local().Format("2006-01-02"))
}
