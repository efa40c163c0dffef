package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	waves = 3 // of the crowd
	asked = 4 // texts that each client asks for, one after another
	alone = 50
)

// measureCrowd lets one client, and then many at once, ask while a drop folder
// is worked on.
func (b *bench) measureCrowd(ctx context.Context) error {
	p := b.report.begin(fmt.Sprintf("%d clients at once and a drop folder of %d files", b.crowd, b.files))
	defer p.end()
	s, err := b.startService(ctx)
	if err != nil {
		return err
	}
	if err = s.warm(ctx); err == nil {
		err = b.measureWaves(ctx, s, p)
	}
	return errors.Join(err, s.stop())
}

func (b *bench) measureWaves(ctx context.Context, s *service, p *part) error {
	quiet, err := ask(ctx, s, b.texts.sentences(alone))
	if err != nil {
		return err
	}
	p.latencies("one client, nothing else", quiet)
	folder, err := s.drop(ctx, b.tempDir("drop-"), b.texts.files(b.files))
	if err == nil {
		err = s.wait(ctx, folder, min(10, b.files))
	}
	if err != nil {
		return err
	}
	one, err := ask(ctx, s, b.texts.sentences(alone))
	if err != nil {
		return err
	}
	p.latencies("one client", one)
	var all, memory, rates []float64
	for range waves + 1 {
		resident, _, _, err := memoryOf(s.process.Process.Pid)
		if err != nil {
			return err
		}
		memory = append(memory, resident)
		if len(memory) > waves {
			break
		}
		begun := time.Now()
		took, err := b.wave(ctx, s)
		if err != nil {
			return err
		}
		all = append(all, took...)
		rates = append(rates, float64(len(took))/time.Since(begun).Seconds())
	}
	now, err := s.Folder(ctx, folder)
	if err != nil {
		return err
	}
	p.latencies(fmt.Sprintf("each of %d clients", b.crowd), all)
	p.add("answers of all", "per s", nil, rates...)
	p.add("the same by one client that waits for nobody", "per s", nil, 1000/medianOf(quiet))
	p.add("resident before the waves", "MB", nil, memory[0])
	for i, resident := range memory[1:] {
		p.add(fmt.Sprintf("resident after wave %d", i+1), "MB", nil, resident)
	}
	p.add("files that were left at the end", "", nil, float64(b.files)-float64(now.Status.Done))
	return s.RemoveFolder(ctx, folder)
}

// wave lets all clients ask at once and returns what each answer took, ms.
func (b *bench) wave(ctx context.Context, s *service) ([]float64, error) {
	var mu sync.Mutex
	var all []float64
	g, ctx := errgroup.WithContext(ctx)
	for range b.crowd {
		sentences := b.texts.sentences(asked)
		g.Go(func() error {
			took, err := ask(ctx, s, sentences)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			return err
		})
	}
	err := g.Wait()
	return all, err
}

// ask asks for one sentence after another and returns what each took, ms.
func ask(ctx context.Context, s *service, sentences []string) ([]float64, error) {
	var took []float64
	for _, sentence := range sentences {
		begun := time.Now()
		if _, err := s.translate(ctx, sentence); err != nil {
			return nil, err
		}
		took = append(took, ms(time.Since(begun)))
	}
	return took, nil
}
