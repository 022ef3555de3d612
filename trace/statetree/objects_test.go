package statetree

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/dsl"
	"pgregory.net/rapid"
)

// objectForms are a list, a dict and an object shown by its attributes.
var objectForms = []Form{
	{Kind: Sequence, Name: "list", Open: "[", Close: "]", Cycle: "[...]"},
	{Kind: Dict, Name: "dict", Open: "{", Close: "}", Cycle: "{...}"},
	{Kind: Attributes, Name: "A", Open: "A(", Close: ")", Cycle: "A(...)", Bare: "<__main__.A object>"},
	{Kind: Text, Name: "T"},
}

const (
	formList = iota
	formDict
	formObject
	formText
)

// objectTree returns a tree with a module of one name, x, on the stack.
func objectTree() *Tree {
	tree := New()
	tree.AddFile(File{Source: []byte("x\n")})
	tree.AddCode(Code{Name: "<module>", Names: []string{"x"}})
	for _, f := range objectForms {
		tree.AddForm(f)
	}
	tree.Enter(0)
	return tree
}

// model is the test's own copy of an object: all its cells, as of an event.
type model struct {
	cells  []Value
	total  int
	text   string
	stamp  int
	exists bool
}

// TestObjectVersions records random versions of objects, and reads each of them at
// every event.
func TestObjectVersions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := objectTree()
		upTo := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		atom := func() Value { return tree.Atom(fmt.Append(nil, upTo(40, "atom"))) }
		const count = 4
		forms := [count]int{formList, formDict, formObject, formList}
		var now [count]model
		var then [][count]model
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		whole := func(o int) {
			m := model{exists: true}
			n := upTo(60, "size")
			for k := range n {
				if forms[o] == formList {
					m.cells = append(m.cells, atom())
				} else {
					m.cells = append(m.cells, tree.Atom(fmt.Appendf(nil, "k%d", k)), atom())
				}
			}
			if forms[o] != formList {
				n = len(m.cells) / 2
			}
			m.total = n
			if o == 3 {
				m.total += 3
			}
			must(tree.PutWhole(Object(o), forms[o], m.total, m.cells))
			now[o] = m
		}
		for o := range count {
			whole(o)
		}
		for range 50 {
			for range upTo(20, "changes") {
				o := upTo(count, "object")
				m := now[o]
				m.cells = slices.Clone(m.cells)
				switch kind := upTo(20, "change"); {
				case kind == 0:
					whole(o)
					m = now[o]
				case kind == 1:
					m.text = fmt.Sprint("<", upTo(5, "text"), ">")
					must(tree.PutText(Object(o), []byte(m.text)))
				case forms[o] == formList:
					at := upTo(len(m.cells)+1, "at")
					removed := upTo(min(4, len(m.cells)-at)+1, "removed")
					var values []Value
					for range upTo(4, "inserted") {
						values = append(values, atom())
					}
					must(tree.PutSplice(Object(o), at, removed, values))
					m.cells = slices.Replace(m.cells, at, at+removed, values...)
					m.total += len(values) - removed
				default:
					key := tree.Atom(fmt.Appendf(nil, "k%d", upTo(70, "key")))
					at := -1
					for k := 0; k < len(m.cells); k += 2 {
						if m.cells[k] == key {
							at = k
						}
					}
					switch {
					case at >= 0 && kind < 8:
						must(tree.PutDelete(Object(o), key))
						m.cells = slices.Delete(m.cells, at, at+2)
						m.total--
					case at >= 0:
						v := atom()
						must(tree.PutEntry(Object(o), key, v))
						m.cells[at+1] = v
					default:
						v := atom()
						must(tree.PutEntry(Object(o), key, v))
						m.cells = append(m.cells, key, v)
						m.total++
					}
				}
				m.stamp = tree.Len()
				now[o] = m
			}
			tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
			then = append(then, now)
		}
		for i, models := range then {
			for o, m := range models {
				checkObject(t, tree, Object(o), i, m, forms[o])
			}
		}
		for o := range count {
			var want []int
			for i, models := range then {
				if models[o].stamp == i {
					want = append(want, i)
				}
			}
			from := upTo(len(then), "from") - 1
			to := from + upTo(len(then)-from, "to")
			want = slices.DeleteFunc(want, func(i int) bool { return i <= from || i > to })
			if got := versions(tree, Object(o), from, to); !slices.Equal(got, want) {
				t.Fatalf("versions of %d in (%d, %d]: %v, want %v", o, from, to, got, want)
			}
			slices.Reverse(want)
			if got := versionsBack(tree, Object(o), from, to); !slices.Equal(got, want) {
				t.Fatalf("versions of %d in (%d, %d] back: %v, want %v", o, from, to, got, want)
			}
		}
		if upTo(30, "loaded") == 0 {
			checkLoaded(t, tree, save(t, tree).load(t, 100_000), everyEvent(tree))
		}
	})
}

