package session

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/claims"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// mostStackRead limits the frames in which a claim's name is looked up, the newest first.
const mostStackRead = 50

// moment returns the event that a model calls #n: event n of a recording or, in neural mode, the state of visit n.
// If there is no such event, why is the reason.
func (ex *explainer) moment(n int) (event, visit int, why string) {
	if ex.program.past() == nil {
		v := ex.visits.tree.Visit(n)
		if !ex.isPredicted(v) {
			return -1, 0, "no predicted state has this number"
		}
		return v.Event, n, ""
	}
	last := ex.program.states().Len() - 1
	if r := ex.program.recorded(); r != nil {
		last = min(last, r.Furthest())
	}
	if n > last {
		return -1, 0, fmt.Sprintf("the recording has the events 0 to %d", last)
	}
	return n, 0, ""
}

// isPredicted reports whether a visit is a predicted state of the shown list of states. It is false for the end of
// the program, and while inferred states are shown, for states of the recording.
func (ex *explainer) isPredicted(v *Visit) bool {
	return v != nil && !v.End && v.Inferred == ex.position.pos.Inferred && v.Event >= 0 && v.Event < ex.program.states().Len()
}

// check checks a claim. isSource reports whether a text is a line of the program's source. ok is false if the text is
// a quotation instead of a claim: a line of source that is not also a true claim.
func (ex *explainer) check(ctx context.Context, made claims.Claim, isSource func(text string) bool) (c Claim, ok bool) {
	r := ex.cfg.Explain.Redact
	c = Claim{Text: made.Text, Event: ex.position.here(), Name: made.Name, Said: made.Value, Verdict: ClaimUnchecked}
	if made.Event >= 0 {
		var why string
		if c.Event, c.Visit, why = ex.moment(made.Event); why != "" {
			c.Verdict, c.Why = ClaimWrong, why
			return c, true
		}
	} else if ex.program.past() == nil {
		c.Visit = ex.visits.tree.Shown()
	}
	t := ex.program.states()
	if c.Event < 0 || c.Event >= t.Len() {
		c.Event = -1
		return c, made.Event >= 0 || !isSource(made.Text)
	}
	c.Origin = dsl.Real
	if v := ex.visits.tree.Visit(c.Visit); v != nil {
		c.Origin = v.Origin
	}
	at := t.At(c.Event)
	source, _ := t.SourceLine(at.File, at.Line)
	statement := strings.TrimSpace(source)
	switch {
	case made.Line > 0:
		ex.checkPlace(&c, made, at)
	case made.Name == "" && made.Value == "":
		c.Verdict = ClaimRight
	case made.Event >= 0 && strings.HasSuffix(made.Text, " "+statement) && statement != "":
		c.Name, c.Said, c.Found, c.Verdict = "", statement, statement, ClaimRight // it quotes the line of the event
	case made.Name != "":
		ex.checkValue(ctx, &c, r)
		return c, c.Verdict == ClaimRight || made.Event >= 0 || !isSource(made.Text)
	}
	return c, true
}

// sourceLines returns a function that reports whether a text is a line of the program's source.
func (ex *explainer) sourceLines() func(text string) bool {
	known := sync.OnceValue(func() map[string]bool {
		lines := map[string]bool{}
		for _, f := range ex.program.states().Files() {
			for line := range strings.Lines(string(f.Source)) {
				lines[strings.TrimSpace(line)] = true
			}
		}
		return lines
	})
	return func(text string) bool { return known()[text] }
}

// checkPlace checks the line that a claim gives for an event and, if the claim has them, the file, kind and function.
func (ex *explainer) checkPlace(c *Claim, made claims.Claim, at statetree.Record) {
	t := ex.program.states()
	name := filepath.ToSlash(t.Files()[at.File].Name)
	found := claims.Claim{File: name, Line: at.Line, Kind: at.Event.String(), Function: t.Code(at.Code).Name}
	same := made.Line == at.Line
	if made.File == "" {
		found.File = ""
	} else {
		same = same && (made.File == name || strings.HasSuffix(name, "/"+made.File) || path.Base(made.File) == name)
	}
	if made.Kind == "" {
		found.Kind = ""
	}
	if made.Function == "" {
		found.Function = ""
	}
	same = same && made.Kind == found.Kind && made.Function == found.Function
	c.Said, c.Found = placeSaid(made), placeSaid(found)
	if c.Verdict = ClaimWrong; same {
		c.Verdict = ClaimRight
	}
}

// placeSaid formats the place of a claim: "call bank.py:41 in transfer", "line 41".
func placeSaid(c claims.Claim) string {
	text := fmt.Sprintf("line %d", c.Line)
	if c.File != "" {
		text = fmt.Sprintf("%s:%d", c.File, c.Line)
	}
	if c.Kind != "" {
		text = c.Kind + " " + text
	}
	if c.Function != "" {
		text += " in " + c.Function
	}
	return text
}

