package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"dragoman/inference/openvino/locate"
	"dragoman/installer/ovruntime"
)

func newRuntime() *cobra.Command {
	c := &cobra.Command{
		Use:   "runtime",
		Short: "Install the OpenVINO runtime, or list what is there",
		Args:  knownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newRuntimeInstall(), newRuntimeList())
	return c
}

func newRuntimeInstall() *cobra.Command {
	var from, target string
	c := &cobra.Command{
		Use:   "install",
		Short: "Install OpenVINO " + ovruntime.PinnedVersion + " into dragoman's data folder",
		Long: `Install OpenVINO ` + ovruntime.PinnedVersion + ` into dragoman's data folder.

The wheel of that version is fetched with Python's pip and checked against its
checksum. Without a network or Python, --from FILE takes a wheel or Intel's
archive that was fetched elsewhere.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			system, machine, both := strings.Cut(target, "/")
			if target != "" && !both {
				return usageError{fmt.Errorf("--for %s: name a system and a machine, such as windows/amd64", target)}
			}
			steps := newInstallProgress(c.ErrOrStderr())
			result, err := ovruntime.Install(c.Context(), ovruntime.Options{DataDir: s.paths.DataDir, From: from, GOOS: system, GOARCH: machine, Progress: steps.update})
			steps.finish()
			if err != nil {
				return err
			}
			verb := "Installed"
			if result.Reused {
				verb = "Already there:"
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s OpenVINO %s (%.0f MB) in %s\n", verb, result.Manifest.Version, float64(result.Manifest.Bytes())/1e6, result.Dir)
			return err
		},
	}
	c.Flags().StringVar(&from, "from", "", "a wheel (.whl) or Intel's archive (.tgz, .zip) to install instead of fetching one")
	c.Flags().StringVar(&target, "for", "", "the `SYSTEM/MACHINE` that the runtime is for, when packages are made (default: this one)")
	if err := c.Flags().MarkHidden("for"); err != nil {
		panic(err) // only for a flag that is not there
	}
	return c
}

func newRuntimeList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the OpenVINO runtimes on this machine, the one in use first",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			all := locate.All(s.runtimes())
			if len(all) == 0 {
				_, err := locate.Find(s.runtimes())
				return setupError{err}
			}
			used, _ := locate.Find(s.runtimes()) // where none can be used the list says why
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, r := range all {
				mark := ""
				if r.Problem == nil && r.Library == used.Library {
					mark = "*"
				}
				state := r.Parts.String()
				if r.Problem != nil {
					state = "unusable: " + r.Problem.Error()
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", mark, r.Version, r.Library, r.Source, state)
			}
			return w.Flush()
		},
	}
}

// installProgress shows a bar for each phase on a terminal.
type installProgress struct {
	out   io.Writer // nil where there is no terminal
	phase string
	bar   *progressbar.ProgressBar
}

func newInstallProgress(out io.Writer) *installProgress {
	return &installProgress{out: terminalOf(out)}
}

func (p *installProgress) update(u ovruntime.Progress) {
	if p.out == nil {
		return
	}
	if phase := string(u.Phase); phase != p.phase {
		p.finish()
		p.phase = phase
		p.bar = progressbar.NewOptions64(u.Total,
			progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription(phase),
			progressbar.OptionShowTotalBytes(true), progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish())
	}
	_ = p.bar.Set64(u.Done) // a terminal that cannot be written to is no reason to stop
}

func (p *installProgress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
