package config

import (
	"fmt"
	"time"
)

// MaxThreads is a sanity bound: more than any machine that dragoman is for.
const MaxThreads = 1024

// keys is the one list of settings. The order is that of the default file.
var keys = []Key{
	{
		Name: "inference.runtime", Type: Text, standard: "",
		Help:    "OpenVINO's folder or its C library. Empty looks in the usual places. A relative path counts from this file's folder.",
		Allowed: "a path", resolve: anyPath,
		field: func(c *Config) any { return &c.Inference.Runtime },
	},
	{
		Name: "inference.model", Type: Text, standard: "",
		Help:    "The model's name, or its folder with a slash in it. Empty is the model that comes with dragoman. A relative path counts from this file's folder.",
		Allowed: "a name or a path", resolve: modelPath,
		field: func(c *Config) any { return &c.Inference.Model },
	},
	choice(Key{
		Name: "inference.encoder", standard: "",
		Help:   "Where the encoder runs: NPU, GPU or processor, or the processor with the graphs that an NPU gets. Where the device fails the processor goes on. Empty is the best that works.",
		Values: []string{"NPU", "GPU", "CPU", "CPU-static"},
		field:  func(c *Config) any { return &c.Inference.Encoder },
	}, true),
	choice(Key{
		Name: "inference.decoder", standard: "",
		Help:   "Where the decoder runs: GPU or processor. Where the device fails the processor goes on. Empty is the one that a short measurement found better; without a GPU that is the processor.",
		Values: []string{"GPU", "CPU"},
		field:  func(c *Config) any { return &c.Inference.Decoder },
	}, true),
	number(Key{
		Name: "inference.threads", standard: int64(0),
		Help:  "Processor threads for translating. 0 is one for each fast core, or what OpenVINO chooses where that computes.",
		field: func(c *Config) any { return &c.Inference.Threads },
	}, 0, MaxThreads),
	choice(Key{
		Name: "inference.weights", standard: "int8",
		Help:   "How the model's weights are stored: int8 needs a quarter of the memory and is faster, int4 in the decoder is faster still and about as good, but takes minutes to prepare the first time, f32 is what the model was trained with.",
		Values: []string{"int8", "int4", "f32"},
		field:  func(c *Config) any { return &c.Inference.Weights },
	}, false),

	{
		Name: "models.hub", Type: Text, standard: "", env: "DRAGOMAN_HUB",
		Help:    "Where `dragoman models pull` fetches models: the address of a mirror of Hugging Face's hub. Empty is the hub itself.",
		Allowed: "an address that begins with https:// or http://",
		field:   func(c *Config) any { return &c.Models.Hub },
		check:   address,
	},
	{
		Name: "models.allowed", Type: List, standard: []string{},
		Help:    "The models that may be used, fetched and imported, by their names; others can be given by their folders. None is all.",
		Allowed: `names of models, such as "starter"`, check: each(modelChoice),
		field: func(c *Config) any { return &c.Models.Allowed },
	},

	number(Key{
		Name: "cache.quota_mb", standard: int64(4096),
		Help:  "Megabytes of disk for compiled models. What was not used for longest goes first.",
		field: func(c *Config) any { return &c.Cache.QuotaMB },
	}, 1, 100_000_000),

	onOff(Key{
		Name: "history.enabled", standard: true,
		Help:  "Keep translated texts, to look them up later. They stay on this machine.",
		field: func(c *Config) any { return &c.History.Enabled },
	}),
	number(Key{
		Name: "history.days", standard: int64(90),
		Help:  "Days after which a kept text is erased. 0 does not look at the age.",
		field: func(c *Config) any { return &c.History.Days },
	}, 0, 36500),
	number(Key{
		Name: "history.max_mb", standard: int64(200),
		Help:  "Megabytes of kept texts. The oldest are erased first.",
		field: func(c *Config) any { return &c.History.MaxMB },
	}, 1, 1_000_000),

	onOff(Key{
		Name: "memory.enabled", standard: true,
		Help:  "Remember translated sentences, so that the same sentence is answered at once.",
		field: func(c *Config) any { return &c.Memory.Enabled },
	}),
	number(Key{
		Name: "memory.max_mb", standard: int64(200),
		Help:  "Megabytes of remembered sentences.",
		field: func(c *Config) any { return &c.Memory.MaxMB },
	}, 1, 1_000_000),

	number(Key{
		Name: "queue.interactive", standard: int64(64),
		Help:  "Texts that may wait while someone looks at the screen. More are refused at once.",
		field: func(c *Config) any { return &c.Queue.Interactive },
	}, 1, 100_000),
	number(Key{
		Name: "queue.batch", standard: int64(10_000),
		Help:  "Texts and files that may wait in the background. Files beyond it stay in their folder until there is room.",
		field: func(c *Config) any { return &c.Queue.Batch },
	}, 1, 10_000_000),
	number(Key{
		Name: "queue.workers", standard: int64(0),
		Help:  "Translations side by side. 0 leaves the choice to dragoman.",
		field: func(c *Config) any { return &c.Queue.Workers },
	}, 0, MaxThreads),

	period(Key{
		Name: "folders.rescan", standard: 15 * time.Minute,
		Help:  "How often a whole drop folder is looked through, in case the system did not report a change.",
		field: func(c *Config) any { return &c.Folders.Rescan },
	}, time.Second, 7*24*time.Hour),
	period(Key{
		Name: "folders.poll", standard: 30 * time.Second,
		Help:  "How often new files are looked for in a drop folder whose changes the system cannot report, such as one on a network. Files that are written in place are found later where there are thousands, up to folders.rescan.",
		field: func(c *Config) any { return &c.Folders.Poll },
	}, time.Second, 24*time.Hour),
	period(Key{
		Name: "folders.quiet", standard: time.Second,
		Help:  "How long a file must stay unchanged before it counts as complete.",
		field: func(c *Config) any { return &c.Folders.Quiet },
	}, 50*time.Millisecond, time.Hour),

	number(Key{
		Name: "api.max_clients", standard: int64(64),
		Help:  "Programs that may be connected to the service at once.",
		field: func(c *Config) any { return &c.API.MaxClients },
	}, 1, 10_000),
	{
		Name: "api.group", Type: Text, standard: "",
		Help:    "Unix group whose members may use a system-wide service. Empty admits only root and the service's own user. A user's own service serves that user alone.",
		Allowed: "the name of a group", check: groupName,
		field: func(c *Config) any { return &c.API.Group },
	},

	onOff(Key{
		Name: "libretranslate.enabled", standard: false,
		Help:  "Serve LibreTranslate's interface to browser extensions and other programs on this machine.",
		field: func(c *Config) any { return &c.LibreTranslate.Enabled },
	}),
	{
		Name: "libretranslate.address", Type: Text, standard: "127.0.0.1:5000",
		Help:    "Address of that interface. It must be this machine's loopback: others on the network cannot be kept apart there. Port 0 takes any free one.",
		Allowed: `a loopback address with a port, such as "127.0.0.1:5000", "[::1]:5000" or "localhost:5000"`, check: loopback,
		field: func(c *Config) any { return &c.LibreTranslate.Address },
	},
	{
		Name: "libretranslate.api_key", Type: Text, standard: "", Secret: true,
		Help:    "What programs must show to use that interface. Empty lets the service make one and keep it in libretranslate.key in its state folder.",
		Allowed: fmt.Sprintf("%d to %d printable ASCII characters without spaces", minSecret, maxSecret), check: secret,
		field: func(c *Config) any { return &c.LibreTranslate.APIKey },
	},
	{
		Name: "libretranslate.origins", Type: List, standard: []string{},
		Help:    "Web pages and browser extensions that may use that interface from within a browser.",
		Allowed: `origins as browsers write them, such as "https://example.org" or "moz-extension://ID"`, check: each(origin),
		field: func(c *Config) any { return &c.LibreTranslate.Origins },
	},
	{
		Name: "libretranslate.hosts", Type: List, standard: []string{},
		Help:    "Names by which that interface may be called besides localhost and its address, such as that of a proxy on this machine.",
		Allowed: `names of hosts without a port, such as "translate.example.org"`, check: each(hostName),
		field: func(c *Config) any { return &c.LibreTranslate.Hosts },
	},
	number(Key{
		Name: "libretranslate.char_limit", standard: int64(20_000),
		Help:  "Characters of one text that is sent to that interface.",
		field: func(c *Config) any { return &c.LibreTranslate.CharLimit },
	}, 1, 1_000_000),

	choice(Key{
		Name: "clipboard.watch", standard: "double",
		Help:   "Which copies the tray translates: none, those of a text that is copied twice in a row, or every one.",
		Values: []string{"off", "double", "every"},
		field:  func(c *Config) any { return &c.Clipboard.Watch },
	}, false),
	{
		Name: "clipboard.to", Type: Text, standard: "",
		Help:    "The language that copies are translated into. Empty is the language of the desktop.",
		Allowed: `a language of "dragoman languages", such as "es"`, check: languageCode,
		field: func(c *Config) any { return &c.Clipboard.To },
	},
	{
		Name: "clipboard.other", Type: Text, standard: "",
		Help:    "The language that copies are translated into which are in clipboard.to already, with clipboard.two_way.",
		Allowed: `a language of "dragoman languages", such as "en"`, check: languageCode,
		field: func(c *Config) any { return &c.Clipboard.Other },
	},
	onOff(Key{
		Name: "clipboard.two_way", standard: false,
		Help:  "Translate copies in clipboard.to into clipboard.other. Off leaves them alone.",
		field: func(c *Config) any { return &c.Clipboard.TwoWay },
	}),
	onOff(Key{
		Name: "clipboard.replace", standard: false,
		Help:  "Put each translation of a copy on the clipboard by itself. The original can be restored.",
		field: func(c *Config) any { return &c.Clipboard.Replace },
	}),
	period(Key{
		Name: "clipboard.window", standard: time.Second,
		Help:  "Within what time the same text must be copied twice.",
		field: func(c *Config) any { return &c.Clipboard.Window },
	}, 100*time.Millisecond, 10*time.Second),
	number(Key{
		Name: "clipboard.max_kb", standard: int64(200),
		Help:  "Kilobytes of a copied text that is still translated unasked.",
		field: func(c *Config) any { return &c.Clipboard.MaxKB },
	}, 1, 10_000),
	{
		Name: "clipboard.exclude", Type: List, standard: []string{},
		Help:    "Programs whose copies are never read, besides what they mark as secret themselves: the names of their files, such as \"keepassxc\". Wayland does not tell who copied.",
		Allowed: "names of programs", check: each(programName),
		field: func(c *Config) any { return &c.Clipboard.Exclude },
	},

	onOff(Key{
		Name: "tray.notifications", standard: true,
		Help:  "Show the translation of a copy in a notification.",
		field: func(c *Config) any { return &c.Tray.Notifications },
	}),
	onOff(Key{
		Name: "tray.show_text", standard: true,
		Help:  "Show the text in notifications. Off shows only that there is one.",
		field: func(c *Config) any { return &c.Tray.ShowText },
	}),
	onOff(Key{
		Name: "tray.battery_pause", standard: false,
		Help:  "Let files wait while the machine runs on its battery, whatever power.on_battery says.",
		field: func(c *Config) any { return &c.Tray.BatteryPause },
	}),
	{
		Name: "tray.language", Type: Text, standard: "",
		Help:    "The language of the tray's menu and notifications: en, de, fr, es, it or pt. Empty is that of the desktop.",
		Allowed: `a language such as "de"`, check: languageCode,
		field: func(c *Config) any { return &c.Tray.Language },
	},
	{
		Name: "tray.hotkey", Type: Text, standard: "",
		Help:    "Keys that translate what is on the clipboard at once, where the desktop lets programs have such keys. Empty is none; \"dragoman clip\" can be bound to a key in any desktop's settings.",
		Allowed: `keys such as "Ctrl+Alt+T"`,
		field:   func(c *Config) any { return &c.Tray.Hotkey },
	},

	choice(Key{
		Name: "power.on_battery", standard: "slow",
		Help:   "How files and other batch work go on while the machine runs on its battery: as ever, with a rest as long as each piece of work, or not at all. \"dragoman resume\" lets them go on until the plug is back. Texts that someone waits for are translated at once in any case.",
		Values: []string{"run", "slow", "wait"},
		field:  func(c *Config) any { return &c.Power.OnBattery },
	}, false),
	choice(Key{
		Name: "power.saver", standard: "slow",
		Help:   "The same while the desktop's power-saver profile is on.",
		Values: []string{"run", "slow", "wait"},
		field:  func(c *Config) any { return &c.Power.Saver },
	}, false),
	choice(Key{
		Name: "power.hot", standard: "slow",
		Help:   "The same while the processor is slowed down to cool it.",
		Values: []string{"run", "slow", "wait"},
		field:  func(c *Config) any { return &c.Power.Hot },
	}, false),
	onOff(Key{
		Name: "power.measure", standard: true,
		Help:  "Measure what texts cost, where the machine has a meter for it.",
		field: func(c *Config) any { return &c.Power.Measure },
	}),

	onOff(Key{
		Name: "telemetry.metrics", standard: false,
		Help:  "Serve how the service does at /metrics of its local interface: as Prometheus' text, or as OpenTelemetry's JSON where application/json is asked for. Nothing is sent anywhere. \"dragoman status --stats\" shows it in any case.",
		field: func(c *Config) any { return &c.Telemetry.Metrics },
	}),

	choice(Key{
		Name: "log.level", standard: "info",
		Help:   "What is logged. No level logs what is translated.",
		Values: []string{"debug", "info", "warn", "error"},
		field:  func(c *Config) any { return &c.Log.Level },
	}, false),
	{
		Name: "log.file", Type: Text, standard: "",
		Help:    "File to log to, besides the journal of systemd, the event log of Windows (warnings and errors only) or, in the foreground, the terminal or other place that stderr is; older parts of it are kept beside it. Empty is log/dragomand.log in the state folder, and no file under systemd. A relative path counts from this file's folder.",
		Allowed: "a path", resolve: anyPath,
		field: func(c *Config) any { return &c.Log.File },
	},
}

// choice completes a key with a few values, which are taken in any case.
func choice(k Key, orEmpty bool) Key {
	k.Type = Text
	k.Allowed = alternatives(k.Values)
	if orEmpty {
		k.Allowed += `, or "" for dragoman's choice`
	}
	k.check = oneOf(k.Values, orEmpty)
	return k
}

func number(k Key, low, high int64) Key {
	k.Type = Number
	k.Allowed = fmt.Sprintf("a whole number from %d to %d", low, high)
	k.check = between(low, high)
	return k
}

func onOff(k Key) Key {
	k.Type = Switch
	k.Values = []string{"true", "false"}
	k.Allowed = alternatives(k.Values)
	return k
}

func period(k Key, low, high time.Duration) Key {
	k.Type = Duration
	k.Allowed = fmt.Sprintf(`a time from %s to %s, such as "90s", "15m" or "2h"`, shortDuration(low), shortDuration(high))
	k.check = within(low, high)
	return k
}
