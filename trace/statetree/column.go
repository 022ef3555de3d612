package statetree

import "unsafe"

const (
	pageBits = 12
	pageLen  = 1 << pageBits
	pageMask = pageLen - 1
)

// column is an append-only array in pages. It grows without copying, so its elements keep
// their addresses.
type column[T any] struct {
	fetch func(i int) *T // set in a loaded tree, which has no pages here: returns element i
	pages []*[pageLen]T
	n     int
}

func (c *column[T]) push(v T) {
	if c.n&pageMask == 0 {
		c.pages = append(c.pages, new([pageLen]T))
	}
	c.pages[c.n>>pageBits][c.n&pageMask] = v
	c.n++
}

// at returns element i. It is short enough for the compiler to inline.
func (c *column[T]) at(i int) *T {
	if c.fetch != nil {
		return c.fetch(i)
	}
	return &c.pages[i>>pageBits][i&pageMask]
}

// bytes returns the memory used, in bytes, without that of a loaded tree's pages.
func (c *column[T]) bytes() int64 {
	var page [pageLen]T
	return int64(len(c.pages)) * (int64(unsafe.Sizeof(page)) + int64(unsafe.Sizeof(uintptr(0))))
}
