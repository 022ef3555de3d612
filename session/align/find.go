package align

import (
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// Found is the difference of two values, down to the part that differs.
type Found struct {
	Path  string    // "orders[3].total"; "" for a value that is returned, yielded or raised
	Texts [2]string // "" where there is none
	Has   [2]bool
	// Function is the one that has the name, "" for what is returned, yielded or raised.
	Function string
}

// mostSearched limits how many elements are read to find a difference.
const mostSearched = 200_000

// Find returns what differs at a divergence of values. ok is false if no name leads to it.
func (al *Alignment) Find(d *Divergence) (f Found, ok bool) { return al.find(d) }

func (al *Alignment) find(d *Divergence) (f Found, ok bool) {
	s := &search{comparison: al.comparisonAt(d), left: mostSearched}
	switch d.what.kind {
	case aName, anObject:
		name, x, y := al.named(d)
		if d.what.kind == anObject && x != nil {
			if path, found := s.reach(name, *x, d.what.objects[0], map[statetree.Object]bool{}); found {
				v, w := statetree.ObjectValue(d.what.objects[0]), statetree.ObjectValue(d.what.objects[1])
				name, x, y = path, &v, &w
			}
		}
		f, ok = s.down(name, x, y), true
		f.Function = al.sources.codes[0][al.Runs[0].Tree.CodeOf(d.what.acts[0])].qualified
	case aResult:
		x, _ := al.Runs[0].Tree.Returned(d.Events[0])
		y, _ := al.Runs[1].Tree.Returned(d.Events[1])
		f, ok = s.down("value", &x, &y), true
	}
	return f, ok
}

// named returns the name of a subject, and its values.
func (al *Alignment) named(d *Divergence) (name string, x, y *statetree.Value) {
	if d.what.slot >= 0 {
		name = al.sources.codes[0][al.Runs[0].Tree.CodeOf(d.what.acts[0])].Names[d.what.slot]
		x = al.held(0, d.what.acts[0], d.Events[0], name)
	}
	if d.what.other >= 0 {
		name = al.sources.codes[1][al.Runs[1].Tree.CodeOf(d.what.acts[1])].Names[d.what.other]
		y = al.held(1, d.what.acts[1], d.Events[1], name)
	}
	return name, x, y
}

func (al *Alignment) held(k int, act uint32, event int, name string) *statetree.Value {
	if v, ok := al.Runs[k].Tree.Held(act, event, name); ok {
		return &v
	}
	return nil
}

// comparisonAt returns a comparison at a divergence, regardless of what was compared before.
func (al *Alignment) comparisonAt(d *Divergence) comparison {
	return comparison{Alignment: al, seen: map[[2]statetree.Object]bool{}, at: d.Events}
}

// search looks for a difference in values.
type search struct {
	comparison
	left int // number of elements that may still be read
}

// down returns the first difference within two values.
func (s *search) down(path string, x, y *statetree.Value) Found {
	seen := map[[2]statetree.Object]bool{}
	for x != nil && y != nil {
		a, isA := x.Object()
		b, isB := y.Object()
		pair := [2]statetree.Object{a, b}
		if !isA || !isB || seen[pair] {
			break
		}
		seen[pair] = true
		piece, v, w, ok := s.piece(a, b)
		if !ok {
			break
		}
		path, x, y = path+piece, v, w
	}
	f := Found{Path: path}
	for k, v := range []*statetree.Value{x, y} {
		if v != nil {
			f.Texts[k], f.Has[k] = s.text(k, *v), true
		}
	}
	return f
}

// piece returns the first part in which two objects differ: as it is written after the path, and its
// values. ok is false if they differ as a whole.
func (s *search) piece(a, b statetree.Object) (piece string, x, y *statetree.Value, ok bool) {
	f, _ := s.Runs[0].Tree.Form(a, s.at[0])
	g, _ := s.Runs[1].Tree.Form(b, s.at[1])
	if f.Kind != g.Kind || f.Name != g.Name || f.Kind == statetree.Text || f.Kind == statetree.Set || f.Kind == statetree.Bytes {
		return "", nil, nil, false
	}
	switch {
	case f.Kind.Named():
		s.attributes(a, b, func(name string, v, w *statetree.Value) bool {
			if v == nil || w == nil || !s.same(*v, *w) {
				piece, x, y, ok = "."+name, v, w, true
			}
			return !ok
		})
	case f.Kind.Paired():
		return s.entry(a, b)
	default:
		return s.item(s.Runs[0].Tree.Items(a, s.at[0]), s.Runs[1].Tree.Items(b, s.at[1]))
	}
	return piece, x, y, ok
}

// item returns the first element in which two sequences differ.
func (s *search) item(list, others []statetree.Value) (piece string, x, y *statetree.Value, ok bool) {
	for k := range max(len(list), len(others)) {
		x, y = nil, nil
		if k < len(list) {
			x = &list[k]
		}
		if k < len(others) {
			y = &others[k]
		}
		if x == nil || y == nil || !s.same(*x, *y) {
			return "[" + strconv.Itoa(k) + "]", x, y, true
		}
	}
	return "", nil, nil, false
}

// entry returns the first entry in which two dicts differ. Two dicts with the same entries in another
// order differ as a whole.
func (s *search) entry(a, b statetree.Object) (piece string, x, y *statetree.Value, ok bool) {
	list, others := s.Runs[0].Tree.Entries(a, s.at[0]), s.Runs[1].Tree.Entries(b, s.at[1])
	at := make(map[string]int, len(others))
	for k := range others {
		at[s.values.steady(1, s.text(1, others[k].Key))] = k
	}
	for k := range list {
		key := s.text(0, list[k].Key)
		other, both := at[s.values.steady(0, key)]
		delete(at, s.values.steady(0, key))
		switch {
		case !both:
			return "[" + key + "]", &list[k].Value, nil, true
		case !s.same(list[k].Value, others[other].Value):
			return "[" + key + "]", &list[k].Value, &others[other].Value, true
		}
	}
	for k := range others {
		if key := s.text(1, others[k].Key); len(at) > 0 {
			if _, left := at[s.values.steady(1, key)]; left {
				return "[" + key + "]", nil, &others[k].Value, true
			}
		}
	}
	return "", nil, nil, false
}

// reach returns the path from a value to an object of the first run.
func (s *search) reach(path string, v statetree.Value, to statetree.Object, seen map[statetree.Object]bool) (string, bool) {
	o, isObject := v.Object()
	switch {
	case !isObject || s.left <= 0:
		return "", false
	case o == to:
		return path, true
	case seen[o]:
		return "", false
	}
	seen[o] = true
	t, at := s.Runs[0].Tree, s.at[0]
	f, _ := t.Form(o, at)
	if !f.Kind.Paired() {
		for k, item := range t.Items(o, at) {
			s.left--
			if found, ok := s.reach(path+"["+strconv.Itoa(k)+"]", item, to, seen); ok {
				return found, true
			}
		}
		return "", false
	}
	for _, e := range t.Entries(o, at) {
		s.left--
		piece := "[" + s.text(0, e.Key) + "]"
		if f.Kind.Named() {
			piece = "." + s.text(0, e.Key)
		}
		if found, ok := s.reach(path+piece, e.Value, to, seen); ok {
			return found, true
		}
	}
	return "", false
}

// ignored reports whether a divergence comes from the clock, a process id or the like, as far as the
// text of the program tells, and notes it.
func (w *walker) ignored(d *Divergence) bool {
	event := d.Events[0]
	at := w.a.tree.At(event)
	name := ""
	if d.what.kind == aName || d.what.kind == anObject {
		name, _, _ = w.named(d)
	}
	call := w.variesAt(event, name)
	if call == "" {
		return false
	}
	what := name
	if what == "" {
		what = "line " + strconv.Itoa(at.Line)
	}
	if text := what + " (" + call + ")"; !slices.Contains(w.Ignored, text) {
		w.Ignored = append(w.Ignored, text)
	}
	return true
}

// variesAt returns the call of the clock and the like that a name, or the line that ran before an event
// of the first run, gets its value from; "" for none.
func (al *Alignment) variesAt(event int, name string) string {
	t := al.Runs[0].Tree
	file, line := by(t, event)
	if file < 0 {
		return ""
	}
	vary := al.sources.varying(0, t, file)
	call := vary.Line(line)
	if name != "" {
		call = vary.Name(line, name)
	}
	for _, own := range []string{"random.", "secrets.", "input", "sys.stdin", "hash", "os.urandom", "os.getrandom"} {
		if strings.HasPrefix(call, own) {
			return "" // the program's input or chance: a difference
		}
	}
	return call
}

// by returns the line that ran before an event, by which its values came; file is -1 for none.
func by(t *statetree.Tree, event int) (file, line int) {
	if event <= 0 || t.At(event).AfterGap {
		return -1, 0
	}
	before := t.At(event - 1)
	if before.Event != dsl.Return {
		return before.File, before.Line
	}
	stack := t.Stack(event - 1)
	if len(stack) < 2 {
		return before.File, before.Line
	}
	f := stack[len(stack)-2]
	return t.Code(t.CodeOf(f.Activation)).File, f.Line
}
