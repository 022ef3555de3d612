package statetree

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/npdb/npdb/dsl"
	"pgregory.net/rapid"
)

// shelf stores the pages of saved trees in memory, compressed as a recording compresses them.
type shelf struct {
	pack  *zstd.Encoder
	read  *zstd.Decoder
	pages [][]byte
	bytes int
}

func newShelf() *shelf {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	read, err := zstd.NewReader(nil)
	if err != nil {
		panic(err)
	}
	return &shelf{pack: pack, read: read}
}

func (s *shelf) put(page []byte) (uint64, error) {
	packed := s.pack.EncodeAll(page, nil)
	s.pages = append(s.pages, packed)
	s.bytes += len(packed)
	return uint64(len(s.pages) - 1), nil
}

func (s *shelf) page(at uint64) ([]byte, error) {
	if at >= uint64(len(s.pages)) {
		return nil, fmt.Errorf("there is no page %d", at)
	}
	return s.read.DecodeAll(s.pages[at], nil)
}

// saved is a tree that was saved: its root, and its pages, by address.
type saved struct {
	root  []byte
	pages [][]byte
}

func (s *saved) page(at uint64) ([]byte, error) {
	if at >= uint64(len(s.pages)) {
		return nil, fmt.Errorf("there is no page %d", at)
	}
	return slices.Clone(s.pages[at]), nil
}

// failer is a test: one of package testing or of package rapid.
type failer interface {
	Helper()
	Fatalf(format string, values ...any)
}

