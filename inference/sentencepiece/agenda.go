package sentencepiece

// agenda is a binary heap of candidates, the first to merge at the top.
// container/heap would box every candidate in an interface.
type agenda []candidate

func (a agenda) order() {
	for i := len(a)/2 - 1; i >= 0; i-- {
		a.down(i)
	}
}

func (a *agenda) push(c candidate) {
	*a = append(*a, c)
	h := *a
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !c.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = c
}

func (a *agenda) pop() candidate {
	h := *a
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	*a = h[:last]
	(*a).down(0)
	return top
}

func (a agenda) down(i int) {
	if i >= len(a) {
		return
	}
	c := a[i]
	for {
		child := 2*i + 1
		if child >= len(a) {
			break
		}
		if child+1 < len(a) && a[child+1].before(a[child]) {
			child++
		}
		if !a[child].before(c) {
			break
		}
		a[i] = a[child]
		i = child
	}
	a[i] = c
}
