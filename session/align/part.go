package align

// windows are the numbers of events of one activation, on each side, among which the walk looks for the
// nearest ones that agree.
var windows = []int{64, 1024, 32768}

// part records that the runs leave different lines here, and resumes where they agree again.
func (w *walker) part() {
	d := Divergence{Kind: Path, Events: [2]int{w.i, w.j}, Joins: [2]int{-1, -1}}
	n := len(w.Divergences)
	w.divergeUnlessIgnored(d)
	if !w.join() {
		w.leave(0, w.a.n)
		w.leave(1, w.b.n)
	} else if n < len(w.Divergences) {
		w.Divergences[n].Joins = [2]int{w.i, w.j}
	}
}

// divergeUnlessIgnored adds a divergence to the list, unless it comes from the clock and the like.
func (w *walker) divergeUnlessIgnored(d Divergence) {
	if len(w.Divergences) < mostTraced && w.ignored(&d) {
		return
	}
	w.diverge(d)
}

// join leaves the events up to the next ones of both runs that agree, in the innermost activation in
// which they do. It reports whether there are any.
func (w *walker) join() bool {
	for w.i < w.a.n && w.j < w.b.n {
		act, ok := w.common()
		if !ok {
			return false
		}
		other := w.a.partner[act] - 1
		from, to := w.a.first(w.i, act), w.b.first(w.j, other)
		if from < 0 || to < 0 {
			return false
		}
		if i, j, found := w.nearest(act, other, from, to); found {
			w.leave(0, i)
			w.leave(1, j)
			return true
		}
		// The rest of the activation differs: go on in its caller.
		w.leave(0, w.a.end(from, act))
		w.leave(1, w.b.end(to, other))
		if w.i < w.a.n && w.j < w.b.n && w.match(w.i, w.j) {
			return true
		}
	}
	return false
}

// common returns the innermost activation of the first run that is on the stack of both runs.
func (w *walker) common() (act uint32, ok bool) {
	on := map[uint32]bool{}
	for _, f := range w.b.tree.Stack(w.j) {
		on[f.Activation] = true
	}
	stack := w.a.tree.Stack(w.i)
	for k := len(stack) - 1; k >= 0; k-- {
		act := stack[k].Activation
		if p := w.a.partner[act]; p > 0 && on[p-1] {
			return act, true
		}
	}
	return 0, false
}

// first returns the first event from i on that is one of an activation, or a call from it; -1 for none.
func (s *side) first(i int, act uint32) int {
	if s.flags[i]&isCall != 0 && s.act[i] != act {
		return i // the walk was in the caller
	}
	for ; i < s.n; i++ {
		if s.act[i] == act {
			return i
		}
	}
	return -1
}

// next returns the event that follows one of an activation or a call from it, in the same activation:
// calls are passed over. ok is false after the activation has left the stack.
func (s *side) next(i int, act uint32) (int, bool) {
	switch {
	case s.act[i] == act && s.flags[i]&isOut != 0:
		return 0, false
	case s.flags[i]&isCall != 0 && s.act[i] != act:
		i = int(s.leap[i])
	}
	return i + 1, i+1 < s.n
}

// end returns the event after the one with which an activation leaves the stack; i is one of its events.
func (s *side) end(i int, act uint32) int {
	for {
		next, ok := s.next(i, act)
		if !ok {
			return min(i+1, s.n)
		}
		i = next
	}
}

// list returns events of an activation from i on, and calls from it, at most n.
func (s *side) list(i int, act uint32, n int) (list []int) {
	for ok := true; ok && len(list) < n; i, ok = s.next(i, act) {
		list = append(list, i)
	}
	return list
}

// spot is what two events have in common at which runs join.
type spot struct{ key, loops uint32 }

// nearest returns the nearest events of two activations at which the runs join: those with the fewest
// events to pass. First they must agree in the iterations of loops, too.
func (w *walker) nearest(act, other uint32, from, to int) (i, j int, ok bool) {
	for _, iterations := range []bool{true, false} {
		for _, n := range windows {
			a, b := w.a.list(from, act, n), w.b.list(to, other, n)
			x, y, found := w.meet(a, b, iterations)
			if found && (x+y <= n || n == windows[len(windows)-1]) {
				return a[x], b[y], true
			}
			if len(a) < n && len(b) < n {
				if found {
					return a[x], b[y], true
				}
				break // these are all events
			}
		}
	}
	return 0, 0, false
}

// meet returns the indices in two lists of events at which the runs join. Events after which the next
// ones agree as well are better.
func (w *walker) meet(a, b []int, iterations bool) (x, y int, ok bool) {
	at := make(map[spot]int, len(b))
	spotOf := func(s *side, i int) spot {
		if iterations {
			return spot{s.key[i], s.loops[i]}
		}
		return spot{key: s.key[i]}
	}
	for k := len(b) - 1; k >= 0; k-- {
		at[spotOf(w.b, b[k])] = k
	}
	best := len(a) + len(b) + 1
	for k := range min(len(a), best) {
		n, found := at[spotOf(w.a, a[k])]
		if !found || k == 0 && n == 0 || !w.match(a[k], b[n]) {
			continue
		}
		cost := k + n
		if k+1 < len(a) && n+1 < len(b) && w.a.key[a[k+1]] != w.b.key[b[n+1]] {
			cost += unsureCost
		}
		if cost < best {
			x, y, best, ok = k, n, cost, true
		}
	}
	return x, y, ok
}

// unsureCost is the number of events that may be passed rather than to join at a single pair of events
// that agree.
const unsureCost = 4
