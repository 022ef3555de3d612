package align

import "github.com/npdb/npdb/trace/statetree"

// advance reads the names that events up to one, exclusively, have changed.
func (s *side) advance(to int) {
	for ; s.at < to; s.at++ {
		for s.aside < len(s.asides) && int(s.asides[s.aside].Event) <= s.at {
			a := s.asides[s.aside]
			s.aside++
			s.rebind(a.Activation, func(yield func(statetree.Binding)) bool { return s.tree.ReboundAside(a, yield) })
		}
		s.rebind(s.act[s.at], func(yield func(statetree.Binding)) bool { return s.tree.Rebound(s.at, yield) })
	}
}

// rebind applies changes of names to an activation. read calls yield with them, and reports whether they
// are all names that have a value.
func (s *side) rebind(act uint32, read func(yield func(statetree.Binding)) (all bool)) {
	f := s.frames[act]
	if f == nil {
		code := s.tree.CodeOf(act)
		f = &frame{code: code, cells: make([]statetree.Binding, len(s.tree.Code(code).Names))}
		s.frames[act] = f
	}
	clean := len(f.dirty) == 0
	all := read(func(b statetree.Binding) {
		if b.Slot < len(f.cells) && f.cells[b.Slot] != b {
			f.cells[b.Slot] = b
			f.dirty = append(f.dirty, b.Slot)
		}
	})
	if all {
		stored := map[int]bool{}
		read(func(b statetree.Binding) { stored[b.Slot] = b.Bound })
		for slot := range f.cells {
			if f.cells[slot].Bound && !stored[slot] {
				f.cells[slot] = statetree.Binding{Slot: slot}
				f.dirty = append(f.dirty, slot)
			}
		}
	}
	if clean && len(f.dirty) > 0 {
		s.touched = append(s.touched, act)
	}
}

// compared says that all names that have changed were compared.
func (s *side) compared() {
	for _, act := range s.touched {
		if f := s.frames[act]; f != nil {
			f.dirty = f.dirty[:0]
		}
	}
	s.touched = s.touched[:0]
}

// left drops the names of an activation that has ended with event i, if it did.
func (s *side) left(i int) {
	if s.flags[i]&isOver == 0 {
		return
	}
	if f := s.frames[s.act[i]]; f != nil && !s.modules[f.code] {
		delete(s.frames, s.act[i])
	}
}

// changes are the objects that have changed since the events that were compared last.
type changes struct {
	of       []statetree.Object
	versions map[statetree.Object][]int
}

// changes returns the objects that have changed up to event i and are paired, or changed together.
func (s *side) changes(i int) (c changes) {
	for ; s.version < len(s.versions) && s.tree.VersionEvent(s.version) <= i; s.version++ {
		o := s.versions[s.version]
		if !s.paired(o) {
			continue
		}
		if c.versions == nil {
			c.versions = map[statetree.Object][]int{}
		}
		if len(c.versions[o]) == 0 {
			c.of = append(c.of, o)
		}
		c.versions[o] = append(c.versions[o], s.version)
	}
	return c
}
