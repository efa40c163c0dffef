package model

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSafetensorsRefusals(t *testing.T) {
	four := make([]byte, 4)
	long := binary.LittleEndian.AppendUint64(nil, math.MaxUint64)
	good := withHeader(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, four)
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"shorter than its length field": {[]byte{1, 2, 3}, "3 bytes"},
		"header beyond the file":        {withHeader(`{}`, nil)[:9], "claims 2 bytes but only 1"},
		"huge header":                   {append(long, '{'), "the limit is 100000000"},
		"header of nothing":             {make([]byte, 8), "broken JSON in the header at byte 8"},
		"broken JSON":                   {withHeader(`{"a":{"dtype":"F32",]}`, nil), "broken JSON in the header at byte"},
		"JSON cut short":                {withHeader(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`, four), "broken JSON"},
		"a list":                        {withHeader(`[]`, nil), "byte 8 is not a JSON object"},
		"not UTF-8":                     {withHeader("{\"\xff\":1}", nil), "not UTF-8"},
		"text after the header":         {withHeader(`{} x`, nil), "after the header's end"},
		"listed twice":                  {withHeader(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, four), `"a" is listed twice`},
		"twice by escape":               {withHeader(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"\u0061":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, four), `"a" is listed twice`},
		"no shape":                      {withHeader(`{"a":{"dtype":"F32","data_offsets":[0,4]}}`, four), `tensor "a": dtype, shape`},
		"three offsets":                 {withHeader(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}}`, four), `tensor "a": dtype, shape`},
		"unknown type":                  {withHeader(`{"a":{"dtype":"Q4","shape":[1],"data_offsets":[0,4]}}`, four), `"Q4"`},
		"backwards":                     {withHeader(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, four), "are no range"},
		"negative offset":               {withHeader(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`, four), "are no range"},
		"negative size":                 {withHeader(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, four), "negative dimension"},
		"size as fraction":              {withHeader(`{"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}}`, four), `tensor "a"`},
		"overflowing shape":             {withHeader(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, nil), "overflows"},
		"size beyond any integer":       {withHeader(`{"a":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}}`, four), `tensor "a"`},
		"nine dimensions":               {withHeader(`{"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}}`, four), "9 dimensions"},
		"wrong byte count":              {withHeader(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, four), "hold 4 bytes, but shape [2] of F32 needs 8"},
		"cut short":                     {good[:len(good)-1], `tensor "a" ends at byte`},
		"ends beyond any integer":       {withHeader(`{"a":{"dtype":"U8","shape":[4],"data_offsets":[9223372036854775803,9223372036854775807]}}`, nil), `tensor "a" ends at byte`},
		"longer than it says":           {append(bytes.Clone(good), 0), "1 bytes after the last tensor"},
		"overlap":                       {withHeader(`{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}`, four), `"a" and "b" both claim byte`},
		"hole":                          {withHeader(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}`, four), `before tensor "b"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newFolder(t)
			path := write(t, dir, "model.safetensors", c.file)
			_, err := Open(dir)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestSafetensorsAllowances(t *testing.T) {
	dir := newFolder(t)
	write(t, dir, "model.safetensors", withHeader(
		`{"__metadata__":{"format":"pt"},"z":{"dtype":"F32","shape":[0,4],"data_offsets":[4,4]},`+
			`"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"b":{"dtype":"BF16","shape":[1,2],"data_offsets":[4,8]}}`+strings.Repeat(" ", 7),
		[]byte{0, 0, 0x80, 0x3f, 0, 0xc0, 0, 0x40}))
	c := open(t, dir)
	require.Equal(t, []string{"a", "b", "z"}, c.Names())
	require.Equal(t, []float32{1}, values(t, c, "a"))
	require.Equal(t, []float32{-2, 2}, values(t, c, "b"))
	require.Empty(t, values(t, c, "z"))
}

func FuzzSafetensors(f *testing.F) {
	f.Add([]byte{})
	f.Add(safetensorsOf(f, map[string]matrix{"a": {[]int{2, 2}, ramp(4, 0)}, "b": {[]int{3}, ramp(3, 0)}}))
	f.Add(withHeader(`{"a":{"dtype":"F16","shape":[0],"data_offsets":[0,0]},"b":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}}`, []byte{0, 0}))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := readSafetensors(bytes.NewReader(data), int64(len(data)), "fuzzed")
		if err != nil {
			require.ErrorContains(t, err, "fuzzed")
			return
		}
		end := int64(8)
		for _, e := range entries {
			require.GreaterOrEqual(t, e.off, end)
			require.Equal(t, int64(e.elems)*dtypeSizes[e.dtype], e.bytes)
			end = e.off + e.bytes
			require.LessOrEqual(t, end, int64(len(data)))
		}
	})
}
