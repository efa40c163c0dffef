package kernel

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// atEnd copies to the very end of memory behind which nothing can be read or written,
// nor before its first page.
func atEnd[T any](t *testing.T, from []T) []T {
	t.Helper()
	page := syscall.Getpagesize()
	size := len(from) * int(unsafe.Sizeof(from[0]))
	whole := (size + page - 1) / page * page
	data, err := syscall.Mmap(-1, 0, whole+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(data)) })
	require.NoError(t, syscall.Mprotect(data[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(data[page+whole:], syscall.PROT_NONE))
	to := unsafe.Slice((*T)(unsafe.Pointer(&data[page+whole-size])), len(from))
	copy(to, from)
	return to
}

func (v Vectors) atEnd(t *testing.T) Vectors {
	t.Helper()
	v.data = atEnd(t, v.data)
	if v.tiles != nil {
		v.tiles = atEnd(t, v.tiles)
	}
	return v
}

// TestNothingOutsideIsTouched has all that products read and write end where memory does.
func TestNothingOutsideIsTouched(t *testing.T) {
	needKernels(t)
	defer func(saved instructions) { best = saved }(best)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	r := rand.New(rand.NewPCG(17, 18))
	for _, by := range sets {
		if best = by; !by.there {
			continue
		}
		for _, width := range []int{Group, 4 * Group, 8 * Group} {
			for _, rows := range []int{4, 8, 12, 32, 36, 68} {
				eight, four := randomInt8(r, rows, width), randomInt4(r, rows, width)
				eight.Weights, eight.Scales = atEnd(t, eight.Weights), atEnd(t, eight.Scales)
				four.Weights, four.Scales = atEnd(t, four.Weights), atEnd(t, four.Scales)
				for _, count := range []int{1, 2, 3, 5, 6, 7, 16, 17} {
					var x [][]float32
					for range count {
						x = append(x, atEnd(t, random(r, width)))
					}
					stride := rows + count%3
					for _, v := range []Vectors{NewVectors(width, count), NewGrouped(width, count)} {
						v = v.atEnd(t)
						fill(v, x)
						out := make([]float32, (count-1)*stride+rows)
						for i := range out {
							out[i] = 12345
						}
						out = atEnd(t, out)
						require.NotPanics(t, func() {
							if v.grouped {
								four.Multiply(out, stride, v, count, 0, rows)
							} else {
								eight.Multiply(out, stride, v, count, 0, rows)
							}
						}, "%s, %d wide, %d rows, %d vectors", by.name, width, rows, count)
						for i, y := range out {
							require.Equal(t, i%stride >= rows, y == 12345, "%s, %d wide, %d rows, %d vectors: %d", by.name, width, rows, count, i)
						}
					}
				}
			}
		}
	}
}

func TestHalvesTouchNothingOutside(t *testing.T) {
	needKernels(t)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for n := range 40 {
		if n > 0 {
			require.NotPanics(t, func() { Halves(atEnd(t, make([]float32, n)), atEnd(t, make([]byte, 2*n))) })
		}
	}
}

// TestWeightsThatCannotBeRead: a product that meets a page which is not there panics, and
// the next ones are right, by the same thread.
func TestWeightsThatCannotBeRead(t *testing.T) {
	needKernels(t)
	defer func(saved instructions) { best = saved }(best)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := rand.New(rand.NewPCG(19, 20))
	const rows, width = 64, 8 * Group
	eight, four := randomInt8(r, rows, width), randomInt4(r, rows, width)
	for _, by := range sets {
		if best = by; !by.there {
			continue
		}
		for _, count := range []int{1, 2, 4, 6, 17} {
			var x [][]float32
			for range count {
				x = append(x, random(r, width))
			}
			v, grouped := NewVectors(width, count), NewGrouped(width, count)
			fill(v, x)
			fill(grouped, x)
			multiply := func(eight Int8, four Int4) (a, b []float32) {
				a, b = make([]float32, count*rows), make([]float32, count*rows)
				eight.Multiply(a, rows, v, count, 0, rows)
				four.Multiply(b, rows, grouped, count, 0, rows)
				return a, b
			}
			wantEight, wantFour := multiply(eight, four)
			for _, n := range []int{1, 2, 7} { // pages of weights that are there
				short := func(whole []byte) []byte {
					page := syscall.Getpagesize()
					data, err := syscall.Mmap(-1, 0, len(whole), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
					require.NoError(t, err)
					t.Cleanup(func() { require.NoError(t, syscall.Munmap(data)) })
					copy(data, whole)
					require.NoError(t, syscall.Mprotect(data[n*page:], syscall.PROT_NONE))
					return data
				}
				broken8, broken4 := eight, four
				bytes := short(unsafe.Slice((*byte)(unsafe.Pointer(&eight.Weights[0])), len(eight.Weights)))
				broken8.Weights = unsafe.Slice((*int8)(unsafe.Pointer(&bytes[0])), len(bytes))
				broken4.Weights = short(four.Weights)
				out := make([]float32, count*rows)
				require.Panics(t, func() { broken8.Multiply(out, rows, v, count, 0, rows) })
				require.Panics(t, func() { broken4.Multiply(out, rows, grouped, count, 0, rows) })
				gotEight, gotFour := multiply(eight, four)
				require.Equal(t, wantEight, gotEight, by.name)
				require.Equal(t, wantFour, gotFour, by.name)
			}
		}
	}
}
