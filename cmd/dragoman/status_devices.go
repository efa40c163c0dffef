package main

import (
	"fmt"
	"time"

	"dragoman/daemon/api"
	"dragoman/internal/english"
)

// named is a device with its full name, which is known of the processor without.
func named(device, name string) string {
	if name == "" || device == "CPU" || device == "CPU-static" {
		return device
	}
	return fmt.Sprintf("%s (%s)", device, name)
}

// deviceTexts say what is being prepared and why no better device encodes.
func deviceTexts(m api.Model, now time.Time) (lines []string) {
	if o := m.Opening; o != nil {
		text := "preparing the " + o.Device
		if o.Of > 0 {
			text += fmt.Sprintf(", graph %d of %d", o.Graph, o.Of)
		}
		text += fmt.Sprintf(", for %s", english.Duration(now.Sub(o.Began)))
		if o.LastUS > 0 {
			text += fmt.Sprintf(" (the last time it took %s)", english.Duration(time.Duration(o.LastUS)*time.Microsecond))
		}
		return append(lines, text+fmt.Sprintf("; the %s encodes meanwhile", m.Encoder))
	}
	lines = decoderTexts(m)
	if m.Fallback == "" {
		return lines
	}
	text := m.Fallback
	if !m.FallbackSince.IsZero() {
		text += ", since " + m.FallbackSince.Local().Format(time.DateTime)
	}
	if !m.FallbackUntil.IsZero() {
		text += ", tried again at " + m.FallbackUntil.Local().Format(time.TimeOnly)
	}
	return append(lines, text)
}

// decoderTexts say why the decoder is where it is, where there was a choice.
func decoderTexts(m api.Model) []string {
	switch {
	case m.DecoderFallback != "":
		return []string{"decoder: " + m.DecoderFallback}
	case m.DecoderSpeed != "":
		return []string{"decoder on " + m.Decoder + ": " + m.DecoderSpeed}
	}
	return nil
}
