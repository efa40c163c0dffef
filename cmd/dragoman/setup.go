package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/inference"
	"dragoman/inference/device"
	"dragoman/inference/m2m100"
	"dragoman/inference/openvino/locate"
	"dragoman/installer/ovruntime"
)

// options are the flags of commands that may work without the service. Each has
// those that count for it.
type options struct {
	model   string
	device  string
	weights string
	threads int
	local   bool
	explain bool // say what was done
	private bool // of translate and clip
	origin  api.Origin
	search  *inference.Search // nil for the fastest way
}

// alone says whether the work is to be done in this process: because that is
// asked for, or because the flags choose another model than the service has.
func (o *options) alone() bool {
	return o.local || o.model != "" || o.device != "" || o.weights != "" || o.threads != 0
}

// addModel adds the flag of commands that only look at a model.
func (o *options) addModel(f *pflag.FlagSet) {
	f.StringVar(&o.model, "model", "", "`FOLDER` of a checkpoint, or the name of a model (default: DRAGOMAN_MODEL, else inference.model of the settings, else starter)")
}

// addEngine adds the flags of commands that load a model.
func (o *options) addEngine(f *pflag.FlagSet) {
	o.addModel(f)
	f.StringVar(&o.device, "device", "", "`DEVICE` of the encoder: NPU, GPU, CPU, or CPU-static for the graphs that an NPU gets (default: inference.encoder of the settings)")
	f.StringVar(&o.weights, "weights", "", "`FORMAT` of the weights: int8, int4 or f32 (default: inference.weights of the settings)")
	f.IntVar(&o.threads, "threads", 0, "`N` processor threads (default: inference.threads of the settings)")
}

// addLocal adds the flag of commands that the service does the work of.
func (o *options) addLocal(f *pflag.FlagSet, implied string) {
	f.BoolVar(&o.local, "local", false, "work in this process, even where the service runs; "+implied)
}

// check finds mistakes in the flags, which are wrong use of the command; the
// same values in the configuration file are a wrong setup.
func (o *options) check() error {
	if o.weights != "" {
		if _, err := m2m100.ParseRecipe(o.weights); err != nil {
			return fmt.Errorf("--weights: %w", err)
		}
	}
	if o.device != "" {
		if err := inference.CheckEncoder(o.device); err != nil {
			return fmt.Errorf("--device: %w", err)
		}
	}
	if o.threads < 0 || o.threads > config.MaxThreads {
		return fmt.Errorf("--threads %d: name a number from 1 to %d, or leave it out", o.threads, config.MaxThreads)
	}
	return nil
}

// permitted says whether the policy leaves to people what the flags ask for.
func (o *options) permitted(c config.Config) error {
	for _, flag := range []struct{ name, key, asked string }{
		{"--device", "inference.encoder", o.device}, {"--weights", "inference.weights", o.weights},
		{"--threads", "inference.threads", strconv.Itoa(o.threads)},
	} {
		if flag.asked == "" || flag.asked == "0" {
			continue
		}
		if err := c.Overrule(flag.key, flag.asked); err != nil {
			return setupError{fmt.Errorf("%s: %w", flag.name, err)}
		}
	}
	return nil
}

// setup is the machine as the flags and the configuration file describe it.
type setup struct {
	paths  config.Paths
	config config.Config
	exe    string
}

func loadSetup() (setup, error) {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return setup{}, setupError{err}
	}
	c, err := config.Load(paths.ConfigFile)
	if err != nil {
		return setup{}, setupError{err}
	}
	exe, err := os.Executable()
	if err != nil {
		exe = "" // what lies beside it is then not found, the rest is
	}
	return setup{paths: paths, config: c, exe: exe}, nil
}

func (s setup) runtimes() locate.Options {
	o := locate.Host(s.config.Inference.Runtime, s.paths.DataDir)
	o.Getenv = s.config.Getenv
	return o
}

func (s setup) findModel(asked string) (string, error) {
	dir, err := s.config.FindModel(s.paths, s.exe, asked)
	if err != nil {
		return "", setupError{err}
	}
	return dir, nil
}

// openTranslator loads the model that the flags and the configuration ask for.
func openTranslator(c *cobra.Command, o *options) (*inference.Translator, error) {
	if err := o.check(); err != nil {
		return nil, usageError{err}
	}
	s, err := loadSetup()
	if err != nil {
		return nil, err
	}
	if err := o.permitted(s.config); err != nil {
		return nil, err
	}
	dir, err := s.findModel(o.model)
	if err != nil {
		return nil, err
	}
	rt, err := locate.Find(s.runtimes())
	if err != nil {
		return nil, setupError{err}
	}
	weights, encoder := cmp.Or(o.weights, s.config.Inference.Weights), cmp.Or(o.device, s.config.Inference.Encoder)
	if err := device.CheckAsked(device.Format(weights), encoder, 0, func() device.Machine {
		return device.Survey(c.Context(), device.Host(device.RuntimeOf(rt)))
	}); err != nil {
		return nil, setupError{err}
	}
	hold(rt)
	preparing, stop := sayLoading(c.ErrOrStderr())
	defer stop()
	t, err := inference.Open(c.Context(), inference.Options{
		Preparing: preparing,
		Runtime:   rt, ModelDir: dir, Recipe: weights,
		Encoder: encoder, Decoder: s.config.Inference.Decoder, Threads: cmp.Or(o.threads, s.config.Inference.Threads),
		Cache:        inference.Cache{Dir: s.paths.CacheDir, QuotaBytes: s.config.Cache.QuotaMB * 1e6},
		Acceleration: acceleration(rt),
	})
	if err != nil {
		return nil, setupError{err}
	}
	return t, nil
}

// sayLoading tells a person at a terminal why nothing happens yet, if loading
// takes longer than quietTime.
func sayLoading(out io.Writer) (preparing func(percent int), stop func()) {
	terminal := terminalOf(out)
	if terminal == nil {
		return nil, func() {}
	}
	timer := time.AfterFunc(quietTime, func() {
		fmt.Fprintln(terminal, "Loading the model. The first start prepares it for this machine, which takes longer.")
	})
	shown := false
	preparing = func(percent int) {
		shown = true
		fmt.Fprintf(terminal, "\rPreparing the model: %d %%", percent)
	}
	return preparing, func() {
		timer.Stop()
		if shown {
			fmt.Fprint(terminal, "\r\033[K")
		}
	}
}

// hold keeps an installed runtime from being removed by a later installation
// as long as this process runs. A folder that cannot be locked is not ours to
// clean up either.
func hold(c locate.Candidate) {
	if c.Source == locate.SourceData {
		_, _ = ovruntime.Hold(c.Dir)
	}
}

// languageFlags are the two flags of commands that translate.
type languageFlags struct{ from, to string }

func (l *languageFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&l.from, "from", api.Auto, "`LANGUAGE` of the text, see dragoman languages, or auto to find out")
	c.Flags().StringVar(&l.to, "to", "", "`LANGUAGE` to translate into (required)")
	c.PreRunE = func(*cobra.Command, []string) error {
		if l.to == "" {
			return usageError{errors.New("the language to translate into is missing: add --to LANGUAGE, see `dragoman languages`")}
		}
		return nil
	}
}
