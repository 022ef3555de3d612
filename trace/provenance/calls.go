package provenance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// mostEvents bounds how many events of a statement are examined.
const mostEvents = 200_000

// returns lists the return events of the functions that a statement called directly.
func (f *Finder) returns(r run) (events []int, complete bool) {
	if r.typed || r.end < 0 {
		return nil, false
	}
	depth := f.tree.At(r.start).Depth + 1
	for at := r.end - 1; at > r.start; {
		if r.end-at > mostEvents || f.stop() {
			return events, false
		}
		e := f.tree.At(at)
		if e.AfterGap {
			return events, false
		}
		if e.Depth == depth && e.Event == dsl.Return && e.Kind == dsl.Returned {
			events = append(events, at)
			first, _ := f.tree.Lifetime(e.Activation)
			if code := f.tree.Code(e.Code); !code.Generator && first > r.start {
				at = first // what the function ran itself does not matter
				continue
			}
		}
		at--
	}
	slices.Reverse(events)
	return events, true
}

// returnedBy returns the only return of a function with a name in a run. If there are several, it
// returns the only one with the wanted object.
func (f *Finder) returnedBy(name string, r run, want statetree.Value) (event int, sure, ok bool) {
	events, complete := f.returns(r)
	var found []int
	for _, at := range events {
		if f.tree.Code(f.tree.At(at).Code).Name == name {
			if v, ok := f.tree.Returned(at); ok && v == want {
				found = append(found, at)
			}
		}
	}
	if len(found) == 0 {
		return 0, false, false
	}
	_, object := want.Object()
	return found[len(found)-1], complete && (len(found) == 1 || object), true
}

// callReturn returns the event at which the function that a call in a statement calls returned.
// sure is false if it may be the return of another call.
func (f *Finder) callReturn(t python.Term, r run) (event int, sure, ok bool) {
	events, complete := f.returns(r)
	name := t.Callee()
	var own []int
	for _, at := range events {
		if f.isCallOf(t, at) && !f.generates(at) {
			own = append(own, at)
		}
	}
	var same []python.Term
	always, at := true, -1
	for _, e := range r.stored.Exprs {
		calls, each := e.Calls()
		always = always && each
		for _, c := range calls {
			if c.Callee() == name {
				if c == t {
					at = len(same)
				}
				same = append(same, c)
			}
		}
	}
	switch {
	case len(own) == 0 || at < 0:
		return 0, false, false
	case len(same) == len(own) && always:
		return own[at], complete, true
	case len(own) == 1 && len(same) == 1:
		return own[0], complete && always, true
	}
	return own[len(own)-1], false, true
}

// isCallOf reports whether the activation that returns at an event has the name that a call calls.
func (f *Finder) isCallOf(t python.Term, event int) bool {
	return f.tree.Code(f.tree.At(event).Code).Name == t.Callee()
}

// called returns how a call got its value.
func (f *Finder) called(t python.Term, r run, want statetree.Value) outcome {
	if f.constructs(t, r, want) {
		return outcome{end: Construct, note: madeBy(t), inputs: f.inputs(t.Inputs(), r)}
	}
	at, sure, ok := f.callReturn(t, r)
	if ok {
		v, known := f.tree.Returned(at)
		if known && v == want {
			return outcome{next: &returned{event: at, value: want}, likely: !sure}
		}
	}
	if at, ok := f.lastReturn(t, r, want); ok { // a function of another name: an alias, a wrapper
		_, object := want.Object()
		return outcome{next: &returned{event: at, value: want}, likely: !object}
	}
	if c := f.taken(t, r, want); c != nil {
		return outcome{kind: Element, next: c, inputs: f.inputs(t.Inputs(), r), likely: f.disturbed(t, r)}
	}
	if out, ok := f.chosen(t, r, want); ok {
		return out
	}
	if f.fallsBack(t, r) {
		return f.term(t.Terms()[2], r, want)
	}
	if o, object := want.Object(); object && r.end >= 0 {
		if form, ok := f.tree.Form(o, r.end); ok && form.Name == t.Callee() { // at the address of one that is gone
			return outcome{end: Construct, note: madeBy(t), inputs: f.inputs(t.Inputs(), r)}
		}
	}
	return f.unrecorded(t, r)
}

func madeBy(t python.Term) string {
	return fmt.Sprintf("made by %s() at line %d", t.Terms()[0].Text(), t.Line())
}

