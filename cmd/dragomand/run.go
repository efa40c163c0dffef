package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dragoman/daemon/config"
	"dragoman/daemon/logs"
	"dragoman/installer/service"
)

// runCommand holds the flags of running. The folders are for a Windows service,
// which gets no environment of the user that it serves.
type runCommand struct {
	folders  [5]string // in the order of folderFlags
	owner    string
	serveSCM bool
	hangups  <-chan os.Signal
}

var folderFlags = [5]struct{ flag, env, help string }{
	{"config", config.EnvConfig, "the settings `FILE`"},
	{"state", config.EnvState, "`FOLDER` of database, lock and logs"},
	{"data", config.EnvData, "`FOLDER` of runtimes and models"},
	{"cache", config.EnvCache, "`FOLDER` of what can be made again"},
	{"runtime-dir", config.EnvRuntime, "`FOLDER` of the socket"},
}

func (r *runCommand) addFlags(f *pflag.FlagSet) {
	for i, place := range folderFlags {
		f.StringVar(&r.folders[i], place.flag, "", place.help+" (overrules "+place.env+")")
	}
	f.StringVar(&r.owner, "owner", "", "security `SID` of the user who may connect (Windows only)")
	f.BoolVar(&r.serveSCM, "serve-scm", false, "answer the Windows service manager in any case")
	if err := f.MarkHidden("serve-scm"); err != nil {
		panic(err) // only for a flag that is not there
	}
}

func (r *runCommand) run(c *cobra.Command, _ []string) error {
	for i, place := range folderFlags {
		if r.folders[i] != "" {
			if err := os.Setenv(place.env, r.folders[i]); err != nil {
				return usageError{fmt.Errorf("--%s: %w", place.flag, err)}
			}
		}
	}
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return usageError{err}
	}
	settings, _ := config.Load(paths.ConfigFile) // the daemon tells what is wrong with it
	log, err := logs.Open(logs.Options{StateDir: paths.StateDir, File: settings.Log.File, EventSource: r.eventSource()})
	slog.SetDefault(log.Logger)
	defer log.Close()
	options := service.RunOptions{ServeSCM: r.serveSCM, Hangups: r.hangups}
	err = service.Run(c.Context(), program{paths, log, err, r.owner, service.Restart(options)}, options)
	if err != nil {
		slog.Error(err.Error())
	}
	return err
}
