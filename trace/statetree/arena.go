package statetree

const (
	arenaBits = 16
	arenaPage = 1 << arenaBits
	// Pieces of at least this size get their own page, so that little space is wasted at the
	// end of shared pages.
	arenaLarge = arenaPage / 8
)

// arena is an append-only store of byte strings in pages. A piece is within one page and
// never moves. The zero value is empty and ready to use.
type arena struct {
	pages [][]byte
	cur   uint64 // index of the page that small pieces share now
	left  int    // free bytes in the page cur
	held  int64
	fetch func(addr uint64) []byte // set in a loaded tree, whose pages here are nil: does what from does
}

// alloc reserves n bytes and returns their address and the slice to fill.
func (a *arena) alloc(n int) (addr uint64, room []byte) {
	if n >= arenaLarge {
		page := a.grow(n)
		return page << arenaBits, a.pages[page]
	}
	if n > a.left {
		a.cur, a.left = a.grow(arenaPage), arenaPage
	}
	at := arenaPage - a.left
	a.left -= n
	return a.cur<<arenaBits | uint64(at), a.pages[a.cur][at : at+n : at+n]
}

func (a *arena) grow(n int) (page uint64) {
	a.pages = append(a.pages, make([]byte, n))
	a.held += int64(n) + 24
	return uint64(len(a.pages) - 1)
}

// from returns the bytes from an address to the end of its page.
func (a *arena) from(addr uint64) []byte {
	if a.fetch != nil {
		return a.fetch(addr)
	}
	return a.pages[addr>>arenaBits][addr&(arenaPage-1):]
}
