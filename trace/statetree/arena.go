package statetree

const (
	arenaBits = 16
	arenaPage = 1 << arenaBits
	// From this size on a piece gets a page of its own, so that little is lost
	// at the end of the shared ones.
	arenaLarge = arenaPage / 8
)

// arena is an append-only store of byte strings in pages. A piece lies in one
// page and never moves. The zero value is empty and ready.
type arena struct {
	pages [][]byte
	cur   int // the shared page that is being filled
	used  int // bytes of it in use
	held  int64
}

// alloc returns room for n bytes and its address.
func (a *arena) alloc(n int) (addr uint64, room []byte) {
	if n >= arenaLarge {
		return a.grow(n) << arenaBits, a.pages[len(a.pages)-1]
	}
	if len(a.pages) == 0 || a.used+n > arenaPage {
		a.cur, a.used = int(a.grow(arenaPage)), 0
	}
	at := a.used
	a.used += n
	return uint64(a.cur)<<arenaBits | uint64(at), a.pages[a.cur][at:a.used:a.used]
}

func (a *arena) grow(n int) (page uint64) {
	a.pages = append(a.pages, make([]byte, n))
	a.held += int64(n) + 24
	return uint64(len(a.pages) - 1)
}

// from is the page from an address on.
func (a *arena) from(addr uint64) []byte {
	return a.pages[addr>>arenaBits][addr&(arenaPage-1):]
}
