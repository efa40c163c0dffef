package m2m100

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTurnsOfALaneAreFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns()
		first, err := turns.take(t.Context(), Batch)
		require.NoError(t, err)
		order := make(chan int, 3)
		for i := range 3 {
			go func() {
				mine, err := turns.take(t.Context(), Batch)
				if err != nil {
					return
				}
				order <- i
				mine.end()
			}()
			synctest.Wait()
		}
		first.end()
		for i := range 3 {
			require.Equal(t, i, <-order)
		}
	})
}

func TestWaitingForATurnEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns()
		busy, err := turns.take(t.Context(), Batch)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for _, lane := range []Lane{Batch, Interactive} {
			_, err = turns.take(ctx, lane)
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		require.Zero(t, turns.wanted.Load())

		// A batch text that gave its turn away may end before it has it back.
		urgent := make(chan *turn)
		go func() {
			mine, _ := turns.take(t.Context(), Interactive)
			urgent <- mine
		}()
		synctest.Wait()
		require.ErrorIs(t, busy.yield(ctx), context.DeadlineExceeded)
		busy.end()
		(<-urgent).end()
		for _, lane := range []Lane{Batch, Interactive} {
			again, err := turns.take(t.Context(), lane)
			require.NoError(t, err, "nothing is left behind")
			again.end()
		}
	})
}
