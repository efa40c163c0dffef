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

// What came last is told also where nothing comes after it.
func TestAStalledPullIsToldToItsLast(t *testing.T) {
	told := make(chan int64, 10)
	p := &pulls{fetch: func(ctx context.Context, _ catalogue.Model, tell func(hub.Progress)) error {
		tell(hub.Progress{Done: 1, Total: 9})
		tell(hub.Progress{Done: 2, Total: 9})
		tell(hub.Progress{Done: 3, Total: 9})
		<-ctx.Done()
		return ctx.Err()
	}}
	p.changed = func() { told <- p.now()[0].Done }
	_, err := p.begin(catalogue.Model{Name: "some"})
	require.NoError(t, err)
	require.EqualValues(t, 1, <-told)
	for now := range told {
		if now == 3 {
			break
		}
	}
	p.close()
	require.LessOrEqual(t, len(told), 1, "its end")
}
