package rollout

import (
	"crypto/sha256"
	"sync"
)

// maxKept is the maximum number of entries in a cache. The oldest are dropped.
const maxKept = 4096

// Key identifies the text, or other data, from which a cached value was made.
type Key [sha256.Size]byte

// Then returns the key of the text that k identifies, extended by more text.
func (k Key) Then(text string) Key { return sha256.Sum256(append(k[:], text...)) }

// Cache maps keys to values such as trails. It is safe for concurrent use.
type Cache[T any] struct {
	mu    sync.Mutex
	byKey map[Key]*T
	order []Key
}

// Get returns the value of a key, or nil.
func (c *Cache[T]) Get(key Key) *T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byKey[key]
}

// Put stores a value. If the cache is full, Put drops the oldest entry.
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
