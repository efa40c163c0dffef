package device

import (
	"fmt"
	"strings"
)

// Format is how weights are stored.
type Format string

const (
	F32      Format = "f32"
	F16      Format = "f16"
	BF16     Format = "bf16"
	Int8     Format = "int8"      // symmetric, a scale a row
	Int8Asym Format = "int8-asym" // with a zero point
	Int4     Format = "int4"      // symmetric, a scale a group of 128
	Int4Row  Format = "int4-row"  // symmetric, a scale a row ("channel-wise")
	Int4Asym Format = "int4-asym" // with a zero point
	NF4      Format = "nf4"       // a scale a row
	FP8      Format = "f8e4m3"    // a scale a row
)

// Check says whether a device may get weights of a format in a model of that
// many parameters (0 is unknown), and if not, why and what it may get.
func Check(f Format, d Device, parameters int64) error {
	r, known := ruleFor(f, d.Kind)
	if !known {
		return fmt.Errorf("weight format %q is unknown: use one of %s", f, join(Formats(d, parameters)))
	}
	if why := r.refuse(d, parameters); why != "" {
		return fmt.Errorf("weights in %s cannot go to the %s: %s; use one of %s", f, d.label(), why, join(Formats(d, parameters)))
	}
	return nil
}

// refuse says why not, "" where the format may be used.
func (r Rule) refuse(d Device, parameters int64) string {
	switch {
	case r.Refused != "":
		return r.Refused
	case r.MinGeneration != "" && d.Generation == "":
		return fmt.Sprintf("only an %s (%s) or newer takes them, and the generation of this one is not known", r.MinGeneration.Name(), r.MinGeneration)
	case r.MinGeneration != "" && !d.Generation.AtLeast(r.MinGeneration):
		return fmt.Sprintf("only an %s (%s) or newer takes them", r.MinGeneration.Name(), r.MinGeneration)
	case r.MaxParameters > 0 && parameters > r.MaxParameters:
		return fmt.Sprintf("they are for models of up to %s parameters, this one has %s", count(r.MaxParameters), count(parameters))
	}
	return ""
}

// label is what an error calls the device.
func (d Device) label() string {
	if d.Kind == NPU && d.Generation != "" {
		return fmt.Sprintf("NPU (%s)", d.Generation)
	}
	return string(d.Kind)
}

// CheckAsked refuses weights that the device does not take on which a part of
// the model was asked to run: "NPU", "GPU", "CPU" or "CPU-static", as the
// settings name it. Where nothing was asked for ("") the choice is still open,
// and a device that does not take them is passed over. machine is called only
// where the answer depends on which device there is.
func CheckAsked(f Format, asked string, parameters int64, machine func() Machine) error {
	if asked == "" {
		return nil
	}
	name, _, _ := strings.Cut(strings.ToUpper(asked), "-")
	d := Device{Kind: Kind(name)}
	switch d.Kind {
	case CPU, GPU:
	case NPU:
		if found, there := machine().Find(NPU); there {
			d = found
		}
	default:
		return nil // no device: whoever opens it says so
	}
	return Check(f, d, parameters)
}
