package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// predictedHops finds hops among the predicted states that led to the position, and before them among
// states that the model infers. The states contain the values of names as texts, so no hop is certain.
type predictedHops struct {
	*values
	ctx   context.Context
	known bool // only states that were asked for: the model is asked for no other
}

const (
	notAskedFor  = "the states before were not asked for: rs asks the model for them"
	notPredicted = "several lines ran between two states, and those between were not asked for"
	notFollowed  = "the line changed it in a way that is not followed"
)

func (vs predictedHops) hops(expr string, via []string, frame statetree.StackFrame) (found []Hop, missing []string, err error) {
	f, err := vs.followPredicted(frame, expr)
	if err != nil {
		return nil, nil, err
	}
	b := newBackwards(vs.ctx, vs.program)
	if vs.known {
		b.source = nil
	}
	w := &predictedWalk{values: vs.values, predictedFollower: f.(*predictedFollower), backwards: b, via: via}
	for more := true; more && len(found) < provenance.DefaultLimits.Shown; {
		var h Hop
		h.Hop, more = w.hop()
		h.Inferred = w.inference()
		if n := len(found); n > 0 && found[n-1].folds(&h) {
			continue
		}
		found = append(found, h)
	}
	return found, w.via, nil
}

// predictedWalk is the place whose value the next hop explains: a name of an activation, as of the
// first state of the chain.
type predictedWalk struct {
	*values
	*predictedFollower
	*backwards
	via      []string
	returned bool // the value is the one that the first state of the chain returns
	after    int  // the state after the statement of the hop if the one before was inferred from it, else -1
}

// hop returns the next hop, and whether there are more.
func (w *predictedWalk) hop() (provenance.Hop, bool) {
	if w.returned {
		return w.returnHop()
	}
	now := w.at(w.chain[0])
	h := provenance.Hop{Kind: provenance.Unclear, Expression: w.name, Value: now, By: statetree.StackFrame{Event: -1}, Times: 1}
	i, known := 0, len(w.chain)
	for ; ; i++ {
		if i+1 == len(w.chain) {
			if h.End, h.Note = w.goBack(now); h.End != provenance.NoEnd {
				return h, false
			}
		}
		if before := w.chain[i+1]; w.isUnknown(before) {
			h.End, h.Note = provenance.Unknown, "the state before does not tell its value"
			return h, false
		} else if !same(w.at(before), now) || i+1 >= known && w.assigns(before, w.chain[i]) {
			break
		}
	}
	event := w.states.At(w.chain[i])
	if event.Edited {
		h.Kind, h.End, h.Note = provenance.Assignment, provenance.Edited, "edited in the debugger"
		return h, false
	}
	stack := w.states.Stack(w.chain[i+1])
	if len(stack) == 0 {
		h.End, h.Note = provenance.Edge, notAskedFor
		return h, false
	}
	h.By = stack[len(stack)-1]
	if w.states.At(w.chain[i+1]).Event == dsl.Return && len(stack) > 1 {
		h.By = stack[len(stack)-2] // the caller's line continued
	}
	w.after = -1
	if i+1 >= known {
		w.after = w.chain[i]
	}
	w.chain = w.chain[i+1:]
	st, ok := w.statement(&h)
	switch {
	case !ok:
		h.End, h.Note = provenance.Unknown, w.unfollowed()
		return h, false
	case event.Event == dsl.Call && event.Activation == w.activation:
		return w.argument(h, st, w.states.Code(event.Code).Name, w.states.Files()[event.File].Source)
	}
	return w.stored(h, st)
}

// at returns the value of the followed name at a state. An activation that is not on the stack has none.
func (w *predictedWalk) at(event int) query.Reading {
	if !slices.ContainsFunc(w.states.Stack(event), func(f statetree.StackFrame) bool { return f.Activation == w.activation }) {
		return query.Reading{}
	}
	return w.predictedFollower.at(event)
}

// isUnknown reports whether a state does not tell the value of the followed name.
func (w *predictedWalk) isUnknown(event int) bool {
	return slices.ContainsFunc(w.states.LocalsOf(w.activation, event), func(l dsl.Local) bool { return l.Name == w.name && l.Unknown })
}