// versions returns the events in (from, to] at which an object's own content changed.
func versions(tree *Tree, o Object, from, to int) (events []int) {
	for at, ok := tree.VersionAfter(o, from); ok && at <= to; at, ok = tree.VersionAfter(o, at) {
		events = append(events, at)
	}
	return events
}

// versionsBack returns the same events as versions, descending.
func versionsBack(tree *Tree, o Object, from, to int) (events []int) {
	for at, ok := tree.VersionUpTo(o, to); ok && at > from; at, ok = tree.VersionUpTo(o, at-1) {
		events = append(events, at)
	}
	return events
}

func checkObject(t *rapid.T, tree *Tree, o Object, i int, m model, form int) {
	if size, ok := tree.Size(o, i); !ok || size != m.total {
		t.Fatalf("object %d at %d has size %d, %v, want %d", o, i, size, ok, m.total)
	}
	if text := tree.Text(ObjectValue(o), i); strings.HasPrefix(text, "<") != (m.text != "") || m.text != "" && text != m.text {
		t.Fatalf("object %d at %d says %q, want %q", o, i, text, m.text)
	}
	if form == formList {
		if got := tree.Items(o, i); !slices.Equal(got, m.cells) {
			t.Fatalf("items of %d at %d: %v, want %v", o, i, got, m.cells)
		}
		for k, want := range m.cells {
			if got, ok := tree.Item(o, i, k); !ok || got != want {
				t.Fatalf("item %d of %d at %d: %v, %v, want %v", k, o, i, got, ok, want)
			}
		}
		if _, ok := tree.Item(o, i, len(m.cells)); ok {
			t.Fatalf("object %d at %d has an item behind its last", o, i)
		}
		return
	}
	var got []Value
	for _, e := range tree.Entries(o, i) {
		got = append(got, e.Key, e.Value)
	}
	if !slices.Equal(got, m.cells) {
		t.Fatalf("entries of %d at %d: %v, want %v", o, i, got, m.cells)
	}
	for k := 0; k < 70; k += 3 {
		key := fmt.Sprint("k", k)
		want := slices.IndexFunc(m.cells, func(v Value) bool { return tree.Text(v, i) == key })
		if got, ok := tree.Entry(o, i, key); ok != (want >= 0) || ok && got != m.cells[want+1] {
			t.Fatalf("entry %s of %d at %d: %v, %v", key, o, i, got, ok)
		}
	}
}

// TestAliases checks that a change through one name is visible through all names, and that
// earlier events are unaffected.
func TestAliases(t *testing.T) {
	tree := objectTree()
	_ = tree.PutWhole(0, formList, 1, []Value{tree.Atom([]byte("1"))})
	_ = tree.PutWhole(1, formObject, 1, []Value{tree.Atom([]byte("of")), ObjectValue(0)})
	tree.SetValue(0, ObjectValue(1))
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	_ = tree.PutSplice(0, 1, 0, []Value{ObjectValue(1)})
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	i := tree.Return(1, dsl.Returned, ObjectValue(0))
	for k, want := range []string{"A(of=[1])", "A(of=[1])", "A(of=[1, A(...)])"} {
		if got := tree.State(k).Locals[0].Value; got != want {
			t.Errorf("at %d x is %s, want %s", k, got, want)
		}
	}
	if got := *tree.State(i).Value; got != "[1, A(of=[...])]" {
		t.Errorf("returned %s", got)
	}
	for k, want := range [][]string{{"x"}, nil, {"x"}, nil} {
		if got := tree.Changed(k); !slices.Equal(got, want) {
			t.Errorf("at %d %v changed, want %v", k, got, want)
		}
	}
}

