package model

import (
	"archive/zip"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// storageTuple describes a storage of four elements; tensorWith makes a tensor of
// it from a first element, a shape and strides.
const storageTuple = "(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x04t"

func tensorWith(first, shape, strides string) string {
	return "\x80\x02}" + text("a") + "ctorch._utils\n_rebuild_tensor_v2\n(" + storageTuple + "Q" +
		first + shape + strides + "\x89}tRs."
}

func TestPickleRefusals(t *testing.T) {
	for name, c := range map[string]struct{ pickled, want string }{
		"nothing":                 {"", "byte 0: the pickle ends"},
		"no end":                  {"\x80\x02}", "byte 3: the pickle ends"},
		"os.system":               {"\x80\x02cos\nsystem\nX\x02\x00\x00\x00ls\x85R.", `byte 2: it asks for "os.system"`},
		"eval by protocol 4":      {"\x80\x04\x8c\x08builtins\x8c\x04eval\x93.", `byte 18: it asks for "builtins.eval"`},
		"another torch name":      {"ctorch._utils\n_rebuild_qtensor\n.", `"torch._utils._rebuild_qtensor"`},
		"attribute of a name":     {"ctorch\nFloatStorage.__init__\n.", `"torch.FloatStorage.__init__"`},
		"another way of a call":   {"(ios\nsystem\n.", "byte 1: opcode INST"},
		"object":                  {"ccollections\nOrderedDict\n)\x81.", "opcode NEWOBJ"},
		"extension":               {"\x82\x01.", "opcode EXT1"},
		"unknown opcode":          {"\xff.", "opcode 0xff"},
		"future protocol":         {"\x80\x09.", "protocol 9"},
		"storage class called":    {"ctorch\nFloatStorage\n)R.", "torch.FloatStorage cannot be called"},
		"text called":             {text("x") + ")R.", "text is called with a tuple"},
		"dict with arguments":     {"ccollections\nOrderedDict\nK\x01\x85R.", "with arguments"},
		"state on a list":         {"]}b.", "state is set on a list"},
		"not a dict":              {"].", "holds a list"},
		"values left over":        {"}}.", "1 values left over"},
		"empty stack":             {".", "a value is missing"},
		"mark missing":            {"}u.", "a mark is missing"},
		"mark as value":           {"(.", "after a mark"},
		"memo missing":            {"h\x05.", "value 5 was never remembered"},
		"key without value":       {"}(" + text("a") + "u.", "a key without a value"},
		"number as key":           {"}K\x01K\x02s.", "a key is a number"},
		"key twice":               {"}(" + text("a") + "N" + text("a") + "Nu.", `"a" is set twice`},
		"items on text":           {text("x") + "Na.", "items are added to text"},
		"weight is None":          {"}" + text("a") + "Ns.", `"a" is None`},
		"text beyond the end":     {"X\xff\xff\xff\x7f", "bytes wanted, 0 left"},
		"number too long":         {"\x8a\x09123456789.", "9 bytes is too large"},
		"storage of other kind":   {"K\x01Q.", "not described by five"},
		"storage without class":   {"(" + text("storage") + "NNNNtQ.", "unknown way"},
		"storage of a function":   {"(" + text("storage") + "ccollections\nOrderedDict\n" + text("0") + text("cpu") + "K\x04tQ.", "is no storage"},
		"storage of minus one":    {"(" + text("storage") + "ctorch\nFloatStorage\n" + text("0") + text("cpu") + "J\xff\xff\xff\xfftQ.", "has -1 elements"},
		"tensor of nothing":       {"ctorch._utils\n_rebuild_tensor_v2\n)R.", "described by 0 values"},
		"tensor without storage":  {"ctorch._utils\n_rebuild_tensor_v2\n(NNNNtR.", "None, not a storage"},
		"parameter of nothing":    {"ctorch._utils\n_rebuild_parameter\n)R.", "without a tensor"},
		"begins after storage":    {tensorWith("K\x05", "K\x01\x85", "K\x01\x85"), "begins outside"},
		"begins before storage":   {tensorWith("J\xff\xff\xff\xff", "K\x01\x85", "K\x01\x85"), "begins outside"},
		"longer than storage":     {tensorWith("K\x01", "K\x04\x85", "K\x01\x85"), "does not fit storage"},
		"shape overflows":         {tensorWith("K\x00", "(J\xff\xff\xff\x7fJ\xff\xff\xff\x7fJ\xff\xff\xff\x7ft", "K\x01\x85"), "overflows"},
		"negative size":           {tensorWith("K\x00", "J\xff\xff\xff\xff\x85", "K\x01\x85"), "from 0 on"},
		"huge size":               {tensorWith("K\x00", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x85", "K\x01\x85"), "overflows"},
		"shape is text":           {tensorWith("K\x00", text("x"), "K\x01\x85"), "a shape is text"},
		"strides for other shape": {tensorWith("K\x00", "K\x02K\x02\x86", "K\x01\x85"), "contiguous"},
		"transposed":              {tensorWith("K\x00", "K\x02K\x02\x86", "K\x01K\x02\x86"), "strides [1 2]"},
		"repeated":                {tensorWith("K\x00", "K\x04\x85", "K\x00\x85"), "strides [0]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readStateDict([]byte(c.pickled))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestPickleAllowances(t *testing.T) {
	got, err := readStateDict([]byte(tensorWith("K\x01", "K\x01K\x03\x86", "K\x63K\x01\x86")))
	require.NoError(t, err)
	require.Equal(t, []pickledTensor{{
		name: "a", from: storage{key: "0", dtype: F32, elems: 4}, first: 1, shape: []int{1, 3}, elems: 3,
	}}, got)
}

func TestPickleNumbers(t *testing.T) {
	for pickled, want := range map[string]any{
		"K\xff":             int64(255),
		"M\x01\x02":         int64(513),
		"J\xfe\xff\xff\xff": int64(-2),
		"\x8a\x00":          int64(0),
		"\x8a\x01\xff":      int64(-1),
		"\x8a\x02\xff\x00":  int64(255),
		"\x8a\x08\x00\x00\x00\x00\x01" + strings.Repeat("\x00", 3): int64(1) << 32,
		"G\x3f\xf8\x00\x00\x00\x00\x00\x00":                        1.5,
	} {
		u := &unpickler{data: []byte(pickled + ".")}
		got, err := u.run()
		require.NoError(t, err)
		require.Equal(t, want, got, "%q", pickled)
	}
}

func FuzzPickle(f *testing.F) {
	for _, name := range []string{"weights.bin", "protocol4.bin", "evil.bin", "transposed.bin", "training.bin"} {
		z, err := zip.OpenReader(filepath.Join("testdata", name))
		require.NoError(f, err)
		for _, r := range z.File {
			if filepath.Base(r.Name) != "data.pkl" {
				continue
			}
			rc, err := r.Open()
			require.NoError(f, err)
			pickled, err := io.ReadAll(rc)
			require.NoError(f, err)
			f.Add(pickled)
		}
		require.NoError(f, z.Close())
	}
	f.Add([]byte(tensorWith("K\x00", "K\x04\x85", "K\x01\x85")))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := readStateDict(data)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		for _, tensor := range tensors {
			n := 1
			for _, size := range tensor.shape {
				n *= size
			}
			require.Equal(t, n, tensor.elems)
			require.GreaterOrEqual(t, tensor.first, 0)
			require.LessOrEqual(t, tensor.elems, tensor.from.elems-tensor.first)
		}
	})
}

// FuzzTorch runs archive and pickle together.
func FuzzTorch(f *testing.F) {
	f.Add(read(f, "testdata", "weights.bin"))
	f.Add(torchOf(f, "a", ramp(3, 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		size := int64(len(data))
		entries, err := readTorch(strings.NewReader(string(data)), size, "fuzzed")
		if err != nil {
			require.ErrorContains(t, err, "fuzzed")
			return
		}
		for _, e := range entries {
			require.GreaterOrEqual(t, e.off, int64(0))
			require.LessOrEqual(t, e.bytes, size-e.off)
		}
	})
}
