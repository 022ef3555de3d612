package statetree

import (
	"sync"
	"unsafe"

	"github.com/npdb/npdb/dsl"
)

// none means no event, no place or no text.
const none = ^uint32(0)

// Tree is a State Tree. Its queries may be called from any goroutine. Only one goroutine may
// call the methods that add to the tree, and as soon as another goroutine queries, only inside
// Batch.
//
// Methods panic on an index of an event, activation, file, code or slot that the tree did not
// return.
type Tree struct {
	mu     sync.RWMutex
	cache  textCache
	own    representations
	parsed blocks
	*contents
}

// contents is what a tree stores.
type contents struct {
	files  []file
	codes  []Code
	far    map[dsl.Location]*posting // the events on lines that do not exist in their file
	events events
	depths minima

	activations column[activation]
	resumptions column[resumption]
	exceptions  ledger              // by activation: its last exception event
	said        ledger              // by exception event: the number of its message in texts
	raised      posting             // events at which exceptions are raised
	holes       []int               // the first event after each hole; Len for a hole at the end
	stood       map[uint32][]stood  // by activation: its lines that are in none of its events
	stands      int                 // number of entries in stood
	globals     map[int][]namespace // by code object: the modules of its globals

	texts   *texts
	changes arena
	objects objects
	asides  asides
	limits  textLimits

	finished bool
	held     int64      // approximate bytes of everything that no column or arena counts
	cached   *pageCache // the pages of a loaded tree; nil in others

	writer
}

// activation is one run of a function.
type activation struct {
	code  uint32
	flags activationFlags
	first uint32 // the activation's first event, or none
	last  uint32 // its last event, or none; while isLive is set, its index in writer.lives
}

type activationFlags uint8

const (
	isLive      activationFlags = 1 << iota
	isAdopted                   // its beginning was not recorded: its call was missed
	isCalled                    // its first event is its call
	isContinued                 // it began before the recording, which begins with all of its names
)

// resumption is one stay of a generator on the stack, including its first call.
type resumption struct {
	activation uint32
	outermost  uint32 // the activation at the bottom of the stack
	before     uint32 // the last event before this stay where an inverse move in the generator stops
	after      uint32 // the first event in a later stay where a move in the generator stops
	previous   uint32 // the previous resumption of the same generator
}

// New returns an empty tree.
func New() *Tree {
	return &Tree{contents: &contents{
		far:     map[dsl.Location]*posting{},
		stood:   map[uint32][]stood{},
		globals: map[int][]namespace{},
		texts:   newTexts(),
		limits:  textLimits{chars: mostChars, items: mostItems},
	}}
}

// Batch runs fn, which adds to the tree, while the tree is locked. fn must not call queries.
func (t *Tree) Batch(fn func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fn()
}

// Finish marks the tree as finished: the program has ended, and no event will follow.
func (t *Tree) Finish() {
	t.finished = true
	if t.hole {
		t.hole = false
		t.holes = append(t.holes, t.events.n())
	}
}

// Len returns the number of events.
func (t *Tree) Len() int {
	t.mu.RLock()
	defer t.done()
	return t.events.n()
}

// Bytes returns the memory that the tree uses, including sources, in bytes. It is fast
// enough to call after every batch.
func (t *Tree) Bytes() int64 {
	t.mu.RLock()
	defer t.done()
	const entry = 16 // approximate bytes of an entry of a map
	n := t.held + t.objects.bytes() + t.cache.bytes() + t.asides.bytes() + t.events.bytes() + t.activations.bytes() + t.resumptions.bytes() +
		t.texts.bytes() + t.changes.held + t.exceptions.bytes() + t.said.bytes() +
		int64(len(t.lives))*int64(unsafe.Sizeof(live{})+8) +
		int64(cap(t.holes))*8 + int64(len(t.stood))*entry + int64(t.stands)*int64(unsafe.Sizeof(stood{}))
	for _, level := range t.depths.levels {
		n += level.bytes()
	}
	if t.cached != nil {
		n += t.cached.bytes()
	}
	return n
}
