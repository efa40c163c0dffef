package optimum

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// weight is a tensor of a checkpoint and where its values lie.
type weight struct {
	name   string // as transformers' M2M100ForConditionalGeneration calls it
	kind   string // as safetensors calls it: F32, F16 or BF16
	shape  []int64
	file   string
	offset int64 // bytes
	size   int64
}

var kinds = map[string]struct {
	name  string
	bytes int64
}{"f32": {"F32", 4}, "f16": {"F16", 2}, "bf16": {"BF16", 2}}

// least is how many elements a constant of numbers has that must be a weight: masks,
// scales and shapes have fewer.
const least = 32

// origin takes apart the name of a layer that PyTorch's frontend has made: the
// module of the model, and the operation of PyTorch that it is of.
var origin = regexp.MustCompile(`^__module\.(.+)/(?:aten|ov_ext)::([a-z_]+)/[A-Za-z]+(?:_\d+)?$`)

// find lists the weights in a graph by name. prefix is what modules of the graph
// lack of their names in the whole model.
func (g graph) find(prefix string) (map[string]weight, error) {
	found := map[string]weight{}
	for _, id := range slices.Sorted(maps.Keys(g.layers)) {
		c := g.layers[id]
		if c.Type != "Const" {
			continue
		}
		n, err := elements(c.Data.Shape)
		if err != nil {
			return nil, fmt.Errorf("%s: constant %q: %w", g.path, c.Name, err)
		}
		kind, float := kinds[c.Data.Element]
		switch {
		case n < least:
			continue
		case !float && n >= 1024 && c.Data.Element != "i64" && c.Data.Element != "i32" && c.Data.Element != "boolean":
			return nil, fmt.Errorf("%s: constant %q has numbers of kind %s: the model was quantised when it was exported; export it with --weight-format fp16, dragoman quantises it itself",
				g.path, c.Name, c.Data.Element)
		case !float:
			continue
		case c.Data.Offset < 0 || c.Data.Size != n*kind.bytes:
			return nil, fmt.Errorf("%s: constant %q has %d bytes at %d, but shape %s of %s needs %d: export the model again",
				g.path, c.Name, c.Data.Size, c.Data.Offset, c.Data.Shape, c.Data.Element, n*kind.bytes)
		}
		names, err := g.names(c, prefix)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			w := weight{name, kind.name, shape(c.Data.Shape), g.weights(), c.Data.Offset, c.Data.Size}
			if strings.HasSuffix(name, ".bias") || strings.HasSuffix(name, "norm.weight") {
				w.shape = []int64{n} // of 1 x 1 x n, as it is added
			}
			if other, twice := found[name]; twice && other.offset != w.offset {
				return nil, fmt.Errorf("%s: two constants are %s", g.path, name)
			}
			found[name] = w
		}
	}
	return found, nil
}

// names are those of the weights that a constant is, by what uses it, directly or
// after its kind of number was converted. Positions are computed, so they have none.
func (g graph) names(c *layer, prefix string) (names []string, err error) {
	users, converted := slices.Clone(c.users), map[*layer]bool{}
	for len(users) > 0 {
		u := users[0]
		users = users[1:]
		if u.by.Type == "Convert" {
			if !converted[u.by] { // edges of a broken file may lead in a circle
				converted[u.by] = true
				users = append(users, u.by.users...)
			}
			continue
		}
		name, ok := nameOf(u, prefix)
		if !ok {
			return nil, fmt.Errorf("%s: constant %q (%s of %s) is used by %q (%s), which dragoman does not know: is it an M2M-100 model, exported by optimum-intel?",
				g.path, c.Name, c.Data.Element, c.Data.Shape, u.by.Name, u.by.Type)
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// nameOf is the name of the weight that is an input of a layer, "" for positions.
func nameOf(u use, prefix string) (name string, ok bool) {
	parts := origin.FindStringSubmatch(u.by.Name)
	if parts == nil {
		return "", false
	}
	module, operation := parts[1], parts[2]
	if prefix != "" && !strings.HasPrefix(module, prefix) {
		module = prefix + module
	}
	switch {
	case u.by.Type == "Gather" && strings.HasSuffix(module, "embed_positions"):
		return "", true
	case u.by.Type == "Gather" && operation == "embedding":
		return "model.shared.weight", true
	case u.by.Type == "MatMul" && operation == "linear" && u.port == "1" && u.by.Data.TransposeB && !u.by.Data.TransposeA:
		return module + ".weight", true
	case u.by.Type == "Add" && operation == "linear":
		return module + ".bias", true
	case u.by.Type == "Multiply" && operation == "layer_norm":
		return module + ".weight", true
	case u.by.Type == "Add" && operation == "layer_norm":
		return module + ".bias", true
	}
	return "", false
}

func shape(text string) (dims []int64) {
	for part := range strings.SplitSeq(text, ",") {
		n, _ := strconv.ParseInt(strings.TrimSpace(part), 10, 64) // elements has looked
		dims = append(dims, n)
	}
	return dims
}

func elements(text string) (n int64, err error) {
	n = 1
	if text == "" {
		return 1, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		d, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || d < 0 || d > 1<<40 || d > 0 && n > 1<<40/d {
			return 0, fmt.Errorf("its shape is %q", text)
		}
		n *= d
	}
	return n, nil
}
