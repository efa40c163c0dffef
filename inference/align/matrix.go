package align

import "math"

// Weights are how the tokens of a text look at those of its source, [1+text, 2+source]:
// the first row predicts the first token, and the source stands between the tokens of its
// language and its end.
type Weights []float32

// Matrix is by word of a translation and word of its source how much they belong
// together, each row adding up to 1, or to 0 where nothing is known of a word.
type Matrix [][]float64

// Looks are those of one pair in both directions, by layer: from the translation at the
// source, and from the source, as if it were the translation, at it.
type Looks struct {
	Source, Target *Text
	There, Back    map[int]Weights
}

// Matrix joins looks of some ways. Only what both directions and all ways have seen
// belongs together.
func (l *Looks) Matrix(ways []Way) Matrix {
	m := make(Matrix, len(l.Target.Words))
	for t := range m {
		m[t] = make([]float64, len(l.Source.Words))
		for s := range m[t] {
			m[t][s] = 1
		}
	}
	for _, way := range ways {
		there, back := wordWeights(l.There[way.Layer], l.Target, l.Source, way.Read), wordWeights(l.Back[way.Layer], l.Source, l.Target, way.Read)
		for t := range m {
			for s := range m[t] {
				m[t][s] *= there[t][s] * back[s][t]
			}
		}
	}
	for _, row := range m {
		norm(row)
	}
	return m
}

// wordWeights are those of words: of one's tokens in the mean, at all tokens of the other.
// Marks, the language and the end draw looks that mean nothing, and do not count.
func wordWeights(w Weights, of, at *Text, read bool) Matrix {
	m := make(Matrix, len(of.Words))
	for i := range m {
		m[i] = make([]float64, len(at.Words))
	}
	width := len(at.of) + 2
	for k, word := range of.of {
		if word < 0 {
			continue
		}
		row := k
		if read {
			row++
		}
		for q, other := range at.of {
			if other >= 0 {
				m[word][other] += float64(w[row*width+1+q])
			}
		}
	}
	for _, row := range m {
		norm(row)
	}
	return m
}

func norm(row []float64) {
	sum := 0.0
	for _, v := range row {
		sum += v
	}
	if sum < math.SmallestNonzeroFloat32 || math.IsNaN(sum) {
		clear(row)
		return
	}
	for i := range row {
		row[i] /= sum
	}
}

// Link says that a word of a translation stands for one of its source.
type Link struct {
	Source, Target Span
	Weight         float64 // of all that the word stands for, above 0, at most 1
}

// least is the weight of a link that is worth telling.
const least = 0.02

// Links are those of a matrix, in the order of the translation.
func (l *Looks) Links(m Matrix) (all []Link) {
	for t, row := range m {
		for s, weight := range row {
			if weight >= least {
				all = append(all, Link{l.Source.Words[s], l.Target.Words[t], weight})
			}
		}
	}
	return all
}
