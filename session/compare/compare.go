package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Compare compares a predicted reply with the real one, or with another prediction, and returns a
// verdict for each field. The order of locals does not count, because it follows from the
// function's code.
func Compare(predicted, real dsl.Reply, r Rules) Verdicts {
	c := comparison{rules: r}
	if !c.outcome(predicted, real) {
		return c.verdicts
	}
	if p, r := predicted.Stop, real.Stop; real.Outcome == dsl.Landed && p != nil && r != nil {
		c.verdicts = slices.Grow(c.verdicts, len(r.Locals)+5)
		c.text(Event, event(&p.State), event(&r.State))
		c.line(p, r)
		c.text(Function, p.Function, r.Function)
		c.stack(p, r)
		c.locals(p.Locals, r.Locals)
		c.optional(Value, p.Value, r.Value)
	}
	if p, r := predicted.Exit, real.Exit; real.Outcome == dsl.Ended && p != nil && r != nil {
		c.text(ExitCode, strconv.Itoa(p.Code), strconv.Itoa(r.Code))
		c.optional(ExitException, p.Exception, r.Exception)
	}
	return c.verdicts
}

type comparison struct {
	rules    Rules
	verdicts Verdicts
}

func (c *comparison) add(v Verdict) { c.verdicts = append(c.verdicts, v) }

// outcome compares the outcomes (a state, the end, the start or no answer). It reports whether they
// are the same, so that the other fields can be compared.
func (c *comparison) outcome(predicted, real dsl.Reply) bool {
	v := Verdict{Field: Outcome, Kind: Same, Predicted: predicted.Outcome.String(), Real: real.Outcome.String()}
	switch {
	case real.Outcome == dsl.Unknown || real.Outcome == 0:
		v.Kind, v.Reason = Incomparable, "there is nothing to compare it with"
	case predicted.Outcome == dsl.Unknown || predicted.Outcome == 0:
		v.Kind = Missing
	case predicted.Outcome != real.Outcome:
		v.Kind = Differs
	}
	c.add(v)
	return v.Kind == Same
}

// text compares a field byte for byte.
func (c *comparison) text(f Field, predicted, real string) {
	kind := Same
	if predicted != real {
		kind = Differs
	}
	c.add(Verdict{Field: f, Kind: kind, Predicted: predicted, Real: real})
}

// event returns the name of a state's event; for a return, its kind: return, yield or unwind.
func event(s *dsl.State) string {
	if s.Event == dsl.Return && s.Kind != dsl.NoReturn {
		return s.Kind.String()
	}
	return s.Event.String()
}

func (c *comparison) line(p, r *dsl.Stop) {
	if p.File == r.File {
		c.text(Line, strconv.Itoa(p.Line), strconv.Itoa(r.Line))
		return
	}
	c.text(Line, p.File+":"+strconv.Itoa(p.Line), r.File+":"+strconv.Itoa(r.Line))
}

// stack compares the number of activations and the frames below the current one. A line number that
// one side does not know is ignored.
func (c *comparison) stack(p, r *dsl.Stop) {
	below := func(s *dsl.Stop) []dsl.Frame { return s.Stack[:max(len(s.Stack)-1, 0)] }
	kind := Same
	if depth(p) != depth(r) || !slices.EqualFunc(below(p), below(r), sameFrame) {
		kind = Differs
	}
	c.add(Verdict{Field: Stack, Kind: kind, Predicted: frames(p), Real: frames(r)})
}

func depth(s *dsl.Stop) int {
	if len(s.Stack) > 0 {
		return len(s.Stack) - 1
	}
	return s.Depth
}

func sameFrame(p, r dsl.Frame) bool {
	return p.Function == r.Function && p.File == r.File && (p.Line == r.Line || p.Line == 0 || r.Line == 0)
}

// frames formats a call stack, outermost frame first: "<module>:9 > f:4".
func frames(s *dsl.Stop) string {
	var b strings.Builder
	for i, f := range s.Stack {
		if i > 0 {
			b.WriteString(" > ")
		}
		b.WriteString(f.Function)
		if f.File != s.File {
			b.WriteString(" " + f.File)
		}
		if f.Line > 0 {
			b.WriteString(":" + strconv.Itoa(f.Line))
		}
	}
	return b.String()
}

// locals compares the locals by name. Hidden locals (dunders, modules, functions, classes) are not
// predicted, so they are skipped. A local that is unknown on one side is skipped on the other too.
func (c *comparison) locals(predicted, real []dsl.Local) {
	place := make(map[string]int, len(real)) // index of each real local
	unknown := map[string]bool{}
	for i, l := range real {
		if !l.Hidden {
			place[l.Name] = i
		}
		unknown[l.Name] = unknown[l.Name] || l.Unknown
	}
	found := make([]*dsl.Local, len(real))
	// extra[i] holds the extra locals that follow real local i; the last entry, those before all.
	extra := make([][]*dsl.Local, len(real)+1)
	behind := len(real)
	for i := range predicted {
		l := &predicted[i]
		if l.Hidden || unknown[l.Name] {
			unknown[l.Name] = unknown[l.Name] || l.Unknown
			continue
		}
		if at, ok := place[l.Name]; ok {
			found[at], behind = l, at
		} else {
			extra[behind] = append(extra[behind], l)
		}
	}
	extras := func(list []*dsl.Local) {
		for _, l := range list {
			c.add(Verdict{Field: Local, Name: l.Name, Kind: Extra, Predicted: l.Value})
		}
	}
	extras(extra[len(real)])
	for i, l := range real {
		switch {
		case l.Hidden || unknown[l.Name]:
		case found[i] == nil:
			c.add(Verdict{Field: Local, Name: l.Name, Kind: Missing, Real: l.Value})
		default:
			v := compareValue(found[i].Value, l.Value, c.rules)
			v.Field, v.Name = Local, l.Name
			c.add(v)
		}
		extras(extra[i])
	}
}

// optional compares a value that a state may not have. nil means that there is none.
func (c *comparison) optional(f Field, predicted, real *string) {
	switch {
	case predicted == nil && real == nil:
	case predicted == nil:
		c.add(Verdict{Field: f, Kind: Missing, Real: *real})
	case real == nil:
		c.add(Verdict{Field: f, Kind: Extra, Predicted: *predicted})
	default:
		v := compareValue(*predicted, *real, c.rules)
		v.Field = f
		c.add(v)
	}
}
