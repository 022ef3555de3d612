package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/walk"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

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
	text, whatis, err := p.Value(ctx, c, walk.Scope(p, frame, s.pos.Event), s.pos.Event)
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

// prettyText is a value's text as pprint lays it out, where it is a literal's.
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
