package host

import "time"

// way is how a step of several sequences is spread over the team.
type way int

const (
	// together has all members work on all sequences, phase by phase: the weights are
	// read once, and members wait for each other some hundred times.
	together way = iota
	// apart gives each member some of the sequences: nobody waits, and each reads all
	// the weights.
	apart
)

// leastApart is how many sequences a member gets at least: fewer do not make up for
// reading the weights once more.
const leastApart = 8

// ways finds which way is the faster. What a sequence gets is the same, to the bit.
type ways struct {
	steps int
	cost  [2]float64 // seconds for a sequence, the recent steps weighing more; 0 as long as there is none
	only  *way       // nil for the faster
}

const (
	firstTries = 8  // steps in turns before there is a choice
	retry      = 64 // of so many steps one goes the other way: what else runs on the processor changes
	weight     = 0.2
)

// next is the way of the next step.
func (w *ways) next() way {
	if w.only != nil {
		return *w.only
	}
	w.steps++
	better, other := together, apart
	if w.cost[apart] < w.cost[together] {
		better, other = apart, together
	}
	if w.steps <= firstTries && w.steps%2 == 0 || w.steps%retry == 0 {
		return other
	}
	return better
}

// took notes what a step cost.
func (w *ways) took(by way, took time.Duration, sequences int) {
	cost := took.Seconds() / float64(sequences)
	if w.cost[by] > 0 {
		cost = weight*cost + (1-weight)*w.cost[by]
	}
	w.cost[by] = cost
}

// choice tells whether there is one for so many sequences.
func (m *Model) choice(sequences int) bool {
	return m.team.size > 1 && sequences >= leastApart*m.team.size
}

// spread has the next step take sequences, in one part or in one for each member.
func (m *Model) spread(sequences []*Sequence) (by way) {
	m.parts = m.parts[:0]
	if m.choice(len(sequences)) {
		by = m.ways.next()
	}
	if by == together {
		m.step.take(m, sequences)
		m.parts = append(m.parts, &m.step)
		return together
	}
	size := m.team.size
	for i := range size {
		if i == len(m.own) {
			m.own = append(m.own, new(step))
			m.own[i].init(m, 1, 0)
		}
		m.own[i].take(m, sequences[i*len(sequences)/size:(i+1)*len(sequences)/size])
		m.parts = append(m.parts, m.own[i])
	}
	return apart
}

// member is a member in the step under way.
func (m *Model) member(number int) member {
	if len(m.parts) > 1 {
		s := m.parts[number]
		return member{Model: m, scratch: &s.members[0], step: s, alone: true}
	}
	return member{Model: m, scratch: &m.step.members[number], step: &m.step}
}
