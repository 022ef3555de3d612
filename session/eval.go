package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// value is what an expression came to in the selected frame.
type value struct {
	text string
	mark string // "" for the live program's own answer and for a recorded repr
}

// fromText marks what was computed from text and not by the program.
func (s *Session) fromText() string { return " (from " + s.nav.Text() + ")" }

func (v value) String() string { return v.text + v.mark }

// eval answers p, pp and whatis: by the live frame at the live edge, else from
// what was recorded.
func (s *Session) eval(ctx context.Context, verb trace.Verb, expr string) (value, error) {
	frame, err := s.frame()
	if err != nil {
		return value{}, err
	}
	if s.live() {
		answer, err := s.rec.Ask(ctx, s.selected, verb, expr)
		return value{text: answer.Text}, err
	}
	expr = strings.TrimSpace(expr)
	if strings.HasPrefix(expr, "$") && python.IsName(expr[1:]) {
		return s.recordedVariable(expr)
	}
	if verb == trace.VerbPrint && python.IsName(expr) {
		if v, ok := s.recordedName(frame, expr); ok {
			return v, nil
		}
	}
	found, ofObjects, failed := s.fromObjects(ctx, verb, expr, frame)
	if ofObjects && failed == nil {
		return found, nil
	}
	if s.cfg.Evaluator == nil {
		return value{}, s.refuse(expr, "only recorded names can be shown")
	}
	here := len(s.frames()) - 1
	scope := s.scope(s.allFrames(ctx), here-s.selected, s.pos.Event)
	if p := s.pastOf(); p != nil {
		scope = nav.Readable(p, expr, scope, nav.Scope(p, frame, s.pos.Event), s.pos.Event)
	}
	ask := s.cfg.Evaluator.Eval
	switch verb {
	case trace.VerbPretty:
		ask = s.cfg.Evaluator.Pretty
	case trace.VerbWhatis:
		ask = s.cfg.Evaluator.Whatis
	}
	text, err := ask(ctx, expr, scope)
	var refused *python.RefusedError
	switch {
	case errors.As(err, &refused) && failed == nil && found.text != "":
		return found, nil
	case errors.As(err, &refused) && ofObjects:
		return value{}, s.evalError(expr, failed)
	case err != nil:
		return value{}, s.evalError(expr, err)
	}
	return value{text: text, mark: s.fromText()}, nil
}

// recordedVariable returns $_exception or $_retval of the state shown. Other variables
// exist at the live edge only.
func (s *Session) recordedVariable(name string) (value, error) {
	st := s.states().State(s.pos.Event)
	if wanted := map[dsl.Event]string{dsl.Exception: "$_exception", dsl.Return: "$_retval"}[st.Event]; name == wanted && st.Value != nil {
		return value{text: *st.Value}, nil
	}
	return value{}, s.refuse(name, "convenience variables are Python's objects")
}

// recordedName looks a name up in a frame and then in its module.
func (s *Session) recordedName(frame statetree.StackFrame, name string) (value, bool) {
	if text, ok := lookup(s.states().LocalsOf(frame.Activation, s.pos.Event), name); ok {
		found := value{text: text}
		if s.byAttributes(frame.Activation, name) {
			found.mark = " (by its attributes)"
		}
		return found, true
	}
	module, ok := s.moduleOf(frame)
	if !ok {
		return value{}, false
	}
	text, ok := lookup(s.states().LocalsOf(module.Activation, s.pos.Event), name)
	return value{text: text, mark: fmt.Sprintf(" (from %s of <module>, line %d)", s.nav.Text(), module.Line)}, ok
}

// moduleOf returns the frame of the module that a frame's code belongs to, when it is
// on the stack. Its values are as of its own latest event: a function that
// changed a global since then shows only when the module goes on.
func (s *Session) moduleOf(frame statetree.StackFrame) (statetree.StackFrame, bool) {
	if frame.Function == "<module>" {
		return statetree.StackFrame{}, false
	}
	file := s.fileOf(frame)
	for _, f := range s.frames() {
		if f.Function == "<module>" && f.Event >= 0 && s.fileOf(f) == file {
			return f, true
		}
	}
	return statetree.StackFrame{}, false
}

// scope returns the names an expression can use in a frame of a stack.
func (s *Session) scope(stack []statetree.StackFrame, i, event int) []dsl.Local {
	return nav.Names(s.states(), stack, i, event)
}

func lookup(locals []dsl.Local, name string) (string, bool) {
	for _, l := range locals {
		if l.Name == name {
			return l.Value, true
		}
	}
	return "", false
}

// evalError words what the evaluator of recorded text said.
func (s *Session) evalError(expr string, err error) error {
	var refused *python.RefusedError
	if errors.As(err, &refused) {
		if refused.Name == expr {
			return s.refuse(expr, refused.Reason) // one name is said once
		}
		return s.refuse(expr, refused.Error())
	}
	var raised *python.EvalError
	if errors.As(err, &raised) {
		text := raised.Type
		if raised.Message != "" {
			text += ": " + raised.Message
		}
		return &Error{Kind: PythonRaised, Message: text + s.fromText()}
	}
	return err
}

