package statetree

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"unsafe"
)

// archive goes through all parts of a tree, to save it or to load it, so that both agree. The
// small parts are in the root, a string of numbers and texts; the columns and arenas are in pages,
// and the root has their addresses.
type archive struct {
	loading bool
	root    []byte // what was written or, if loading, what is still to be read
	coder   rowCoder
	varints varintCoder
	last    uint64                            // the address of the latest page
	put     func(page []byte) (uint64, error) // stores a page, if saving
	err     error                             // of put; nothing is stored afterwards
	cache   *pageCache                        // if loading
	held    int64                             // approximate bytes of the directories, if loading
}

var errRoot = errors.New("its directory is invalid")

func invalidRoot() { panic(&Damage{Err: errRoot}) }

// number saves or loads a number that is not negative.
func (a *archive) number(v *int) {
	u := uint64(*v)
	a.uint(&u)
	if a.loading {
		if *v = int(u); *v < 0 {
			invalidRoot()
		}
	}
}

func (a *archive) uint(v *uint64) {
	if !a.loading {
		a.root = binary.AppendUvarint(a.root, *v)
		return
	}
	u, n := binary.Uvarint(a.root)
	if n <= 0 {
		invalidRoot()
	}
	*v, a.root = u, a.root[n:]
}

// small saves or loads a number of a small type.
func small[T ~uint8 | ~uint32](a *archive, v *T) {
	u := uint64(*v)
	a.uint(&u)
	if a.loading {
		if *v = T(u); uint64(*v) != u {
			invalidRoot()
		}
	}
}

func (a *archive) flag(v *bool) {
	u := uint64(0)
	if *v {
		u = 1
	}
	a.uint(&u)
	if a.loading {
		*v = u == 1
	}
}

// text saves or loads a string or a slice of bytes.
func text[T ~string | ~[]byte](a *archive, s *T) {
	n := len(*s)
	a.number(&n)
	if !a.loading {
		a.root = append(a.root, *s...)
		return
	}
	if n > len(a.root) {
		invalidRoot()
	}
	if n > 0 {
		*s = T(slices.Clone(a.root[:n]))
	}
	a.root = a.root[n:]
}

// list saves or loads a list by its items, each of which takes at least one byte of the root.
func list[T any](a *archive, items *[]T, item func(*T)) {
	n := len(*items)
	a.number(&n)
	if !a.loading {
		for k := range *items {
			item(&(*items)[k])
		}
		return
	}
	for range n {
		var v T
		item(&v)
		*items = append(*items, v)
	}
}

func (a *archive) texts(s *[]string) { list(a, s, func(s *string) { text(a, s) }) }

// table saves or loads a map by its entries, in the order given by compare.
func table[K comparable, V any](a *archive, m *map[K]V, compare func(x, y K) int, entry func(*K, *V)) {
	keys := slices.SortedFunc(maps.Keys(*m), compare)
	if a.loading {
		*m = map[K]V{}
	}
	list(a, &keys, func(k *K) {
		if !a.loading {
			v := (*m)[*k]
			entry(k, &v)
			return
		}
		var v V
		entry(k, &v)
		(*m)[*k] = v
	})
}

// columnOf saves or loads a column of n rows. The pages of a loaded column are fetched when a row
// is used.
func columnOf[T any](a *archive, c *column[T], n int, l *layout[T]) {
	pages := a.pages((n+pageLen-1)/pageLen, func(k int) []byte {
		return encodeRows(&a.coder, l, c, k*pageLen, min(pageLen, n-k*pageLen))
	})
	if !a.loading {
		return
	}
	g := newPaged(a.cache, l.part, pages, func(k int, b []byte) (*[]T, int64, error) {
		rows, err := decodeRows(l, b, k*pageLen, min(pageLen, n-k*pageLen))
		return &rows, int64(len(rows)) * sizeOf[T](), err
	})
	*c = column[T]{n: n, fetch: func(i int) *T { return &(*g.page(i >> pageBits))[i&pageMask] }}
}

// arenaOf saves or loads an arena. If its content is mostly uvarints, the pages of shared pieces
// are saved by a varintCoder.
func arenaOf(a *archive, s *arena, part string, varints bool) {
	n := len(s.pages)
	a.number(&n)
	pages := a.pages(n, func(k int) []byte {
		page := s.from(uint64(k) << arenaBits)
		if uint64(k) == s.cur && len(page) == arenaPage {
			page = page[:arenaPage-s.left]
		}
		if varints && len(page) <= arenaPage {
			return a.varints.encode(page)
		}
		return a.varints.plain(page)
	})
	if !a.loading {
		return
	}
	g := newPaged(a.cache, part, pages, func(_ int, b []byte) (*[]byte, int64, error) {
		page, err := decodeVarints(b)
		return &page, int64(len(page)), err
	})
	*s = arena{pages: make([][]byte, n), fetch: func(addr uint64) []byte {
		return (*g.page(int(addr >> arenaBits)))[addr&(arenaPage-1):]
	}}
}

// pages saves n pages, or loads their addresses.
func (a *archive) pages(n int, encode func(k int) []byte) (at []uint64) {
	if a.loading && n > len(a.root) {
		invalidRoot()
	}
	for k := range n {
		var address uint64
		if !a.loading && a.err == nil {
			address, a.err = a.put(encode(k))
		}
		step := address - a.last
		a.uint(&step)
		a.last += step
		if a.loading {
			at = append(at, a.last)
		}
	}
	const entry = 24 // approximate bytes that a page takes in the directory
	a.held += int64(len(at)) * entry
	return at
}

// ledgerOf saves or loads a ledger.
func ledgerOf(a *archive, l *ledger, layout *layout[ledgerRow]) {
	rows := &l.saved
	if len(l.live) > 0 {
		rows = &column[ledgerRow]{}
		for _, key := range slices.Sorted(maps.Keys(l.live)) {
			rows.push(ledgerRow{key, l.live[key]})
		}
	}
	n := rows.n
	a.number(&n)
	columnOf(a, rows, n, layout)
}

// expect checks a number that was loaded.
func (a *archive) expect(ok bool, otherwise string) {
	if a.loading && !ok {
		refuse(otherwise)
	}
}

func sizeOf[T any]() int64 {
	var v T
	return int64(unsafe.Sizeof(v))
}
