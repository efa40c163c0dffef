package api

import "time"

// Telemetry is how the service did since its start. The answer to GET /v1/status
// has it, the event stream does not.
type Telemetry struct {
	Since         time.Time      `json:"since"`
	Distributions []Distribution `json:"distributions"`
	Counts        []Count        `json:"counts"`
}

// Distribution is how something that was measured many times is spread.
type Distribution struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"` // seconds, ratio (0 to 1), per_second
	Lane  string  `json:"lane,omitempty"`
	Help  string  `json:"help"`
	Count int64   `json:"count"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"` // right to a fifth
	P95   float64 `json:"p95"` // likewise
	Max   float64 `json:"max"`
}

// Count is how often something happened.
type Count struct {
	Name   string `json:"name"`
	Reason string `json:"reason,omitempty"`
	Help   string `json:"help"`
	Value  int64  `json:"value"`
}
