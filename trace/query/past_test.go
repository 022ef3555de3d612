package query

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// maker makes a random run: a module with globals, functions that call one another, names
// bound to numbers and objects, objects that change.
type maker struct {
	*rand.Rand
	t       *testing.T
	tree    *statetree.Tree
	stack   []int // of code objects
	acts    []uint32
	objects int
	kinds   []statetree.FormKind
	sizes   []int
}

var names = []string{"a", "b", "c"}

func newMaker(t *testing.T, seed uint64) *maker {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), t: t, tree: statetree.New()}
	m.tree.AddFile(statetree.File{Path: "/p.py", Name: "p.py", Source: []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n")})
	m.tree.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: 9, Names: names})
	m.tree.AddCode(statetree.Code{Name: "f", QualName: "f", FirstLine: 2, LastLine: 5, Names: []string{"b", "d"}, Fast: true})
	m.tree.AddForm(statetree.Form{Kind: statetree.Sequence, Name: "list", Open: "[", Close: "]", Cycle: "[...]", Reads: statetree.Reads{Exact: true, Elements: true}})
	m.tree.AddForm(statetree.Form{Kind: statetree.Dict, Name: "dict", Open: "{", Close: "}", Cycle: "{...}", Reads: statetree.Reads{Exact: true, Elements: true}})
	m.tree.AddForm(statetree.Form{Kind: statetree.Attributes, Name: "Node", Open: "Node(", Close: ")", Cycle: "Node(...)", Bare: "<__main__.Node object>", Reads: statetree.Reads{Attributes: true}})
	m.enter(0)
	m.tree.Globals(1, m.acts[0], true)
	return m
}

func (m *maker) must(err error) {
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *maker) enter(code int) {
	m.stack = append(m.stack, code)
	m.acts = append(m.acts, m.tree.Enter(code))
}

// value returns a number, or an object.
func (m *maker) value() statetree.Value {
	if m.objects > 0 && m.IntN(2) == 0 {
		return statetree.ObjectValue(statetree.Object(m.IntN(m.objects)))
	}
	return m.tree.Atom([]byte(fmt.Sprint(m.IntN(3))))
}

func (m *maker) bind() {
	code := m.stack[len(m.stack)-1]
	slot := m.IntN([]int{3, 2}[code])
	v := m.value()
	if o, ok := v.Object(); ok {
		m.tree.SetValue(slot, statetree.ObjectValue(o))
	} else if m.IntN(8) == 0 {
		m.tree.Unset(slot)
	} else {
		m.tree.Set(slot, []byte(m.tree.Text(v, 0)), false)
	}
}

// bindOuter changes a global while a function runs.
func (m *maker) bindOuter() {
	if len(m.stack) == 1 {
		return
	}
	v := m.value()
	if o, ok := v.Object(); ok {
		m.tree.SetValueIn(m.acts[0], m.IntN(3), statetree.ObjectValue(o))
		return
	}
	m.tree.SetIn(m.acts[0], m.IntN(3), []byte(m.tree.Text(v, 0)), false)
}

func (m *maker) change() {
	if m.objects == 0 || m.objects < 6 && m.IntN(3) == 0 {
		kind := []statetree.FormKind{statetree.Sequence, statetree.Dict, statetree.Attributes}[m.IntN(3)]
		form := map[statetree.FormKind]int{statetree.Sequence: 0, statetree.Dict: 1, statetree.Attributes: 2}[kind]
		var values []statetree.Value
		n := m.IntN(4)
		for k := range n {
			if kind != statetree.Sequence {
				values = append(values, m.tree.Atom([]byte(m.key(kind, k))))
			}
			values = append(values, m.value())
		}
		m.must(m.tree.PutWhole(statetree.Object(m.objects), form, n, values))
		m.objects++
		m.kinds, m.sizes = append(m.kinds, kind), append(m.sizes, n)
		return
	}
	o := m.IntN(m.objects)
	if m.kinds[o] != statetree.Sequence {
		m.must(m.tree.PutEntry(statetree.Object(o), m.tree.Atom([]byte(m.key(m.kinds[o], m.IntN(3)))), m.value()))
		return
	}
	at := m.IntN(m.sizes[o] + 1)
	removed := m.IntN(m.sizes[o] - at + 1)
	var values []statetree.Value
	for range m.IntN(3) {
		values = append(values, m.value())
	}
	m.must(m.tree.PutSplice(statetree.Object(o), at, removed, values))
	m.sizes[o] += len(values) - removed
}

func (m *maker) key(kind statetree.FormKind, k int) string {
	if kind == statetree.Attributes {
		return string(rune('x' + k))
	}
	return []string{"'k'", "1", "'z'"}[k]
}

// run appends events.
func (m *maker) run(events int) {
	m.tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	for range events {
		for range m.IntN(3) {
			switch m.IntN(5) {
			case 0, 1:
				m.bind()
			case 2:
				m.bindOuter()
			default:
				m.change()
			}
		}
		switch {
		case m.IntN(6) == 0 && len(m.stack) < 4:
			m.enter(1)
			m.tree.Event(dsl.Call, 2, dsl.NoReturn, nil)
		case m.IntN(6) == 0 && len(m.stack) > 1:
			m.tree.Event(dsl.Return, 5, dsl.Returned, []byte("None"))
			m.stack, m.acts = m.stack[:len(m.stack)-1], m.acts[:len(m.acts)-1]
		default:
			m.tree.Event(dsl.Line, 1+m.IntN(9), dsl.NoReturn, nil)
		}
	}
}

// TestChangesAreThoseOfEveryEvent checks that Last and Next find exactly the changes that
// examining every event finds.
func TestChangesAreThoseOfEveryEvent(t *testing.T) {
	never := func() bool { return false }
	changes, followed := 0, 0
	for seed := range uint64(12) {
		m := newMaker(t, seed)
		m.run(150)
		p, brute := Of(m.tree), Of(m.tree)
		n := m.tree.Len()
		for _, expr := range []string{
			"a", "b", "c", "d", "a[0]", "a[-1]", "b['k']", "c.x", "a.y[1]", "len(a)", "len(b)", "a is b", "a is None", "a == 1", "a[1]", "b[1]", "c.x.y", "b['k'].z",
			"a and b", "a[0] == c.x", "(a, b)", "len(a) > len(b)", "1 if a else c", "'k' in b", "a[b]",
		} {
			for _, at := range []int{n - 1, n / 2, n / 3} {
				scope := p.ScopeAt(at)
				f, err := p.Follow(expr, scope, at)
				if err != nil {
					t.Fatal(err)
				}
				g, err := brute.Follow(expr, scope, at)
				if err != nil {
					t.Fatal(err)
				}
				var want, back, forth []int
				for e := range n {
					if !g.At(e).Same(g.At(e - 1)) {
						want = append(want, e)
					}
				}
				for e := n - 1; ; {
					c, ok := f.Last(e, never)
					if !ok {
						break
					}
					back = append([]int{c.Event}, back...)
					e = c.Event - 1
				}
				for e := -1; ; {
					c, ok := f.Next(e, n-1, never)
					if !ok {
						break
					}
					forth = append(forth, c.Event)
					e = c.Event
				}
				followed++
				changes += len(want)
				if fmt.Sprint(want) != fmt.Sprint(back) || fmt.Sprint(want) != fmt.Sprint(forth) {
					t.Fatalf("seed %d: %s as seen from event %d changes at %v\nLast finds %v\nNext finds %v", seed, expr, at, want, back, forth)
				}
			}
		}
	}
	if changes < 4*followed {
		t.Errorf("%d changes of %d expressions: the runs say little", changes, followed)
	}
}