// lastReturn returns the return just before the statement ended, if it has the wanted value and
// the call is the last thing that the statement does.
func (f *Finder) lastReturn(t python.Term, r run, want statetree.Value) (event int, ok bool) {
	if r.typed || r.end <= r.start+1 {
		return 0, false
	}
	e := f.tree.At(r.end - 1)
	if e.Event != dsl.Return || e.Kind != dsl.Returned || e.Depth != f.tree.At(r.start).Depth+1 {
		return 0, false
	}
	if f.tree.Code(e.Code).Name == "__init__" || f.generates(r.end-1) {
		return 0, false
	}
	v, known := f.tree.Returned(r.end - 1)
	return r.end - 1, known && v == want
}

// constructs reports whether a call made an instance: the object is new, and the call is that of
// its class.
func (f *Finder) constructs(t python.Term, r run, want statetree.Value) bool {
	o, object := want.Object()
	if !object || r.end < 0 {
		return false
	}
	form, ok := f.tree.Form(o, r.end)
	if !ok || form.Name != t.Callee() {
		return false
	}
	if _, before := f.tree.VersionUpTo(o, r.start); !before {
		return true
	}
	return f.initialized(want, r)
}

// instantiates reports whether a call in a statement made an instance of a class of the program,
// whose __init__ ran.
func (f *Finder) instantiates(t python.Term, r run) bool {
	events, _ := f.returns(r)
	for _, at := range events {
		e := f.tree.At(at)
		code := f.tree.Code(e.Code)
		if code.Name != "__init__" || len(code.Names) == 0 {
			continue
		}
		self, _ := f.tree.Held(e.Activation, at, code.Names[0])
		if o, ok := self.Object(); ok {
			if form, _ := f.tree.Form(o, at); form.Name == t.Callee() {
				return true
			}
		}
	}
	return false
}

// initialized reports whether a statement called __init__ of an object.
func (f *Finder) initialized(v statetree.Value, r run) bool {
	events, _ := f.returns(r)
	for _, at := range events {
		e := f.tree.At(at)
		code := f.tree.Code(e.Code)
		if code.Name != "__init__" || len(code.Names) == 0 {
			continue
		}
		if self, ok := f.tree.Held(e.Activation, at, code.Names[0]); ok && self == v {
			return true
		}
	}
	return false
}

// inputCalls are functions and methods whose results come from outside of the program.
var inputCalls = []string{
	"input", "open", "read", "readline", "readlines", "getenv", "random", "randint", "choice", "randrange", "uniform", "sample",
	"shuffle", "time", "monotonic", "perf_counter", "now", "today", "urandom", "recv", "urlopen", "uuid4", "token_hex",
}

// unrecorded returns the outcome of a call of code that is not recorded.
func (f *Finder) unrecorded(t python.Term, r run) outcome {
	terms := t.Inputs()
	if slices.Contains(inputCalls, t.Callee()) || len(terms) == 0 {
		note := fmt.Sprintf("%s runs code that is not recorded", t.Text())
		return outcome{end: Input, note: note, inputs: f.inputs(terms, r)}
	}
	out := f.operation(t, r)
	if out.note == "" || out.end == Fork {
		out.note = strings.TrimPrefix(t.Terms()[0].Text()+" is not recorded", ".")
	}
	return out
}

// fallsBack reports whether a call of a dict's get, pop or setdefault returned its second argument,
// because the dict did not have the key.
func (f *Finder) fallsBack(t python.Term, r run) bool {
	callee, args := t.Terms()[0], t.Terms()[1:]
	if callee.Kind() != python.AttributeTerm || len(args) != 2 || starred(args) || !slices.Contains([]string{"get", "pop", "setdefault"}, callee.Name()) {
		return false
	}
	o, ok := f.container(callee.Terms()[0], r)
	if !ok {
		return false
	}
	if form, ok := f.tree.Form(o, r.start); !ok || !form.Reads.Exact || form.Kind == statetree.Sequence {
		return false
	}
	missing, err := python.ReadTerm("(" + args[0].Text() + ") not in (" + callee.Terms()[0].Text() + ")")
	if err != nil {
		return false
	}
	holds, known := f.truth(missing, r)
	return known && holds
}

