package serve

import (
	"container/list"
	"encoding/binary"
	"hash/maphash"
	"sync"
)

// blockSize and the rule that only full blocks count are vLLM's.
const (
	blockSize = 16
	maxBlocks = 1 << 17 // two million tokens
)

// prefixCache knows which beginnings of texts came before. It keeps a hash for
// each block of tokens, of all that is up to its end, and no text.
type prefixCache struct {
	seed maphash.Seed

	mu     sync.Mutex
	blocks map[uint64]*list.Element
	recent *list.List // of uint64, the latest used in front
	most   int
}

func newPrefixCache(most int) *prefixCache {
	return &prefixCache{seed: maphash.MakeSeed(), blocks: map[uint64]*list.Element{}, recent: list.New(), most: most}
}

// chain returns the hashes of a text's full blocks.
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

// known counts the tokens of a prompt that were seen before. The last token is
// never among them: a model computes it to go on from it.
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

// add remembers a text. The blocks that were not used for longest go first.
func (c *prefixCache) add(model string, ids []int) {
	hashes := c.chain(model, ids)
	c.mu.Lock()
	defer c.mu.Unlock()
	// From the end, so that the beginning, which others need, is used latest.
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
