package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"dragoman/inference"
	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/openvino/locate"
	"dragoman/internal/english"
)

func newCacheWarm() *cobra.Command {
	o := &options{}
	var platform string
	var asJSON bool
	c := &cobra.Command{
		Use:   "warm",
		Short: "Prepare a model ahead, for this computer or for NPUs of others",
		Long: `Prepare a model ahead, so that no start has to: its graphs, and what the devices of this
computer need compiled.

With --platform the graphs are compiled for the NPUs of other computers, which need not be
here: 3720 (Meteor Lake, Arrow Lake), 4000 (Lunar Lake), 5010 (Panther Lake) or 5020
(Wildcat Lake). The OpenVINO runtime must have the NPU's compiler, as the wheel for Windows
and Intel's archive for Linux have. Copy the cache folder to those computers: any driver
will do, the OpenVINO must be of the same release. See docs/npu.md.`,
		Example: `  dragoman cache warm
  DRAGOMAN_CACHE=fleet dragoman cache warm --platform 4000 --model m2m100-418m`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON && platform == "" {
				return usageError{errors.New("--json goes with --platform")}
			}
			return warmCache(c, o, platform, asJSON)
		},
	}
	o.addModel(c.Flags())
	c.Flags().StringVar(&o.weights, "weights", "", "`FORMAT` of the weights: int8, int4 or f32 (default: inference.weights of the settings)")
	c.Flags().StringVar(&platform, "platform", "", "`NUMBER` of the NPUs' generation: 3720, 4000, 5010 or 5020")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each graph")
	return c
}

func warmCache(c *cobra.Command, o *options, platform string, asJSON bool) error {
	if err := o.check(); err != nil {
		return usageError{err}
	}
	if platform != "" {
		if _, err := device.ParseGeneration(platform); err != nil {
			return usageError{fmt.Errorf("--platform: %w", err)}
		}
	}
	s, err := loadSetup()
	if err != nil {
		return err
	}
	if err := o.permitted(s.config); err != nil {
		return err
	}
	dir, err := s.findModel(o.model)
	if err != nil {
		return err
	}
	rt, err := locate.Find(s.runtimes())
	if err != nil {
		return setupError{err}
	}
	hold(rt)
	options := inference.Options{
		Runtime: rt, ModelDir: dir, Recipe: cmp.Or(o.weights, s.config.Inference.Weights), Cache: s.cache(),
		Encoder: s.config.Inference.Encoder, Decoder: s.config.Inference.Decoder, Threads: s.config.Inference.Threads,
	}
	if platform != "" {
		return warmAhead(c, options, platform, asJSON)
	}
	return warmHere(c, options)
}

// jsonAhead is a graph as `dragoman cache warm --platform P --json` prints it.
// EstimateMS is the compiler's guess of an inference, which nobody has measured.
type jsonAhead struct {
	Graph      int     `json:"graph"`
	Of         int     `json:"of"`
	Tokens     int     `json:"tokens"`
	Stored     bool    `json:"stored"`
	Seconds    float64 `json:"seconds"`
	Bytes      int64   `json:"bytes"`
	Platform   string  `json:"platform"`
	Tiles      string  `json:"tiles"`
	Compiler   string  `json:"compiler"`
	OpenVINO   string  `json:"openvino"`
	EstimateMS float64 `json:"estimate_ms,omitempty"`
	ClockMHz   int     `json:"estimate_clock_mhz,omitempty"`
}

func warmAhead(c *cobra.Command, o inference.Options, platform string, asJSON bool) error {
	out, terminal := c.OutOrStdout(), terminalOf(c.ErrOrStderr())
	var failed error
	err := inference.CompileAhead(c.Context(), o, platform, func(a inference.Ahead) {
		if terminal != nil {
			fmt.Fprintf(terminal, "graph %d of %d is being compiled\r", a.Graph, a.Of)
		}
	}, func(a inference.Ahead) {
		if asJSON {
			failed = errors.Join(failed, json.NewEncoder(out).Encode(jsonAhead{
				a.Graph, a.Of, a.Tokens, a.Stored, a.Took.Seconds(), a.Bytes, a.Needs.Platform, a.Needs.Tiles, a.Needs.Compiler, a.Needs.Runtime,
				float64(a.Estimate.Took) / float64(time.Millisecond), a.Estimate.Clock,
			}))
			return
		}
		fmt.Fprintln(out, aheadText(a, platform))
	})
	if err != nil {
		return setupError{err}
	}
	return failed
}

func aheadText(a inference.Ahead, platform string) string {
	text := fmt.Sprintf("graph %d of %d, %d tokens, for NPU %s: %.1f MB", a.Graph, a.Of, a.Tokens, platform, float64(a.Bytes)/1e6)
	if a.Stored {
		text += ", was there already"
	} else {
		text += fmt.Sprintf(", compiled in %s", english.Duration(a.Took))
	}
	if a.Estimate.Took > 0 {
		text += fmt.Sprintf("; the compiler reckons %.2f ms at %d MHz, nobody has measured it", float64(a.Estimate.Took)/float64(time.Millisecond), a.Estimate.Clock)
	}
	return text
}

// warmHere opens the model as the service would and waits until its devices are
// ready or ruled out.
func warmHere(c *cobra.Command, o inference.Options) error {
	began := time.Now()
	changed := make(chan struct{}, 1)
	o.Acceleration = acceleration(o.Runtime)
	o.Acceleration.WarmOnly = false
	o.Acceleration.Changed = func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	t, err := inference.Open(c.Context(), o)
	if err != nil {
		return setupError{err}
	}
	err = awaitDevices(c.Context(), t, changed, terminalOf(c.ErrOrStderr()))
	d := t.Devices()
	if err = errors.Join(err, t.Close()); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "ready in %s: the encoder on %s, the decoder on %s\n", english.Duration(time.Since(began)), named(d.Encoder, d.EncoderName), named(d.Decoder, d.DecoderName))
	for _, f := range d.Falls {
		fmt.Fprintln(c.OutOrStdout(), printable(f.Reason.Error()))
	}
	return nil
}

// awaitDevices waits until no device is being prepared nor waits for it.
func awaitDevices(ctx context.Context, t *inference.Translator, changed <-chan struct{}, terminal io.Writer) error {
	for {
		d := t.Devices()
		waiting := d.Opening.Device != ""
		for _, f := range append(d.Falls, d.DecoderFalls...) {
			waiting = waiting || f.Reason.Kind == ladder.Waiting
		}
		if !waiting {
			return nil
		}
		if terminal != nil && d.Opening.Of > 0 {
			fmt.Fprintf(terminal, "graph %d of %d for %s\r", d.Opening.Graph, d.Opening.Of, d.Opening.Device)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
