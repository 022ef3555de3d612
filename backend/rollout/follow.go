package rollout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/python"
)

// Follow returns the trail after a frame from the model. forced reports that the prompt contained
// the frame's event. The error is a *dsl.ImpossibleError or another error of package dsl.
func (t *Trail) Follow(f cwm.Frame, forced bool) (*Trail, error) {
	d := dsl.Draft{Event: f.Event, Locals: f.Locals}
	var doubt string
	switch f.Event {
	case dsl.Call:
		var code *python.Code
		code, d.At.Line, doubt = t.called(f)
		d.Function = "<lambda>" // the code is unknown, for example because of a syntax error
		if code != nil {
			d.Function = code.Name
		}
	default:
		d.At.Line, doubt = t.line(f)
	}
	switch f.Event {
	case dsl.Return:
		d.Kind = t.left(f, forced, d.At.Line)
		if d.Kind != dsl.Unwound {
			d.Value = &f.Value
		}
	case dsl.Exception:
		d.Value = &f.Value
	}
	action := dsl.Action{Move: dsl.StepInto}
	if forced {
		action.Move = dsl.StepReturn
	}
	step, err := t.node.Compose(dsl.Step{Action: action}, d)
	if err != nil {
		return nil, err
	}
	next, err := t.append(step.Reply.Stop, forced)
	if err != nil {
		return nil, err
	}
	next.doubt = doubt
	return next, nil
}

// open returns the innermost activation that has not returned: that of the next state, unless the
// next state is a call.
func (t *Trail) open() *scope { return &t.scopes[len(t.scopes)-1] }

// line returns the line of a frame in the innermost activation. If several lines have the frame's
// source text, it chooses by the control flow; doubt names the alternatives.
func (t *Trail) line(f cwm.Frame) (line int, doubt string) {
	lines := t.subject.lines[f.Source]
	if len(lines) < 2 {
		return first(lines), ""
	}
	in := t.open()
	if in.code == nil {
		return nearest(lines, in.line), alike(lines, nearest(lines, in.line))
	}
	own := choose(lines, in.code.Has)
	if len(own) == 0 {
		own = lines
	}
	can := choose(own, func(line int) bool { return t.can(in, f.Event, line) })
	if len(can) == 0 {
		can = own
	}
	if len(can) == 1 {
		return can[0], ""
	}
	line = nearest(can, in.line)
	return line, alike(can, line)
}

// can reports whether the control flow allows a state of the activation in at this line.
func (t *Trail) can(in *scope, event dsl.Event, line int) bool {
	switch event {
	case dsl.Line:
		switch {
		case in.event == dsl.Call && !in.resumed:
			return in.code.Start(line)
		case t.own.id == in.id && in.event == dsl.Exception:
			return in.code.Catches(line, in.line)
		}
		return in.code.Follows(line, in.line)
	case dsl.Return:
		if in.event == dsl.Call && !in.resumed { // the lines in between are unknown
			return in.code.Leaves(line)
		}
	}
	return line == in.line
}

// called returns the code object that a call enters, and the line of the call event: its first
// line, or the line at which a generator is resumed. doubt names alternatives that are as likely.
func (t *Trail) called(f cwm.Frame) (code *python.Code, line int, doubt string) {
	type candidate struct {
		code  *python.Code
		line  int
		score int
	}
	var all []candidate
	for _, line := range t.subject.lines[f.Source] {
		for _, c := range t.subject.flow.At(line) {
			all = append(all, candidate{c, line, t.speaksFor(c, line, f)})
		}
	}
	if len(all) == 0 {
		return nil, first(t.subject.lines[f.Source]), ""
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var tied []int
	for _, c := range all {
		if c.score == all[0].score {
			tied = append(tied, c.line)
		}
	}
	if len(tied) > 1 {
		doubt = alike(tied, tied[0])
	}
	return all[0].code, all[0].line, doubt
}

// speaksFor returns a score: the higher, the likelier it is that the call enters code object c at this
// line.
func (t *Trail) speaksFor(c *python.Code, line int, f cwm.Frame) (score int) {
	resumed := slices.ContainsFunc(t.paused, func(s scope) bool { return s.code == c && s.line == line })
	if resumed {
		score += 8
	} else if c.Line != line { // the generator is not paused there
		score -= 8
	}
	names := map[string]bool{}
	for _, l := range f.Locals {
		names[l.Name] = true
	}
	for _, p := range c.Params {
		if names[p] {
			score++
		} else {
			score -= 4
		}
	}
	if !resumed && len(f.Locals) != len(c.Params) && !c.Plain {
		score -= 2 // free variables count as locals
	}
	if c.Class != "" && len(f.Locals) > 0 {
		class := c.Class[strings.LastIndexByte(c.Class, '.')+1:]
		if value := f.Locals[0].Value; strings.HasPrefix(value, class+"(") || strings.Contains(value, "."+class+" object") || strings.Contains(value, "<class '"+class) {
			score += 4
		}
		if strings.Contains(t.State().Source, class) {
			score++
		}
	}
	if !strings.HasPrefix(c.Name, "<") && strings.Contains(t.State().Source, c.Name) {
		score++
	}
	return score
}

// left returns how frame f, a return, leaves its activation. In a trace, a return caused by an exception
// has the value None too, so left also uses the control flow.
func (t *Trail) left(f cwm.Frame, forced bool, line int) dsl.ReturnKind {
	in := t.open()
	switch {
	case in.raised && f.Value == "None" && (in.event == dsl.Exception || in.code != nil && in.code.Finally(in.line)):
		return dsl.Unwound
	case forced && f.Value == "None" && in.code != nil && !in.code.Leaves(line): // a raise, for example
		return dsl.Unwound
	case in.code == nil || !in.code.Generator || !in.code.Yields(line):
		return dsl.Returned
	case f.Value == "None" && (in.code.Plain || in.resumed && in.event == dsl.Call && !forced):
		return dsl.Returned // the generator was resumed and ran to its end
	}
	return dsl.Yielded
}

// first returns the first line, or 0 if there are none.
func first(lines []int) int {
	if len(lines) == 0 {
		return 0
	}
	return lines[0]
}

func choose(lines []int, keep func(line int) bool) []int {
	return slices.DeleteFunc(slices.Clone(lines), func(line int) bool { return !keep(line) })
}

// nearest returns the first line that is not before from, or else the last line.
func nearest(lines []int, from int) int {
	for _, line := range lines {
		if line >= from {
			return line
		}
	}
	return lines[len(lines)-1]
}

// alike returns a message that names other lines with the same source text as the line taken, or "" if
// there are none.
func alike(lines []int, taken int) string {
	var others []string
	for _, line := range lines {
		if line != taken {
			others = append(others, fmt.Sprint(line))
		}
	}
	if len(others) == 0 {
		return ""
	}
	return fmt.Sprintf("The model names lines by their text: line %d may as well be %s.", taken, strings.Join(others, " or "))
}
