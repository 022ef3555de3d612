package session

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// values evaluates expressions at the position, and finds their values and changes in the
// recording.
type values struct {
	cfg      *Config
	program  *program
	draft    *draft
	position *position

	scopes map[string]*python.Scopes
}

// value is the value of an expression in the selected frame.
type value struct {
	text string
	mark string // where the value comes from; "" for the running program or a recorded repr
}

func (v value) String() string { return v.text + v.mark }

// eval evaluates an expression for p, pp or whatis. At the live edge the program evaluates it.
// Elsewhere npdb does, on the recorded objects or the texts of values.
func (vs *values) eval(ctx context.Context, verb trace.Verb, expr string) (value, error) {
	if _, err := vs.position.frame(); err == nil && vs.position.live() {
		answer, err := vs.program.rec.Ask(ctx, vs.position.selected, verb, expr)
		return value{text: answer.Text}, err
	}
	return vs.recorded(ctx, verb, expr)
}

// recorded evaluates an expression as eval does, but never in the program.
func (vs *values) recorded(ctx context.Context, verb trace.Verb, expr string) (value, error) {
	v, err := vs.whole(ctx, verb, expr)
	if failed, ok := errors.AsType[*Error](err); ok && failed.Kind == Refused {
		if d, ok := python.ParseDisplay(strings.TrimSpace(expr)); ok {
			return vs.byParts(ctx, verb, d)
		}
	}
	return v, err
}

// byParts evaluates the parts of a display one by one and joins their texts. Of an object in the
// display it needs only the text.
func (vs *values) byParts(ctx context.Context, verb trace.Verb, d python.Display) (value, error) {
	ofPart := verb
	if verb == trace.VerbWhatis {
		ofPart = trace.VerbPrint
	}
	var texts []string
	var all value
	for _, part := range d.Parts {
		v, err := vs.recorded(ctx, ofPart, part)
		if err != nil {
			return value{}, err
		}
		texts = append(texts, v.text)
		all.mark = cmp.Or(all.mark, v.mark)
	}
	all.text = d.Repr(texts, ", ")
	switch {
	case verb == trace.VerbWhatis:
		all.text = d.Type()
	case verb == trace.VerbPretty && (len(all.text) > 80 || strings.Contains(all.text, "\n")):
		all.text = d.Repr(texts, ",\n ")
	}
	return all, nil
}

// whole evaluates an expression as recorded does, but evaluates no display by its parts.
func (vs *values) whole(ctx context.Context, verb trace.Verb, expr string) (value, error) {
	if _, err := vs.position.frame(); err != nil {
		return value{}, err
	}
	frame, err := vs.position.recordedFrame()
	if err != nil {
		return value{}, err
	}
	expr = strings.TrimSpace(expr)
	if strings.HasPrefix(expr, "$") && python.IsName(expr[1:]) {
		return vs.position.recordedVariable(expr)
	}
	if verb == trace.VerbPrint && python.IsName(expr) {
		if v, ok := vs.recordedName(frame, expr); ok {
			return v, nil
		}
	}
	found, ofObjects, failed := vs.fromObjects(ctx, verb, expr, frame)
	if ofObjects && failed == nil {
		return found, nil
	}
	here := len(vs.position.frames()) - 1
	names := vs.position.names(vs.position.allFrames(ctx), here-vs.position.selected, expr)
	ask := python.Eval
	switch verb {
	case trace.VerbPretty:
		ask = python.Pretty
	case trace.VerbWhatis:
		ask = python.Whatis
	}
	text, err := ask(ctx, expr, names)
	err = nav.OverTexts(vs.program.past(), expr, err)
	var refused *python.RefusedError
	switch {
	case errors.As(err, &refused) && failed == nil && found.text != "":
		return found, nil
	case errors.As(err, &refused) && ofObjects:
		return value{}, vs.evalError(expr, failed)
	case err != nil:
		return value{}, vs.evalError(expr, err)
	}
	return value{text: text, mark: vs.program.fromText()}, nil
}

// recordedName looks up a name in a frame, then in its module.
func (vs *values) recordedName(frame statetree.StackFrame, name string) (value, bool) {
	if text, ok := lookup(vs.program.states().LocalsOf(frame.Activation, vs.position.pos.Event), name); ok {
		found := value{text: text}
		if vs.position.byAttributes(frame.Activation, name) {
			found.mark = " (by its attributes)"
		}
		return found, true
	}
	return vs.position.global(frame, name)
}

func lookup(locals []dsl.Local, name string) (string, bool) {
	for _, l := range locals {
		if l.Name == name && !l.Unknown {
			return l.Value, true
		}
	}
	return "", false
}

