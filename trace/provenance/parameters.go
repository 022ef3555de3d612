package provenance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// parameter returns the hop of a parameter that has the value of its argument.
func (f *Finder) parameter(n *named, src *source) (Hop, cursor) {
	call := f.tree.CallEvent(n.act)
	h := f.made(Parameter, n, call, call)
	if call < 0 {
		h.Kind, h.End, h.Note = Unclear, Edge, "the call was not recorded"
		return h, nil
	}
	stack := f.tree.Stack(call)
	if len(stack) < 2 {
		h.End, h.Note = Edge, "the recording begins with this call"
		return h, nil
	}
	caller := stack[len(stack)-2]
	code := f.tree.Code(f.tree.CodeOf(n.act))
	sig, known := src.functions[code.FirstLine]
	r, ok := f.runAt(caller)
	switch {
	case !known:
		h.End, h.Note = Unknown, "the parameters of a lambda are not followed"
		return h, nil
	case caller.Event < 0 || f.tree.At(call).AfterGap:
		h.End, h.Note = Edge, "what called it was not recorded"
		return h, nil
	case !ok:
		h.End, h.Note = Unknown, "it was called from a lambda, a comprehension or a line that is not followed"
		return h, nil
	}
	h.By = caller
	t, sure, ok := f.callTo(code.Name, sig.QualName, r, call)
	if !ok {
		h.End, h.Note = Unknown, "code that is not recorded called it, from this line"
		return h, nil
	}
	h.Certain = sure && !r.vague
	return f.argument(h, n, src, sig, t, r)
}

// callTo returns the call in a statement that made the call event. sure is false if it may be
// another one.
func (f *Finder) callTo(name, qualname string, r run, call int) (t python.Term, sure, ok bool) {
	if name == "__init__" {
		parts := strings.Split(qualname, ".")
		if len(parts) > 1 {
			name = parts[len(parts)-2]
		}
	}
	var found []python.Term
	always := !r.stored.Shared
	for _, e := range r.stored.Exprs {
		calls, each := e.Calls()
		always = always && each
		for _, c := range calls {
			if c.Callee() == name || qualname != name && c.Callee() == "__init__" && strings.HasSuffix(qualname, ".__init__") {
				found = append(found, c)
			}
		}
	}
	nth := f.callsBefore(r, call)
	switch {
	case len(found) == 0:
		return t, false, false
	case len(found) == 1:
		return found[0], f.plain(name, r), true
	case always && nth < len(found):
		return found[nth], f.plain(name, r), true
	}
	return found[min(nth, len(found)-1)], false, true
}

// plain reports whether a statement names a function only to call it, so that no other code can
// have called it.
func (f *Finder) plain(name string, r run) bool {
	names, calls := 0, 0
	for _, e := range r.stored.Exprs {
		names += mentions(e, name)
		all, _ := e.Calls()
		for _, c := range all {
			if c.Callee() == name {
				calls++
			}
		}
	}
	return names <= calls
}

func mentions(t python.Term, name string) int {
	n := 0
	if k := t.Kind(); (k == python.NameTerm || k == python.AttributeTerm) && t.Name() == name {
		n++
	}
	for _, k := range t.Terms() {
		n += mentions(k, name)
	}
	return n
}

// callsBefore counts the calls that a statement made directly, before an event, of the function
// that is called at this event.
func (f *Finder) callsBefore(r run, call int) int {
	depth, code, n := f.tree.At(call).Depth, f.tree.At(call).Code, 0
	for at := call - 1; at > r.start && call-at < mostEvents; at-- {
		if e := f.tree.At(at); e.Depth == depth && e.Event == dsl.Call && e.Code == code {
			n++
		}
	}
	return n
}

// argument completes the hop of a parameter with the expression that a call passes for it.
func (f *Finder) argument(h Hop, n *named, src *source, sig python.Signature, call python.Term, r run) (Hop, cursor) {
	index := slices.IndexFunc(sig.Params, func(p python.Param) bool { return p.Name == n.name })
	if index < 0 {
		h.End, h.Note = Unknown, "it is no parameter in the source text"
		return h, nil
	}
	wrapped := src.Decorators(sig.Line)
	bound, known := f.boundTo(sig, call, wrapped)
	if !known {
		h.Certain = false
	}
	args := call.Terms()[1:]
	param := sig.Params[index]
	if bound && index == 0 {
		return f.receiver(h, n, call, r)
	}
	if bound {
		index--
	}
	switch param.Kind {
	case python.VarPositional:
		if i := index; !n.whole() {
			if i += n.path[0]; i < len(args) && !starred(args[:i+1]) && args[i].Kind() != python.KeywordTerm {
				h.Inputs = f.inputs([]python.Term{args[i]}, r)
				return h.with(f.unpacked(args[i], n.path[1:], r, n.part.value))
			}
			h.End, h.Note = Unknown, "an argument with * passed it, which is not followed"
			return h, nil
		}
		fallthrough
	case python.VarKeyword:
		h.End, h.Note = Construct, "it collects the other arguments of the call"
		h.Inputs = f.inputs(args, r)
		return h, nil
	}
	for i, a := range args {
		switch {
		case a.Kind() == python.KeywordTerm && a.Name() == n.name:
			return f.passed(h, n, a.Terms()[0], r)
		case a.Kind() == python.KeywordTerm && a.Name() == "":
			h.End, h.Note = Unknown, "an argument with ** may have passed it"
			return h, nil
		case a.Kind() == python.StarredTerm && i <= index:
			return f.spread(h, n, a.Terms()[0], index-i, i == len(args)-1 || index == i, r)
		case a.Kind() != python.KeywordTerm && i == index && param.Kind != python.KeywordOnly:
			return f.passed(h, n, a, r)
		}
	}
	return f.defaulted(h, n, src, sig)
}

