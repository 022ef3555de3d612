package python

import "math/big"

// inTableOrder gives a set that an expression made the order in which CPython
// goes through it, where that follows from its elements: for ints, whose hash is
// their value. It adds them one by one to a table as CPython does (set_add_entry,
// Objects/setobject.c); sets that CPython makes of whole others can differ where
// ints are large or negative. Other sets keep the order in which their elements
// came.
func (s *pySet) inTableOrder(ev *evaluation) *pySet {
	hashes := make([]uint64, len(s.items))
	for i, item := range s.items {
		n, ok := toInt(item)
		if !ok {
			return s
		}
		hashes[i] = uint64(intHash(n))
	}
	ev.spend(len(s.items) * 8 * valueSize)
	table := newHashTable(8)
	for i, hash := range hashes {
		table.insert(hash, i)
		if used := i + 1; used*5 >= (len(table)-1)*3 {
			least := used * 4
			if used > 50000 {
				least = used * 2
			}
			size := 8
			for size <= least {
				size <<= 1
			}
			grown := newHashTable(size)
			for _, at := range table {
				if at >= 0 {
					grown.insert(hashes[at], at)
				}
			}
			table = grown
		}
	}
	ordered := make([]pyValue, 0, len(s.items))
	for _, at := range table {
		if at >= 0 {
			ordered = append(ordered, s.items[at])
		}
	}
	return ev.newSet(s.frozen, ordered)
}

// hashTable holds the place of an element, -1 where there is none.
type hashTable []int

func newHashTable(size int) hashTable {
	t := make(hashTable, size)
	for i := range t {
		t[i] = -1
	}
	return t
}

// insert puts an element into the first free place that its hash leads to.
func (t hashTable) insert(hash uint64, at int) {
	const linearProbes, perturbShift = 9, 5
	mask := uint64(len(t) - 1)
	perturb := hash
	i := hash & mask
	for {
		last := i
		if i+linearProbes <= mask {
			last = i + linearProbes
		}
		for j := i; j <= last; j++ {
			if t[j] < 0 {
				t[j] = at
				return
			}
		}
		perturb >>= perturbShift
		i = (i*5 + 1 + perturb) & mask
	}
}

// intHash is hash(n) on 64 bits: modulo 2**61-1, with the sign of n, and never -1.
func intHash(n *big.Int) int64 {
	modulus := big.NewInt(1<<61 - 1)
	hash := new(big.Int).Rem(n, modulus).Int64()
	if hash == -1 {
		return -2
	}
	return hash
}
