package queue

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// atWork runs a queue while a benchmark does.
func atWork(b *testing.B, opts Options) *testQueue {
	q := New[string, string](opts)
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error)
	go func() { ended <- q.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	})
	return q
}

func submitAndWait(b *testing.B, q *testQueue, task testTask) {
	k, err := q.Submit(b.Context(), task)
	if err != nil {
		b.Error(err)
		return
	}
	if _, err := k.Wait(b.Context()); err != nil {
		b.Error(err)
	}
	k.Leave()
}

func BenchmarkSubmitAndWait(b *testing.B) {
	q := atWork(b, Options{})
	b.ReportAllocs()
	for b.Loop() {
		submitAndWait(b, q, testTask{Key: "k", Run: answer("")})
	}
}

func Benchmark50Clients(b *testing.B) {
	q := atWork(b, Options{InteractiveWorkers: 2})
	var clients atomic.Int64
	b.SetParallelism(25) // times GOMAXPROCS
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		key := fmt.Sprint(clients.Add(1))
		for pb.Next() {
			submitAndWait(b, q, testTask{Key: key, Run: answer("")})
		}
	})
	b.ReportMetric(float64(clients.Load()), "clients")
}

// BenchmarkPieces is the cost of one piece from Send to its reader.
func BenchmarkPieces(b *testing.B) {
	q := atWork(b, Options{})
	b.ReportAllocs()
	k, err := q.Submit(b.Context(), testTask{Run: func(ctx context.Context, o *out) (string, error) {
		for range b.N {
			if err := o.Gate(ctx); err != nil {
				return "", err
			}
			o.Send("piece")
		}
		return "", nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, err := range k.Pieces(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
	if n != b.N {
		b.Fatalf("%d pieces of %d", n, b.N)
	}
}

func BenchmarkGate(b *testing.B) {
	var g gate
	var urgent atomic.Bool
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	for b.Loop() {
		if err := g.pass(ctx, &urgent); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkManyWaiting is submitting to and leaving a lane in which 20,000 wait.
func BenchmarkManyWaiting(b *testing.B) {
	q := New[string, string](Options{MaxBatch: 30_000})
	for i := range 20_000 {
		if _, err := q.Submit(b.Context(), testTask{Lane: Batch, Fair: fmt.Sprint(i % 5), Run: answer("")}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		k, err := q.Submit(b.Context(), testTask{Lane: Batch, Fair: "new", Run: answer("")})
		if err != nil {
			b.Fatal(err)
		}
		k.Leave()
	}
}
