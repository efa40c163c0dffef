package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
)

// reloadService asks the service, if it runs, to read the settings again, and
// returns what it says; nil where none runs.
func reloadService(ctx context.Context) (*api.SettingsResponse, error) {
	client, err := newClient()
	if err != nil {
		return nil, err
	}
	var answer api.SettingsResponse
	if err = answers(ctx, client); err == nil {
		answer, err = client.Reload(ctx)
	}
	if errors.Is(err, api.ErrNotRunning) {
		return nil, nil
	}
	return &answer, err
}

// tellService lets a running service take over what was written to file, and
// tells since when the keys count; nil are all that wait. It is an error where
// they do not count.
func (cc *configCommand) tellService(c *cobra.Command, file string, keys []string) error {
	var answer *api.SettingsResponse
	if cc.reload != nil {
		var err error
		if answer, err = cc.reload(c.Context()); err != nil {
			return fmt.Errorf("the settings are saved, but the running service did not take them over: %w", err)
		}
	}
	out := c.OutOrStdout()
	switch {
	case answer == nil:
		fmt.Fprintln(out, "Saved. No service is running: it counts from the next start of the service.")
		return nil
	case answer.File != file:
		fmt.Fprintf(out, "Saved in %s. The running service has another file: %s\n", file, answer.File)
		return nil
	}
	effects := map[string][]string{}
	for _, s := range answer.Settings {
		if slices.Contains(keys, s.Key) || keys == nil && s.Restart {
			effect := effectOf(s)
			effects[effect] = append(effects[effect], s.Key)
		}
	}
	if len(answer.Problems) > 0 {
		return fmt.Errorf("the settings are saved, but the running service could not put all in force: %s", strings.Join(answer.Problems, "; "))
	}
	if len(effects) == 0 {
		fmt.Fprintln(out, "Saved and in force.")
	}
	for _, effect := range []string{inForce, reloading, nextStart, overruled, fixed} {
		if of := effects[effect]; len(of) > 0 {
			fmt.Fprintf(out, "Saved. "+effect, strings.Join(of, ", "))
			if effect == nextStart {
				fmt.Fprintf(out, ": %s", howToRestart())
			}
			fmt.Fprintln(out, ".")
		}
	}
	return nil
}

// What becomes of keys that were saved.
const (
	inForce   = "The running service has taken over %s"
	reloading = "The running service loads its model anew with %s: see `dragoman status`"
	nextStart = "The running service takes over %s at its next start"
	overruled = "The environment of the running service sets %s, which goes before the file"
	fixed     = "The policy of this machine fixes %s, which goes before the file: see `dragoman doctor`"
)

func effectOf(s api.Setting) string {
	switch {
	case s.Source == string(config.SourceEnvironment):
		return overruled
	case s.Source == string(config.SourcePolicy):
		return fixed
	case s.Restart:
		return nextStart
	case strings.HasPrefix(s.Key, "inference."), strings.HasPrefix(s.Key, "cache."):
		return reloading
	}
	return inForce
}