// evalError converts an error of npdb's evaluation of an expression to one for the user.
func (vs *values) evalError(expr string, err error) error {
	var refused *python.RefusedError
	if errors.As(err, &refused) {
		if refused.Name == expr {
			return vs.position.refuse(expr, refused.Reason) // do not repeat the name in the message
		}
		return vs.position.refuse(expr, refused.Error())
	}
	var raised *python.EvalError
	if errors.As(err, &raised) {
		text := raised.Type
		if raised.Message != "" {
			text += ": " + raised.Message
		}
		return &Error{Kind: PythonRaised, Message: text + vs.program.fromText()}
	}
	return err
}

// Evaluate shows the value of an expression or its type, as As selects.
type Evaluate struct {
	Expression string     `json:"expression"`
	As         Evaluation `json:"as,omitempty"`
	// Recorded evaluates on what is recorded, at the live edge too, so that nothing of the program runs.
	Recorded bool `json:"recorded,omitempty"`
}

// Evaluation selects what Evaluate shows.
type Evaluation string

// The value as its repr, the value pretty-printed, and the type of the value.
const (
	Value  Evaluation = ""
	Pretty Evaluation = "pretty"
	Type   Evaluation = "type"
)

func (c Evaluate) String() string {
	return words(map[Evaluation]string{Value: "p", Pretty: "pp", Type: "whatis"}[c.As], c.Expression)
}

func (c Evaluate) run(ctx context.Context, s *Session) error {
	ctx, done := s.program.interruptible(ctx)
	defer done()
	verb := map[Evaluation]trace.Verb{Value: trace.VerbPrint, Pretty: trace.VerbPretty, Type: trace.VerbWhatis}[c.As]
	evaluate := s.values.eval
	if c.Recorded {
		evaluate = s.values.recorded
	}
	v, err := evaluate(ctx, verb, c.Expression)
	if err != nil {
		return err
	}
	s.draft.answer.Value = &v.text
	s.draft.drain()
	s.draft.say(v.String())
	return nil
}

// fromObjects evaluates an expression on the recorded objects. place reports that the expression is
// an attribute, an element or a length, which is read from the recording without computing
// anything. found is empty if the expression cannot be evaluated on objects.
func (vs *values) fromObjects(ctx context.Context, verb trace.Verb, expr string, frame statetree.StackFrame) (found value, place bool, err error) {
	p := vs.program.past()
	if p == nil {
		return value{}, false, nil
	}
	c, err := p.Condition(expr)
	if err != nil {
		return value{}, false, nil // python.Eval reports the error
	}
	path, plain := c.Path()
	// A plain name does not count: eval looks up its recorded text first.
	plain = plain && (path.Len || len(path.Steps) > 0)
	text, whatis, err := p.Value(ctx, c, nav.Scope(p, frame), vs.position.pos.Event)
	switch {
	case err != nil:
		return value{}, plain, err
	case verb == trace.VerbWhatis && whatis == "":
		return value{}, false, nil
	case verb == trace.VerbWhatis:
		text = whatis
	case verb == trace.VerbPretty:
		text = vs.prettyText(ctx, text)
	}
	found = value{text: text}
	if !plain {
		found.mark = " (from what was recorded)"
	}
	return found, plain, nil
}

// prettyText formats the text of a value as pprint does, if it is a literal. Other texts are
// returned unchanged.
func (vs *values) prettyText(ctx context.Context, text string) string {
	pretty, err := python.Pretty(ctx, "value", python.Names{List: []dsl.Local{{Name: "value", Value: text}}})
	if err != nil {
		return text
	}
	return pretty
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// trimLineEnd removes one \n or \r\n from the end of a text.
func trimLineEnd(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}

// checkExpression returns an error if a text is not a valid Python expression.
func (vs *values) checkExpression(ctx context.Context, expr string) error {
	// Parse it as the body of a lambda, which is not evaluated.
	_, err := python.Eval(ctx, "(lambda: ("+expr+"\n)) and None", python.Names{})
	if isSyntaxError(err) {
		return errors.New(syntaxText(err))
	}
	return nil
}

// checkCondition returns an error if a condition is not a valid Python expression. "" is valid and
// means no condition.
func (vs *values) checkCondition(ctx context.Context, condition string) error {
	if condition == "" {
		return nil
	}
	if err := vs.checkExpression(ctx, condition); err != nil {
		return errorf(BadArgument, "Invalid condition %s: %s", condition, err)
	}
	return nil
}

// showExpression shows the value of a statement if it is an expression; done is false if it is not.
func (vs *values) showExpression(ctx context.Context, statement string) (done bool, err error) {
	v, err := vs.eval(ctx, trace.VerbPrint, statement)
	if err == nil {
		if v.text != "None" {
			vs.draft.say(v.String())
		}
		return true, nil
	}
	return !isSyntaxError(err) && !strings.HasPrefix(AsError(err).Message, "SyntaxError"), err
}
