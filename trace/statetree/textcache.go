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
	event int // the event as of which the text was built
	text  string
	from  []Object // the objects whose content the text depends on
}

func (c *cachedText) bytes() int64 { return int64(len(c.text) + 4*len(c.from)) }

// get returns the cached text of an object, which is valid at the event in it.
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

// clear drops all cached texts. It must be called after an edit of the last event and after a
// change of how values are displayed.
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
