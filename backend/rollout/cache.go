package rollout

import (
	"crypto/sha256"
	"sync"
)

// maxKept is how much a cache keeps: the latest.
const maxKept = 4096

// Key stands for a text, or another thing that leads to a place.
type Key [sha256.Size]byte

// Then returns the key of what leads on from there by more text.
func (k Key) Then(text string) Key { return sha256.Sum256(append(k[:], text...)) }

// Cache keeps what there is at places, such as trails, by what leads to them. It may be used
// by several goroutines.
type Cache[T any] struct {
	mu    sync.Mutex
	byKey map[Key]*T
	order []Key
}

// Get returns what is kept for a key, nil for nothing.
func (c *Cache[T]) Get(key Key) *T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byKey[key]
}

// Put keeps a thing; the one that was kept for longest goes where there are too many.
func (c *Cache[T]) Put(key Key, t *T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[Key]*T{}
	}
	if _, ok := c.byKey[key]; !ok {
		if len(c.order) == maxKept {
			delete(c.byKey, c.order[0])
			c.order = c.order[1:]
		}
		c.order = append(c.order, key)
	}
	c.byKey[key] = t
}
