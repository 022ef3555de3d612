package statetree

import "testing"

// TestKeyIndexCounts checks that the index knows how many keys it holds: they bound it, and
// count as memory.
func TestKeyIndexCounts(t *testing.T) {
	var x keyIndex
	entries := func(keys ...handle) []handle {
		var cells []handle
		for _, k := range keys {
			cells = append(cells, k, 0)
		}
		return cells
	}
	for _, step := range []struct {
		name  string
		do    func()
		keys  int
		dicts int64
	}{
		{"a dict", func() { x.make(1, entries(1, 2, 3)) }, 3, 1},
		{"another", func() { x.make(2, entries(1, 2)) }, 5, 2},
		{"a key more", func() { x.add(1, 4) }, 6, 2},
		{"a key of an unknown dict", func() { x.add(3, 4) }, 6, 2},
		{"a key less", func() { x.drop(2, 1) }, 5, 2},
		{"a key less of an unknown dict", func() { x.drop(3, 1) }, 5, 2},
		{"a dict less", func() { x.forget(1) }, 1, 1},
		{"an unknown dict less", func() { x.forget(1) }, 1, 1},
	} {
		step.do()
		if x.count != step.keys || x.bytes() != int64(step.keys)*16+step.dicts*64 {
			t.Errorf("%s: %d keys in %d bytes, want %d in %d dicts", step.name, x.count, x.bytes(), step.keys, step.dicts)
		}
	}
}

// TestKeyIndexIsBounded checks that the index starts anew when it holds too many keys.
func TestKeyIndexIsBounded(t *testing.T) {
	x := keyIndex{dicts: map[Object]map[handle]struct{}{}}
	large := make([]handle, 2*(mostKeys+1))
	for k := 0; k < len(large); k += 2 {
		large[k] = handle(k)
	}
	x.make(1, large[:len(large)-2])
	x.make(2, large[:2])
	if _, known := x.of(1); !known || x.count != mostKeys+1 {
		t.Errorf("%d keys, which are no more than there may be: the first dict is known: %v", x.count, known)
	}
	x.make(3, large[:2])
	if _, known := x.of(1); known || x.count != 1 {
		t.Errorf("%d keys, of the first dict: %v", x.count, known)
	}
	if _, known := x.of(3); !known {
		t.Error("the newest dict is not known")
	}
}
