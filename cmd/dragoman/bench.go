package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"dragoman/inference"
	"dragoman/inference/power"
	"dragoman/internal/english"
)

// benchTexts are of three lengths, for a model that translates from English.
var benchTexts = []string{
	"Please close the window.",
	"The weather is nice today, and I want to go to the beach.",
	"When the train finally arrived at the station, the passengers who had been waiting for more than two hours picked up their bags and walked slowly to the doors without saying a word.",
}

type benchLine struct {
	TokensIn    int       `json:"tokens_in"`
	TokensOut   int       `json:"tokens_out"`
	TotalMS     []float64 `json:"total_ms"` // minimum, median, maximum
	EncodeMS    float64   `json:"encode_ms"`
	TokenMS     float64   `json:"token_ms"`
	TokensASec  float64   `json:"tokens_per_second"`
	FirstTokens float64   `json:"first_token_ms"`
}

func newBench(o *options) *cobra.Command {
	var (
		to     string
		rounds int
		asJSON bool
		energy bool
		e      = energyBench{wait: 30 * time.Minute, machine: power.ThisMachine()}
	)
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast this machine translates",
		Long: `Measure how fast this machine translates texts of three lengths from English. The
model is loaded anew in this process, also where the service runs.

With --energy the machine rests and works in turn, on the CPU alone and then on
the NPU with the CPU, and what it draws anyway is taken off. Close other programs,
and pause the service before. What cannot be measured is said to be unknown.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if rounds < 1 {
				return usageError{fmt.Errorf("--rounds %d: at least one round is needed", rounds)}
			}
			if energy {
				return benchEnergy(c, o, e, to, rounds, asJSON)
			}
			start := time.Now()
			t, err := openTranslator(c, o)
			if err != nil {
				return err
			}
			defer t.Close()
			loaded := time.Since(start)
			var lines []benchLine
			for _, text := range benchTexts {
				line, err := benchOne(c, t, inference.Request{Text: text, From: "en", To: to, Forget: true}, rounds)
				if err != nil {
					return err
				}
				lines = append(lines, line)
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(map[string]any{"load_ms": ms(loaded), "runtime": t.Runtime().Build, "texts": lines})
			}
			fmt.Fprintf(c.OutOrStdout(), "OpenVINO %s, model loaded in %.0f ms, %s\n", t.Runtime().Version(), ms(loaded), english.Count(rounds, "round"))
			fmt.Fprintln(c.OutOrStdout(), "tokens in  out   total ms (min median max)   encode ms   first token ms   each token ms   tokens/s")
			for _, l := range lines {
				fmt.Fprintf(c.OutOrStdout(), "%9d %4d   %7.1f %7.1f %7.1f   %9.2f   %14.2f   %13.2f   %8.0f\n",
					l.TokensIn, l.TokensOut, l.TotalMS[0], l.TotalMS[1], l.TotalMS[2], l.EncodeMS, l.FirstTokens, l.TokenMS, l.TokensASec)
			}
			return nil
		},
	}
	o.addEngine(c.Flags())
	c.Flags().StringVar(&to, "to", "es", "`LANGUAGE` to translate into, from English")
	c.Flags().IntVar(&rounds, "rounds", 20, "`N` times that each text is translated")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&energy, "energy", false, "measure what the texts cost in energy, on the CPU alone and on the NPU with the CPU")
	c.Flags().DurationVar(&e.span, "span", 5*time.Second, "`TIME` of each rest and each work with --energy; a battery as the only meter needs 10m and more")
	return c
}

// benchOne translates a text rounds times after one warm-up. Figures other
// than the total are those of the round with the median total.
func benchOne(c *cobra.Command, t *inference.Translator, r inference.Request, rounds int) (benchLine, error) {
	var all []inference.Stats
	for i := range rounds + 1 {
		result, err := t.Translate(c.Context(), r)
		if err != nil {
			return benchLine{}, err
		}
		if i > 0 {
			all = append(all, result.Stats)
		}
	}
	slices.SortFunc(all, func(a, b inference.Stats) int { return int(a.Total - b.Total) })
	median := all[len(all)/2]
	return benchLine{
		TokensIn: median.TokensIn, TokensOut: median.TokensOut,
		TotalMS:  []float64{ms(all[0].Total), ms(median.Total), ms(all[len(all)-1].Total)},
		EncodeMS: ms(median.Encode), TokenMS: ms(median.TokenMedian), FirstTokens: ms(median.FirstToken),
		TokensASec: float64(median.TokensOut) / median.Total.Seconds(),
	}, nil
}
