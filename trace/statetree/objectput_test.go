package statetree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"pgregory.net/rapid"
)

// valuesOf returns values of texts.
func valuesOf(tree *Tree, texts ...string) []Value {
	var values []Value
	for _, text := range texts {
		values = append(values, tree.Atom([]byte(text)))
	}
	return values
}

// TestDiffering checks that inserting the difference of two lists of cells converts one
// into the other, and never splits pairs.
func TestDiffering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 2).Draw(t, "width")
		some := func(what string) []handle {
			list := rapid.SliceOfN(rapid.Uint32Range(0, 2), 0, 20).Draw(t, what)
			var cells []handle
			for _, v := range list[:len(list)/width*width] {
				cells = append(cells, handle(v))
			}
			return cells
		}
		head, tail := some("head"), some("tail")
		before := slices.Concat(head, some("before"), tail)
		cells := slices.Concat(head, some("now"), tail)
		at, removed, middle := differing(before, cells, width)
		if got := slices.Concat(before[:at], middle, before[at+removed:]); !slices.Equal(got, cells) {
			t.Fatalf("%v is %v with %d from %d on as %v, want %v", before, got, removed, at, middle, cells)
		}
		if at%width != 0 || removed%width != 0 || len(middle)%width != 0 {
			t.Fatalf("of pairs, %d from %d on are %v", removed, at, middle)
		}
		shared := max(len(head)+len(tail)-width*2, 0)
		if len(middle) > len(cells)-min(shared, len(cells)) {
			t.Fatalf("%v and %v share %d cells, and %v differ", before, cells, shared, middle)
		}
	})
}

// TestWholeAgain checks that whole content that is similar to the version before is stored
// as a difference, and is read correctly at each event.
func TestWholeAgain(t *testing.T) {
	tree := objectTree()
	texts := func(n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint("v", i)
		}
		return list
	}
	now := texts(2000)
	var want [][]Value
	put := func() {
		t.Helper()
		values := valuesOf(tree, now...)
		if err := tree.PutWhole(0, formList, len(values), values); err != nil {
			t.Fatal(err)
		}
		want = append(want, values)
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	put()
	held := tree.objects.data.held
	for k := range 30 {
		now[k*60] = fmt.Sprint("w", k)
		if k%3 == 0 {
			now = slices.Insert(now, k*7, "x")
		}
		put()
	}
	if grown := tree.objects.data.held - held; grown > 2*arenaPage {
		t.Errorf("30 changes of single elements cost %d bytes", grown)
	}
	now = texts(100)
	put()
	now = append(texts(20), now[50:]...)
	put()
	for i, values := range want {
		if got := tree.Items(0, i); !slices.Equal(got, values) {
			t.Errorf("at %d there are %d elements, which are not the %d that came", i, len(got), len(values))
		}
	}
}

