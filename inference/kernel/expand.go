package kernel

// Expand sets to to rows of m from first on, as weights of eight bits: what is lost is at
// most half of a 127th of a row's largest weight. Many vectors are multiplied faster with
// these than with four bits, unpacking included.
func (m Int4) Expand(to Int8, first, rows int) {
	groups := m.Width / Group
	if to.Width != m.Width || rows < 1 || rows > len(to.Scales) || rows*m.Width > len(to.Weights) || first < 0 || (first+rows)*groups > len(m.Scales) {
		panic("kernel: rows outside a matrix")
	}
	expand(&to.Weights[0], &to.Scales[0], &m.Weights[first*m.Width/2], &m.Scales[first*groups], groups, rows)
}

// ExpandsFor tells whether so many vectors are multiplied faster with weights of four bits
// that are made eight bits before.
func ExpandsFor(count int) bool { return !best.words && count >= leastExpanded }

// leastExpanded is how many vectors make up for expanding.
const leastExpanded = 6
