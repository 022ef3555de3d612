package align

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/session/compare"
)

// Lines describes the report for people.
func (r *Report) Lines() []string {
	var lines []string
	for k, name := range []string{"A", "B"} {
		a := &r.Runs[k]
		lines = append(lines, fmt.Sprintf("%s: %s (%s, Python %s, %s)", name, a.Name, a.Program, a.Python, english.Plural(a.Events, "event", "")))
	}
	if r.First == nil && r.Same {
		return append(lines, append([]string{"The runs are the same."}, r.rest()...)...)
	}
	if r.First != nil {
		lines = append(lines, "First divergence: "+r.First.heading())
		lines = append(lines, r.First.details()...)
	}
	return append(lines, r.rest()...)
}

// heading says where a divergence is.
func (p *Place) heading() string {
	a, b := &p.Sides[0], &p.Sides[1]
	at, other := a.place(), b.place()
	text := at
	if other != at {
		text += " / " + other
	}
	if x, y := iterations(a.Loops, a.ranIn()), iterations(b.Loops, b.ranIn()); x != "" {
		text += ", " + x
		if x != y && y != "" {
			text += " / " + y
		}
	}
	return text
}

// place names the line by which the difference came.
func (s *Side) place() string {
	switch {
	case s.By != nil:
		return fmt.Sprintf("%s(%d)%s", s.By.File, s.By.Line, s.By.Function)
	case s.What == "end":
		return "the end"
	}
	return fmt.Sprintf("%s(%d)%s", s.File, s.Line, s.Function)
}

func iterations(list []Iteration, function string) string {
	var parts []string
	for _, l := range list {
		if l.Number == 0 {
			continue // none was recorded, or the event follows the loop
		}
		text := fmt.Sprintf("iteration %d of the loop at line %d", l.Number, l.Line)
		if l.Function != function {
			text += " of " + l.Function
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// details describes what differs.
func (p *Place) details() (lines []string) {
	for k, name := range []string{"A", "B"} {
		s := &p.Sides[k]
		source := s.Source
		if s.By != nil {
			source = s.By.Source
		}
		if k == 0 || strings.TrimSpace(source) != strings.TrimSpace(p.Sides[0].ran()) {
			lines = append(lines, fmt.Sprintf("%s -> %s", name, strings.TrimSpace(source)))
		}
	}
	if p.Kind == "values" {
		lines = append(lines, "  "+p.difference())
	}
	for k, name := range []string{"A", "B"} {
		s := &p.Sides[k]
		switch {
		case s.What == "end":
			lines = append(lines, fmt.Sprintf("  %s ends here", name))
		case p.Kind == "values":
		default:
			lines = append(lines, fmt.Sprintf("  %s goes on with %s", name, s.goesOn()))
		}
	}
	return append(lines, fmt.Sprintf("  event %d / %d, stack %s", p.Sides[0].Event, p.Sides[1].Event, p.stack()))
}

func (s *Side) ran() string {
	if s.By != nil {
		return s.By.Source
	}
	return s.Source
}

// ranIn returns the function of the line that made the difference.
func (s *Side) ranIn() string {
	if s.By != nil {
		return s.By.Function
	}
	return s.Function
}

// goesOn describes the event at which a run goes on after the runs parted.
func (s *Side) goesOn() string {
	source := strings.TrimSpace(s.Source)
	switch s.What {
	case "end":
		return "the end"
	case "call":
		return fmt.Sprintf("a call of %s, line %d: %s", s.Function, s.Line, source)
	case "line":
		return fmt.Sprintf("line %d: %s", s.Line, source)
	case "exception":
		return fmt.Sprintf("an exception at line %d: %s", s.Line, source)
	case "unwind":
		return fmt.Sprintf("an exception that leaves %s, line %d", s.Function, s.Line)
	}
	return fmt.Sprintf("a %s of %s, line %d", s.What, s.Function, s.Line)
}

// difference describes two values: "orders[3].total: 12.5 / 13".
func (p *Place) difference() string {
	v := compare.Verdict{Kind: compare.Differs, Field: compare.Local}
	a, b := p.Sides[0].Value, p.Sides[1].Value
	if a != nil && b != nil {
		v = compare.Values(*a, *b, compare.All())
		v.Kind, v.Field = compare.Differs, compare.Local
	}
	if a != nil {
		v.Predicted = *a
	}
	if b != nil {
		v.Real = *b
	}
	x, y := v.Excerpts()
	if a == nil {
		x = "no value"
	}
	if b == nil {
		y = "no value"
	}
	name := p.Name
	if p.Of != "" {
		name += " of " + p.Of
	}
	return fmt.Sprintf("%s: %s / %s", name, x, y)
}

// Sentence describes a divergence in one line.
func (p *Place) Sentence() string {
	if p.Kind == "values" {
		return "diverged: " + p.difference()
	}
	a, b := p.Sides[0].goesOn(), p.Sides[1].goesOn()
	return fmt.Sprintf("diverged: %s / %s", a, b)
}

func (p *Place) stack() string {
	s := p.Sides[0].Stack
	if len(s) == 0 {
		s = p.Sides[1].Stack
	}
	var parts []string
	for _, f := range s {
		parts = append(parts, fmt.Sprintf("%s:%d", f.Function, f.Line))
	}
	const most = 6
	if n := len(parts); n > most {
		parts = append([]string{parts[0], fmt.Sprintf("… %d more …", n-most)}, parts[n-most+1:]...)
	}
	return strings.Join(parts, " > ")
}

// rest describes what follows the first divergence.
func (r *Report) rest() (lines []string) {
	switch {
	case r.Divergences == 0:
	case r.Rejoined:
		lines = append(lines, fmt.Sprintf("%s; at the end the runs have the same values again.", english.Plural(r.Divergences, "divergence", "")))
	case r.Divergences == 1:
		lines = append(lines, "1 divergence; the runs stay different to the end.")
	default:
		lines = append(lines, fmt.Sprintf("%d divergences; the runs stay different to the end.", r.Divergences))
	}
	for k, name := range []string{"A", "B"} {
		a := &r.Runs[k]
		if a.Only == 0 {
			continue
		}
		text := fmt.Sprintf("Only in %s: %s", name, english.Plural(a.Only, "event", ""))
		if len(a.Functions) > 0 {
			const most = 8
			list := a.Functions
			if len(list) > most {
				list = append(append([]string{}, list[:most]...), fmt.Sprintf("%d more functions", len(list)-most))
			}
			text += ", of functions that only ran there: " + strings.Join(list, ", ")
		}
		lines = append(lines, text)
	}
	if a, b := r.Runs[0].Exit, r.Runs[1].Exit; a != nil && b != nil && a.text() != b.text() {
		lines = append(lines, fmt.Sprintf("Ends: %s / %s", a.text(), b.text()))
	}
	if len(r.Ignored) > 0 {
		lines = append(lines, "Ignored, because it differs from run to run: "+strings.Join(r.Ignored, ", "))
	}
	return lines
}

func (e *Exit) text() string {
	if e.Exception != nil {
		return "exit code " + fmt.Sprint(e.Code) + ", " + *e.Exception
	}
	return "exit code " + fmt.Sprint(e.Code)
}
