package ladder

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// trials plays the devices and notes when each was tried.
type trials struct {
	mu       sync.Mutex
	start    time.Time
	at       map[Device][]time.Duration
	outcomes map[Device]func(ctx context.Context, n int) error
}

func (t *trials) try(ctx context.Context, d Device) error {
	t.mu.Lock()
	t.at[d] = append(t.at[d], time.Since(t.start))
	outcome, n := t.outcomes[d], len(t.at[d])
	t.mu.Unlock()
	return outcome(ctx, n)
}

// now changes what a device does from the next trial on.
func (t *trials) now(d Device, outcome func(context.Context, int) error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outcomes[d] = outcome
}

func (t *trials) of(d Device) []time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.at[d])
}

// climb runs a ladder in a bubble of its own clock.
func climb(t *testing.T, setting string, outcomes map[Device]func(ctx context.Context, n int) error, test func(l *Ladder, tried *trials)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		devices, err := Rungs(setting)
		require.NoError(t, err)
		l := New(devices, nil)
		tried := &trials{start: time.Now(), at: map[Device][]time.Duration{}, outcomes: outcomes}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			l.Run(ctx, tried.try)
		}()
		synctest.Wait()
		test(l, tried)
		cancel()
		<-done
	})
}

func works(context.Context, int) error { return nil }

func fails(kind Kind) func(context.Context, int) error {
	return func(context.Context, int) error { return &Reason{Kind: kind, Device: NPU} }
}

func TestTheBestDeviceServes(t *testing.T) {
	climb(t, "", map[Device]func(context.Context, int) error{NPU: works, GPU: works}, func(l *Ladder, tried *trials) {
		require.Equal(t, NPU, l.Status().Serving)
		require.Empty(t, l.Status().Falls)
		require.Empty(t, tried.of(GPU), "what is below one that serves is left alone")
	})
}

func TestTheNextDeviceServes(t *testing.T) {
	climb(t, "", map[Device]func(context.Context, int) error{NPU: fails(Crashed), GPU: works}, func(l *Ladder, tried *trials) {
		s := l.Status()
		require.Equal(t, GPU, s.Serving)
		require.Len(t, s.Falls, 1)
		require.Equal(t, Crashed, s.Falls[0].Reason.Kind)
		tried.now(NPU, works)
		time.Sleep(Pauses[0] + time.Second)
		synctest.Wait()
		require.Equal(t, NPU, l.Status().Serving, "the better one is tried again while the other serves")
	})
}