// needLive refuses what only the live frame can do.
func (s *Session) needLive(what string) error {
	switch {
	case s.live():
		return nil
	case s.pos.End:
		return errorf(ProgramOver, "%s: the program is over (%s runs it again)", what, s.key("restart"))
	}
	return s.refuse(what, "")
}

// refuse explains why something cannot be done here: behind the live edge, and where that
// is, or in neural mode; "" is because nothing can be run.
func (s *Session) refuse(what, why string) error {
	if s.recorded() == nil {
		if why == "" {
			why = "nothing of the program is run in neural mode (--mode real runs it)"
		}
		return errorf(Refused, "%s: %s", what, why)
	}
	if why == "" {
		why = "a recording cannot be changed, only the live program can run code"
	}
	edge := s.rec.LiveEdge()
	if edge.End || s.rec.Exit() != nil {
		return errorf(Refused, "%s: %s; the program is over, so only what was recorded is left (%s runs it again)", what, why, s.key("restart"))
	}
	return errorf(Refused, "%s: %s; this is event %d, the program waits at event %d (%s goes there)",
		what, why, s.pos.Event, edge.Event, s.key("goto 100%"))
}

// Evaluate tells an expression's value, pretty-printed, or its type.
type Evaluate struct {
	Expression string     `json:"expression"`
	As         Evaluation `json:"as,omitempty"`
}

// Evaluation is what is told of an expression.
type Evaluation string

// What can be told: the value as repr has it, as pprint does, and its type.
const (
	Value  Evaluation = ""
	Pretty Evaluation = "pretty"
	Type   Evaluation = "type"
)

func (c Evaluate) String() string {
	return words(map[Evaluation]string{Value: "p", Pretty: "pp", Type: "whatis"}[c.As], c.Expression)
}

func (c Evaluate) run(ctx context.Context, s *Session) error {
	ctx, done := s.interruptible(ctx)
	defer done()
	verb := map[Evaluation]trace.Verb{Value: trace.VerbPrint, Pretty: trace.VerbPretty, Type: trace.VerbWhatis}[c.As]
	v, err := s.eval(ctx, verb, c.Expression)
	if err != nil {
		return err
	}
	s.drain()
	s.say(v.String())
	return nil
}

// fromObjects answers an expression from the objects that were recorded. place tells
// that it is a place in them (an attribute, an element, a length) and nothing that has
// to be computed: then the answer is the recording's own. The value is empty where the
// expression is not known here.
func (s *Session) fromObjects(ctx context.Context, verb trace.Verb, expr string, frame statetree.StackFrame) (found value, place bool, err error) {
	p := s.pastOf()
	if p == nil {
		return value{}, false, nil
	}
	c, err := p.Condition(expr)
	if err != nil {
		return value{}, false, nil // the evaluator says what is wrong with it
	}
	path, plain := c.Path()
	plain = plain && (path.Len || len(path.Steps) > 0) // a name's text is looked at first
	text, whatis, err := p.Value(ctx, c, nav.Scope(p, frame, s.pos.Event), s.pos.Event)
	switch {
	case err != nil:
		return value{}, plain, err
	case verb == trace.VerbWhatis && whatis == "":
		return value{}, false, nil
	case verb == trace.VerbWhatis:
		text = whatis
	case verb == trace.VerbPretty:
		text = s.prettyText(ctx, text)
	}
	found = value{text: text}
	if !plain {
		found.mark = " (from what was recorded)"
	}
	return found, plain, nil
}

// prettyText returns a value's text as pprint lays it out, where it is a literal's.
func (s *Session) prettyText(ctx context.Context, text string) string {
	if s.cfg.Evaluator == nil {
		return text
	}
	pretty, err := s.cfg.Evaluator.Pretty(ctx, "value", []dsl.Local{{Name: "value", Value: text}})
	if err != nil {
		return text
	}
	return pretty
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// unquote reads a Python string literal as repr writes it; ok is false for any
// other text, such as two literals with a comma between.
func unquote(lit string) (text string, ok bool) {
	if len(lit) < 2 || lit[0] != '\'' && lit[0] != '"' || lit[len(lit)-1] != lit[0] {
		return "", false
	}
	quote, rest := lit[0], lit[1:len(lit)-1]
	var b strings.Builder
	for rest != "" {
		if rest[0] == quote {
			return "", false
		}
		// strconv knows every escape that repr writes, and \' in single quotes.
		r, _, tail, err := strconv.UnquoteChar(rest, quote)
		if err != nil {
			if rest[0] != '\\' || len(rest) < 2 {
				return "", false
			}
			// The other quote, or a lone surrogate: kept as written.
			b.WriteString(rest[:2])
			rest = rest[2:]
			continue
		}
		b.WriteRune(r) // repr's \x80 to \xff are characters, not bytes
		rest = tail
	}
	return b.String(), true
}

// trimLineEnd drops one \n or \r\n from the end.
func trimLineEnd(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}
