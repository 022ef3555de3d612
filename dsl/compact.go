package dsl

// Compact returns a new, short text for a position whose text has become too long for a model's
// window. The new text contains the context, the latest known state of each activation below the
// current one, outermost first, and the current state (or the end). Each state is complete, with
// its whole stack. Everything that these states do not show is lost: the state of iterators, which
// names refer to the same object, globals and closures. Compact takes linear time.
func (n *Node) Compact() (*Node, error) {
	m, err := n.book.Begin(n.book.program)
	if err != nil {
		return nil, err
	}
	m = m.Mark()
	current := n
	for current.parent != nil && current.step.Reply.Outcome != Landed && current.step.Reply.Outcome != Ended {
		current = current.parent
	}
	if current.parent == nil {
		return nil, cannotWrite("a text without a state has nothing to compact")
	}
	stops := []*Stop{}
	if stop := current.step.Reply.Stop; stop != nil {
		stops = current.callers(stop)
	}
	for _, stop := range stops {
		if m, err = m.Append(Step{Reply: Reply{Outcome: Landed, Stop: alone(stop)}}); err != nil {
			return nil, err
		}
	}
	last := current.step.Reply
	if last.Stop != nil {
		last.Stop = alone(last.Stop)
	}
	return m.Append(Step{Reply: last})
}

// alone returns a copy of the stop without Whole. The flag is not needed, because a state at the
// beginning of a text always has its whole stack.
func alone(s *Stop) *Stop {
	c := *s
	c.Whole = false
	return &c
}

// callers returns the latest known states of the activations below a stop. After a jump these
// states are no longer on the reader's stack; callers then finds them by the numbers of their
// activations.
func (n *Node) callers(stop *Stop) []*Stop {
	found := map[int]*Stop{}
	for f := n.reader.top; f != nil; f = f.below {
		found[f.depth] = f.latest
	}
	missing := map[uint32]int{}
	for depth := range stop.Depth {
		if found[depth] == nil && stop.Activations != nil {
			missing[stop.Activations[depth]] = depth
		}
	}
	for ; n != nil && len(missing) > 0; n = n.parent {
		s := n.step.Reply.Stop
		if s == nil || s.Activations == nil {
			continue
		}
		act := s.Activations[s.Depth]
		if depth, ok := missing[act]; ok && s != stop {
			found[depth] = s
			delete(missing, act)
		}
	}
	var stops []*Stop
	for depth := range stop.Depth {
		if s := found[depth]; s != nil {
			stops = append(stops, s)
		}
	}
	return stops
}
