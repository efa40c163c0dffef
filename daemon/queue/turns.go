package queue

import "container/list"

// turns is a lane's order: groups take turns (round robin), and within a group
// it is first come, first served. All of it costs the same however many wait.
type turns[T any] struct {
	groups map[string]*group
	ring   list.List // of *group that are not empty; the next turn is the front's
}

type group struct {
	name   string
	values list.List
	at     *list.Element // in the ring
}

// place is where a value waits.
type place[T any] struct {
	group *group
	at    *list.Element
}

func (s *turns[T]) pushBack(name string, v T) *place[T] {
	g := s.group(name)
	return &place[T]{g, g.values.PushBack(v)}
}

func (s *turns[T]) pushFront(name string, v T) *place[T] {
	g := s.group(name)
	return &place[T]{g, g.values.PushFront(v)}
}

func (s *turns[T]) group(name string) *group {
	g := s.groups[name]
	if g == nil {
		if s.groups == nil {
			s.groups = map[string]*group{}
		}
		g = &group{name: name}
		g.at = s.ring.PushBack(g)
		s.groups[name] = g
	}
	return g
}

// pop takes the next value; ok is false where nothing waits.
func (s *turns[T]) pop() (v T, ok bool) {
	front := s.ring.Front()
	if front == nil {
		return v, false
	}
	g := front.Value.(*group)
	s.ring.MoveToBack(front)
	at := g.values.Front()
	s.remove(&place[T]{g, at})
	return at.Value.(T), true
}

// remove takes out what was pushed and has not been popped.
func (s *turns[T]) remove(p *place[T]) {
	p.group.values.Remove(p.at)
	if p.group.values.Len() == 0 {
		s.ring.Remove(p.group.at)
		delete(s.groups, p.group.name)
	}
}