// checkValue checks whether an expression has the claimed value at an event, in any of the frames that were on the
// stack. It tries the newest frame first.
func (ex *explainer) checkValue(ctx context.Context, c *Claim, r *redact.Redactor) {
	stack := ex.program.states().Stack(c.Event)
	if c.Event == ex.position.here() && !ex.position.pos.End {
		stack = ex.position.allFrames(ctx)
	}
	stack = stack[max(len(stack)-mostStackRead, 0):]
	known := false // a frame has a value for the name
	lacks := len(stack) > 0
	for i := len(stack) - 1; i >= 0; i-- {
		got, err := ex.values.readAt(c.Name, stack[i], c.Event)
		switch {
		case err != nil || got.Unknown != "":
			lacks = false
			continue
		case !got.OK:
			continue
		}
		same, decided := claimedValue(ctx, c.Said, got.Text, c.Name, r)
		if same {
			c.Found, c.Verdict, c.Why = got.Text, ClaimRight, ""
			return
		}
		if !known {
			known, c.Found = true, got.Text
			if c.Verdict = ClaimUnchecked; decided {
				c.Verdict = ClaimWrong
				c.Why = ex.soonAfter(ctx, c, stack[i], r)
			}
		}
	}
	if !known && lacks && python.IsName(c.Name) {
		c.Verdict, c.Why = ClaimWrong, "no frame has this name here"
	}
}

// soonAfter returns a note if an expression has the claimed value at the next event, else "". Models often name the
// event of the line that sets a value, but the state there is the one before the line runs.
func (ex *explainer) soonAfter(ctx context.Context, c *Claim, frame statetree.StackFrame, r *redact.Redactor) string {
	if ex.program.past() == nil {
		return ""
	}
	next, _, why := ex.moment(c.Event + 1)
	if why != "" {
		return ""
	}
	if got, err := ex.values.readAt(c.Name, frame, next); err == nil && got.OK {
		if same, _ := claimedValue(ctx, c.Said, got.Text, c.Name, r); same {
			return fmt.Sprintf("%s from #%d on", shorten(got.Text, mostFound), next)
		}
	}
	return ""
}

// readAt returns the value of an expression in a frame at an event.
func (vs *values) readAt(expr string, frame statetree.StackFrame, event int) (query.Reading, error) {
	if p := vs.program.past(); p != nil {
		f, err := p.Follow(expr, nav.Scope(p, frame), event)
		if err != nil {
			return query.Reading{}, err
		}
		return f.At(event), nil
	}
	if !python.IsName(expr) {
		return query.Reading{}, errorf(Refused, "only names can be read in predicted states")
	}
	for _, l := range vs.program.states().LocalsOf(frame.Activation, event) {
		if l.Name == expr {
			if l.Unknown {
				return query.Reading{Unknown: "the state does not tell it"}, nil
			}
			return query.Reading{Text: l.Value, OK: true}, nil
		}
	}
	return query.Reading{}, nil
}

// claimRules lists the differences between the claimed and the true value that do not make a claim wrong.
var claimRules = compare.Rules{Addresses: true, SetOrder: true, FloatNoise: true}

// mostCompared limits the length of texts that are evaluated as Python for a comparison.
const mostCompared = 64 << 10

// claimedValue reports whether a claimed value is the same as the true one. decided is false if npdb cannot decide,
// because the claimed text is not a value or is cut short.
func claimedValue(ctx context.Context, said, found, name string, r *redact.Redactor) (same, decided bool) {
	switch v := compare.Values(said, found, claimRules); v.Kind {
	case compare.Same:
		return true, true
	case compare.Incomparable:
		return false, false
	}
	if strings.Contains(said, redact.Placeholder) {
		return r != nil && said == r.Value(name, found), false
	}
	if strings.Contains(said, "…") || strings.Contains(said, "...") {
		return false, false // cut short
	}
	if len(said)+len(found) > mostCompared {
		return false, true
	}
	spelled, err := python.Eval(ctx, said, python.Names{})
	if err != nil {
		return false, alike(said, found)
	}
	if compare.Values(spelled, found, claimRules).Kind == compare.Same {
		return true, true
	}
	if len(spelled) == len(found) { // the order of a dict's keys does not matter
		equal, err := python.Eval(ctx, "("+spelled+") == ("+found+")", python.Names{})
		return err == nil && equal == "True", true
	}
	return false, true
}

// alike reports whether two texts that are not literals begin like reprs of the same class, such as
// "Account(owner='ann')" and "Account(owner='bob')". Then a difference between them means different values.
func alike(said, found string) bool {
	head := func(text string) string {
		at := strings.IndexAny(text, "( ")
		if at <= 0 {
			return ""
		}
		return text[:at+1]
	}
	return head(said) != "" && head(said) == head(found)
}