// TestPartlyStored checks that if content is only stored in part, changes after that part
// only change its size.
func TestPartlyStored(t *testing.T) {
	tree := objectTree()
	a, b := valuesOf(tree, "1", "2"), valuesOf(tree, "'a'", "1", "'b'", "2")
	steps := []struct {
		put  func() error
		want [2]string
	}{
		{func() error { return tree.PutWhole(0, formList, 5, a) }, [2]string{"[1, 2, … +3 items not stored]", "<object not recorded>"}},
		{func() error { return tree.PutWhole(1, formDict, 3, b) }, [2]string{"", "{'a': 1, 'b': 2, … +1 items not stored}"}},
		{func() error { return tree.PutSplice(0, 4, 1, a) }, [2]string{"[1, 2, … +4 items not stored]", ""}},
		{func() error { return tree.PutSplice(0, 1, 3, a) }, [2]string{"[1, 1, 2, … +2 items not stored]", ""}},
		{func() error { return tree.PutSplice(0, 3, 0, a[:1]) }, [2]string{"[1, 1, 2, 1, … +2 items not stored]", ""}},
		{func() error { return tree.PutSplice(0, 5, 1, nil) }, [2]string{"[1, 1, 2, 1, … +1 items not stored]", ""}},
		{func() error { return tree.PutEntry(1, a[0], a[1]) }, [2]string{"", "{'a': 1, 'b': 2, … +2 items not stored}"}},
		{func() error { return tree.PutEntry(1, b[0], a[1]) }, [2]string{"", "{'a': 2, 'b': 2, … +2 items not stored}"}},
		{func() error { return tree.PutDelete(1, a[0]) }, [2]string{"", "{'a': 2, 'b': 2, … +1 items not stored}"}},
		{func() error { return tree.PutDelete(1, b[0]) }, [2]string{"", "{'b': 2, … +1 items not stored}"}},
		{func() error { return tree.PutDelete(1, a[0]) }, [2]string{"", "{'b': 2}"}},
		{func() error { return tree.PutEntry(1, b[0], a[1]) }, [2]string{"", "{'b': 2, 'a': 2}"}},
	}
	for _, step := range steps {
		if err := step.put(); err != nil {
			t.Fatal(err)
		}
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	if err := tree.PutDelete(1, a[0]); err == nil {
		t.Error("a key that there is not was deleted")
	}
	var now [2]string
	for i, step := range steps {
		for o, want := range step.want {
			if want != "" {
				now[o] = want
			}
			if got := tree.Text(ObjectValue(Object(o)), i); got != now[o] {
				t.Errorf("at %d object %d is %s, want %s", i, o, got, now[o])
			}
		}
	}
	if n := tree.Objects(); n != 2 {
		t.Errorf("%d objects", n)
	}
}

// TestChangesStayFew checks that reading an object as of any event takes time limited by
// its size, however often it changed.
func TestChangesStayFew(t *testing.T) {
	tree := objectTree()
	values := valuesOf(tree, strings.Fields(strings.Repeat("0 ", 400))...)
	pairs := values[:0:0]
	for k := range 200 {
		pairs = append(pairs, valuesOf(tree, fmt.Sprint("k", k), "0")...)
	}
	for _, err := range []error{tree.PutWhole(0, formList, 400, values), tree.PutWhole(1, formDict, 200, pairs)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for k := range 3000 {
		v := tree.Atom(fmt.Append(nil, k))
		if err := tree.PutItem(0, k%400, v); err != nil {
			t.Fatal(err)
		}
		if err := tree.PutEntry(1, pairs[2*(k%200)], v); err != nil {
			t.Fatal(err)
		}
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
		for o := range Object(2) {
			h, _ := tree.objects.head(tree.objects.last(o))
			if most := workFree + 400/workShare; h.work > most {
				t.Fatalf("after %d changes %d are to be read, want at most %d", k, h.work, most)
			}
			if most := changesRoom + 400*changesShare; h.room > most {
				t.Fatalf("after %d changes %d bytes are to be read, want at most %d", k, h.room, most)
			}
		}
	}
	if whole := 3000 * 400; tree.objects.data.held > int64(whole/4) {
		t.Errorf("3000 changes of two objects hold %d bytes", tree.objects.data.held)
	}
}

// TestVersionsFound checks that the version as of an event is found in few hops.
func TestVersionsFound(t *testing.T) {
	const many = 1 << 13
	tree := objectTree()
	if err := tree.PutWhole(0, formList, 1, valuesOf(tree, "0")); err != nil {
		t.Fatal(err)
	}
	other := tree.Enter(0)
	for k := range many {
		if err := tree.PutItem(0, 0, tree.Atom(fmt.Append(nil, k))); err != nil {
			t.Fatal(err)
		}
		tree.SetIn(0, 0, fmt.Append(nil, k), false)
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	if got := tree.At(0).Activation; got != other {
		t.Fatalf("the events are of activation %d", got)
	}
	for name, hops := range map[string]func(i int) int{
		"objects": func(i int) int { return hops(&tree.objects, tree.objects.last(0), i) },
		"asides":  func(i int) int { return hops(&tree.asides, latestAside(tree, 0), i) },
	} {
		for i := 0; i < many; i += 97 {
			if n := hops(i); n > 3*13 {
				t.Fatalf("%s: the version as of %d of %d is found in %d hops", name, i, many, n)
			}
		}
	}
}

// hops returns the number of rows that upTo visits.
func hops[L skewed](l L, row uint32, i int) int {
	n := 0
	for want := upTo(l, row, i); row != want; n++ {
		at := l.skew(row)
		if at.jump != none && int64(l.skew(at.jump).stamp) > int64(i) {
			row = at.jump
		} else {
			row = at.previous
		}
	}
	return n
}

// TestTextCache checks that long texts are cached, until there are too many.
func TestTextCache(t *testing.T) {
	var c textCache
	text := func(n int) cachedText { return cachedText{text: strings.Repeat("x", n), from: []Object{1, 2}} }
	put := func(o Object, n int, kept bool, held int64) {
		t.Helper()
		c.put(o, text(n))
		if got, ok := c.get(o); ok != kept || ok && len(got.text) != n || c.bytes() != held {
			t.Errorf("of %d bytes: kept %v, %d in all, want %v, %d", n, ok, c.bytes(), kept, held)
		}
	}
	put(1, cachedFrom-1, false, 0)
	put(1, cachedFrom, true, cachedFrom+8)
	put(1, cachedFrom+1, true, cachedFrom+9)
	put(2, cachedFrom, true, 2*cachedFrom+17)
	put(3, cachedBytes-7, false, 2*cachedFrom+17)
	put(3, cachedBytes-2*cachedFrom-25, true, cachedBytes)
	put(4, cachedFrom, true, cachedFrom+8)
	if _, ok := c.get(3); ok {
		t.Error("more is kept than may be")
	}
	c.clear()
	if _, ok := c.get(4); ok || c.bytes() != 0 {
		t.Errorf("cleared, %d bytes are kept", c.bytes())
	}
	tree := objectTree()
	_ = tree.PutWhole(0, formList, 1, valuesOf(tree, strings.Repeat("1", cachedFrom)))
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	tree.Text(ObjectValue(0), 0)
	if _, ok := tree.cache.get(0); !ok {
		t.Error("a long text is not kept")
	}
}

// TestBytes checks that added data is counted approximately.
func TestBytes(t *testing.T) {
	const size = 1 << 17
	long := strings.Repeat("x", size)
	for name, add := range map[string]func(*Tree){
		"a source":            func(t *Tree) { t.AddFile(File{Source: []byte(long)}) },
		"a source of lines":   func(t *Tree) { t.AddFile(File{Source: []byte(strings.Repeat("\n", size/16))}) },
		"names of code":       func(t *Tree) { t.AddCode(Code{Names: []string{long}}) },
		"a name":              func(t *Tree) { t.AddName(0, long) },
		"a form":              func(t *Tree) { t.AddForm(Form{Open: long}) },
		"a form's attributes": func(t *Tree) { t.AddForm(Form{Shown: []string{long[:size/2]}}) },
		"a text":              func(t *Tree) { t.Atom([]byte(long)) },
		"an object":           func(t *Tree) { _ = t.PutWhole(0, formList, size, slices.Repeat(valuesOf(t, "1"), size)) },
		"objects passed over": func(t *Tree) { _ = t.PutWhole(size/4, formList, 0, nil) },
		"events": func(t *Tree) {
			for range size / 20 {
				t.Event(dsl.Line, 1, dsl.NoReturn, nil)
			}
		},
		"exceptions": func(t *Tree) {
			for range size / 24 {
				t.Event(dsl.Exception, 1, dsl.NoReturn, nil)
			}
		},
		"changes from elsewhere": func(t *Tree) {
			for k := range size / 24 {
				t.SetIn(0, 0, fmt.Append(nil, k&1), false)
			}
		},
	} {
		tree := objectTree()
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
		before := tree.Bytes()
		add(tree)
		if grown := tree.Bytes() - before; grown < size || grown > 4*size {
			t.Errorf("%s of about %d bytes is counted as %d", name, size, grown)
		}
	}
}

// latestAside returns the latest row of asides of an activation.
func latestAside(tree *Tree, act uint32) uint32 {
	row, _ := tree.asides.latest.get(act)
	return row
}
