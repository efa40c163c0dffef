// Package host computes an M2M-100 model on the processor, from weights that lie
// in mapped files as they are multiplied: nothing is compiled and nothing kept
// twice.
//
// A step of the decoder takes new tokens of any number of sequences and gives the best next
// tokens of each. What a sequence gets does not depend on the others in its
// steps: to the bit but for which tokens are among the candidates, see below.
//
// The output matrix is read in two stages: four bits of every row, which find
// twice as many candidates as are asked for, then the candidates' rows of the
// checkpoint, exactly. The first stage rounds otherwise for many tokens than for few;
// a candidate differs where a token as good as it is not among twice as many. The
// package must not import anything of ours but kernel, rounding and model.
package host

import (
	"errors"
	"fmt"
	"io"

	"dragoman/inference/kernel"
	"dragoman/inference/model"
)

// Candidates is how many next tokens a step finds: one to take, and others for
// when it is refused.
const Candidates = 8

// BeamCandidates is how many a step finds for each output of a beam search: twice
// as many as outputs, because each may have its end among them.
const BeamCandidates = 2 * MostBeams

// Fits tells whether this processor and a model's shape are those that the
// package is written for.
func Fits(c model.Config) bool {
	return kernel.Available() && c.DModel%kernel.Group == 0 && c.DecoderFFN%kernel.Group == 0 &&
		c.DModel == kernel.Head*c.DecoderHeads
}

// Write writes a checkpoint's decoder on so many threads. Weights of four bits are
// rounded by a calibration, where there is one.
func Write(out io.Writer, c *model.Checkpoint, f Format, calibrated *Calibration, threads int) error {
	l, err := newLayout(c, f, calibrated, threads, new(weights))
	if err != nil {
		return err
	}
	written := int64(0)
	for _, s := range l.sections {
		if err := s.fill(out); err != nil {
			return err
		}
		written += s.size
		pad := -s.size & (alignment - 1)
		if _, err := out.Write(make([]byte, pad)); err != nil {
			return err
		}
		written += pad
	}
	return nil
}

// Size is how many bytes Write writes.
func Size(c *model.Checkpoint, f Format) (bytes int, err error) {
	l, err := newLayout(c, f, nil, 1, new(weights))
	if err != nil {
		return 0, err
	}
	for _, s := range l.sections {
		bytes += int(s.size+alignment-1) &^ (alignment - 1)
	}
	return bytes, nil
}

// Model is a decoder that is open. One step is under way at a time.
type Model struct {
	config    model.Config
	ffn       int    // inner width of the feed-forward layers
	format    Format // of the layers
	weights   weights
	embedding model.Tensor
	forbidden []bool // by token
	team      *team
	step      step
	solos     solos
	looks     solos             // of Look
	seen      [inputs][]float32 // [rows, width], where a calibration observes
}

// Open takes the file that Write wrote, which must stay in place until Close.
// Forbidden tokens are never candidates.
func Open(file []byte, c *model.Checkpoint, f Format, forbidden []int32, threads int) (*Model, error) {
	if !Fits(c.Config) {
		return nil, errors.New("the model's shape or this processor does not fit the decoder's kernels")
	}
	m := &Model{config: c.Config, ffn: c.Config.DecoderFFN, format: f, forbidden: make([]bool, c.Config.VocabSize)}
	l, err := newLayout(c, f, nil, threads, &m.weights)
	if err != nil {
		return nil, err
	}
	at := int64(0)
	for _, s := range l.sections {
		if s.size > int64(len(file))-at {
			return nil, fmt.Errorf("the decoder's file ends in %s", s.name)
		}
		s.bind(file[at : at+s.size])
		at += (s.size + alignment - 1) &^ (alignment - 1)
	}
	if m.embedding, err = c.Embedding(); err != nil {
		return nil, err
	}
	for _, token := range forbidden {
		m.forbidden[token] = true
	}
	m.team = startTeam(max(threads, 1), m.work)
	m.step.init(m, phasesPerLayer*c.Config.DecoderLayers+otherPhases)
	return m, nil
}

// width is how many numbers an input of a matrix has.
func (m *Model) width(i input) int {
	if i == feedForwardInner {
		return m.ffn
	}
	return m.config.DModel
}

// Close ends the threads.
func (m *Model) Close() {
	if m != nil {
		m.team.stop()
	}
}
