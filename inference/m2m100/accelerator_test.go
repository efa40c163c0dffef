package m2m100

import (
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/blob"
	"dragoman/inference/openvino"
)

// accelerate opens the starter's static graphs on the processor, which serves as
// an accelerator here; devices with faults have tests of their own.
func accelerate(t *testing.T, o Options, stored bool) (*Accelerator, error) {
	t.Helper()
	target := processor(0)
	target.Architecture, target.Driver, target.Stored = "4000", "1782", stored
	return OpenAccelerator(t.Context(), o, target, time.Minute, func(Step) {})
}

func TestAcceleratorTakesOverAndGivesBack(t *testing.T) {
	o := starterOptions(t, "int8", CPU)
	o.Blobs = blob.Open(t.TempDir(), blob.Options{})
	e := openEngine(t, o)
	want := generate(t, e, longSource, spanish)
	_, err := accelerate(t, o, true)
	require.ErrorIs(t, err, ErrNotStored)
	var steps []Step
	first, err := OpenAccelerator(t.Context(), o, processor(0), time.Minute, func(s Step) { steps = append(steps, s) })
	require.NoError(t, err)
	require.NoError(t, first.Close())
	require.Equal(t, []Step{{1, 3, 32}, {2, 3, 64}, {3, 3, 128}}, steps)
	a, err := OpenAccelerator(t.Context(), o, Target{Device: "CPU", Properties: processor(0).Properties, Stored: true}, time.Minute, func(Step) {})
	require.NoError(t, err)
	require.Equal(t, 3, a.Imported)

	require.NoError(t, e.Use(a, func(err error) { t.Errorf("it fell: %v", err) }))
	g, err := e.Generate(t.Context(), Interactive, longSource, spanish)
	require.NoError(t, err)
	require.True(t, g.Accelerated)
	require.Equal(t, 64, g.Bucket)
	require.Equal(t, generate(t, openEngine(t, starterOptions(t, "int8", CPUStatic)), longSource, spanish), g.Tokens, "of the same graphs")
	require.NoError(t, e.Drop())
	g, err = e.Generate(t.Context(), Interactive, longSource, spanish)
	require.NoError(t, err)
	require.False(t, g.Accelerated)
	require.Equal(t, want, g.Tokens)
	_, err = a.Outputs(t.Context(), shortSource)
	require.ErrorIs(t, err, errClosed)
}

// Driver, platform and tiles are part of what a stored graph is found by.
func TestAcceleratorOfAnotherDriverIsNotStored(t *testing.T) {
	o := starterOptions(t, "int8", CPU)
	o.Blobs = blob.Open(t.TempDir(), blob.Options{})
	a, err := accelerate(t, o, false)
	require.NoError(t, err)
	require.NoError(t, a.Close())
	again, err := accelerate(t, o, true)
	require.NoError(t, err)
	require.NoError(t, again.Close())
	for name, change := range map[string]func(*Target){
		"driver":       func(t *Target) { t.Driver = "1900" },
		"compiler":     func(t *Target) { t.Compiler = "9.0" },
		"architecture": func(t *Target) { t.Architecture = "3720" },
		"tiles":        func(t *Target) { t.Tiles = "2" },
		"properties":   func(t *Target) { t.Properties = openvino.Properties{"PERFORMANCE_HINT": "THROUGHPUT"} },
	} {
		target := a.Target
		target.Stored = true
		change(&target)
		_, err := OpenAccelerator(t.Context(), o, target, time.Minute, func(Step) {})
		require.ErrorIs(t, err, ErrNotStored, name)
	}
	require.Empty(t, o.Blobs.Status().Problem)
}

func TestTextsGoOnWhileTheAcceleratorChanges(t *testing.T) {
	o := starterOptions(t, "int8", CPU)
	o.Blobs = blob.Open(t.TempDir(), blob.Options{})
	e := openEngine(t, o)
	want := generate(t, e, shortSource, spanish)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var got [lanes][][]int32
	for lane := range Lane(lanes) {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				g, err := e.Generate(t.Context(), lane, shortSource, spanish)
				if err != nil {
					g.Tokens = nil
				}
				got[lane] = append(got[lane], g.Tokens)
			}
		})
	}
	for range 5 {
		a, err := accelerate(t, o, false)
		require.NoError(t, err)
		require.NoError(t, e.Use(a, func(error) {}))
		_, err = e.Outputs(t.Context(), longSource)
		require.NoError(t, err)
		e.fall(a, errors.New("the test says so"))
	}
	close(stop)
	wg.Wait()
	for lane := range got {
		require.NotEmpty(t, got[lane])
		for _, tokens := range got[lane] {
			require.Equal(t, want, tokens)
		}
	}
}

func TestSound(t *testing.T) {
	for _, n := range []int{1, 3, 4, 7, 1000} {
		numbers := make([]float32, n)
		require.ErrorIs(t, sound(numbers), ErrAllZero)
		numbers[n-1] = float32(math.Copysign(0, -1))
		require.ErrorIs(t, sound(numbers), ErrAllZero)
		numbers[n/2] = math.MaxFloat32
		require.NoError(t, sound(numbers))
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for i := range numbers {
				spoiled := append([]float32(nil), numbers...)
				spoiled[i] = float32(bad)
				require.ErrorIs(t, sound(spoiled), ErrNotFinite)
			}
		}
	}
}

func TestPackRows(t *testing.T) {
	// Two heads of three positions with two numbers each, of which two are kept.
	from := []float32{1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0}
	require.Equal(t, []float32{1, 2, 3, 4, 5, 6, 7, 8}, packRows(from, 2, 3, 2, 2))
}

// BenchmarkSound looks at what the 418M encoder gives for 32 tokens.
func BenchmarkSound(b *testing.B) {
	data := make([]float32, 32*1024)
	for i := range data {
		data[i] = float32(i)
	}
	b.SetBytes(24 * 4 * int64(len(data)))
	for b.Loop() {
		for range 24 {
			if sound(data) != nil {
				b.Fatal("numbers are numbers")
			}
		}
	}
}

// A sample of a device that serves: what is right changes nothing, what is wrong
// ends its service.
func TestCheckFindsWrongNumbers(t *testing.T) {
	o := starterOptions(t, "int8", CPU)
	e := openEngine(t, o)
	a, err := accelerate(t, o, false)
	require.NoError(t, err)
	var fell error
	require.NoError(t, e.Use(a, func(err error) { fell = err }))
	want, err := e.Outputs(t.Context(), shortSource)
	require.NoError(t, err)
	e.Check(t.Context(), a, shortSource, func(got [][]float32) error {
		require.Len(t, got, len(want))
		for i := range want {
			require.InDeltaSlice(t, want[i], got[i], 0.1) // the host rounds activations
		}
		return nil
	})
	require.NoError(t, fell)
	require.Same(t, a, e.InUse())
	wrong := errors.New("a lane is off")
	e.Check(t.Context(), a, shortSource, func([][]float32) error { return wrong })
	require.ErrorIs(t, fell, wrong)
	require.ErrorIs(t, fell, ErrWrong)
	require.Nil(t, e.InUse())
	require.NotEmpty(t, generate(t, e, shortSource, spanish))
}
