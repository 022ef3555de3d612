package statetree

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/npdb/npdb/dsl"
	"pgregory.net/rapid"
)

func TestSourceLines(t *testing.T) {
	for _, c := range []struct {
		source string
		want   []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"a\n", []string{"a"}},
		{"\n", []string{""}},
		{"a\r\nb\rc\nd", []string{"a", "b", "c", "d"}},
		{"\r\r\n\n", []string{"", "", ""}},
		{"a\fb\vc\x1cd\u2028e\u0085f\n\tg", []string{"a\fb\vc\x1cd\u2028e\u0085f", "\tg"}},
		{"a\r", []string{"a"}},
	} {
		tree := New()
		file := tree.AddFile(File{Source: []byte(c.source)})
		var got []string
		for line := 1; ; line++ {
			text, ok := tree.SourceLine(file, line)
			if !ok {
				break
			}
			got = append(got, text)
		}
		if !slices.Equal(got, c.want) || tree.LineCount(file) != len(c.want) {
			t.Errorf("%q: %d lines %q, want %q", c.source, tree.LineCount(file), got, c.want)
		}
	}
	tree := New()
	for _, file := range []int{-1, 0, 3} {
		if _, ok := tree.SourceLine(file, 1); ok || tree.LineCount(file) != 0 {
			t.Errorf("file %d, which is not there, has lines", file)
		}
	}
}

// FuzzSourceLines compares line splitting with replacing each line end.
func FuzzSourceLines(f *testing.F) {
	f.Add("a\r\nb\rc\n\n")
	f.Fuzz(func(t *testing.T, source string) {
		tree := New()
		file := tree.AddFile(File{Source: []byte(source)})
		flat := strings.ReplaceAll(strings.ReplaceAll(source, "\r\n", "\n"), "\r", "\n")
		want := strings.SplitAfter(flat, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		if got := tree.LineCount(file); got != len(want) {
			t.Fatalf("%d lines, want %d", got, len(want))
		}
		for i, line := range want {
			if got, _ := tree.SourceLine(file, i+1); got != strings.TrimSuffix(line, "\n") {
				t.Fatalf("line %d: %q, want %q", i+1, got, line)
			}
		}
	})
}

func TestTables(t *testing.T) {
	tree := New()
	file := File{Path: "/p/m.py", Name: "m.py", Source: []byte("x\n")}
	tree.AddFile(file)
	code := Code{Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: 1, Names: []string{"a"}}
	tree.AddCode(code)
	before := tree.Code(0)
	if slot := tree.AddName(0, "b"); slot != 1 {
		t.Errorf("slot %d, want 1", slot)
	}
	if got := tree.Files(); !reflect.DeepEqual(got, []File{file}) {
		t.Errorf("files %+v", got)
	}
	if !reflect.DeepEqual(before, code) {
		t.Errorf("code taken earlier changed: %+v", before)
	}
	code.Names = []string{"a", "b"}
	if got := tree.Code(0); !reflect.DeepEqual(got, code) {
		t.Errorf("code %+v", got)
	}
}

// TestChangesRoundTrip encodes and decodes lists of changes.
func TestChangesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []change
		var e encoder
		e.reset()
		for range rapid.IntRange(0, 8).Draw(t, "changes") {
			c := change{
				op:   rapid.SampledFrom([]op{set, setHidden, unset, order}).Draw(t, "op"),
				slot: rapid.Uint32Range(0, 70_000).Draw(t, "slot"),
			}
			switch c.op {
			case set, setHidden:
				c.value = handle(rapid.Uint32Range(0, 1<<32-2).Draw(t, "value"))
			case order:
				c.slot %= 5
			}
			want = append(want, c)
			for k := range c.slot {
				if c.op == order {
					want = append(want, change{op: item, slot: k * 1000})
				}
			}
		}
		for _, c := range want {
			e.add(c)
		}
		d := decoder{buf: append(slices.Clone(e.finish()), 0xff), more: e.count > 0}
		var got []change
		for c, ok := d.next(); ok; c, ok = d.next() {
			got = append(got, c)
		}
		if !slices.Equal(got, want) || len(d.buf) != 1 {
			t.Fatalf("%+v, %d bytes left, want %+v", got, len(d.buf)-1, want)
		}
	})
}

