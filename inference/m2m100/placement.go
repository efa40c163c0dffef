package m2m100

import (
	"context"

	"dragoman/inference/model"
)

// Placement is where the encoder runs and in which shape.
type Placement string

const (
	// CPU runs the graph of dynamic length: one copy of the weights, no padding.
	CPU Placement = "CPU"
	// CPUStatic runs on the CPU the static graphs that an accelerator gets. It
	// is how they are tested where there is none.
	CPUStatic Placement = "CPU-static"
)

func (p Placement) newEncoder(ctx context.Context, g graphs, c model.Config, table *embedding) (encoder, error) {
	if p == CPUStatic {
		return newStaticEncoder(g, c, table), nil
	}
	return newDynamicEncoder(ctx, g, c, table)
}
