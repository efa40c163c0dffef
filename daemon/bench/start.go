package main

import (
	"context"
	"os"
	"time"
)

// starts is how often the service is started.
const starts = 10

// measureStart times processes from their start until they answer, and until
// they can translate.
func (b *bench) measureStart(ctx context.Context) error {
	p := b.report.begin("start of the service")
	defer p.end()
	_, err := os.Stat(b.cache())
	first := os.IsNotExist(err)
	var running, warm []float64
	for i := range starts + 1 {
		s, err := b.startService(ctx)
		if err != nil {
			return err
		}
		err = s.warm(ctx)
		took := time.Since(s.started).Seconds()
		if stopped := s.stop(); err == nil {
			err = stopped
		}
		if err != nil {
			return err
		}
		switch {
		case i > 0:
			running, warm = append(running, s.running.Seconds()), append(warm, took)
		case first:
			p.add("model is warm, first start ever", "s", nil, took)
		}
	}
	p.add("clients are answered", "s", most(1), running...)
	p.add("model is warm", "s", nil, warm...)
	return nil
}