// unfollowed returns why the line of a hop does not explain the value.
func (w *predictedWalk) unfollowed() string {
	if w.after >= 0 {
		return notFollowed
	}
	return notPredicted
}

// statement returns the statement at the line of a hop.
func (w *predictedWalk) statement(h *provenance.Hop) (*python.Stored, bool) {
	file := w.position.fileOf(h.By)
	if file < 0 {
		return nil, false
	}
	h.Source, _ = w.states.SourceLine(file, h.By.Line)
	return python.ReadStores(w.states.Files()[file].Source).At(h.By.Line)
}

// returnHop returns the hop of the value that the first state of the chain returns, and whether
// there are more.
func (w *predictedWalk) returnHop() (provenance.Hop, bool) {
	w.returned = false
	stack := w.states.Stack(w.chain[0])
	h := provenance.Hop{Kind: provenance.Return, By: stack[len(stack)-1], Times: 1}
	h.Expression = h.By.Function + "()"
	h.Value = query.Reading{Text: *w.states.State(w.chain[0]).Value, OK: true}
	st, ok := w.statement(&h)
	if !ok || !st.Return || len(st.Exprs) == 0 {
		h.End, h.Note = provenance.Unknown, notFollowed
		return h, false
	}
	return w.term(h, st.Exprs[0], true)
}

// entered reports whether the chain goes on in a call that returned a value: a state at the return is the
// first of the chain, or is inferred.
func (w *predictedWalk) entered(function, value string) bool {
	return w.returnsAt(w.chain[0], function, value) || w.intoCall(w.after, function, value)
}

// returnsAt reports whether a state is the return of a function with a value.
func (w *predictedWalk) returnsAt(event int, function, value string) bool {
	at := w.states.At(event)
	if at.Event != dsl.Return || at.Kind != dsl.Returned || w.states.Code(at.Code).Name != function {
		return false
	}
	v := w.states.State(event).Value
	return v != nil && same(query.Reading{Text: *v, OK: true}, query.Reading{Text: value, OK: true})
}

// stored returns the hop of a name that a statement bound, and whether there are more.
func (w *predictedWalk) stored(h provenance.Hop, st *python.Stored) (provenance.Hop, bool) {
	for k := len(st.Stores) - 1; k >= 0; k-- {
		s := st.Stores[k]
		if s.Name != w.name || w.activation != h.By.Activation {
			continue
		}
		h.Kind = provenance.Assignment
		switch s.Kind {
		case python.Assigned:
			if len(s.Path) > 0 {
				h.Kind = provenance.Element
			}
			return w.term(h, s.Value, len(s.Path) == 0)
		case python.Augmented:
			h.Kind = provenance.Augmented
			return w.choose(h, append([]python.Term{s.Target}, inputsOf(s.Value)...), 0)
		case python.Looped:
			h.Kind = provenance.Element
			return w.choose(h, inputsOf(s.Value), -1)
		case python.Imported, python.Defined:
			h.Kind, h.End = provenance.Definition, provenance.Defined
			return h, false
		}
	}
	h.End, h.Note = provenance.Unknown, w.unfollowed()
	return h, false
}

// term returns the hop of a value that an expression gave. whole reports that the value is not an
// element of it.
func (w *predictedWalk) term(h provenance.Hop, t python.Term, whole bool) (provenance.Hop, bool) {
	switch k := t.Kind(); {
	case k == python.LiteralTerm:
		h.End, h.Note = provenance.Literal, fmt.Sprintf("literal at line %d", t.Line())
		return h, false
	case k == python.CallTerm && whole && w.entered(t.Callee(), h.Value.Text):
		w.returned = true
		return h, true
	case k == python.NameTerm && whole:
		if _, text, ok := w.owner(h, t.Name()); ok && text == h.Value.Text && h.Kind == provenance.Assignment {
			h.Kind = provenance.Copy
		}
		return w.choose(h, []python.Term{t}, 0)
	case (k == python.DisplayTerm || k == python.DictTerm || k == python.ComprehensionTerm) && whole:
		h.End, h.Note = provenance.Construct, fmt.Sprintf("made at line %d", t.Line())
		return h, false
	case k == python.CallTerm && len(t.Inputs()) == 0:
		h.End, h.Note = provenance.Unknown, "what the call of "+t.Callee()+" did was not asked for"
		return h, false
	}
	return w.choose(h, t.Inputs(), -1)
}