// taken returns a cursor for the element that a method such as pop or get took from a container,
// or nil.
func (f *Finder) taken(t python.Term, r run, want statetree.Value) cursor {
	callee, args := t.Terms()[0], t.Terms()[1:]
	base := callee
	switch {
	case callee.Name() == "heappop" && len(args) == 1:
		base = args[0]
	case callee.Kind() == python.AttributeTerm:
		base = callee.Terms()[0]
	default:
		return nil
	}
	o, ok := f.container(base, r)
	if !ok {
		return nil
	}
	form, _ := f.tree.Form(o, r.start)
	size, _ := f.tree.Size(o, r.start)
	if !form.Reads.Exact {
		return nil
	}
	var step python.Step
	sequence := form.Kind == statetree.Sequence
	switch name := callee.Name(); {
	case sequence && name == "pop" && len(args) == 0:
		step = python.Step{Index: size - 1, IsIndex: true}
	case sequence && (name == "popleft" && len(args) == 0 || name == "heappop"):
		step = python.Step{IsIndex: true}
	case sequence && name == "pop" && len(args) == 1, !sequence && slices.Contains([]string{"get", "pop", "setdefault"}, name) && len(args) > 0:
		if step, ok = f.index(args[0], r); !ok {
			return nil
		}
	default:
		return nil
	}
	if v, ok := f.past.Piece(o, step, r.start); !ok || v != want {
		return nil
	}
	return &piece{object: o, step: step, text: base.Text() + subscript(step), event: r.start, value: want, holder: f.cursorOf(base, r)}
}

func subscript(step python.Step) string {
	switch {
	case step.Attribute != "":
		return "." + step.Attribute
	case step.IsIndex && step.Key == "":
		return fmt.Sprintf("[%d]", step.Index)
	}
	return "[" + step.Key + "]"
}

// returned is the value of a return or yield event.
type returned struct {
	event int
	value statetree.Value
	part
}

func (c *returned) held() (statetree.Value, int, bool) { return c.value, c.event, c.whole() }

func (c *returned) hop(f *Finder) (Hop, cursor) {
	at := f.tree.At(c.event)
	h := Hop{Kind: Return, Value: c.reading(f, c.value, c.event), By: f.frame(c.event), Certain: true, since: c.event}
	if at.Kind == dsl.Yielded {
		h.Kind = Yield
	}
	h.Expression = f.tree.Code(at.Code).Name + "()" + c.subscripts()
	r, ok := f.runOf(c.event)
	if !ok {
		h.End, h.Note = Unknown, "the statement that returned it is not followed: it is in a lambda or a comprehension"
		return h, nil
	}
	h.By, r.end = f.frame(r.start), c.event
	h.Certain = !r.vague && !r.stored.Shared
	switch {
	case at.Kind == dsl.Yielded:
		return c.yielded(f, h, r)
	case r.stored.Return && len(r.stored.Exprs) > 0:
		return h.with(f.partOf(r.stored.Exprs[0], r, c.value, c.part))
	case h.Value.Text == "None" && (r.stored.Return || !f.returnsBefore(r)):
		h.End, h.Note = Literal, "the function returned None: it ended without return and a value"
		return h, nil
	}
	h.End, h.Note = Unknown, "which return statement gave it is not known"
	return h, nil
}

// returnsBefore reports whether a block around a statement, such as with or finally, may have
// been left by a return statement before.
func (f *Finder) returnsBefore(r run) bool {
	before := f.tree.Previous(r.start)
	if before < 0 {
		return false
	}
	st, ok := r.src.At(f.tree.At(before).Line)
	return ok && st.Return
}

// yielded completes the hop of a yield.
func (c *returned) yielded(f *Finder, h Hop, r run) (Hop, cursor) {
	var yields []python.Term
	for _, e := range r.stored.Exprs {
		if e.Kind() == python.AwaitTerm {
			yields = append(yields, e)
		}
	}
	if len(yields) == 1 && yields[0].Name() == "from" {
		if out, ok := f.delegated(c); ok {
			return h.with(out)
		}
	}
	if len(yields) != 1 || len(yields[0].Terms()) != 1 || yields[0].Name() == "from" || !strings.HasPrefix(yields[0].Text(), "yield") {
		h.End, h.Note = Unknown, "the line that yielded it is not followed"
		return h, nil
	}
	return h.with(f.partOf(yields[0].Terms()[0], r, c.value, c.part))
}

// delegated returns the outcome of a "yield from" that yields what another generator has just yielded.
func (f *Finder) delegated(c *returned) (outcome, bool) {
	e := f.tree.At(c.event - 1)
	if e.Event != dsl.Return || e.Kind != dsl.Yielded || e.Depth != f.tree.At(c.event).Depth+1 {
		return outcome{}, false
	}
	v, ok := f.tree.Returned(c.event - 1)
	return outcome{next: &returned{event: c.event - 1, value: v, part: c.part}}, ok && v == c.value
}
