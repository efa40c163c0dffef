package daemon

import (
	"context"
	"os/exec"
	"slices"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/openvino/locate"
	"dragoman/inference/power"
)

// acceleration has devices tried in a process of this program.
func (m *models) acceleration(rt locate.Candidate, measure bool) inference.Acceleration {
	a := inference.Acceleration{
		Probe: func(ctx context.Context) (*exec.Cmd, error) { return exec.CommandContext(ctx, m.exe, "probe"), nil },
		Survey: func(ctx context.Context) device.Machine {
			return device.Survey(ctx, device.Host(device.RuntimeOf(rt)))
		},
		Changed: m.changed,
	}
	if measure {
		a.Energy = func(ctx context.Context, work func(context.Context) (int, error)) (float64, error) {
			return power.ForTokens(ctx, m.machine, work)
		}
	}
	return a
}

// place says what the parts of a model run on now.
func place(about *api.Model, d inference.Devices) {
	about.Encoder, about.EncoderName = d.Encoder, d.EncoderName
	about.Decoder, about.DecoderName = d.Decoder, d.DecoderName
	if len(d.Falls) > 0 {
		best := d.Falls[0]
		// A device that is there says more than one that is not.
		if i := slices.IndexFunc(d.Falls, func(f ladder.Fall) bool { return f.Reason.Kind != ladder.Absent }); i > 0 {
			best = d.Falls[i]
		}
		about.Fallback, about.FallbackKind = best.Reason.Error(), string(best.Reason.Kind)
		about.FallbackSince, about.FallbackUntil = best.Since, best.Next
	}
	if len(d.DecoderFalls) > 0 && d.DecoderFalls[0].Reason.Kind != ladder.Absent {
		about.DecoderFallback = d.DecoderFalls[0].Reason.Error()
	}
	if d.DecoderSpeed != nil {
		about.DecoderSpeed = d.DecoderSpeed.String()
	}
	if o := d.Opening; o.Device != "" {
		about.Opening = &api.Opening{Device: o.Device, Graph: o.Graph, Of: o.Of, Began: o.Began, LastUS: o.Last.Microseconds()}
	}
}
