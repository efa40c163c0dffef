package agent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/assets/icons"
	"dragoman/daemon/api"
	"dragoman/tray"
)

func TestAFallbackNeedsADeviceThatIsThere(t *testing.T) {
	a := newAgent(t, "")
	icon := func(kind, why string) icons.State {
		a.snapshot = api.Snapshot{State: api.StateReady, Model: api.Model{Encoder: "CPU", Decoder: "CPU", Fallback: why, FallbackKind: kind}}
		return tray.Render(a.state()).Icon
	}
	require.Equal(t, icons.Fallback, icon("hung", "the NPU did not finish a text in time"))
	require.Equal(t, icons.Ready, icon(api.FallbackAbsent, "this computer shows no NPU"))
	require.Equal(t, icons.Ready, icon("", ""))
}