// inputsOf returns the inputs of an expression, which is its own input if it is a name or a call.
func inputsOf(t python.Term) []python.Term {
	switch t.Kind() {
	case python.NameTerm, python.AttributeTerm, python.SubscriptTerm, python.CallTerm:
		return []python.Term{t}
	}
	return t.Inputs()
}

// choose continues a chain with one of several inputs: the one that the user chose, the default, or
// the only one.
func (w *predictedWalk) choose(h provenance.Hop, terms []python.Term, chosen int) (provenance.Hop, bool) {
	for i, t := range terms {
		in := provenance.InputValue{Expression: t.Text(), Value: query.Reading{Unknown: "the states have no value for it"}}
		if _, text, ok := w.owner(h, t.Text()); ok {
			in.Value = query.Reading{Text: text, OK: true}
		}
		h.Inputs = append(h.Inputs, in)
		if len(w.via) > 0 && w.via[0] == t.Text() {
			w.via, chosen = w.via[1:], i
		}
	}
	if chosen < 0 && len(terms) == 1 {
		chosen = 0
	}
	switch {
	case len(terms) == 0:
		h.End, h.Note = provenance.Literal, "made of literals"
		return h, false
	case chosen < 0:
		h.End, h.Note = provenance.Fork, "computed from several inputs"
		return h, false
	case terms[chosen].Kind() == python.NameTerm && !h.Inputs[chosen].Value.OK:
		h.End, h.Note = provenance.Unknown, terms[chosen].Text()+": the state does not tell its value"
		return h, false
	case terms[chosen].Kind() != python.NameTerm:
		h.End, h.Note = provenance.Unknown, terms[chosen].Text()+": the states of neural mode have the values of names only"
		return h, false
	}
	h.Inputs[chosen].Followed = true
	w.name = terms[chosen].Text()
	w.activation, _, _ = w.owner(h, w.name)
	return h, true
}

// argument returns the hop of a parameter of a call, and whether there are more. source is the file
// of the function.
func (w *predictedWalk) argument(h provenance.Hop, st *python.Stored, function string, source []byte) (provenance.Hop, bool) {
	h.Kind, h.End, h.Note = provenance.Parameter, provenance.Unknown, "which argument of the line it got is not followed"
	sig, ok := python.Read(source).Function(function)
	var call python.Term
	n := 0
	for _, e := range st.Exprs {
		calls, _ := e.Calls()
		for _, c := range calls {
			if c.Callee() == function {
				call, n = c, n+1
			}
		}
	}
	index := slices.IndexFunc(sig.Params, func(p python.Param) bool { return p.Name == w.name })
	if !ok || n != 1 || index < 0 || sig.Method {
		return h, false
	}
	for i, a := range call.Terms()[1:] {
		switch k := a.Kind(); {
		case k == python.StarredTerm || k == python.KeywordTerm && a.Name() == "":
			return h, false
		case k == python.KeywordTerm && a.Name() == w.name:
			h.End, h.Note = provenance.NoEnd, ""
			return w.term(h, a.Terms()[0], true)
		case k != python.KeywordTerm && i == index:
			h.End, h.Note = provenance.NoEnd, ""
			return w.term(h, a, true)
		}
	}
	h.Kind, h.Note = provenance.Default, "no argument of the line gives it"
	return h, false
}

// owner returns the activation that has a name: the one at the line, or the module's.
func (w *predictedWalk) owner(h provenance.Hop, name string) (act uint32, text string, ok bool) {
	act = h.By.Activation
	if text, ok = lookup(w.states.LocalsOf(act, w.chain[0]), name); ok {
		return act, text, true
	}
	stack := w.states.Stack(w.chain[0])
	if len(stack) == 0 {
		return act, "", false
	}
	text, ok = lookup(w.states.LocalsOf(stack[0].Activation, w.chain[0]), name)
	return stack[0].Activation, text, ok
}
