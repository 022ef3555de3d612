package statetree

import (
	"sync"
	"sync/atomic"
)

// pageCache holds the pages that queries of a loaded tree have used, in two generations. A page
// that is used is young. When the young pages take half of the memory, the old ones are dropped
// and the young ones become old. So the pages that are dropped are those that were not used for
// the longest time.
type pageCache struct {
	read   func(at uint64) ([]byte, error)
	memory int64

	mu         sync.Mutex
	young, old map[pageID]cachedPage
	held       int64 // bytes of the young pages
	heldOld    int64 // bytes of the old pages

	damage atomic.Pointer[Damage] // the first that a query met
}

// pageID names a page: its number among the pages of a column or an arena.
type pageID struct {
	of interface{ show(k int, page any) }
	k  int
}

type cachedPage struct {
	page any
	size int64
}

// again returns a page of the cache and makes it young, or returns nil if it is not there.
func (c *pageCache) again(id pageID) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.young[id]; ok {
		return p.page
	}
	p, ok := c.old[id]
	if !ok {
		return nil
	}
	delete(c.old, id)
	c.heldOld -= p.size
	c.insert(id, p)
	return p.page
}

// add adds a page that was fetched, and returns it, or the page that another query has added
// since.
func (c *pageCache) add(id pageID, p cachedPage) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if other, ok := c.young[id]; ok {
		return other.page
	}
	c.insert(id, p)
	return p.page
}

func (c *pageCache) insert(id pageID, p cachedPage) {
	if c.young == nil || c.held+p.size > c.memory/2 {
		for id := range c.young {
			id.of.show(id.k, nil)
		}
		c.young, c.old = map[pageID]cachedPage{}, c.young
		c.held, c.heldOld = 0, c.held
	}
	c.young[id] = p
	c.held += p.size
	id.of.show(id.k, p.page)
}

func (c *pageCache) bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held + c.heldOld
}

// paged fetches the pages of a column or an arena of a loaded tree.
type paged[P any] struct {
	cache  *pageCache
	part   string   // what the pages hold, for messages
	at     []uint64 // address of each page
	young  []atomic.Pointer[P]
	decode func(k int, b []byte) (page *P, size int64, err error)
}

func newPaged[P any](c *pageCache, part string, at []uint64, decode func(int, []byte) (*P, int64, error)) *paged[P] {
	return &paged[P]{cache: c, part: part, at: at, young: make([]atomic.Pointer[P], len(at)), decode: decode}
}

// page returns a page. It panics with a *Damage if the page is invalid.
func (g *paged[P]) page(k int) *P {
	if p := g.young[k].Load(); p != nil {
		return p
	}
	return g.fetch(k)
}

// fetch reads no page after a query has met damage. So a search that asks about each event ends
// soon, instead of reading the same damaged page for each of them.
func (g *paged[P]) fetch(k int) *P {
	if d := g.cache.damage.Load(); d != nil {
		panic(d)
	}
	id := pageID{g, k}
	if p := g.cache.again(id); p != nil {
		return p.(*P)
	}
	b, err := g.cache.read(g.at[k])
	if err == nil {
		var p cachedPage
		if p.page, p.size, err = g.decode(k, b); err == nil {
			return g.cache.add(id, p).(*P)
		}
	}
	panic(&Damage{Part: g.part, Page: k, Err: err})
}

// show sets the page that page returns without asking the cache, or none if page is nil.
func (g *paged[P]) show(k int, page any) {
	p, _ := page.(*P)
	g.young[k].Store(p)
}
