package statetree

// The layouts of the columns of a tree. What they check ends all chains of references and keeps
// all numbers of events, activations and places in range.

func (t *Tree) isEvent(i uint32) bool { return i == none || int64(i) < int64(t.events.n()) }

func (t *Tree) isStamp(i uint32) bool { return int64(i) <= int64(t.events.n()) }

// backwards is the layout of a column of references to earlier rows.
func backwards(part string) *layout[uint32] {
	return &layout[uint32]{
		part: part, deltas: []bool{false},
		split: func(row *uint32, i int, f []uint32) { f[0] = since(*row, i) },
		join: func(f []uint32, i int, row *uint32) (ok bool) {
			*row, ok = until(f[0], i)
			return ok
		},
	}
}

// addresses is the layout of a column of addresses of an arena.
func addresses(part string) *layout[uint64] {
	return &layout[uint64]{
		part: part, deltas: []bool{true, true},
		split: func(row *uint64, _ int, f []uint32) { f[0], f[1] = uint32(*row), uint32(*row>>32) },
		join: func(f []uint32, _ int, row *uint64) bool {
			*row = uint64(f[0]) | uint64(f[1])<<32
			return true
		},
	}
}

func (t *Tree) placeLayout() *layout[place] {
	return &layout[place]{
		part: "stacks", deltas: []bool{true, false, true, true},
		split: func(p *place, i int, f []uint32) {
			f[0], f[1], f[2], f[3] = p.who, since(p.below, i), p.depth, p.caller
		},
		join: func(f []uint32, i int, p *place) (ok bool) {
			p.who, p.depth, p.caller = f[0], f[2], f[3]
			p.below, ok = until(f[1], i)
			who := t.activations.n
			if p.generator() {
				who = t.resumptions.n
			}
			return ok && int(p.who&^isResumption) < who && int(p.depth) <= i && t.isEvent(p.caller)
		},
	}
}

// activationLayout saves the last event of an activation also if the activation has not ended.
func (t *Tree) activationLayout() *layout[activation] {
	return &layout[activation]{
		part: "activations", deltas: []bool{false, false, true, false},
		split: func(a *activation, i int, f []uint32) {
			f[0], f[1], f[2], f[3] = a.code, uint32(a.flags&^isLive), a.first, t.lastEvent(uint32(i))-a.first
		},
		join: func(f []uint32, _ int, a *activation) bool {
			*a = activation{code: f[0], flags: activationFlags(f[1]), first: f[2], last: f[2] + f[3]}
			return int(a.code) < len(t.codes) && f[1]&^uint32(isAdopted|isCalled|isContinued) == 0 && t.isEvent(a.first) && t.isEvent(a.last)
		},
	}
}

func (t *Tree) resumptionLayout() *layout[resumption] {
	return &layout[resumption]{
		part: "resumptions", deltas: []bool{true, true, true, true, false},
		split: func(r *resumption, i int, f []uint32) {
			f[0], f[1], f[2], f[3], f[4] = r.activation, r.outermost, r.before, r.after, since(r.previous, i)
		},
		join: func(f []uint32, i int, r *resumption) (ok bool) {
			*r = resumption{activation: f[0], outermost: f[1], before: f[2], after: f[3]}
			r.previous, ok = until(f[4], i)
			return ok && int(r.activation) < t.activations.n && int(r.outermost) < t.activations.n &&
				t.isEvent(r.before) && t.isEvent(r.after)
		},
	}
}

func (s *skew) split(i int, f []uint32) {
	f[0], f[1], f[2] = s.stamp, since(s.previous, i), since(s.jump, i)
}

func (s *skew) join(f []uint32, i int) bool {
	previous, ok := until(f[1], i)
	jump, also := until(f[2], i)
	*s = skew{stamp: f[0], previous: previous, jump: jump}
	return ok && also
}

func (t *Tree) versionLayout() *layout[version] {
	return &layout[version]{
		part: "versions of objects", deltas: []bool{true, false, false, true},
		split: func(v *version, i int, f []uint32) {
			v.skew.split(i, f)
			f[3] = v.low
		},
		join: func(f []uint32, i int, v *version) bool {
			v.low = f[3]
			return v.skew.join(f, i) && t.isStamp(v.stamp)
		},
	}
}

func (t *Tree) asideLayout() *layout[aside] {
	return &layout[aside]{
		part: "changes of outer names", deltas: []bool{true, false, false, false, true, true},
		split: func(a *aside, i int, f []uint32) {
			a.skew.split(i, f)
			f[3], f[4], f[5] = a.before, uint32(a.at), uint32(a.at>>32)
		},
		join: func(f []uint32, i int, a *aside) bool {
			a.before, a.at = f[3], uint64(f[4])|uint64(f[5])<<32
			return a.skew.join(f, i) && t.isStamp(a.stamp)
		},
	}
}

func ledgerLayout(part string, valid func(value uint32) bool) *layout[ledgerRow] {
	return &layout[ledgerRow]{
		part: part, deltas: []bool{true, true},
		split: func(r *ledgerRow, _ int, f []uint32) { f[0], f[1] = r.key, r.value },
		join: func(f []uint32, _ int, r *ledgerRow) bool {
			*r = ledgerRow{f[0], f[1]}
			return valid == nil || valid(r.value)
		},
	}
}
