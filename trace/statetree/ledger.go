package statetree

import "sort"

// ledger maps events or activations to numbers. A loaded tree has it as pages, sorted by key.
type ledger struct {
	live  map[uint32]uint32
	saved column[ledgerRow]
}

type ledgerRow struct{ key, value uint32 }

func (l *ledger) set(key, value uint32) {
	if l.live == nil {
		l.live = map[uint32]uint32{}
	}
	l.live[key] = value
}

func (l *ledger) get(key uint32) (value uint32, ok bool) {
	if l.saved.n == 0 {
		value, ok = l.live[key]
		return value, ok
	}
	k := sort.Search(l.saved.n, func(k int) bool { return l.saved.at(k).key >= key })
	if k == l.saved.n || l.saved.at(k).key != key {
		return 0, false
	}
	return l.saved.at(k).value, true
}

func (l *ledger) bytes() int64 {
	const entry = 24 // approximate size of a map entry
	return int64(len(l.live))*entry + l.saved.bytes()
}
