package api

// Power is what translating costs, as measured on this machine, and what its
// supply makes of batch work. A figure that is left out is unknown; it is never
// 0.
type Power struct {
	JoulesPerText           *Quantity `json:"joules_per_text,omitempty"`
	JoulesPerThousandTokens *Quantity `json:"joules_per_thousand_tokens,omitempty"` // that the model made
	// NPUShare is the share of the time of the texts in which the NPU had work.
	NPUShare    *Quantity   `json:"npu_share,omitempty"`
	Unknown     string      `json:"unknown,omitempty"`      // why there are no joules
	UnknownKind UnknownKind `json:"unknown_kind,omitempty"` // the same for programs
	NPUUnknown  string      `json:"npu_unknown,omitempty"`  // why there is no share
	Source      string      `json:"source,omitempty"`       // the meter of the joules
	Scope       string      `json:"scope,omitempty"`        // what it measures: package, platform
	Texts       int         `json:"texts"`                  // the last ones, that were measured

	OnBattery bool `json:"on_battery"`
	Saver     bool `json:"saver"` // the power-saver profile is on
	Hot       bool `json:"hot"`   // the processor is slowed down to cool it
	// Batch is how batch work goes on now, Why the reason where it does not just
	// run, and the way out.
	Batch Pace   `json:"batch"`
	Why   string `json:"why,omitempty"`
	// PaceOnBattery is how batch work would go on on battery: the setting.
	PaceOnBattery Pace `json:"pace_on_battery"`
}

// UnknownKind is why it is not known what texts cost.
type UnknownKind string

const (
	UnknownNoMeter      UnknownKind = "no_meter"
	UnknownNoPermission UnknownKind = "no_permission" // to read the meter that is there
	UnknownNotMeasured  UnknownKind = "not_measured"  // not yet, or not to be told from other draw
	UnknownOff          UnknownKind = "off"           // by the setting power.measure
)

// Pace is how batch work goes on. Interactive work always runs.
type Pace string

const (
	PaceRun  Pace = "run"
	PaceSlow Pace = "slow" // it rests for as long as it works
	PaceWait Pace = "wait"
)

// Quantity is a measured value, with the interval that holds the true one with a
// confidence of 95 %.
type Quantity struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Unit  string  `json:"unit"` // J, share (0 to 1)
}
