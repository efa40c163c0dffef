package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/installer/service"
	"dragoman/internal/english"
)

// examineService tells what the service manager and the service say. Without a
// service nothing keeps dragoman from translating; one that cannot translate
// does, since commands ask it.
func examineService(ctx context.Context) []finding {
	manager, state := examineManager(ctx, &serviceCommand{})
	if onLinux && !installed(state) {
		if system, of := examineManager(ctx, &serviceCommand{system: true}); installed(of) {
			manager, state = system, of
		}
	}
	client, err := newClient()
	if err != nil {
		return []finding{manager, {fatal, "service", err.Error(), ""}}
	}
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	s, err := client.Status(ctx)
	switch {
	case err == nil:
		if state == service.NotInstalled { // what to do about that was done
			manager = finding{good, "service", "not installed, runs in the foreground", ""}
		}
		return append([]finding{manager}, examineSnapshot(s)...)
	case errors.Is(err, api.ErrNotRunning):
		if err := cutOff(); err != nil {
			return []finding{manager, {note, "service", err.Error(), ""}}
		}
		return []finding{manager, {note, "service", "it does not run, so commands load the model themselves and drop folders wait", ""}}
	case errors.Is(err, context.DeadlineExceeded):
		return []finding{manager, {fatal, "service", fmt.Sprintf("it does not answer within %s", english.Duration(answerWait)), howToRestart() + ", and look at `dragoman service logs`"}}
	}
	return []finding{manager, {note, "service", err.Error(), ""}}
}

// examineManager says whether the service is installed and runs; "" is a state
// that cannot be found out.
func examineManager(ctx context.Context, s *serviceCommand) (finding, service.State) {
	manager, err := s.manager()
	if errors.Is(err, service.ErrNoManager) {
		return finding{note, "service", err.Error(), ""}, service.NotInstalled
	} else if err != nil {
		return finding{note, "service", err.Error(), ""}, ""
	}
	status, err := manager.Status(ctx)
	if err != nil {
		return finding{note, "service", err.Error(), ""}, ""
	}
	return managed(s, status), status.State
}

func installed(state service.State) bool { return state != "" && state != service.NotInstalled }

func managed(s *serviceCommand, status service.Status) finding {
	what := "installed, "
	if s.system {
		what = "installed for the machine, "
	}
	detail := fmt.Sprintf("%s%s; starts %s; %s", what, join(string(status.State), status.Reason), s.starts(status), status.Executable)
	switch status.State {
	case service.NotInstalled:
		return finding{note, "service", "not installed", "run `dragoman service install`, or `dragomand` in the foreground"}
	case service.Failed, service.Restarting:
		return finding{note, "service", detail, "look at " + s.with("dragoman service logs") + ", then " + s.with("dragoman service start")}
	case service.Stopped, service.Stopping:
		return finding{note, "service", detail, s.with("dragoman service start")}
	}
	if status.Outdated {
		return finding{note, "service", detail + "; its unit was changed since", s.with("dragoman service install")}
	}
	return finding{good, "service", detail, ""}
}

// examineSnapshot looks at what the service says of itself.
func examineSnapshot(s api.Snapshot) []finding {
	answers := finding{good, "service", fmt.Sprintf("answers: version %s, process %d, %s", s.Version, s.PID, s.State), ""}
	if s.Version != version {
		answers.state, answers.detail = note, fmt.Sprintf("%s; this program is version %s", answers.detail, version)
		answers.advice = "run `dragoman service install` of the version that you want"
	}
	findings := []finding{answers}
	switch {
	case s.State == api.StateFault:
		findings = append(findings, finding{fatal, "service", "it cannot translate: " + s.Message, ""})
	case s.Model.Name != "":
		findings = append(findings, finding{good, "service", fmt.Sprintf("has the model %s, %s, on OpenVINO %s", s.Model.Name, s.Model.Weights, s.Model.Runtime), ""})
	}
	well := 0
	for _, f := range s.Folders {
		name := fmt.Sprintf("folder %d, %s", f.ID, f.Settings.Path)
		switch {
		case f.Status.State == api.FolderMissing, f.Status.State == api.FolderFailed, f.Status.Message != "":
			findings = append(findings, finding{note, "folders", name + ": " + join(string(f.Status.State), f.Status.Message), ""})
		case f.Status.Failed > 0:
			findings = append(findings, finding{note, "folders", fmt.Sprintf("%s: files that could not be translated: %d", name, f.Status.Failed), fmt.Sprintf("`dragoman jobs --state failed --folder %d` says why", f.ID)})
		default:
			well++
		}
	}
	if well > 0 {
		findings = append(findings, finding{good, "folders", fmt.Sprintf("without trouble: %d of %d", well, len(s.Folders)), ""})
	}
	for _, n := range s.Notices {
		if !strings.Contains(s.Message, n.Message) {
			findings = append(findings, finding{note, "notice", n.Time.Local().Format(time.DateTime) + "  " + n.Message, ""})
		}
	}
	return findings
}
