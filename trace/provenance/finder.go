package provenance

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Limits bound a search.
type Limits struct {
	Hops  int // hops before folding
	Shown int // hops after folding
	Time  time.Duration
}

// DefaultLimits are the limits of a search by a command.
var DefaultLimits = Limits{Hops: 20_000, Shown: 200, Time: 2 * time.Second}

// Finder finds the chain of one value.
type Finder struct {
	past   *query.Past
	tree   *statetree.Tree
	files  map[int]*source
	via    []string
	stop   func() bool
	limits Limits
	until  time.Time

	rebound   map[binder]*bindings
	hops      []Hop
	examining bool // reborn examines the hops of an object
}

// source is a parsed source file.
type source struct {
	*python.Stores
	functions      map[int]python.Signature // by first line
	comprehensions map[*python.Stored]bool  // whether a statement has one
}

// New returns a Finder for a recording. via names the input to follow at each fork in turn. The
// search ends when stop returns true.
func New(p *query.Past, via []string, limits Limits, stop func() bool) *Finder {
	return &Finder{past: p, tree: p.Tree(), files: map[int]*source{}, rebound: map[binder]*bindings{}, via: via, stop: stop, limits: limits, until: time.Now().Add(limits.Time)}
}

// cursor is a place whose value the next hop explains.
type cursor interface {
	hop(f *Finder) (Hop, cursor)
	// held returns the value, and the event as of which the place has it. ok is false if the value
	// is not known.
	held() (v statetree.Value, event int, ok bool)
}

// Find returns the chain of an expression's value in a scope as of an event, the latest hop
// first. The error is one of python.ReadTerm.
func (f *Finder) Find(expr string, s query.Scope, event int) ([]Hop, error) {
	term, err := python.ReadTerm(expr)
	if err != nil {
		return nil, err
	}
	r := run{act: s.Activation, scope: s, start: event, end: event, file: f.tree.At(event).File, typed: true}
	c := f.cursorOf(term, r)
	if c == nil {
		c = &computed{term: term, run: r}
	}
	f.walk(c)
	return f.hops, nil
}

// Missing returns the inputs of via that no hop of the chain has.
func (f *Finder) Missing() []string { return f.via }

func (f *Finder) walk(c cursor) {
	for n := 0; c != nil; n++ {
		h, next := c.hop(f)
		if m, ok := f.mutated(c, &h); ok {
			f.add(m)
		}
		f.add(h)
		if c = next; c == nil {
			return
		}
		if n >= f.limits.Hops || len(f.hops) >= f.limits.Shown || f.stop() || time.Now().After(f.until) {
			last := &f.hops[len(f.hops)-1]
			last.End, last.Note = Limit, "there are more hops before this one"
			return
		}
	}
}

// add appends a hop to the chain, or folds it into the last one.
func (f *Finder) add(h Hop) {
	if h.Times == 0 {
		h.Times = 1
	}
	if h.By.Event >= 0 {
		h.Source, _ = f.tree.SourceLine(f.tree.At(h.By.Event).File, h.By.Line)
	}
	if n := len(f.hops); n > 0 && f.hops[n-1].Folds(&h) {
		f.hops[n-1].Times += h.Times
		return
	}
	f.hops = append(f.hops, h)
}

// mutated returns a hop for the changes of an object since the place got it.
func (f *Finder) mutated(c cursor, h *Hop) (Hop, bool) {
	v, event, ok := c.held()
	o, object := v.Object()
	if !ok || !object || h.since < 0 {
		return Hop{}, false
	}
	at, ok := f.tree.VersionUpTo(o, event)
	if !ok || at <= h.since {
		return Hop{}, false
	}
	m := Hop{Kind: Mutation, Expression: h.Expression, Value: f.reading(v, event), By: f.by(at), Certain: true, since: at, changes: true}
	for before := at; before > h.since && m.Times < f.limits.Hops; m.Times++ {
		if before, ok = f.tree.VersionUpTo(o, before-1); !ok {
			break
		}
	}
	if r, ok := f.runAt(m.By); ok {
		for _, e := range r.stored.Exprs {
			m.Inputs = append(m.Inputs, f.inputs(e.Inputs(), r)...)
		}
	}
	return m, true
}

// part leads to a value inside of a tuple, which is recorded as one text if it contains nothing but
// texts.
type part struct {
	path  []int           // the indexes; none for the whole value
	value statetree.Value // the value there
}

func (p part) whole() bool { return len(p.path) == 0 }

