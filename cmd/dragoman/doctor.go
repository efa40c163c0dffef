package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/config"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/model"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/locate"
	"dragoman/installer/ovruntime"
	"dragoman/internal/english"
)

// finding is one line of doctor's report. A problem with a fatal state keeps
// dragoman from translating.
type finding struct {
	state  state
	what   string
	detail string
	advice string // what to do, "" where nothing is wrong
}

type state string

const (
	good  state = "ok"
	note  state = "note"
	fatal state = "FAIL"
)

func newDoctor(o *options) *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check runtime, devices, model, folders, service and desktop, and say what to do",
		Long: `Check the settings, the OpenVINO runtime with its devices, the model, the folders
that dragoman writes to, the service, and what the tray finds in this desktop session,
and say what to do. Lines with FAIL keep dragoman from translating.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			failed := 0
			for _, f := range slices.Concat(examine(c.Context(), o), examineService(c.Context()), examineDesktop(c.Context())) {
				printFinding(c.OutOrStdout(), f)
				if f.state == fatal {
					failed++
				}
			}
			if failed > 0 {
				return setupError{fmt.Errorf("problems that keep dragoman from translating: %d, see the lines with %s", failed, fatal)}
			}
			return nil
		},
	}
	o.addModel(c.Flags())
	return c
}

func printFinding(out io.Writer, f finding) {
	fmt.Fprintf(out, "%-4s  %-8s  %s\n", f.state, f.what, printable(strings.ReplaceAll(f.detail, "\n", "; ")))
	if f.advice != "" {
		fmt.Fprintf(out, "                  -> %s\n", f.advice)
	}
}

func examine(ctx context.Context, o *options) []finding {
	s, err := loadSetup()
	if err != nil {
		advice := "correct what is named, or remove it to use the defaults"
		if policy := (*config.PolicyError)(nil); errors.As(err, &policy) {
			advice = "tell the administrator of this machine"
		}
		return []finding{{fatal, "settings", err.Error(), advice}}
	}
	findings := []finding{{good, "settings", settingsDetail(s.paths.ConfigFile), ""}}
	findings = append(findings, examinePolicy(s.config)...)
	runtime, core, found := examineRuntime(s)
	findings = append(append(findings, runtime...), examineDevices(ctx, core, found)...)
	findings = append(findings, examineModel(s, o.model))
	return append(findings,
		examineFolder("cache", s.paths.CacheDir, config.EnvCache, "until then every start prepares the model anew"),
		examineFolder("data", s.paths.DataDir, config.EnvData, "until then no runtime can be installed and no model fetched"),
		examineFolder("state", s.paths.StateDir, config.EnvState, "until then the service cannot run"))
}

// examinePolicy tells what the administrator has fixed, and what the environment
// asks for in vain.
func examinePolicy(c config.Config) []finding {
	place, reason, keys := c.Policy()
	if place == "" {
		return nil
	}
	detail, ignored := place+" fixes nothing", []string{}
	if len(keys) > 0 {
		detail = fmt.Sprintf("%s fixes %s%s", place, strings.Join(keys, ", "), inBrackets(reason))
	}
	for _, name := range keys {
		if k, ok := config.Find(name); ok && os.Getenv(k.Env()) != "" {
			ignored = append(ignored, k.Env())
		}
	}
	if len(ignored) > 0 {
		return []finding{{note, "policy", detail, "take " + strings.Join(ignored, ", ") + " out of the environment: it does not count"}}
	}
	return []finding{{good, "policy", detail, ""}}
}

func settingsDetail(file string) string {
	if _, err := os.Stat(file); err != nil {
		return file + " (not there: defaults are used)"
	}
	return file
}

// examineRuntime says which runtime is used, and loads it for what has to ask
// it; core is nil where there is none.
func examineRuntime(s setup) (_ []finding, core *openvino.Core, _ locate.Candidate) {
	found, err := locate.Find(s.runtimes())
	if err != nil {
		advice := "without a network: `dragoman runtime install --from FILE`"
		if !errors.Is(err, locate.ErrNotFound) {
			advice = "" // a setting names what cannot be used, and the error says which
		}
		return []finding{{fatal, "runtime", err.Error(), advice}}, nil, found
	}
	if err := found.CheckComplete(); err != nil {
		return []finding{{fatal, "runtime", err.Error(), ""}}, nil, found
	}
	rt, err := openvino.Load(found.Library, found.Preload...)
	if err != nil {
		return []finding{{fatal, "runtime", err.Error(), ""}}, nil, found
	}
	findings := []finding{{good, "runtime", fmt.Sprintf("OpenVINO %s, %s (%s)", rt.Build, found.Library, found.Source), ""}}
	findings = append(findings, newerRuntime(locate.ParseVersion(rt.Version()))...)
	core, err = rt.NewCore()
	if err != nil {
		return append(findings, finding{fatal, "devices", err.Error(), "run `dragoman runtime install`"}), nil, found
	}
	return findings, core, found
}

// newerRuntime names the release that this dragoman was tested with where an older
// one is used. Nobody is asked for later ones.
func newerRuntime(used locate.Version) []finding {
	tested := locate.ParseVersion(ovruntime.PinnedVersion)
	if used.IsZero() || !used.Less(tested) {
		return nil
	}
	return []finding{{note, "runtime", fmt.Sprintf("OpenVINO %s is newer than %s and supported", tested, used), "run `dragoman runtime install`"}}
}

func examineModel(s setup, asked string) finding {
	dir, err := s.findModel(asked)
	if err != nil {
		return finding{fatal, "model", err.Error(), "put the model beside the program as models/starter, or name its folder with --model or DRAGOMAN_MODEL"}
	}
	c, err := model.Open(dir)
	if err != nil {
		return finding{fatal, "model", err.Error(), "fetch the file again, or name another folder with --model"}
	}
	defer c.Close()
	t, err := tokenizer.Load(dir)
	if err != nil {
		return finding{fatal, "model", err.Error(), "fetch the file again, or name another folder with --model"}
	}
	return finding{good, "model", fmt.Sprintf("%s: %d + %d layers, width %d, %s", dir, c.Config.EncoderLayers, c.Config.DecoderLayers, c.Config.DModel, english.Count(len(t.Languages()), "language")), ""}
}

// examineFolder tells whether a folder can be written, making no lasting
// change, and what it means if not. variable names another one.
func examineFolder(what, dir, variable, meaning string) finding {
	size, files := folderSize(dir)
	parent := dir
	for {
		if _, err := os.Stat(parent); err == nil || parent == filepath.Dir(parent) {
			break
		}
		parent = filepath.Dir(parent)
	}
	probe, err := os.CreateTemp(parent, ".dragoman-probe-")
	if err != nil {
		return finding{note, what, fmt.Sprintf("%s cannot be written: %v", dir, err), "give your user the right to write there, or set " + variable + " to another folder; " + meaning}
	}
	probe.Close()
	os.Remove(probe.Name())
	return finding{good, what, fmt.Sprintf("%s: %s, %.1f MB", dir, english.Count(files, "file"), float64(size)/1e6), ""}
}

func folderSize(dir string) (bytes int64, files int) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read is not counted
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
			files++
		}
		return nil
	})
	return bytes, files
}
