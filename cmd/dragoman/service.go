package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/config"
	"dragoman/daemon/instance"
	"dragoman/daemon/logs"
	"dragoman/installer/service"
)

// onLinux tells systemd, whose users have services of their own, from Windows.
const onLinux = runtime.GOOS == "linux"

// serviceCommand holds what all commands for the service share.
type serviceCommand struct {
	system   bool
	serveSCM bool
}

func newService() *cobra.Command {
	s := &serviceCommand{}
	c := &cobra.Command{
		Use:   "service",
		Short: "Install and control the service that keeps the model warm and watches the drop folders",
		Long: `Install and control the service that keeps the model warm and watches the drop
folders. On Linux it is a unit of your own systemd, or with --system one of the
machine; on Windows it is a service that needs an administrator to install.`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().BoolVar(&s.system, "system", false, "the service of the whole machine instead of your own (Linux)")
	c.AddCommand(s.newInstall(), s.newUninstall(),
		s.newChange("start", "Start the service", (*service.Manager).Start),
		s.newChange("stop", "Stop the service until it is told to start, or its next start with the login or the machine", (*service.Manager).Stop),
		s.newChange("restart", "Stop and start the service", (*service.Manager).Restart),
		s.newStatus(), s.newLogs())
	return c
}

func (s *serviceCommand) manager() (*service.Manager, error) {
	o, err := s.options()
	if err != nil {
		return nil, err
	}
	m, err := service.New(o)
	if err != nil {
		return nil, setupError{err}
	}
	return m, nil
}

func (s *serviceCommand) options() (service.Options, error) {
	o := service.Options{ServeSCM: s.serveSCM}
	if s.system {
		o.Scope = service.System
	}
	if paths, err := config.NewPaths(config.Host()); err == nil {
		o.Folders = service.Folders{Config: paths.ConfigFile, State: paths.StateDir, Data: paths.DataDir, Cache: paths.CacheDir, Runtime: paths.RuntimeDir}
		settings, _ := config.Load(paths.ConfigFile) // what is wrong with it stops the daemon, not a look at its log
		o.LogFile = cmp.Or(settings.Log.File, logs.File(paths.StateDir))
	} else if !s.system {
		return o, setupError{err} // a system service has folders of its own
	}
	return o, nil
}

// with adds the flag that s was called with to a command that the user is told.
func (s *serviceCommand) with(command string) string {
	if s.system {
		command += " --system"
	}
	return "`" + command + "`"
}

func (s *serviceCommand) newInstall() *cobra.Command {
	var noStart bool
	c := &cobra.Command{
		Use:   "install",
		Short: "Install the service, or replace it by this version, and start it",
		Long: `Install the service, or replace it by this version, and start it. Nothing is
copied: it runs the dragomand that lies beside this program.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := s.manager()
			if err != nil {
				return err
			}
			result, err := m.Install(c.Context())
			if err != nil {
				return err
			}
			for _, warning := range result.Warnings {
				fmt.Fprintln(c.ErrOrStderr(), "dragoman:", warning)
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "%s: %s runs %s\n", whatInstalled(result), result.Unit, result.Executable)
			if !noStart && !result.Restarted {
				if err := m.Start(c.Context()); err != nil {
					return err
				}
			}
			s.sayInstalled(out, result, noStart)
			return nil
		},
	}
	c.Flags().BoolVar(&noStart, "no-start", false, "do not start it now")
	c.Flags().BoolVar(&s.serveSCM, "serve-scm", false, "for Wine: let the service answer the service manager in any case")
	if err := c.Flags().MarkHidden("serve-scm"); err != nil {
		panic(err) // only for a flag that is not there
	}
	return c
}

func whatInstalled(r service.Installed) string {
	switch {
	case r.Packaged && r.Replaced:
		return "Replaced the service by that of the package"
	case r.Packaged:
		return "The package has installed the service"
	case r.Replaced:
		return "Replaced the service"
	}
	return "Installed the service"
}

func (s *serviceCommand) sayInstalled(out io.Writer, r service.Installed, noStart bool) {
	switch {
	case noStart && !r.Restarted:
		fmt.Fprintf(out, "It is not started yet: %s\n", s.with("dragoman service start"))
	case r.Restarted:
		fmt.Fprintln(out, "It was restarted and is running.")
	default:
		fmt.Fprintln(out, "It is running.")
	}
	switch {
	case s.system || !onLinux:
		fmt.Fprintln(out, "It starts with the machine.")
	case r.Lingering:
		fmt.Fprintln(out, "It starts with the machine (lingering is on).")
	default:
		fmt.Fprintln(out, "It starts when you log in and ends when you log out of everything. To let it start with the machine: `loginctl enable-linger`")
	}
	if s.system && onLinux {
		if _, err := os.Stat(filepath.Join(filepath.Dir(r.Executable), "..", "lib", "dragoman")); err != nil { // the whole packages have it there
			fmt.Fprintln(out, "It looks for OpenVINO in /var/lib/dragoman/data: `sudo DRAGOMAN_DATA=/var/lib/dragoman/data dragoman runtime install`")
		}
		fmt.Fprintln(out, "Root may use it, and users of the group dragoman: `sudo usermod --append --groups dragoman USER`")
		fmt.Fprintln(out, "It may write nowhere else: name your drop folders as ReadWritePaths with `sudo systemctl edit dragoman`")
	}
	fmt.Fprintf(out, "See how it is doing: %s\n", s.with("dragoman service status"))
}

func (s *serviceCommand) newUninstall() *cobra.Command {
	var purge bool
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Stop the service and remove it; settings, models and history stay",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if purge && !s.system {
				return usageError{errors.New("--purge is for --system: your own service keeps everything in your own folders, which `dragoman service uninstall` names")}
			}
			m, err := s.manager()
			if err != nil {
				return err
			}
			result, err := m.Uninstall(c.Context(), purge)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			fmt.Fprintln(out, "Removed:")
			for _, gone := range result.Gone {
				fmt.Fprintln(out, "  "+printable(gone))
			}
			if len(result.Kept) > 0 {
				fmt.Fprintf(out, "Kept: %s. To remove that as well: `dragoman service uninstall --system --purge`\n", strings.Join(result.Kept, ", "))
			}
			if paths, err := config.NewPaths(config.Host()); err == nil && !s.system {
				fmt.Fprintf(out, "Kept: history and queue in %s, settings, models and the runtime.\n", paths.StateDir)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&purge, "purge", false, "with --system: remove its account, history, models and runtime too")
	return c
}

func (s *serviceCommand) newChange(verb, short string, change func(*service.Manager, context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use:   verb,
		Short: short,
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := s.manager()
			if err != nil {
				return err
			}
			if err := change(m, c.Context()); err != nil {
				return err
			}
			if verb == "stop" {
				_, err = fmt.Fprintf(c.OutOrStdout(), "The service is stopped. Start it again: %s\n", s.with("dragoman service start"))
				return err
			}
			status, err := m.Status(c.Context())
			if err != nil {
				return err
			}
			return s.sayStatus(c.OutOrStdout(), status)
		},
	}
}

func (s *serviceCommand) newStatus() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say what the service manager knows of the service; fails unless it runs",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := s.manager()
			if err != nil {
				s.sayForeground(c.OutOrStdout())
				return err
			}
			status, err := m.Status(c.Context())
			if err != nil {
				return err
			}
			if status.PID == 0 {
				s.sayForeground(c.OutOrStdout())
			}
			return s.sayStatus(c.OutOrStdout(), status)
		},
	}
}

// sayForeground tells of a dragomand that no manager started: commands use it, so
// that "not installed" alone would be half of the truth.
func (s *serviceCommand) sayForeground(out io.Writer) {
	paths, err := config.NewPaths(config.Host())
	if err != nil || s.system {
		return
	}
	holder, found, err := instance.Holder(paths.StateDir)
	if err != nil || !found || holder.PID == 0 {
		return
	}
	fmt.Fprintf(out, "A dragomand that was started by hand serves you: process %d since %s, %s\n",
		holder.PID, holder.Started.Local().Format(time.DateTime), printable(holder.Executable))
}

// sayStatus prints a status; one that is not well is an error with the way out.
func (s *serviceCommand) sayStatus(out io.Writer, status service.Status) error {
	if status.State == service.NotInstalled {
		return downError{fmt.Errorf("the service is not installed: %s", s.with("dragoman service install"))}
	}
	fmt.Fprintf(out, "State:    %s", status.State)
	if status.Reason != "" {
		fmt.Fprintf(out, " (%s)", printable(status.Reason))
	}
	fmt.Fprintln(out)
	if status.Text != "" {
		fmt.Fprintf(out, "Says:     %s\n", printable(status.Text))
	}
	if status.PID != 0 {
		fmt.Fprintf(out, "Process:  %d", status.PID)
		if !status.Since.IsZero() {
			fmt.Fprintf(out, ", since %s", status.Since.Format(time.DateTime))
		}
		if status.Restarts > 0 {
			fmt.Fprintf(out, ", restarts after failures: %d", status.Restarts)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "Starts:   %s\n", s.starts(status))
	fmt.Fprintf(out, "Program:  %s\n", printable(status.Executable))
	fmt.Fprintf(out, "Unit:     %s\n", printable(status.Unit))
	for _, file := range status.DropIns {
		fmt.Fprintf(out, "Changed:  %s\n", printable(file))
	}
	if status.Outdated {
		fmt.Fprintf(out, "The unit was changed since it was read: %s\n", s.with("dragoman service install"))
	}
	switch status.State {
	case service.Running, service.Starting, service.Reloading:
		return nil
	case service.Failed, service.Restarting:
		return downError{fmt.Errorf("the service failed: see %s", s.with("dragoman service logs"))}
	default:
		return downError{fmt.Errorf("the service is not running: %s", s.with("dragoman service start"))}
	}
}

func (s *serviceCommand) starts(status service.Status) string {
	switch {
	case !status.Enabled:
		return "only when told to"
	case s.system || !onLinux:
		return "with the machine"
	case status.Lingering:
		return "with the machine (lingering is on)"
	default:
		return "when you log in (with the machine after `loginctl enable-linger`)"
	}
}

func (s *serviceCommand) newLogs() *cobra.Command {
	var follow bool
	var lines int
	c := &cobra.Command{
		Use:   "logs",
		Short: "Show what the service logged; texts are never in it",
		Long: `Show what the service logged, from the journal of systemd or from its log file.
The file is also what a dragomand in the foreground has logged, where no service
is installed. No level logs what is translated.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if lines < 0 {
				return usageError{fmt.Errorf("--lines %d: name a number from 0 on", lines)}
			}
			o, err := s.options()
			if err != nil {
				return err
			}
			err = service.Logs(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr(), follow, lines)
			if errors.Is(err, service.ErrNoManager) {
				return setupError{err}
			}
			if follow && c.Context().Err() != nil {
				return nil // that is how following ends
			}
			return err
		},
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is logged from now on, until interrupted")
	c.Flags().IntVarP(&lines, "lines", "n", 50, "how many `LINES` to show")
	return c
}
