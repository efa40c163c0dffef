package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"dragoman/inference"
	"dragoman/inference/power"
	"dragoman/internal/english"
)

// energyBench measures what the same texts cost on the processor alone and with
// the NPU.
type energyBench struct {
	to      string
	rounds  int
	span    time.Duration // of each rest and each work
	wait    time.Duration // for an NPU that is being prepared
	machine power.Machine
}

// deviceEnergy is the outcome on one device. What is left out is unknown.
type deviceEnergy struct {
	Device                  string          `json:"device"`
	Texts                   int             `json:"texts,omitempty"`
	TextMS                  float64         `json:"text_ms,omitempty"`
	JoulesPerText           *power.Quantity `json:"joules_per_text,omitempty"`
	JoulesPerThousandTokens *power.Quantity `json:"joules_per_thousand_tokens,omitempty"`
	NPUShare                *power.Quantity `json:"npu_share,omitempty"`
	IdleWatts               *power.Quantity `json:"idle_watts,omitempty"`
	Unknown                 string          `json:"unknown,omitempty"`
}

// energyReport compares devices.
type energyReport struct {
	Meter   string          `json:"meter,omitempty"`
	Unknown string          `json:"unknown,omitempty"` // why there is no meter
	Devices []deviceEnergy  `json:"devices"`
	Saved   *power.Quantity `json:"saved_joules_per_text,omitempty"` // by the NPU
}

// meter is the finest that the machine has: that of the processor, else of the
// battery, which tells spans of many minutes only.
func (e energyBench) meter() (*power.Gauge, error) {
	counters, err := e.machine.Energy()
	if err == nil {
		return power.NewGauge(counters), nil
	}
	drain, noBattery := e.machine.Drain()
	if noBattery == nil {
		return power.NewGauge(drain), nil
	}
	return nil, fmt.Errorf("%w; %w", err, noBattery)
}

func (e energyBench) npu() *power.Gauge {
	c, err := e.machine.NPUBusy()
	if err != nil {
		return nil
	}
	return power.NewGauge([]power.Counter{c})
}

func (e energyBench) run(c *cobra.Command, o *options) (energyReport, error) {
	var r energyReport
	gauge, noMeter := e.meter()
	if noMeter != nil {
		r.Unknown = noMeter.Error()
	} else {
		r.Meter = gauge.Source()
	}
	for _, device := range []string{"CPU", "NPU"} {
		d, err := e.device(c, *o, device, gauge, noMeter)
		if err != nil {
			return r, err
		}
		r.Devices = append(r.Devices, d)
	}
	if cpu, npu := r.Devices[0].JoulesPerText, r.Devices[1].JoulesPerText; cpu != nil && npu != nil {
		saved := cpu.Minus(*npu)
		r.Saved = &saved
	}
	return r, nil
}

// device measures on one device. Only what ends the whole comparison is an error.
func (e energyBench) device(c *cobra.Command, o options, device string, gauge *power.Gauge, noMeter error) (deviceEnergy, error) {
	d := deviceEnergy{Device: device}
	o.device = device
	t, err := openTranslator(c, &o)
	if err != nil {
		if device == "CPU" { // neither model nor runtime, which is no matter of the device
			return d, err
		}
		d.Unknown = err.Error()
		return d, nil
	}
	defer t.Close()
	if noMeter != nil {
		d.Unknown = "there is no meter"
		e.wait = min(e.wait, 10*time.Second) // it is worth no more
		if device == "CPU" {
			return d, nil
		}
		if why := e.serves(c.Context(), t, device); why != "" {
			d.Unknown += "; " + why
		}
		return d, c.Context().Err()
	}
	if device != "CPU" {
		if why := e.serves(c.Context(), t, device); why != "" {
			d.Unknown = why
			return d, c.Context().Err()
		}
	}
	trial, err := power.Measure(c.Context(), gauge, e.npu(), e.rounds, e.rest, func(ctx context.Context) (power.Work, error) { return e.work(ctx, t) })
	if err != nil {
		return d, err
	}
	if device != "CPU" { // it may have been lost meanwhile
		if why := e.serves(c.Context(), t, device); why != "" {
			d.Unknown = why
			return d, nil
		}
	}
	d.Texts, d.JoulesPerText, d.JoulesPerThousandTokens = trial.Texts, trial.JoulesPerText, trial.JoulesPerThousandTokens
	d.NPUShare, d.IdleWatts, d.Unknown = trial.NPUShare, trial.Idle, trial.Unknown
	if trial.Texts > 0 {
		d.TextMS = 1000 * trial.Seconds / float64(trial.Texts)
	}
	return d, nil
}

