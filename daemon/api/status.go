package api

import "time"

// Snapshot is the whole state that a client shows. A later Revision replaces
// an earlier one.
type Snapshot struct {
	Revision uint64    `json:"revision"` // grows with each change, also across restarts
	Version  string    `json:"version"`  // of the daemon
	PID      int       `json:"pid"`
	Started  time.Time `json:"started"`
	State    State     `json:"state"`
	Message  string    `json:"message,omitempty"` // what is going on or wrong, and the way out

	PausedUntil time.Time `json:"paused_until,omitzero"` // zero with StatePaused: until resumed
	Model       Model     `json:"model"`
	Queue       Queue     `json:"queue"`
	Running     []Job     `json:"running,omitempty"` // texts and files that are being translated, at most 10
	Folders     []Folder  `json:"folders"`
	Recent      []Job     `json:"recent"` // the last texts and files, newest first, at most 10
	Totals      Totals    `json:"totals"`
	History     bool      `json:"history"` // whether texts are kept
	Power       *Power    `json:"power,omitempty"`
	Pulls       []Pull    `json:"pulls,omitempty"` // models that are fetched and that were, the oldest first
	// Telemetry is in the answer to GET /v1/status only.
	Telemetry *Telemetry `json:"telemetry,omitempty"`
	// LibreTranslate is the address of that listener, "" while it is off.
	LibreTranslate string `json:"libretranslate,omitempty"`
	// Data is the folder of the service's models, glossaries and translation memories.
	Data string `json:"data,omitempty"`
	// Notices are what the user should know and do something about.
	Notices []Notice `json:"notices"`
}

// State is the daemon's.
type State string

const (
	StateWarming State = "warming" // the model is being loaded; work waits
	StateReady   State = "ready"
	StatePaused  State = "paused" // batch work waits, interactive work goes on
	StateFault   State = "fault"  // nothing can be translated, see Message
	StateStopped State = "stopped"
)

// Model is what translates.
type Model struct {
	Name    string `json:"name"`
	Weights string `json:"weights"` // int8, f32
	Encoder string `json:"encoder"` // device: NPU, GPU, CPU or CPU-static
	Decoder string `json:"decoder"` // device
	// Full names of the devices, where they are known.
	EncoderName string `json:"encoder_name,omitempty"`
	DecoderName string `json:"decoder_name,omitempty"`
	// Fallback is why no better device encodes, in a sentence, since when, and when
	// that is tried again; zero where it is not by itself.
	Fallback      string    `json:"fallback,omitempty"`
	FallbackKind  string    `json:"fallback_kind,omitempty"` // the same for programs; FallbackAbsent is no trouble
	FallbackSince time.Time `json:"fallback_since,omitzero"`
	FallbackUntil time.Time `json:"fallback_until,omitzero"`
	// DecoderFallback is why the decoder is on no better device than it is, "" where
	// there is none. DecoderSpeed is what was measured to choose, "" where there was
	// nothing to choose from.
	DecoderFallback string `json:"decoder_fallback,omitempty"`
	DecoderSpeed    string `json:"decoder_speed,omitempty"`
	// Opening is a better device that is being prepared meanwhile.
	Opening *Opening `json:"opening,omitempty"`
	Runtime string   `json:"runtime"` // OpenVINO's version
	// Warming is what is being done while StateWarming, WarmUS how long the
	// last start took, in microseconds.
	Warming string `json:"warming,omitempty"`
	WarmUS  int64  `json:"warm_us,omitempty"`
}

// FallbackAbsent is the kind of a Fallback where there is no better device.
const FallbackAbsent = "absent"

// Opening is how far preparing a device is.
type Opening struct {
	Device string    `json:"device"`
	Graph  int       `json:"graph,omitempty"` // the graph that is being compiled or opened, counted from 1
	Of     int       `json:"of,omitempty"`
	Began  time.Time `json:"began"`
	LastUS int64     `json:"last_us,omitempty"` // what compiling all took the last time, in microseconds
}

// Queue is the work that waits and runs.
type Queue struct {
	Interactive int `json:"interactive"` // waiting
	Batch       int `json:"batch"`       // waiting
	Running     int `json:"running"`
}

// Totals count since the daemon started.
type Totals struct {
	Texts      int64 `json:"texts"`
	Files      int64 `json:"files"`
	Failed     int64 `json:"failed"`
	Sentences  int64 `json:"sentences"`
	Remembered int64 `json:"remembered"` // sentences that the memory answered
}

// Notice is one thing that the user should know.
type Notice struct {
	Time    time.Time `json:"time"`
	Level   string    `json:"level"` // info, warning, error
	Message string    `json:"message"`
}

// Event is one entry of the stream GET /v1/events (server-sent events; the id
// is the revision, the event's name its kind). The first is always a snapshot.
// A client that names the last id it saw (Last-Event-ID) is told the jobs that
// ended since, as far as they are remembered, before the snapshot.
type Event struct {
	ID       uint64    `json:"-"`
	Snapshot *Snapshot `json:"snapshot,omitempty"` // event: snapshot
	Job      *Job      `json:"job,omitempty"`      // event: job, which ended
	Notice   *Notice   `json:"notice,omitempty"`   // event: notice
}

// PauseRequest is the body of POST /v1/pause.
type PauseRequest struct {
	// Seconds until batch work goes on by itself; 0 is until POST /v1/resume.
	Seconds int64 `json:"seconds,omitempty"`
}

// Setting is one key of the configuration.
type Setting struct {
	Key     string `json:"key"`
	Value   string `json:"value"`   // as TOML writes it; in force unless Restart
	Default string `json:"default"` // as TOML writes it
	Help    string `json:"help"`
	Source  string `json:"source"` // default, file, environment, policy
	// Restart: the running service goes on with the value of its start, this
	// one counts from its next start on.
	Restart bool `json:"restart,omitempty"`
}

// SettingsResponse is the body of GET /v1/settings and the answer to changes.
type SettingsResponse struct {
	File     string    `json:"file"`
	Settings []Setting `json:"settings"`
	// Problems say what of the settings could not be put in force, and the way
	// out. The file holds it nevertheless.
	Problems []string `json:"problems,omitempty"`
}

// SettingsRequest is the body of PATCH /v1/settings: new values by key, as TOML
// writes them; null takes the key out of the file.
type SettingsRequest struct {
	Values map[string]*string `json:"values"`
}