// boundTo reports whether a call passes an object as the first parameter by itself, as the call of
// a method does.
func (f *Finder) boundTo(sig python.Signature, call python.Term, decorators []python.Term) (bound, known bool) {
	known = true
	for _, d := range decorators {
		switch d.Name() {
		case "staticmethod":
			return false, true
		case "classmethod":
			return true, true
		default:
			known = false // a wrapper may change the arguments
		}
	}
	callee := call.Terms()[0]
	switch {
	case !sig.Method:
		return false, known
	case callee.Kind() == python.AttributeTerm:
		class := sig.Class[strings.LastIndexByte(sig.Class, '.')+1:]
		return callee.Terms()[0].Name() != class || callee.Terms()[0].Kind() == python.CallTerm, known
	}
	return sig.Name == "__init__", known
}

// passed completes the hop of a parameter with its argument.
func (f *Finder) passed(h Hop, n *named, t python.Term, r run) (Hop, cursor) {
	out := f.partOf(t, r, n.value, n.part)
	if len(out.inputs) == 0 || out.inputs[0].Expression != t.Text() {
		out.inputs = append([]InputValue{{Expression: t.Text(), Value: h.Value, Followed: out.next != nil}}, out.inputs...)
	}
	out.kind = ""
	return h.with(out)
}

// receiver completes the hop of self.
func (f *Finder) receiver(h Hop, n *named, call python.Term, r run) (Hop, cursor) {
	callee := call.Terms()[0]
	if callee.Kind() == python.AttributeTerm {
		base := callee.Terms()[0]
		if v, ok := f.valueOf(base, r); ok && v == n.value {
			return h.with(f.term(base, r, n.value))
		}
	}
	if callee.Kind() == python.NameTerm {
		h.End, h.Note = Construct, fmt.Sprintf("made by %s() at line %d", callee.Text(), call.Line())
		return h, nil
	}
	h.End, h.Note = Unknown, "which object's method it is is not followed"
	return h, nil
}

// spread completes the hop of a parameter that an argument *x gave.
func (f *Finder) spread(h Hop, n *named, t python.Term, index int, only bool, r run) (Hop, cursor) {
	if !only {
		h.End, h.Note = Unknown, "an argument with * passed it, which is not followed"
		return h, nil
	}
	want := n.value
	if !n.whole() {
		want = n.part.value
	}
	out := f.unpacked(t, append([]int{index}, n.path...), r, want)
	out.inputs = f.inputs([]python.Term{t}, r)
	out.kind = ""
	return h.with(out)
}

// defaulted completes the hop of a parameter that got its default.
func (f *Finder) defaulted(h Hop, n *named, src *source, sig python.Signature) (Hop, cursor) {
	t := src.Default(sig.Line, n.name)
	h.Kind = Default
	h.By = f.frame(h.since)
	h.By.Line = max(t.Line(), h.By.Line)
	switch t.Kind() {
	case python.NoTerm:
		h.Kind, h.End, h.Note = Unclear, Unknown, "no argument of the call gives it"
		return h, nil
	case python.LiteralTerm:
		h.End, h.Note = Literal, fmt.Sprintf("the default at line %d", t.Line())
		return h, nil
	}
	h.End, h.Note = Construct, fmt.Sprintf("the default at line %d was made when the function was defined", t.Line())
	if k := t.Kind(); k == python.DisplayTerm || k == python.DictTerm {
		return h, nil
	}
	at, ok := f.tree.PrevLine(h.since, locations(f.tree.Code(f.tree.CodeOf(n.act)).File, []*python.Stored{{Line: sig.Line, Last: sig.Line}}))
	if !ok {
		return h, nil
	}
	r, ok := f.runOf(at)
	if !ok {
		return h, nil
	}
	h.End, h.Note = NoEnd, ""
	return h.with(f.term(t, r, n.value))
}
