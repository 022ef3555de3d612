package mcp

import (
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// The limits of one answer. An agent reads all of an answer, so it must be short. The limits of texts
// are in bytes.
const (
	mostValue  = 1000
	mostNames  = 60
	mostFrames = 30
	mostOutput = 4000
	mostSaid   = 8000
)

// Place is a line of a program.
type Place struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Source   string `json:"source,omitempty"`
}

// Name is a name with its value.
type Name struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Cut   int    `json:"cut,omitempty" jsonschema:"bytes of the value that are left out: evaluate shows a part of it"`
}

// Exit describes how a program ended.
type Exit struct {
	Code      int    `json:"code"`
	Exception string `json:"exception,omitempty" jsonschema:"the uncaught exception"`
}

// Stop is where a session is, after a call.
type Stop struct {
	Session    string   `json:"session" jsonschema:"id of the session, an argument of the other tools"`
	Running    string   `json:"running,omitempty" jsonschema:"set if the command still runs: what it has done so far, and what to call"`
	Origin     string   `json:"origin,omitempty" jsonschema:"real: CPython ran it. predicted and inferred: a model says so. computed: it follows from the source"`
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"of the model, 0 to 1"`
	Event      string   `json:"event,omitempty" jsonschema:"line (about to run), call, return or exception"`
	Number     int      `json:"number" jsonschema:"number of the event in the recording; move with action goto goes there. -1: not recorded"`
	Place      *Place   `json:"place,omitempty"`
	Value      string   `json:"value,omitempty" jsonschema:"the value returned or the exception raised"`
	Locals     []Name   `json:"locals,omitempty"`
	MoreLocals int      `json:"more_locals,omitempty" jsonschema:"names that are left out"`
	Stack      []Place  `json:"stack,omitempty" jsonschema:"the call stack, the outermost frame first"`
	MoreFrames int      `json:"more_frames,omitempty" jsonschema:"outer frames that are left out"`
	PostMortem bool     `json:"post_mortem,omitempty" jsonschema:"the program is about to end by this exception; backward moves work"`
	Done       bool     `json:"done,omitempty" jsonschema:"the program has ended; backward moves work"`
	Exit       *Exit    `json:"exit,omitempty"`
	Boundary   string   `json:"boundary,omitempty" jsonschema:"start, end or hole if the move found nothing"`
	Output     string   `json:"output,omitempty" jsonschema:"what the program wrote since the last answer"`
	CutOutput  int      `json:"cut_output,omitempty" jsonschema:"bytes left out at the beginning of output"`
	Said       string   `json:"said,omitempty" jsonschema:"what npdb says about the command"`
	Notices    []string `json:"notices,omitempty"`
	Claims     []Claim  `json:"claims,omitempty" jsonschema:"of an explanation: what it claims about events and values, each checked"`
	Person     []string `json:"person,omitempty" jsonschema:"commands that a person who joined the session has run since the last answer: the session may be elsewhere now"`
	Divergence []string `json:"divergence,omitempty" jsonschema:"in mode both: how the prediction differs from CPython"`
}

// Claim is a model's claim about the run, with the result of checking it against the states.
type Claim struct {
	Text    string `json:"text"`
	Event   int    `json:"event" jsonschema:"the event that it is about, for move with goto; -1 for none"`
	Found   string `json:"found,omitempty" jsonschema:"the true value or place"`
	Verdict string `json:"verdict" jsonschema:"right, wrong or unchecked"`
}

// mostClaims limits the claims of an answer.
const mostClaims = 60

func claimsOf(e *session.Explanation) (list []Claim) {
	for _, c := range e.Claims[:min(len(e.Claims), mostClaims)] {
		list = append(list, Claim{Text: begin(c.Text, mostValue), Event: c.Event, Found: begin(c.Found, mostValue), Verdict: string(c.Verdict)})
	}
	return list
}

// stop returns where the session is after some answers: their output and messages, and the state of the
// last one.
func (d *desk) stop(answers []*session.Answer) *Stop {
	s := &Stop{Session: d.id, Number: -1}
	var output, said []string
	for _, a := range answers {
		if a.Explanation != nil {
			s.Claims = claimsOf(a.Explanation)
		}
		for _, c := range a.Chunks {
			switch c.Kind {
			case session.Wrote:
				output = append(output, c.Text)
			case session.Said:
				said = append(said, c.Marked())
			case session.Notice:
				s.Notices = append(s.Notices, c.Text)
			}
		}
	}
	s.Output, s.CutOutput = end(strings.Join(output, ""), mostOutput)
	s.Said = begin(strings.Join(said, "\n"), mostSaid)
	if len(answers) > 0 {
		s.at(answers[len(answers)-1])
	}
	return s
}

// at sets the fields of s that describe the state of an answer.
func (s *Stop) at(a *session.Answer) {
	s.Origin, s.Confidence, s.PostMortem, s.Done = a.Origin.String(), a.Confidence, a.PostMortem, a.Done
	switch a.Boundary {
	case trace.AtStart:
		s.Boundary = "start"
	case trace.AtEnd:
		s.Boundary = "end"
	case trace.AtHole:
		s.Boundary = "hole"
	}
	if a.Exit != nil {
		s.Exit = &Exit{Code: a.Exit.Code}
		if a.Exit.Exception != nil {
			s.Exit.Exception = begin(*a.Exit.Exception, mostValue)
		}
	}
	if b := a.Beside; b != nil {
		for _, v := range b.Verdicts {
			if v.Kind.Wrong() {
				s.Divergence = append(s.Divergence, strings.TrimSpace(v.Field.String()+" "+v.Name)+": predicted "+begin(v.Predicted, mostValue)+", CPython "+begin(v.Real, mostValue))
			}
		}
	}
	if a.State == nil {
		return
	}
	s.state(a.State, a.Stack)
}

func (s *Stop) state(st *dsl.State, stack []dsl.Frame) {
	s.Event = st.Event.String()
	s.Place = &Place{st.File, st.Line, st.Function, st.Source}
	if st.Value != nil {
		s.Value = begin(*st.Value, mostValue)
	}
	s.Locals, s.MoreLocals = namesOf(st.Locals)
	if n := len(stack) - mostFrames; n > 0 {
		s.MoreFrames, stack = n, stack[n:]
	}
	for _, f := range stack {
		s.Stack = append(s.Stack, Place{File: f.File, Line: f.Line, Function: f.Function})
	}
}

func namesOf(locals []dsl.Local) (names []Name, more int) {
	for _, l := range locals {
		if l.Hidden {
			continue
		}
		if len(names) == mostNames {
			more++
			continue
		}
		n := Name{Name: l.Name, Value: begin(l.Value, mostValue)}
		if n.Value != l.Value {
			n.Cut = len(l.Value) - mostValue
		}
		names = append(names, n)
	}
	return names, more
}

// begin returns at most most bytes from the beginning of a text, with … if anything is left out.
func begin(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// end returns at most most bytes from the end of a text, and how many bytes it leaves out.
func end(text string, most int) (string, int) {
	cut := len(text) - most
	if cut <= 0 {
		return text, 0
	}
	for cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut++
	}
	return text[cut:], cut
}