func save(t failer, tree *Tree) *saved {
	t.Helper()
	s := &saved{}
	root, err := tree.Save(func(page []byte) (uint64, error) {
		s.pages = append(s.pages, slices.Clone(page))
		return uint64(len(s.pages) - 1), nil
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	s.root = root
	return s
}

func (s *saved) load(t failer, memory int64) *Tree {
	t.Helper()
	tree, err := Load(s.root, s.page, memory)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return tree
}

// answers passes the answers of all queries of a tree to note, each with the name of the query.
// There are about as many as events, activations and objects, and more for a few of them.
func answers(tree *Tree, note func(query string, answer any)) {
	both := func(v any, ok bool) [2]any { return [2]any{v, ok} }
	n := tree.Len()
	note("len", n)
	note("files", tree.Files())
	note("unasked", tree.TellsUnasked())
	note("holes", tree.Holes())
	note("objects", tree.Objects())
	for file, f := range tree.Files() {
		note("lines", tree.LineCount(file))
		note("has run", tree.HasRun(file))
		for line := range bytes.Count(f.Source, []byte("\n")) + 2 {
			note("source", both(tree.SourceLine(file, line)))
		}
	}
	names := answersOfActivations(tree, note)
	lines := []dsl.Location{{Line: 1}, {File: 1, Line: 3}, {Line: 1 << 24}}
	for i := range n + 1 {
		for _, a := range everyAction() {
			note(fmt.Sprint("land ", i, a), tree.Land(i, a))
			if a.Move.Inverse() {
				note(fmt.Sprint("land across ", i, a), tree.LandAcross(i, a))
			}
		}
		note("hole after", both(tree.HoleAfter(i)))
		note("hole up to", both(tree.HoleUpTo(i)))
		note("next line", both(tree.NextLine(i-1, lines)))
		note("previous line", both(tree.PrevLine(i, lines)))
		note("next raise", both(tree.NextRaise(i-1)))
		note("previous raise", both(tree.PrevRaise(i)))
		note("goal", tree.Goal(i, dsl.Action{Move: dsl.StepOver}))
	}
	for i := range n {
		note(fmt.Sprint("record ", i), tree.At(i))
		note(fmt.Sprint("state ", i), tree.State(i))
		note(fmt.Sprint("stack ", i), tree.Stack(i))
		note("changed", tree.Changed(i))
		note("previous", tree.Previous(i))
		note("words", both(tree.Words(i)))
		returned, ok := tree.Returned(i)
		note("returned", [2]any{returned, ok})
		for act := range uint32(tree.Activations()) {
			note(fmt.Sprint("locals of ", act, " at ", i), tree.LocalsOf(act, i))
			note("lines of", tree.LinesOf(act, i, 5))
			for _, name := range names[act] {
				v, ok := tree.Held(act, i, name)
				note("held "+name, [2]any{v, ok})
			}
		}
		answersOfObjects(tree, i, note)
	}
}

// answersOfActivations does what answers does for the activations. It returns their names.
func answersOfActivations(tree *Tree, note func(string, any)) (names [][]string) {
	note("activations", tree.Activations())
	for act := range uint32(tree.Activations()) {
		first, last := tree.Lifetime(act)
		module, ok := tree.GlobalsOf(act)
		code := tree.Code(tree.CodeOf(act))
		note(fmt.Sprint("activation ", act), []any{
			code, first, last, module, ok, tree.KnownFrom(act), tree.CallEvent(act), tree.FatalException(act),
		})
		names = append(names, append(slices.Clone(code.Names), "no such name"))
		for _, name := range names[act] {
			note("bindings of "+name, tree.Bindings(act, name, -1, tree.Len()-1))
		}
	}
	return names
}

// answersOfObjects does what answers does for the objects as of event i.
func answersOfObjects(tree *Tree, i int, note func(string, any)) {
	for o := range Object(min(tree.Objects()+1, 20)) {
		form, ok := tree.Form(o, i)
		size, sized := tree.Size(o, i)
		note(fmt.Sprint("object ", o, " at ", i), []any{
			form, ok, size, sized, tree.Items(o, i), tree.Entries(o, i),
			tree.Text(ObjectValue(o), i), tree.ByAttributes(ObjectValue(o), i),
		})
		at, changes := tree.VersionAfter(o, i)
		before, changed := tree.VersionUpTo(o, i)
		text, own := tree.Attributes(ObjectValue(o), i)
		note("versions", []any{at, changes, before, changed, text, own})
		for k := range 3 {
			item, ok := tree.Item(o, i, k)
			note("item", []any{item, ok, tree.Touches(o, Piece{Index: k - 1, Item: true}, -1, i)})
		}
		for _, key := range []string{"k1", "k2", "1", "2", "n", "no such key"} {
			v, ok := tree.Entry(o, i, key)
			note("entry "+key, []any{v, ok, tree.Touches(o, Piece{Key: key}, i/2, i)})
		}
		note("sizes", tree.Touches(o, Piece{Size: true}, -1, i))
	}
}

// checkLoaded compares all answers of a loaded tree with those of the tree that was saved.
func checkLoaded(t failer, tree, loaded *Tree) {
	t.Helper()
	var want []any
	answers(tree, func(_ string, answer any) { want = append(want, answer) })
	k := 0
	answers(loaded, func(query string, answer any) {
		if k >= len(want) || !reflect.DeepEqual(answer, want[k]) {
			t.Fatalf("%s: %.500v, want %.500v", query, fmt.Sprintf("%+v", answer), fmt.Sprintf("%+v", want[min(k, len(want)-1)]))
		}
		k++
	})
	if k != len(want) {
		t.Fatalf("%d answers, want %d", k, len(want))
	}
	if err := loaded.Err(); err != nil {
		t.Fatalf("the loaded tree reports %v", err)
	}
}

// TestLoadedAnswers saves the trees of random programs, finished or not, and loads them with room
// for no page, for some or for all.
func TestLoadedAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newProgram(t)
		for range 10 + p.upTo(30, "steps") {
			p.step()
		}
		if p.upTo(4, "finished") > 0 {
			p.finish()
		}
		memory := int64([]int{0, 5000, 1 << 20}[p.upTo(3, "memory")])
		loaded := save(t, p.tree).load(t, memory)
		checkLoaded(t, p.tree, loaded)
		if again := save(t, loaded).load(t, memory); p.upTo(4, "again") == 0 {
			checkLoaded(t, p.tree, again)
		}
	})
}
