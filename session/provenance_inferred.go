package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/query"
)

// How many backward moves the model is asked for by one command. Each has several answers and may cost
// money on a server.
const (
	mostInferred     = 20
	mostInferredAway = 5
)

// backwards asks the model for the states before the earliest one of a chain of predicted states.
type backwards struct {
	ctx    context.Context
	source *nav.Predicted  // nil asks nothing
	left   int             // how many moves may still be asked for
	made   []nav.Earlier   // the states that the current hop has used
	jumped map[uint32]bool // activations whose call was asked for
	// closed and why are set after a question that failed or was cancelled: nothing more is asked then, so
	// that a replay of the journal asks the same questions.
	closed provenance.End
	why    string
}

func newBackwards(ctx context.Context, pr *program) *backwards {
	b := &backwards{ctx: ctx, left: mostInferred, jumped: map[uint32]bool{}}
	if p, ok := pr.source().(*nav.Predicted); ok {
		b.source = p
		if p.Predictor.Model().Away {
			b.left = mostInferredAway
		}
	}
	return b
}

// inference returns the inferred states that the current hop has used, and starts an empty list for the
// next hop.
func (b *backwards) inference() *Inferred {
	if len(b.made) == 0 {
		return nil
	}
	f := &Inferred{}
	for _, e := range b.made {
		f.add(e)
	}
	b.made = nil
	return f
}

// ask asks for the state before state at. If there is no usable one, end and note say why.
func (b *backwards) ask(at int, m dsl.Move) (e nav.Earlier, end provenance.End, note string) {
	a := dsl.Action{Move: m}
	if b.closed != provenance.NoEnd {
		return e, b.closed, b.why
	}
	if !b.source.Knows(at, a) {
		if b.left == 0 {
			return e, provenance.Limit, "the limit of inferred states for one command is reached: repeat the command to continue"
		}
		b.left--
	}
	e, err := b.source.Earlier(b.ctx, at, a)
	switch {
	case e.Interrupted || b.ctx.Err() != nil:
		b.closed, b.why = provenance.Limit, "the question was cancelled"
		return e, b.closed, b.why
	case err != nil:
		b.closed, b.why = provenance.Unknown, "the model gives no usable answer: "+AsError(err).Message
		return e, b.closed, b.why
	case e.Start:
		return e, provenance.Edge, "nothing comes before: the session begins here, or the model infers so"
	}
	switch v := e.Candidate.Verification; {
	case v.Verdict == backend.LeadsHere, v.By == 0 && v.Why == "": // verified, predicted, or verification is off
		return e, provenance.NoEnd, ""
	case v.Verdict == backend.LeadsElsewhere:
		return e, provenance.Unknown, "the model gives no state that leads here: " + VerdictText(v)
	default:
		return e, provenance.Unknown, "the inferred state is not verified: " + VerdictText(v)
	}
}

// goBack asks the model for the state before the earliest one of the chain and adds it to the chain.
// now is the value that is followed. If there is no such state, end and note say why.
func (w *predictedWalk) goBack(now query.Reading) (end provenance.End, note string) {
	first := w.chain[len(w.chain)-1]
	if w.source == nil {
		return provenance.Edge, notAskedFor
	}
	at, stack := w.states.At(first), w.states.Stack(first)
	if at.Event == dsl.Call && len(stack) == 1 {
		return provenance.Edge, fmt.Sprintf("the call of %s, whose caller is not known", stack[0].Function)
	}
	move := dsl.InvStepOver
	switch {
	case at.Event == dsl.Call, len(stack) > 0 && at.Activation != w.activation: // frames above do not bind its names
		move = dsl.InvStepReturn
	case w.passed(at.Code) && !w.jumped[w.activation]:
		w.jumped[w.activation] = true
		e, end, note := w.ask(first, dsl.InvStepReturn)
		switch {
		case w.closed != provenance.NoEnd:
			return end, note
		case end == provenance.NoEnd && w.states.At(e.State).Event == dsl.Call && same(w.at(e.State), now):
			w.extend(e)
			return provenance.NoEnd, ""
		}
	}
	e, end, note := w.ask(first, move)
	if end == provenance.NoEnd {
		w.extend(e)
	}
	return end, note
}

// extend puts an inferred state at the end of the chain.
func (w *predictedWalk) extend(e nav.Earlier) {
	w.chain = append(w.chain, e.State)
	w.made = append(w.made, e)
}

// assigns reports whether the line of a state binds the followed name, perhaps to the value that it has
// already. after is the state that follows the line.
func (w *predictedWalk) assigns(before, after int) bool {
	at, then := w.states.At(before), w.states.At(after)
	if at.Event != dsl.Line || at.Activation != w.activation || then.Event == dsl.Exception {
		return false
	}
	st, ok := python.ReadStores(w.states.Files()[at.File].Source).At(at.Line)
	if !ok || st.Shared {
		return false
	}
	return slices.ContainsFunc(st.Stores, func(s python.Store) bool {
		within := s.Within == [2]int{} || s.Within[0] <= then.Line && then.Line <= s.Within[1]
		return s.Name == w.name && !s.Conditional && within
	})
}

// passed reports whether the followed name is a parameter of a function that binds it nowhere, so that
// its value came with the call.
func (w *predictedWalk) passed(code int) bool {
	c := w.states.Code(code)
	if c.FirstLine == 0 || c.Args == 0 {
		return false
	}
	for _, st := range python.ReadStores(w.states.Files()[c.File].Source).All() {
		for _, store := range st.Stores {
			if store.Name == w.name && c.FirstLine <= st.Line && st.Line <= c.LastLine {
				return false
			}
		}
	}
	return slices.Contains(c.Names[:min(c.Args, len(c.Names))], w.name)
}

// intoCall continues the chain inside the function that returned a value, if states were inferred
// backwards from the state after the call. after is that state. It reports whether the chain continues.
func (w *predictedWalk) intoCall(after int, function, value string) bool {
	if w.source == nil || after < 0 || !w.inProgram(function) {
		return false
	}
	e, end, _ := w.ask(after, dsl.InvStepInto)
	if end != provenance.NoEnd || !w.returnsAt(e.State, function, value) {
		return false
	}
	w.made = append(w.made, e)
	w.chain = []int{e.State}
	return true
}

// inProgram reports whether a file of the program defines a function.
func (w *predictedWalk) inProgram(function string) bool {
	for _, f := range w.states.Files() {
		if _, ok := python.Read(f.Source).Function(function); ok {
			return true
		}
	}
	return false
}

// same reports whether two readings are the same value; their texts may differ.
func same(a, b query.Reading) bool {
	if a == b || !a.OK || !b.OK {
		return a == b
	}
	equal, decided := python.SameValue(a.Text, b.Text)
	return decided && equal
}
