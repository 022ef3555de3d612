package statetree

const (
	fanBits = 6
	fan     = 1 << fanBits
	fanMask = fan - 1
)

// minima finds the nearest index, before or after another, whose depth is at most d, in a
// growing list of depths, in O(fan·log n). Level 0 is the list itself. Entry k of level l is
// the minimum of entries k·fan to k·fan+63 of level l-1. The topmost level has one entry.
type minima struct {
	levels []*column[uint32] // levels[0] is level 1
	n      int
}

// depths is level 0 of minima: the stack depth of each event.
type depths interface{ depth(i int) uint32 }

// add adds the depth of the next event, which the list must already contain.
func (m *minima) add(list depths, d uint32) {
	i := m.n
	m.n++
	for l := 1; ; l++ {
		k := i >> (fanBits * l)
		if l > len(m.levels) {
			if i>>(fanBits*(l-1)) == 0 {
				return // the level below has one entry: it is the topmost
			}
			m.levels = append(m.levels, &column[uint32]{})
			m.levels[l-1].push(m.value(list, l-1, 0))
		}
		level := m.levels[l-1]
		if k == level.n {
			level.push(d)
			continue
		}
		least := level.at(k)
		if *least <= d {
			return // the levels above are already small enough
		}
		*least = min(*least, d)
	}
}

func (m *minima) value(list depths, level, k int) uint32 {
	if level == 0 {
		return list.depth(k)
	}
	return *m.levels[level-1].at(k)
}

func (m *minima) len(level int) int {
	if level == 0 {
		return m.n
	}
	return m.levels[level-1].n
}

// first returns the smallest index in a level, from k on, with a value of at most d, or -1.
func (m *minima) first(list depths, level, k int, d uint32) int {
	n := m.len(level)
	top := level == len(m.levels)
	for ; k < n && (top || k&fanMask != 0); k++ {
		if m.value(list, level, k) <= d {
			return k
		}
	}
	if k >= n {
		return -1
	}
	group := m.first(list, level+1, k>>fanBits, d)
	if group < 0 {
		return -1
	}
	k = group << fanBits
	for m.value(list, level, k) > d {
		k++
	}
	return k
}

// last returns the largest index in a level, up to k, with a value of at most d, or -1.
func (m *minima) last(list depths, level, k int, d uint32) int {
	top := level == len(m.levels)
	for ; k >= 0 && (top || k&fanMask != fanMask); k-- {
		if m.value(list, level, k) <= d {
			return k
		}
	}
	if k < 0 {
		return -1
	}
	group := m.last(list, level+1, k>>fanBits, d)
	if group < 0 {
		return -1
	}
	k = group<<fanBits | fanMask
	for m.value(list, level, k) > d {
		k--
	}
	return k
}