// TestManyNames checks a body with far more names than events between two that store all
// of them, while their order changes.
func TestManyNames(t *testing.T) {
	tree := New()
	tree.AddFile(File{})
	tree.AddCode(Code{Name: "<module>"})
	tree.Enter(0)
	var want [][]dsl.Local
	var locals []dsl.Local
	for i := range 2000 {
		if i < 500 {
			name := fmt.Sprintf("v%d", i)
			locals = append(locals, dsl.Local{Name: name, Value: "0"})
			tree.Set(tree.AddName(0, name), []byte("0"), false)
		} else {
			at := i * 7919 % len(locals)
			l := locals[at]
			var slot int
			if _, err := fmt.Sscanf(l.Name, "v%d", &slot); err != nil {
				t.Fatal(err)
			}
			l.Value = fmt.Sprint(i)
			tree.Unset(slot)
			tree.Set(slot, []byte(l.Value), false)
			locals = append(slices.Delete(slices.Clone(locals), at, at+1), l)
		}
		want = append(want, slices.Clone(locals))
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	for i, locals := range want {
		if got := tree.State(i).Locals; !slices.Equal(got, locals) {
			t.Fatalf("state %d: %v, want %v", i, got, locals)
		}
	}
	if most := int64(200 * len(want)); tree.changes.held > most {
		t.Errorf("changes hold %d bytes, want at most %d", tree.changes.held, most)
	}
}

// TestDeepRecursion makes a hundred thousand nested calls and returns.
func TestDeepRecursion(t *testing.T) {
	const deep = 100_000
	tree := New()
	tree.AddFile(File{Source: []byte("x\n")})
	tree.AddCode(Code{Name: "<module>"})
	tree.AddCode(Code{Name: "f", Fast: true, Names: []string{"n"}})
	tree.Enter(0)
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	for n := range deep {
		tree.Enter(1)
		tree.Set(0, fmt.Append(nil, n), false)
		tree.Event(dsl.Call, 1, dsl.NoReturn, nil)
	}
	for range deep {
		tree.Event(dsl.Return, 1, dsl.Returned, []byte("None"))
	}
	tree.Finish()
	stack := tree.Stack(deep)
	if len(stack) != deep+1 || stack[deep/2].Event != deep/2 {
		t.Fatalf("stack of %d frames, the middle one %+v", len(stack), stack[deep/2])
	}
	if got := tree.LocalsOf(stack[7].Activation, deep); !slices.Equal(got, []dsl.Local{{Name: "n", Value: "6"}}) {
		t.Errorf("locals of frame 7: %v", got)
	}
	for _, c := range []struct {
		from int
		move dsl.Move
		want Outcome
	}{
		{1, dsl.StepOver, Outcome{Event: 2 * deep}},
		{1, dsl.StepReturn, Outcome{Event: 2 * deep}},
		{0, dsl.StepOver, Outcome{2*deep + 1, AtEnd}},
		{2 * deep, dsl.InvStepOver, Outcome{Event: 1}},
		{2 * deep, dsl.InvStepReturn, Outcome{Event: 1}},
		{1, dsl.InvStepReturn, Outcome{Event: 0}},
	} {
		if got := tree.Land(c.from, dsl.Action{Move: c.move}); got != c.want {
			t.Errorf("%v at %d: %+v, want %+v", c.move, c.from, got, c.want)
		}
	}
}

// TestLostAndFound checks that an activation that a gap dropped, and that is on the stack
// after a later gap, still has its locals.
func TestLostAndFound(t *testing.T) {
	tree := New()
	tree.AddFile(File{Source: []byte("x\n")})
	tree.AddCode(Code{Name: "f", Fast: true, Names: []string{"a", "b"}})
	outer, inner := tree.Enter(0), tree.Enter(0)
	tree.Set(0, []byte("1"), false)
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	tree.Gap([]uint32{outer})
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	tree.Gap([]uint32{outer, inner})
	tree.Set(1, []byte("2"), false)
	i := tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	want := []dsl.Local{{Name: "a", Value: "1"}, {Name: "b", Value: "2"}}
	if got := tree.State(i).Locals; !slices.Equal(got, want) {
		t.Errorf("locals %v, want %v", got, want)
	}
	if got := tree.Changed(i); !slices.Equal(got, []string{"b"}) {
		t.Errorf("changed %v, want b", got)
	}
}

// TestEndedActivationsAreFreed checks that the memory for appending to an activation is
// freed when it ends, however it ends.
func TestEndedActivationsAreFreed(t *testing.T) {
	tree := New()
	tree.AddFile(File{Source: []byte("x\n")})
	tree.AddCode(Code{Name: "f", Fast: true, Names: []string{"a"}})
	tree.AddCode(Code{Name: "g", Fast: true, Names: []string{"a"}, Generator: true})
	outer := tree.Enter(0)
	for k := range 1000 {
		g := tree.Enter(1)
		tree.Event(dsl.Return, 1, dsl.Yielded, nil)
		tree.Resume(g)
		tree.Event(dsl.Return, 1, []dsl.ReturnKind{dsl.Returned, dsl.Unwound}[k%2], nil)
		tree.Enter(0)
		tree.Leave()
		tree.Enter(0)
		tree.Gap([]uint32{outer})
	}
	if n := len(tree.lives); n > 3 {
		t.Errorf("%d activations are kept, of 3 that were there at once", n)
	}
}

// TestAmendReturn checks that an edit at a return belongs to the activation that returns,
// and later changes to its caller.
func TestAmendReturn(t *testing.T) {
	tree := New()
	tree.AddFile(File{Source: []byte("x\n")})
	tree.AddCode(Code{Name: "f", Fast: true, Names: []string{"a"}})
	for _, edit := range []bool{true, false} {
		tree.Enter(0)
		tree.Enter(0)
		i := tree.Event(dsl.Return, 1, dsl.Returned, nil)
		tree.Set(0, []byte("1"), false)
		if edit {
			tree.Amend()
		}
		j := tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
		for k, want := range map[int]bool{i: edit, j: !edit} {
			if got := len(tree.State(k).Locals) == 1; got != want {
				t.Errorf("edited %v: event %d has the value: %v, want %v", edit, k, got, want)
			}
		}
		if got := tree.At(i).Edited; got != edit {
			t.Errorf("edited is %v, want %v", got, edit)
		}
	}
}

// TestReadersWhileWriting queries from several goroutines while one appends. What was
// recorded must not change.
func TestReadersWhileWriting(t *testing.T) {
	s := newSynth()
	var readers sync.WaitGroup
	var written atomic.Bool
	for range 3 {
		readers.Go(func() {
			for k := 0; k < 50 || !written.Load(); k++ {
				n := s.tree.Len()
				if n == 0 {
					continue
				}
				i := k * 7919 % n
				state := s.tree.State(i)
				for m := range dsl.Moves() {
					s.tree.Land(i, dsl.Action{Move: m, Lines: []dsl.Location{{Line: 12}}})
				}
				stack := s.tree.Stack(i)
				s.tree.LocalsOf(stack[0].Activation, i)
				s.tree.Changed(i)
				s.tree.Code(s.tree.At(i).Code)
				if s.tree.Bytes() <= 0 {
					t.Error("a tree with events holds no memory")
				}
				if again := s.tree.State(i); !reflect.DeepEqual(state, again) {
					t.Errorf("state %d was %+v and is %+v", i, state, again)
				}
			}
		})
	}
	s.run(30_000)
	written.Store(true)
	readers.Wait()
}
