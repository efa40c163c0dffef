package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// recordFile keeps the ratios that bench-check compares with.
const recordFile = scripts + "/testdata/ratios.json"

// tolerance is how much worse than recorded a ratio may be.
const tolerance = 0.1

// records are of several kinds of processors: what the instructions of each are good for
// decides the ratios.
type records []record

// record is what was measured once, by group. Ratios are of speed against the
// peer: higher is better.
type record struct {
	Machine machine            `json:"machine"`
	Speed   map[string]float64 `json:"speed"`
}

// speeds are the ratios round by round, all as ratios of speed.
func (r *report) speeds() map[string]float64 {
	speeds := map[string]float64{}
	for _, l := range r.Lines {
		switch l.Name {
		case timeRatio:
			speeds[l.Group] = 1 / l.Median
		case speedRatio:
			speeds[l.Group] = l.Median
		}
	}
	return speeds
}

// of is what was recorded of processors with the instructions of one.
func (all records) of(m machine) (record, error) {
	for _, r := range all {
		if slices.Equal(r.Machine.Flags, m.Flags) {
			return r, nil
		}
	}
	return record{}, fmt.Errorf("no ratios are recorded of a processor with %s: `go run ./inference/bench -record` does that", strings.Join(m.Flags, " "))
}

// save records what was measured; of what was not the old figure stays.
func (r *report) save(root string) error {
	all, err := readRecords(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	old, err := all.of(r.Machine)
	if err != nil {
		old.Speed = map[string]float64{}
	}
	for group, speed := range r.speeds() {
		old.Speed[group] = float64(int(1000*speed+0.5)) / 1000
	}
	old.Machine = r.Machine
	all = slices.DeleteFunc(all, func(other record) bool { return slices.Equal(other.Machine.Flags, r.Machine.Flags) })
	text, err := json.MarshalIndent(append(all, old), "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, recordFile), append(text, '\n'), 0o644)
}

func readRecords(root string) (all records, err error) {
	text, err := os.ReadFile(filepath.Join(root, recordFile))
	if err != nil {
		return nil, fmt.Errorf("read the recorded ratios, which `go run ./inference/bench -record` writes: %w", err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("read %s: %w", recordFile, err)
	}
	return all, nil
}

// check says what became of each recorded ratio and fails where one fell by
// more than the tolerance.
func (r *report) check(recorded record, out io.Writer) error {
	now := r.speeds()
	var groups []string
	for group := range recorded.Speed {
		groups = append(groups, group)
	}
	slices.Sort(groups)
	if recorded.Machine.Processor != r.Machine.Processor {
		fmt.Fprintf(out, "\nrecorded on %s, this is %s\n", recorded.Machine.Processor, r.Machine.Processor)
	}
	fmt.Fprintln(out, "\nspeed against the peer, recorded and now")
	fell, compared := 0, 0
	for _, group := range groups {
		before, after := recorded.Speed[group], now[group]
		state := "as before"
		switch {
		case after == 0:
			fmt.Fprintf(out, "  %5s          %s: not measured\n", number(before), group)
			continue
		case after < before*(1-tolerance):
			state = fmt.Sprintf("FELL by %.0f %%", 100*(1-after/before))
			fell++
		case after > before*(1+tolerance):
			state = "better"
		}
		compared++
		fmt.Fprintf(out, "  %5s  %5s   %s: %s\n", number(before), number(after), group, state)
	}
	if compared == 0 {
		return fmt.Errorf("none of the recorded ratios was measured, see what was skipped")
	}
	if fell > 0 {
		return fmt.Errorf("%d of %d ratios fell by more than %.0f %%", fell, compared, 100*tolerance)
	}
	return nil
}
