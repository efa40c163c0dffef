package config

import "time"

// Config is the content of config.toml. Every setting may be left out. Defaults,
// bounds and meanings are in the table of keys.
type Config struct {
	Inference      Inference
	Models         Models
	Cache          Cache
	History        History
	Memory         Memory
	Queue          Queue
	Folders        Folders
	API            API
	LibreTranslate LibreTranslate
	Clipboard      Clipboard
	Tray           Tray
	Power          Power
	Telemetry      Telemetry
	Log            Log

	policy *policy // what nobody but an administrator may change; nil is nothing
}

// Inference says what translates and where.
type Inference struct {
	Runtime string // OpenVINO's folder or its C library, absolute; "" looks in the usual places
	Model   string // a model's folder, absolute, or its name; "" is DefaultModel
	Encoder string // NPU, GPU, CPU or CPU-static; "" is the best that works
	Decoder string // GPU or CPU; "" is the faster one, by a measurement
	Threads int    // of the processor; 0 leaves the choice to the runtime
	Weights string // int8, int4 or f32
}

// Models says where models come from.
type Models struct {
	Hub     string   // address of a mirror of Hugging Face's hub, "" for the hub itself
	Allowed []string // names that may be used, and folders of others; none is all
}

// Cache bounds what may be kept on disk for speed only.
type Cache struct {
	QuotaMB int64 // megabytes (10^6 bytes) of compiled models
}

// History bounds what is kept of translated texts.
type History struct {
	Enabled bool
	Days    int   // 0 keeps them until MaxMB is reached
	MaxMB   int64 // megabytes (10^6 bytes)
}

// Memory bounds the translation memory.
type Memory struct {
	Enabled bool
	MaxMB   int64 // megabytes (10^6 bytes)
}

// Queue bounds the work that waits.
type Queue struct {
	Interactive int // waiting texts
	Batch       int // waiting texts and files
	Workers     int // translations side by side; 0 leaves the choice to dragoman
}

// Folders says how drop folders are watched.
type Folders struct {
	Rescan time.Duration // between looks at a whole folder whose changes the system reports
	Poll   time.Duration // between looks where it does not
	Quiet  time.Duration // without a change before a file counts as complete
}

// API says who may use the daemon.
type API struct {
	MaxClients int    // connections at once
	Group      string // whose members may connect to a system-wide daemon on unix; "" is nobody else
}

// LibreTranslate sets up the HTTP interface on this machine's loopback.
type LibreTranslate struct {
	Enabled   bool
	Address   string   // host:port on the loopback
	APIKey    string   // "" lets the daemon make one
	Origins   []string // of web pages that may use it, as browsers write them
	Hosts     []string // names in a request's Host besides the loopback's
	CharLimit int      // characters of one request
}

// Clipboard says what the tray does with copies.
type Clipboard struct {
	Watch   string        // off, double or every
	To      string        // language, "" is the desktop's
	Other   string        // for copies that are in To already, "" is none
	TwoWay  bool          // whether Other counts
	Replace bool          // translations go to the clipboard unasked
	Window  time.Duration // between the two copies of a double one
	MaxKB   int64         // 1000 bytes of a text
	Exclude []string      // names of programs
}

// Tray says how the tray shows itself.
type Tray struct {
	Language      string // of its texts, "" is the desktop's
	Notifications bool
	ShowText      bool   // in notifications
	BatteryPause  bool   // files wait while on battery
	Hotkey        string // such as Ctrl+Alt+T, "" is none
}

// Power says how batch work goes on while energy or coolness is short: run, slow
// or wait.
type Power struct {
	OnBattery string
	Saver     string // in the power-saver profile
	Hot       string // while the processor is slowed down to cool it
	Measure   bool   // what texts cost
}

// PaceOnBattery is what the settings say together: tray.battery_pause is the
// older way to say that power.on_battery is "wait".
func (c Config) PaceOnBattery() string {
	if c.Tray.BatteryPause {
		return "wait"
	}
	return c.Power.OnBattery
}

// Telemetry says who may read how the service does.
type Telemetry struct {
	Metrics bool // serve them on the local interface, for Prometheus and OpenTelemetry
}

// Log says what is logged where.
type Log struct {
	Level string // debug, info, warn or error
	File  string // absolute; "" is the system's log
}

// Default returns the settings of a machine without a configuration file.
func Default() Config {
	var c Config
	for _, k := range keys {
		k.assign(&c, k.standard)
	}
	return c
}

// Differences returns the names of the keys whose values differ.
func Differences(a, b Config) []string {
	var names []string
	for _, k := range keys {
		if k.literal(&a) != k.literal(&b) {
			names = append(names, k.Name)
		}
	}
	return names
}
