package cpython

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"sync"
	"weak"

	"github.com/npdb/npdb/dsl"
)

// trail is the path of nodes to the node of a question, with the hashes of their texts.
type trail struct {
	nodes   []*dsl.Node // the question's node comes last
	texts   []uint64    // hash of the text up to each node
	subject uint64      // identifies the program and how it is run
	whole   bool        // the path starts at the text's beginning
}

// trails computes the hashes of texts. Equal texts have equal hashes, even if their nodes differ: the
// hash combines that of the parent's text with the text that the node adds. Nodes of earlier questions
// are cached, so the path to the next question, usually one step further, is short.
type trails struct {
	seed maphash.Seed

	mu    sync.Mutex
	asked map[weak.Pointer[dsl.Node]]identity
	order ring[weak.Pointer[dsl.Node]]
}

type identity struct{ text, subject uint64 }

// to returns the path to a node, from a cached node or from the beginning of the text.
func (t *trails) to(n *dsl.Node) (trail, error) {
	if way, ok := t.short(n); ok {
		return way, nil
	}
	if n.Parent() == nil {
		return trail{}, undetermined("the text has no state yet")
	}
	way, err := t.whole(n)
	if err != nil {
		return trail{}, err
	}
	t.remember(n, way)
	return way, nil
}

// short returns the path from a cached node. It returns false if there is none among the latest nodes.
func (t *trails) short(n *dsl.Node) (trail, bool) {
	const far = 64
	var way trail
	for m := n; m.Parent() != nil && len(way.nodes) < far; m = m.Parent() {
		way.nodes = append(way.nodes, m)
		t.mu.Lock()
		id, ok := t.asked[weak.Make(m)]
		t.mu.Unlock()
		if ok {
			slices.Reverse(way.nodes)
			way.subject = id.subject
			way.texts = t.identify([]uint64{id.text}, way.nodes[1:])
			t.remember(n, way)
			return way, true
		}
	}
	return trail{}, false
}

// whole returns the path from the beginning of the text. It fails if CPython cannot be made to reach
// that beginning.
func (t *trails) whole(n *dsl.Node) (trail, error) {
	way := trail{whole: true}
	for ; n.Parent() != nil; n = n.Parent() {
		way.nodes = append(way.nodes, n)
	}
	slices.Reverse(way.nodes)
	var h maphash.Hash
	h.SetSeed(t.seed)
	for _, f := range n.Program().Files { // Added contains no name if the program has one file
		_, _ = h.WriteString(f.Name)
		_ = h.WriteByte(0)
	}
	_, _ = h.WriteString(n.Added())
	context := h.Sum64()
	way.texts = t.identify([]uint64{context}, way.nodes)[1:]
	start := 0
	for start+1 < len(way.nodes) && isGiven(way.nodes[start+1]) {
		start++
	}
	of, err := beginningOf(way.nodes[start]).origin()
	if err != nil {
		return trail{}, err
	}
	way.nodes, way.texts = way.nodes[start:], way.texts[start:]
	h.Reset()
	_ = binary.Write(&h, binary.LittleEndian, context)
	_, _ = h.WriteString(of.key())
	way.subject = h.Sum64()
	return way, nil
}

// identify appends the hash of the text up to each node to texts. The last element of texts is the hash
// before the first node.
func (t *trails) identify(texts []uint64, nodes []*dsl.Node) []uint64 {
	var h maphash.Hash
	var before [8]byte
	for _, n := range nodes {
		h.SetSeed(t.seed)
		binary.LittleEndian.PutUint64(before[:], texts[len(texts)-1])
		_, _ = h.Write(before[:])
		_, _ = h.WriteString(n.Added())
		texts = append(texts, h.Sum64())
	}
	return texts
}

func (t *trails) remember(n *dsl.Node, way trail) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := weak.Make(n)
	if _, ok := t.asked[key]; !ok {
		delete(t.asked, t.order.push(key))
	}
	if t.asked == nil {
		t.asked = map[weak.Pointer[dsl.Node]]identity{}
	}
	t.asked[key] = identity{text: way.texts[len(way.texts)-1], subject: way.subject}
}

// startOf returns the last node before the first action of a text, or n itself if there is no action.
func startOf(n *dsl.Node) *dsl.Node {
	start := n
	for ; n.Parent() != nil; n = n.Parent() {
		if !isGiven(n) {
			start = n.Parent()
		}
	}
	return start
}