// reading returns the value there, or the whole value.
func (p part) reading(f *Finder, whole statetree.Value, event int) query.Reading {
	return f.reading(p.wanted(whole), event)
}

// wanted returns the value there, or the whole value.
func (p part) wanted(whole statetree.Value) statetree.Value {
	if p.whole() {
		return whole
	}
	return p.value
}

func (p part) subscripts() string {
	var b strings.Builder
	for _, i := range p.path {
		fmt.Fprintf(&b, "[%d]", i)
	}
	return b.String()
}

// inside returns the part of a tuple's text to which a path leads, if the text there is that of
// the wanted value.
func (f *Finder) inside(tuple statetree.Value, path []int, event int, want statetree.Value) (part, bool) {
	p := part{path, want}
	text := f.tree.Text(tuple, event)
	if !strings.HasPrefix(text, "(") {
		return p, false
	}
	c, err := f.past.Condition(text + p.subscripts())
	if err != nil {
		return p, false
	}
	d, err := c.Value(context.Background(), func(string) (python.Datum, bool) { return python.Datum{}, false })
	if err != nil {
		return p, false
	}
	found, err := d.Text()
	return p, err == nil && found == f.tree.Text(want, event)
}

// reading returns a value with its text as of an event.
func (f *Finder) reading(v statetree.Value, event int) query.Reading {
	return query.Reading{Text: f.tree.Text(v, event), OK: true}
}

// frame returns the frame of an activation's own event.
func (f *Finder) frame(event int) statetree.StackFrame {
	if event < 0 || event >= f.tree.Len() {
		return statetree.StackFrame{Event: -1}
	}
	stack := f.tree.Stack(event)
	return stack[len(stack)-1]
}

// by returns the frame whose line made the changes that an event shows. A comprehension belongs to
// the line that contains it.
func (f *Finder) by(event int) statetree.StackFrame {
	by := f.past.By(event)
	if by.Event < 0 || by.Function == "<module>" || !strings.HasPrefix(by.Function, "<") {
		return by
	}
	stack := f.tree.Stack(by.Event)
	for k := len(stack) - 1; k >= 0; k-- {
		if _, scope := f.codeScope(stack[k].Activation); scope >= 0 {
			return stack[k]
		}
	}
	return by
}

// source returns the parsed source of a file.
func (f *Finder) source(file int) *source {
	if s, ok := f.files[file]; ok {
		return s
	}
	text := f.tree.Files()[file].Source
	s := &source{Stores: python.ReadStores(text), functions: map[int]python.Signature{}, comprehensions: map[*python.Stored]bool{}}
	for _, fn := range python.Read(text).Functions() {
		s.functions[fn.Line] = fn
	}
	f.files[file] = s
	return s
}

// evaluate returns the text of a term before a statement ran. ok is false if the recording does
// not determine it.
func (f *Finder) evaluate(t python.Term, r run) (text string, ok bool) {
	c, err := f.past.Condition("(" + t.Text() + ")")
	if err != nil {
		return "", false
	}
	text, _, err = f.past.Value(context.Background(), c, r.scope, r.start)
	return text, err == nil
}

// truth reports whether a term was true before a statement ran.
func (f *Finder) truth(t python.Term, r run) (holds, ok bool) {
	c, err := f.past.Condition("(" + t.Text() + ")")
	if err != nil {
		return false, false
	}
	holds, err = f.past.TruthIn(context.Background(), c, r.scope, r.start)
	return holds, err == nil
}

// inputs returns the parts of an expression with their values before a statement ran.
func (f *Finder) inputs(terms []python.Term, r run) []InputValue {
	found := make([]InputValue, len(terms))
	for i, t := range terms {
		found[i].Expression = t.Text()
		if v, ok := f.valueOf(t, r); ok {
			found[i].Value = f.reading(v, max(r.start, 0))
		} else if v, at, ok := f.result(t, r); ok {
			found[i].Value = f.reading(v, at)
		} else if text, ok := f.evaluate(t, r); ok {
			found[i].Value = query.Reading{Text: text, OK: true}
		} else {
			found[i].Value = query.Reading{Unknown: "it was not recorded"}
		}
	}
	return found
}

// result returns what a call in a statement returned, and the event.
func (f *Finder) result(t python.Term, r run) (v statetree.Value, event int, ok bool) {
	if t.Kind() != python.CallTerm || r.typed {
		return v, 0, false
	}
	event, sure, ok := f.callReturn(t, r)
	if !ok || !sure {
		return v, 0, false
	}
	v, ok = f.tree.Returned(event)
	return v, event, ok
}
