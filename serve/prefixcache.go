package serve

import (
	"container/list"
	"encoding/binary"
	"hash/maphash"
	"sync"
)

// As in vLLM, tokens are cached in blocks of blockSize, and only full blocks count.
const (
	blockSize = 16
	maxBlocks = 1 << 17 // about two million tokens
)

// prefixCache remembers which prefixes of prompts were seen before. For each block of tokens it
// stores a hash of everything up to the block's end, but no text.
type prefixCache struct {
	seed maphash.Seed

	mu     sync.Mutex
	blocks map[uint64]*list.Element
	recent *list.List // of uint64, most recently used first
	most   int
}

func newPrefixCache(most int) *prefixCache {
	return &prefixCache{seed: maphash.MakeSeed(), blocks: map[uint64]*list.Element{}, recent: list.New(), most: most}
}

// chain returns one hash for each full block of tokens. It covers everything from the beginning to
// the block's end.
func (c *prefixCache) chain(model string, ids []int) []uint64 {
	at := maphash.String(c.seed, model)
	hashes := make([]uint64, 0, len(ids)/blockSize)
	var buf [8 * (blockSize + 1)]byte
	for ; len(ids) >= blockSize; ids = ids[blockSize:] {
		binary.LittleEndian.PutUint64(buf[:], at)
		for i, id := range ids[:blockSize] {
			binary.LittleEndian.PutUint64(buf[8*(i+1):], uint64(id))
		}
		at = maphash.Bytes(c.seed, buf[:])
		hashes = append(hashes, at)
	}
	return hashes
}

// known returns how many tokens of a prompt were seen before. It never counts the last
// token, because a model must process that one to continue.
func (c *prefixCache) known(model string, prompt []int) int {
	if len(prompt) == 0 {
		return 0
	}
	hashes := c.chain(model, prompt[:len(prompt)-1])
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, h := range hashes {
		if c.blocks[h] == nil {
			return i * blockSize
		}
	}
	return len(hashes) * blockSize
}

// add adds the blocks of a prompt. If there are too many blocks, it removes the least recently used
// ones.
func (c *prefixCache) add(model string, ids []int) {
	hashes := c.chain(model, ids)
	c.mu.Lock()
	defer c.mu.Unlock()
	// Start at the end, so that the beginning, which other texts share, is the most
	// recently used.
	for i := min(len(hashes), c.most) - 1; i >= 0; i-- {
		if e := c.blocks[hashes[i]]; e != nil {
			c.recent.MoveToFront(e)
			continue
		}
		c.blocks[hashes[i]] = c.recent.PushFront(hashes[i])
	}
	for len(c.blocks) > c.most {
		last := c.recent.Back()
		delete(c.blocks, last.Value.(uint64))
		c.recent.Remove(last)
	}
}
