package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// statement shows an expression's value, or edits the state: nothing is run.
func (s *predictedWalk) statement(ctx context.Context, text string, forced bool) error {
	if s.pos.End {
		return errorf(ProgramOver, "%s: the program is over (rs goes back, rewind to its start)", text)
	}
	if !forced {
		if done, err := s.showExpression(ctx, text); done {
			return err
		}
	}
	if s.selected != 0 {
		return s.refuse(text, "only the newest frame's values can be edited")
	}
	stack := s.frames()
	assigned, ok := s.cfg.Evaluator.(assigner)
	if !ok {
		return s.needLive(text)
	}
	name, value, err := assigned.Assign(ctx, text, s.scope(stack, len(stack)-1, s.pos.Event))
	if err != nil {
		return s.evalError(text, err)
	}
	return s.edit(name, s.redact(value))
}

// assigner reads assignments without running them. *python.Evaluator is one.
type assigner interface {
	Assign(ctx context.Context, statement string, locals []dsl.Local) (name, text string, err error)
}

// edit makes a state in which a local has another value, or with "" is gone. What
// follows goes on from it.
func (s *predictedWalk) edit(name, value string) error {
	stop := *s.list[s.pos.Event].stop
	stop.Locals = slices.Clone(stop.Locals)
	i := slices.IndexFunc(stop.Locals, func(l dsl.Local) bool { return l.Name == name })
	switch {
	case value == "" && i < 0: // what the evaluator has found is a name of the module
		return errorf(PythonRaised, "NameError: name '%s' is not a local of this frame", name)
	case value == "":
		stop.Locals = slices.Delete(stop.Locals, i, i+1)
	case i >= 0:
		stop.Locals[i].Value = value
	default:
		stop.Locals = append(stop.Locals, dsl.Local{Name: name, Value: value})
	}
	return s.amend(&stop)
}

// amend appends a state that the user made, and stands at it.
func (s *predictedWalk) amend(stop *dsl.Stop) error {
	node, err := s.list[s.pos.Event].node.Append(dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	if err != nil {
		return errorf(Refused, "The edited state cannot be shown to a model: %v", err)
	}
	i := s.add(prediction{node: node, stop: stop, before: s.pos.Event, origin: dsl.Edited})
	s.pos = trace.Position{Event: i}
	s.remember()
	s.walk.edited()
	return nil
}

// jump makes another line of the function the one that is next. It begins a new
// text, for no action leads there.
func (s *predictedWalk) jump(ctx context.Context, arg string) error {
	line, err := strconv.Atoi(arg)
	if err != nil {
		return err
	}
	if s.pos.End {
		return s.needLive("jump")
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	path, lines, err := s.frameSource(frame)
	if err != nil {
		return err
	}
	first, last := s.extent(ctx, frame, path, len(lines))
	if line < first || line > last || s.inner(ctx, frame, path, first, line) {
		return errorf(Refused, "Jump failed: line %d is not in %s", line, frame.Function)
	}
	if err := s.checkLine(ctx, path, lines, line); err != nil {
		return errorf(Refused, "Jump failed: %v", err)
	}
	stop := *s.list[s.pos.Event].stop
	stop.Event, stop.Kind, stop.Value = dsl.Line, dsl.NoReturn, nil
	stop.Line, stop.Source = line, lines[line-1]
	stop.Stack = append([]dsl.Frame(nil), stop.Stack...)
	stop.Stack[stop.Depth].Line = line
	at := s.pos
	if err := s.amend(&stop); err != nil {
		return err
	}
	made := &s.list[s.pos.Event]
	if made.node, err = made.node.Compact(); err != nil {
		return err
	}
	here := s.pos
	s.pos = at
	s.arrive(trace.Landing{Position: here, Horizon: unknownHorizon}, nil)
	return nil
}

// inner reports whether a line is in the body of a function inside that of a frame,
// which begins at the line first. A function of one line is a statement too.
func (s *predictedWalk) inner(ctx context.Context, frame statetree.StackFrame, path string, first, line int) bool {
	outline, err := s.outline(ctx, path)
	if err != nil {
		return false
	}
	for _, f := range outline.Functions {
		own := f.Name == frame.Function && f.Line == first
		if !own && f.Line >= first && f.Line < f.BodyLine && f.BodyLine <= line && line <= f.EndLine {
			return true
		}
	}
	return false
}

// gotoState has no meaning here: predictions are no recording with a length.
func (s *predictedWalk) gotoState(context.Context, string) error {
	return errorf(Refused, "goto: there is no recording in neural mode; back and forth go over what was shown, rewind to the first state")
}

// find has no meaning either: what lies between predictions was not predicted.
func (s *predictedWalk) find(context.Context, string, bool) error {
	return errorf(Refused, "find: there is no recording in neural mode to look through; b LINE, CONDITION and c ask the model for a line where it holds")
}

// refuse says why something cannot be done in neural mode.
func (s *predictedWalk) refuse(what, why string) error {
	if why == "" {
		why = "nothing of the program is run in neural mode (--mode real runs it)"
	}
	return errorf(Refused, "%s: %s", what, why)
}

func (s *predictedWalk) info() []string {
	m := s.model()
	model := "Model: " + m.Name
	if m.Place != "" {
		model += " at " + m.Place
	}
	asked, prompt, cached := 0, 0, 0
	for _, p := range s.list {
		if p.made != nil && !p.again {
			asked++
			prompt += max(p.made.Usage.Prompt, 0)
			cached += max(p.made.Usage.Cached, 0)
		}
	}
	lines := []string{model, fmt.Sprintf("Here: state %d of %d that were shown, %s", s.shown+1, len(s.history), s.origin(s.pos))}
	if asked > 0 {
		line := plural(asked, "prediction", "predictions")
		if prompt > 0 {
			line += fmt.Sprintf(", %s tokens read, of them %s from the cache", thousands(prompt), thousands(cached))
		}
		lines = append(lines, "Asked: "+line)
	}
	lines = append(lines, fmt.Sprintf("Text: %s bytes", thousands(s.list[s.pos.Event].node.Len())))
	var names []string
	for _, f := range s.files {
		names = append(names, f.Name)
	}
	return append(lines, "Files: "+strings.Join(names, ", "))
}
