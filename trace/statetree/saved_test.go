package statetree

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
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

// mostAsked bounds the numbers of files, activations and objects that answers asks for.
const mostAsked = 20

// answers passes the answers of all queries of a tree as of some events to note, each with the name
// of the query.
func answers(tree *Tree, events []int, note func(query string, answer any)) {
	both := func(v any, ok bool) [2]any { return [2]any{v, ok} }
	n := tree.Len()
	note("len", n)
	note("files", tree.Files())
	note("unasked", tree.TellsUnasked())
	note("holes", tree.Holes())
	note("objects", tree.Objects())
	for file, f := range tree.Files()[:min(len(tree.Files()), mostAsked)] {
		note("lines", tree.LineCount(file))
		note("has run", tree.HasRun(file))
		for line := range bytes.Count(f.Source, []byte("\n")) + 2 {
			note("source", both(tree.SourceLine(file, line)))
		}
	}
	names := answersOfActivations(tree, note)
	lines := []dsl.Location{{Line: 1}, {File: 1, Line: 3}, {Line: 1 << 24}}
	for _, i := range append(slices.Clone(events), n) {
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
	for _, i := range events {
		note(fmt.Sprint("record ", i), tree.At(i))
		note(fmt.Sprint("state ", i), tree.State(i))
		note(fmt.Sprint("stack ", i), tree.Stack(i))
		note("changed", tree.Changed(i))
		note("previous", tree.Previous(i))
		note("words", both(tree.Words(i)))
		returned, ok := tree.Returned(i)
		note("returned", [2]any{returned, ok})
		for act := range uint32(len(names)) {
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
	for act := range uint32(min(tree.Activations(), mostAsked)) {
		first, last := tree.Lifetime(act)
		module, ok := tree.GlobalsOf(act)
		code := tree.Code(tree.CodeOf(act))
		note(fmt.Sprint("activation ", act), []any{
			code, first, last, module, ok, tree.KnownFrom(act), tree.CallEvent(act), tree.FatalException(act),
		})
		note("line events", tree.LineEvents(act, []dsl.Location{{Line: 1}, {Line: 2}, {File: 1, Line: 3}, {Line: 1 << 24}}))
		names = append(names, append(slices.Clone(code.Names), "no such name"))
		for _, name := range names[act] {
			note("bindings of "+name, tree.Bindings(act, name, -1, tree.Len()-1))
		}
	}
	return names
}

// answersOfObjects is like answers, for the objects as of event i.
func answersOfObjects(tree *Tree, i int, note func(string, any)) {
	for o := range Object(min(tree.Objects()+1, mostAsked)) {
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

// everyEvent returns the numbers of all events of a tree.
func everyEvent(tree *Tree) []int {
	events := make([]int, tree.Len())
	for i := range events {
		events[i] = i
	}
	return events
}

// checkLoaded compares all answers of a loaded tree as of some events with those of the tree that
// was saved.
func checkLoaded(t failer, tree, loaded *Tree, events []int) {
	t.Helper()
	var want []any
	answers(tree, events, func(_ string, answer any) { want = append(want, answer) })
	k := 0
	answers(loaded, events, func(query string, answer any) {
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
		checkLoaded(t, p.tree, loaded, everyEvent(p.tree))
		if again := save(t, loaded).load(t, memory); p.upTo(4, "again") == 0 {
			checkLoaded(t, p.tree, again, everyEvent(p.tree))
		}
	})
}

// TestLoadedReaders queries a loaded tree of many pages from several goroutines, with room for few
// pages, which must not take more memory than that.
func TestLoadedReaders(t *testing.T) {
	s := newSynth()
	s.run(20_000)
	const memory, largest = 300_000, arenaPage
	loaded := save(t, s.tree).load(t, memory)
	var readers sync.WaitGroup
	for r := range 3 {
		readers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(r), 0))
			for range 60 {
				i := random.IntN(s.tree.Len())
				if got, want := loaded.State(i), s.tree.State(i); !reflect.DeepEqual(got, want) {
					t.Errorf("state %d: %+v, want %+v", i, got, want)
				}
				if got, want := loaded.Stack(i), s.tree.Stack(i); !slices.Equal(got, want) {
					t.Errorf("stack %d: %+v, want %+v", i, got, want)
				}
				for _, a := range everyAction() {
					if got, want := loaded.Land(i, a), s.tree.Land(i, a); got != want {
						t.Errorf("%v at %d lands on %+v, want %+v", a, i, got, want)
					}
				}
				if n := loaded.cached.bytes(); n > memory+largest {
					t.Errorf("the pages take %d bytes", n)
				}
			}
		})
	}
	readers.Wait()
	if err := loaded.Err(); err != nil {
		t.Error(err)
	}
}

// TestSaveFails checks that the error of storing a page is that of saving.
func TestSaveFails(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	_, err := New().Save(func([]byte) (uint64, error) { return 0, full })
	if err != nil {
		t.Errorf("a tree without pages: %v", err)
	}
	_, err = objectTree().Save(func([]byte) (uint64, error) {
		calls++
		return 0, full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
}

// TestUnreadablePages checks what queries answer if no page can be read, that the first error stays,
// and that no page is read after it.
func TestUnreadablePages(t *testing.T) {
	s := newSynth()
	s.run(1000)
	stored := save(t, s.tree)
	gone := errors.New("file is gone")
	reads := 0
	loaded, err := Load(stored.root, func(uint64) ([]byte, error) { reads++; return nil, gone }, 1<<20)
	if err != nil || loaded.Err() != nil {
		t.Fatalf("%v, %v", err, loaded.Err())
	}
	if got := loaded.State(7); !reflect.DeepEqual(got, &dsl.State{}) {
		t.Errorf("state %+v", got)
	}
	first := loaded.Err()
	if damage := (*Damage)(nil); !errors.Is(first, gone) || !errors.As(first, &damage) || damage.Part == "" {
		t.Errorf("the error is %v", first)
	}
	for _, m := range []dsl.Move{dsl.StepOver, dsl.StepReturn, dsl.StepBlock, dsl.StepFunction, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvStepBlock, dsl.InvStepFunction} {
		if got := loaded.Land(7, dsl.Action{Move: m}); got != (Outcome{7, AtStart}) {
			t.Errorf("%v lands on %+v", m, got)
		}
	}
	if got := loaded.Stack(7); len(got) != 1 || got[0].Event != -1 {
		t.Errorf("stack %+v", got)
	}
	first7, last7 := loaded.Lifetime(0)
	if got := []int{loaded.Previous(7), loaded.CallEvent(0), loaded.KnownFrom(0), first7, last7}; !slices.Equal(got, []int{-1, -1, -1, -1, -1}) {
		t.Errorf("events %v", got)
	}
	if root, err := loaded.Save(func([]byte) (uint64, error) { return 0, nil }); !errors.Is(err, first) || root != nil {
		t.Errorf("saving it again: %x, %v", root, err)
	}
	if err := loaded.Err(); !errors.Is(err, first) {
		t.Errorf("the error is now %v", err)
	}
	if reads != 1 {
		t.Errorf("%d pages were read", reads)
	}
}

// TestLoadRefuses checks that a root of another version is not called damaged, and that other
// panics than those of damage pass.
func TestLoadRefuses(t *testing.T) {
	_, err := Load([]byte{savedVersion + 1}, nil, 0)
	if damage := (*Damage)(nil); err == nil || errors.As(err, &damage) || !strings.Contains(err.Error(), "has version 2, and this npdb reads version 1") {
		t.Errorf("another version: %v", err)
	}
	if _, err := Load(nil, nil, 0); err == nil {
		t.Error("an empty root was loaded")
	}
	defer func() {
		if recover() == nil {
			t.Error("a nil function was called without a panic")
		}
	}()
	s := newSynth()
	s.run(10)
	loaded, err := Load(save(t, s.tree).root, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	loaded.At(0)
}

// TestVarintPages checks that any bytes come back from a varintCoder.
func TestVarintPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var page []byte
		for range rapid.IntRange(0, 50).Draw(t, "pieces") {
			if rapid.Bool().Draw(t, "number") {
				page = binary.AppendUvarint(page, rapid.Uint64().Draw(t, "value")>>rapid.IntRange(0, 63).Draw(t, "shift"))
			} else {
				page = append(page, rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "bytes")...)
			}
		}
		var c varintCoder
		for _, encoded := range [][]byte{slices.Clone(c.encode(page)), c.plain(page)} {
			if got, err := decodeVarints(encoded); err != nil || !bytes.Equal(got, page) {
				t.Fatalf("%x, %v, want %x", got, err, page)
			}
		}
	})
}
