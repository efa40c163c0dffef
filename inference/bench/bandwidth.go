package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// readBytes are many times what caches hold.
const readBytes = 256 << 20

// readRounds of each number of threads take turns.
const readRounds = 5

// measureReading reads memory with one thread and with all, and says which
// share of that a decode step reaches, which reads the decoder's weights once.
func (b *bench) measureReading(m checkpoint, o opened, group string, s steps) error {
	memory := make([]uint64, readBytes/8)
	for i := range memory {
		memory[i] = uint64(i) // pages that were never written all are one
	}
	var one, all []float64
	for range readRounds {
		one = append(one, readWith(memory, 1))
		all = append(all, readWith(memory, b.threads))
	}
	b.report.add(group, "memory read by 1 thread", "GB/s", 0, one...)
	b.report.add(group, fmt.Sprintf("memory read by %d threads", b.threads), "GB/s", 0, all...)
	bytes, err := weights(o.dir)
	if err != nil {
		return err
	}
	b.report.add(group, "weights that a step reads", "MB", 0, bytes/1e6)
	b.report.add(group, "share of the bandwidth that a step reaches", "", 0, bytes/1e6/middle(s.step)/middle(all))
	if m.random { // the starter's weights fit large caches
		b.report.atLeast(bandwidthShare)
	}
	return nil
}

// readWith returns GB/s.
func readWith(memory []uint64, threads int) float64 {
	var wg sync.WaitGroup
	sums := make([]uint64, 8*threads) // one cache line each
	part := len(memory) / threads / 8 * 8
	start := time.Now()
	for t := range threads {
		wg.Go(func() {
			var a, b, c, d uint64
			mine := memory[t*part : (t+1)*part]
			for i := 0; i+8 <= len(mine); i += 8 {
				x := mine[i : i+8 : i+8]
				a, b, c, d = a+x[0]+x[4], b+x[1]+x[5], c+x[2]+x[6], d+x[3]+x[7]
			}
			sums[8*t] = a + b + c + d
		})
	}
	wg.Wait()
	took := time.Since(start)
	runtime.KeepAlive(sums) // what nobody needs might be left out
	return float64(8*part*threads) / took.Seconds() / 1e9
}

// weights are the bytes of the decoder's weights in a folder of prepared files: a
// file of nothing else where steps are computed without the runtime, else constants
// of a graph.
func weights(dir string) (float64, error) {
	info, err := os.Stat(filepath.Join(dir, "decoder.bin"))
	if errors.Is(err, fs.ErrNotExist) {
		return constants(filepath.Join(dir, "decoder.xml"))
	}
	if err != nil {
		return 0, err
	}
	return float64(info.Size()), nil
}

var constant = regexp.MustCompile(`offset="(\d+)"[^>]* size="(\d+)"`)

// constants are the bytes of a graph's constants, each counted once.
func constants(path string) (float64, error) {
	xml, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	bytes := map[string]float64{}
	for _, c := range constant.FindAllSubmatch(xml, -1) {
		if bytes[string(c[1])], err = strconv.ParseFloat(string(c[2]), 64); err != nil {
			return 0, err
		}
	}
	total := 0.0
	for _, n := range bytes {
		total += n
	}
	if total == 0 {
		return 0, fmt.Errorf("%s: no constants", path)
	}
	return total, nil
}
