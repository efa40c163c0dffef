package main

import (
	"fmt"

	"dragoman/daemon/api"
	"dragoman/inference/power"
	"dragoman/internal/english"
)

// powerLines say what texts cost and how batch work goes on.
func powerLines(p *api.Power, line func(name, format string, args ...any)) {
	if p == nil { // of an older service
		return
	}
	if p.JoulesPerText == nil {
		line("energy", "unknown: %s", p.Unknown)
	} else {
		line("energy", "%s a text%s; the %s's, beyond what it draws anyway, of %s, by %s",
			measured(p.JoulesPerText), thousandTokens(p.JoulesPerThousandTokens), p.Scope, english.Count(p.Texts, "text"), p.Source)
	}
	if p.NPUShare != nil {
		line("NPU", "at work for %.0f %% of the time of the texts", 100*p.NPUShare.Value)
	}
	if p.Why != "" {
		line("batch work", "%s", p.Why)
	}
}

func measured(q *api.Quantity) string {
	return power.Quantity{Value: q.Value, Low: q.Low, High: q.High, Unit: power.Unit(q.Unit)}.String()
}

func thousandTokens(q *api.Quantity) string {
	if q == nil {
		return ""
	}
	return fmt.Sprintf(", %s a thousand tokens", measured(q))
}