// TestObjectsRefused checks that invalid changes are refused completely.
func TestObjectsRefused(t *testing.T) {
	tree := objectTree()
	one := tree.Atom([]byte("1"))
	_ = tree.PutWhole(0, formList, 3, []Value{one, one})
	_ = tree.PutWhole(1, formDict, 1, []Value{one, one})
	_ = tree.PutWhole(2, formText, 0, nil)
	versions := tree.objects.versions.n
	for name, err := range map[string]error{
		"too large":       tree.PutWhole(MostObjects, formList, 0, nil),
		"was not defined": tree.PutWhole(3, 4, 0, nil),
		"of 1":            tree.PutWhole(3, formList, 1, []Value{one, one}),
		"of 2":            tree.PutWhole(2, formText, 2, nil),
		"without a value": tree.PutWhole(3, formDict, 1, []Value{one}),
		"not recorded":    tree.PutSplice(3, 0, 0, nil),
		"no elements":     tree.PutItem(1, 0, one),
		"3 elements":      tree.PutItem(0, 3, one),
		"from 2 to 4":     tree.PutSplice(0, 2, 2, nil),
		"no entries":      tree.PutEntry(0, one, one),
		"no such key":     tree.PutDelete(1, tree.Atom([]byte("2"))),
		"object 9":        tree.PutText(9, nil),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want one that says %q", err, name)
		}
	}
	if n := tree.objects.versions.n; n != versions {
		t.Errorf("%d versions, want %d", n, versions)
	}
}

// TestTextsInAnyOrder checks that the text of an object as of an event does not depend on
// earlier queries.
func TestTextsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := objectTree()
		upTo := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		const count = 6
		value := func() Value {
			if upTo(2, "atom") == 0 {
				return ObjectValue(Object(upTo(count, "inside")))
			}
			return tree.Atom(bytes.Repeat([]byte("1"), 100+upTo(300, "digits")))
		}
		for o := range count {
			_ = tree.PutWhole(Object(o), formList, 2, []Value{value(), value()})
		}
		tree.SetValue(0, ObjectValue(0))
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
		for range 30 {
			if o := Object(upTo(2*count, "object")); o < count {
				_ = tree.PutItem(o, upTo(2, "index"), value())
			}
			tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
		}
		for range 60 {
			i, o := upTo(tree.Len(), "event"), Object(upTo(count, "asked"))
			got := tree.Text(ObjectValue(o), i)
			tree.cache.mu.Lock()
			kept := tree.cache.texts
			tree.cache.texts = nil
			tree.cache.mu.Unlock()
			if want := tree.Text(ObjectValue(o), i); got != want {
				t.Fatalf("object %d at %d is %s, want %s", o, i, got, want)
			}
			tree.cache.texts = kept
		}
	})
}

// TestLongLists checks content with many replacements in the middle.
func TestLongLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		upTo := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		want := make([]handle, upTo(6*ropeFrom, "size"))
		for k := range want {
			want[k] = handle(k)
		}
		d := newDraft(slices.Clone(want), false, 1000)
		for n := range 40 {
			at := upTo(len(want)+1, "at")
			removed := upTo(min(len(want)-at, []int{3, 3, 3 * ropeMost}[upTo(3, "wide")])+1, "removed")
			cells := make([]handle, []int{0, 1, 2, removed, 3 * ropeMost}[upTo(5, "inserted")])
			for k := range cells {
				cells[k] = handle(1_000_000*(n+1) + k)
			}
			d.splice(at, removed, cells)
			want = slices.Replace(want, at, at+removed, cells...)
		}
		if got := d.finish(); !slices.Equal(got, want) {
			t.Fatalf("%d cells, want %d", len(got), len(want))
		}
	})
}

// TestObjectsWhileWriting reads texts and changes from several goroutines while objects
// change.
func TestObjectsWhileWriting(t *testing.T) {
	tree := objectTree()
	tree.Batch(func() {
		one := tree.Atom([]byte("1"))
		_ = tree.PutWhole(0, formList, 400, slices.Repeat([]Value{one}, 400))
		tree.SetValue(0, ObjectValue(0))
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	})
	const events = 2000
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for n := 1; n < events; n = tree.Len() {
				for _, i := range []int{0, n / 2, n - 1} {
					if got := tree.State(i).Locals[0].Value; !strings.HasPrefix(got, fmt.Sprintf("[%d, ", 1+i)) {
						t.Errorf("at %d x is %.20s", i, got)
						return
					}
					tree.Changed(i)
				}
			}
		})
	}
	for k := 2; k <= events; k++ {
		tree.Batch(func() {
			_ = tree.PutItem(0, 0, tree.Atom(fmt.Append(nil, k)))
			tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
		})
	}
	readers.Wait()
}
