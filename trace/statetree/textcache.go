package statetree

import "sync"

const (
	cachedFrom  = 1 << 10  // minimum length of a text that is cached, in bytes
	cachedBytes = 64 << 20 // maximum size of all cached texts
)

// textCache caches texts of objects that are slow to build. Several frames often refer to
// the same object, and most objects do not change between two stops.
type textCache struct {
	mu    sync.Mutex
	texts map[Object]cachedText
	held  int64
}

type cachedText struct {
	event int // the event at which the text is valid
	text  string
	from  []Object // objects whose content the text includes
}

func (c *cachedText) bytes() int64 { return int64(len(c.text) + 4*len(c.from)) }

// get returns the text of an object and the event at which it is valid.
func (c *textCache) get(o Object) (cachedText, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.texts[o]
	return found, ok
}

func (c *textCache) put(o Object, kept cachedText) {
	if len(kept.text) < cachedFrom || kept.bytes() > cachedBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if was, ok := c.texts[o]; ok {
		c.held -= was.bytes()
	}
	c.held += kept.bytes()
	if c.texts == nil || c.held > cachedBytes {
		c.texts = map[Object]cachedText{}
		c.held = kept.bytes()
	}
	c.texts[o] = kept
}

// clear drops all texts, because a text at the last event may have changed.
func (c *textCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.texts, c.held = nil, 0
}

func (c *textCache) bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}
