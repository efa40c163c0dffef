package model

import "fmt"

// FiniteRow is Row that refuses numbers that are not finite: they would spoil a
// whole row of quantised weights.
func (t Tensor) FiniteRow(dst []float32, i int) error {
	if err := t.Row(dst, i); err != nil {
		return err
	}
	if at, v := notFinite(dst); at >= 0 {
		return fmt.Errorf("tensor %s has %v at row %d, column %d: the checkpoint is damaged", t.Name, v, i, at)
	}
	return nil
}

// FiniteVector is Float32 from the first element on that refuses numbers that
// are not finite.
func (t Tensor) FiniteVector(dst []float32) error {
	if err := t.Float32(dst, 0); err != nil {
		return err
	}
	if at, v := notFinite(dst); at >= 0 {
		return fmt.Errorf("tensor %s has %v at element %d: the checkpoint is damaged", t.Name, v, at)
	}
	return nil
}

func notFinite(values []float32) (at int, v float32) {
	for i, v := range values {
		if v-v != 0 {
			return i, v
		}
	}
	return -1, 0
}
