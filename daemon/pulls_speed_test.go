package daemon

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference/model/catalogue"
	"dragoman/inference/model/hub"
)

// A pull that goes on where an earlier one ended is told file by file what is here
// already, which came at no speed.
func TestSpeedIsOfWhatCame(t *testing.T) {
	p := &pulls{changed: func() {}, fetch: func(_ context.Context, _ catalogue.Model, tell func(hub.Progress)) error {
		tell(hub.Progress{Done: 1e3, Total: 2e9})
		tell(hub.Progress{Done: 15e8, Total: 2e9})
		tell(hub.Progress{Done: 16e8, Total: 2e9, Rest: 4 * time.Second})
		return nil
	}}
	_, err := p.begin(catalogue.Model{Name: "some"})
	require.NoError(t, err)
	p.group.Wait()
	require.Equal(t, api.PullDone, p.now()[0].State)
	require.EqualValues(t, 1e8, p.now()[0].Speed)
}