// serves waits until a device encodes, or says why it does not.
func (e energyBench) serves(ctx context.Context, t *inference.Translator, device string) string {
	ctx, cancel := context.WithTimeout(ctx, e.wait)
	defer cancel()
	for {
		now := t.Devices()
		if now.Encoder == device {
			return ""
		}
		if len(now.Falls) > 0 && now.Opening.Device == "" {
			return now.Falls[0].Reason.Error()
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Sprintf("the %s was not ready within %s", device, english.Duration(e.wait))
		}
	}
}

func (e energyBench) rest(ctx context.Context) error {
	select {
	case <-time.After(e.span):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e energyBench) work(ctx context.Context, t *inference.Translator) (power.Work, error) {
	var done power.Work
	for end := time.Now().Add(e.span); time.Now().Before(end); {
		result, err := t.Translate(ctx, inference.Request{Text: benchTexts[done.Texts%len(benchTexts)], From: "en", To: e.to})
		if err != nil {
			return done, err
		}
		done.Texts++
		done.Tokens += result.Stats.TokensOut
	}
	return done, nil
}

func (r energyReport) print(out io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(r)
	}
	if r.Unknown != "" {
		fmt.Fprintf(out, "meter: unknown: %s\n", r.Unknown)
	} else {
		fmt.Fprintf(out, "meter: %s\nEnergy beyond what the machine draws anyway, with intervals of 95 %%.\n", r.Meter)
	}
	names := map[string]string{"CPU": "CPU alone", "NPU": "NPU with CPU"}
	for _, d := range r.Devices {
		fmt.Fprintf(out, "%-13s ", names[d.Device])
		if d.JoulesPerText == nil {
			fmt.Fprintf(out, "unknown: %s\n", d.Unknown)
			continue
		}
		fmt.Fprintf(out, "%s a text", d.JoulesPerText)
		if d.JoulesPerThousandTokens != nil {
			fmt.Fprintf(out, ", %s a thousand tokens", d.JoulesPerThousandTokens)
		}
		fmt.Fprintf(out, "; %d texts of %.1f ms; idle %s", d.Texts, d.TextMS, d.IdleWatts)
		if d.NPUShare != nil {
			fmt.Fprintf(out, "; NPU at work %.0f %% of the time", 100*d.NPUShare.Value)
		}
		fmt.Fprintln(out)
	}
	switch s := r.Saved; {
	case s == nil:
		fmt.Fprintln(out, "What the NPU saves is unknown.")
	case s.Low > 0:
		fmt.Fprintf(out, "The NPU saves %s a text.\n", s)
	case s.High < 0:
		fmt.Fprintf(out, "The NPU costs more: %s a text.\n", power.Quantity{Value: -s.Value, Low: -s.High, High: -s.Low, Unit: s.Unit})
	default:
		fmt.Fprintf(out, "No difference can be told: %s a text.\n", s)
	}
	return nil
}

// fewestRounds is how often the idle draw must be measured for a spread of it.
const fewestRounds = 3

func benchEnergy(c *cobra.Command, o *options, e energyBench, to string, rounds int, asJSON bool) error {
	switch {
	case rounds < fewestRounds:
		return usageError{fmt.Errorf("--rounds %d: at least %d rounds are needed with --energy", rounds, fewestRounds)}
	case e.span < time.Second:
		return usageError{fmt.Errorf("--span %s: at least 1s is needed", e.span)}
	case o.device != "":
		return usageError{errors.New("--energy compares the CPU with the NPU: leave out --device")}
	}
	e.to, e.rounds = to, rounds
	r, err := e.run(c, o)
	if err != nil {
		return err
	}
	return r.print(c.OutOrStdout(), asJSON)
}