func TestTheProcessorServesAtOnce(t *testing.T) {
	slow := func(ctx context.Context, _ int) error {
		select {
		case <-time.After(80 * time.Second):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	climb(t, "NPU", map[Device]func(context.Context, int) error{NPU: slow}, func(l *Ladder, _ *trials) {
		s := l.Status()
		require.Equal(t, CPU, s.Serving)
		require.Equal(t, NPU, s.Trying)
		require.Equal(t, Waiting, s.Falls[0].Reason.Kind)
		time.Sleep(90 * time.Second)
		synctest.Wait()
		require.Equal(t, NPU, l.Status().Serving)
	})
}

// A driver that stays dead is tried five times in a day, not more.
func TestNoStormOfTrials(t *testing.T) {
	climb(t, "NPU", map[Device]func(context.Context, int) error{NPU: fails(Lost)}, func(l *Ladder, tried *trials) {
		require.Equal(t, Pauses[0], time.Until(l.Status().Falls[0].Next))
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		require.Len(t, tried.of(NPU), 1+len(Pauses))
		var sum time.Duration
		for i, pause := range Pauses {
			sum += pause
			require.Equal(t, sum, tried.of(NPU)[i+1])
		}
		fall := l.Status().Falls[0]
		require.Zero(t, fall.Next)
		require.Equal(t, 24*time.Hour, time.Since(fall.Since), "since the first failure of the kind")
	})
}

func TestDeviceIsLostWhileItServes(t *testing.T) {
	climb(t, "NPU", map[Device]func(context.Context, int) error{NPU: works}, func(l *Ladder, tried *trials) {
		for i := range Pauses {
			l.Fell(NPU, &Reason{Kind: Lost, Device: NPU})
			synctest.Wait()
			require.Equal(t, CPU, l.Status().Serving)
			time.Sleep(Pauses[i])
			synctest.Wait()
			require.Equal(t, NPU, l.Status().Serving, "after fall %d", i+1)
		}
		l.Fell(NPU, &Reason{Kind: Lost, Device: NPU})
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		require.Len(t, tried.of(NPU), 1+len(Pauses))
		require.Equal(t, CPU, l.Status().Serving, "one that fails again and again is left alone")
	})
}

func TestLongServiceForgetsFailures(t *testing.T) {
	climb(t, "NPU", map[Device]func(context.Context, int) error{NPU: works}, func(l *Ladder, tried *trials) {
		for range 20 {
			time.Sleep(6 * time.Hour) // as KataGo's users saw it
			l.Fell(NPU, &Reason{Kind: Lost, Device: NPU})
			synctest.Wait()
			require.Equal(t, Pauses[0], time.Until(l.Status().Falls[0].Next))
		}
		require.Len(t, tried.of(NPU), 20)
	})
}

func TestWhatWillNotChangeIsNotTriedAgain(t *testing.T) {
	for _, kind := range []Kind{Wrong, Unsupported, Absent, Unusable, Mismatch} {
		climb(t, "NPU", map[Device]func(context.Context, int) error{NPU: fails(kind)}, func(l *Ladder, tried *trials) {
			time.Sleep(24 * time.Hour)
			synctest.Wait()
			require.Len(t, tried.of(NPU), 1, string(kind))
			tried.now(NPU, works) // a driver was installed
			l.Resume(func() {})
			synctest.Wait()
			require.Equal(t, NPU, l.Status().Serving)
		})
	}
}

func TestResumeOpensAnew(t *testing.T) {
	hang := func(ctx context.Context, n int) error {
		if n > 1 {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
	climb(t, "NPU", map[Device]func(context.Context, int) error{NPU: hang}, func(l *Ladder, tried *trials) {
		require.Equal(t, NPU, l.Status().Serving)
		given := 0
		for range 2 { // systems tell of it twice
			l.Resume(func() { given++ })
		}
		require.Equal(t, 1, given, "what is not opened anew is not given back")
		synctest.Wait()
		s := l.Status()
		require.Equal(t, CPU, s.Serving)
		require.Equal(t, NPU, s.Trying)
		require.Equal(t, Asleep, s.Falls[0].Reason.Kind)
		require.Len(t, tried.of(NPU), 2)
	})
}

func TestFellWhileTheTrialEnds(t *testing.T) {
	climb(t, "NPU", map[Device]func(context.Context, int) error{NPU: works}, func(l *Ladder, tried *trials) {
		tried.now(NPU, func(context.Context, int) error {
			l.Fell(NPU, &Reason{Kind: NotFinite, Device: NPU})
			return nil
		})
		l.Fell(NPU, &Reason{Kind: Lost, Device: NPU})
		time.Sleep(Pauses[0])
		synctest.Wait()
		s := l.Status()
		require.Equal(t, CPU, s.Serving)
		require.Equal(t, NotFinite, s.Falls[0].Reason.Kind)
	})
}

func TestEndWhileTrying(t *testing.T) {
	climb(t, "NPU", map[Device]func(context.Context, int) error{NPU: func(ctx context.Context, _ int) error {
		<-ctx.Done()
		return ctx.Err()
	}}, func(l *Ladder, _ *trials) {
		require.Equal(t, NPU, l.Status().Trying)
	})
}

func TestRungs(t *testing.T) {
	for setting, want := range map[string][]Device{
		"": {NPU, GPU, CPU}, "npu": {NPU, CPU}, "GPU": {GPU, CPU}, "CPU": {CPU},
	} {
		got, err := Rungs(setting)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := Rungs("AUTO:NPU")
	require.ErrorContains(t, err, "use NPU, GPU or CPU")
}

func TestBecause(t *testing.T) {
	for text, want := range map[string]Kind{
		"L0 zeFenceHostSynchronize result: ZE_RESULT_ERROR_DEVICE_LOST, code 0x70000001": Lost,
		"std::bad_alloc": Memory,
		"L0 pfnCreate2 result: ZE_RESULT_ERROR_UNSUPPORTED_VERSION":          Mismatch,
		"Unsupported configuration key: NPU_MAX_TILES":                       Mismatch,
		"L0 pfnCreate2 result: ZE_RESULT_ERROR_UNKNOWN, code 0x7fffffe":      Compile,
		"to_shape was called on a dynamic shape":                             Unsupported,
		"Device with \"NPU\" name is not registered in the OpenVINO Runtime": Absent,
	} {
		require.Equal(t, want, Because(NPU, Compile, errors.New(text)).Kind, text)
	}
	first := &Reason{Kind: Wrong, Device: NPU}
	require.Same(t, first, Because(NPU, Compile, errors.Join(errors.New("try"), first)))
}

func TestReasonsAreSentences(t *testing.T) {
	for kind := range rules {
		r := &Reason{Kind: kind, Device: NPU, Name: "Intel(R) AI Boost", Driver: "1782", Detail: "the driver's words"}
		require.Contains(t, r.Error(), "NPU (Intel(R) AI Boost, driver 1782)", string(kind))
		require.Contains(t, r.Error(), ": the driver's words")
		require.NotContains(t, r.Error(), "%!")
	}
	require.Equal(t, "the NPU could not be used", (&Reason{Kind: "of a newer version", Device: NPU}).Error())
}
