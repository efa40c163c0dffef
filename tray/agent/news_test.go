package agent

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestOnlySnapshotsAreNews(t *testing.T) {
	a := newAgent(t, quietSpanish)
	a.hear(t.Context(), api.Event{Job: &api.Job{}}) // waits for nobody
	a.hear(t.Context(), api.Event{Notice: &api.Notice{}})
	go a.hear(t.Context(), api.Event{Snapshot: &api.Snapshot{State: api.StateWarming}})
	wait(t, a, func() bool { return a.snapshot.State == api.StateWarming })
}

func TestLanguagesAreAskedOnceAModel(t *testing.T) {
	a := newAgent(t, quietSpanish)
	service := attach(t, a)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	heard := func(state api.State, model string) {
		a.heard(ctx, api.Snapshot{State: state, Model: api.Model{Name: model}})
	}
	has := func(code string) func() bool {
		return func() bool { return len(a.languages) == 1 && a.languages[0].Code == code }
	}
	heard(api.StateWarming, "starter")
	service.language.Store("es")
	heard(api.StateReady, "starter")
	wait(t, a, has("es"))
	service.language.Store("fr")
	heard(api.StatePaused, "starter")
	heard(api.StateReady, "larger")
	wait(t, a, has("fr"))
	heard(api.StateStopped, "")
	service.language.Store("de")
	heard(api.StateReady, "larger") // of another service
	wait(t, a, has("de"))
	require.EqualValues(t, 3, service.asked.Load())
}
