package cpython

import (
	"errors"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// refused returns the error for a program that could not be started. It is an undeterminedError if the
// program itself is the cause.
func (p *placed) refused(err error, entry bool) error {
	var start *trace.StartError
	if !errors.As(err, &start) {
		return err
	}
	switch {
	case start.Kind == trace.SyntaxError, start.Kind == trace.NoProgram, start.Kind == trace.IsDirectory:
		return undetermined("the program does not start: %s", p.said(start.Message))
	case start.Kind == trace.EntryInvalid:
		return undetermined("the text's first call cannot be made: %s", afterLast(p.said(start.Message), "cannot be called: "))
	case start.Kind == trace.StartFailed && entry && start.Err == nil:
		return undetermined("%s: %s", p.said(start.Message), lastLine(p.said(start.Traceback)))
	}
	return err
}

// stop returns the state at an event as a text shows it: with the names and source lines of the
// question's files, and without hidden locals.
func (r *run) stop(event int) (*dsl.Stop, error) {
	tree := r.rec.Tree()
	if event < 0 || event >= tree.Len() {
		return nil, undetermined("the program stands nowhere")
	}
	s := &dsl.Stop{State: *tree.State(event)}
	named := func(shown string) (string, error) {
		i, ok := r.shown[shown]
		if !ok {
			return "", undetermined("the program went into %s, which the text does not show", r.at.said(shown))
		}
		return r.program.Files[i].Name, nil
	}
	lines := r.program.Files[r.shown[s.File]].Lines
	var err error
	if s.File, err = named(s.File); err != nil {
		return nil, err
	}
	if s.Line < 1 || s.Line > len(lines) {
		return nil, undetermined("the program has changed its own files")
	}
	s.Source, s.Locals = lines[s.Line-1], visible(s.Locals)
	for _, f := range tree.Stack(event) {
		if f.File, err = named(f.File); err != nil {
			return nil, err
		}
		s.Stack = append(s.Stack, f.Frame)
		s.Activations = append(s.Activations, f.Activation)
	}
	return s, nil
}

func visible(locals []dsl.Local) []dsl.Local {
	return slices.DeleteFunc(slices.Clone(locals), func(l dsl.Local) bool { return l.Hidden })
}

// samePlace reports whether two states are at the same event of the same
// function, on stacks of the same functions.
func samePlace(a, b *dsl.Stop) bool {
	return a.Event == b.Event && a.Kind == b.Kind && a.Line == b.Line && sameStack(a, b)
}

// sameStack reports whether two states have the same functions on their stacks.
func sameStack(a, b *dsl.Stop) bool {
	return slices.EqualFunc(a.Stack, b.Stack, func(f, g dsl.Frame) bool { return f.Function == g.Function && f.File == g.File })
}

// differences returns the locals of shown that truth does not have, or has with another value.
func differences(truth, shown *dsl.Stop) []dsl.Local {
	values := make(map[string]string, len(truth.Locals))
	for _, l := range truth.Locals {
		if !l.Hidden {
			values[l.Name] = l.Value
		}
	}
	var found []dsl.Local
	for _, l := range shown.Locals {
		if value, ok := values[l.Name]; !l.Hidden && (!ok || value != l.Value) {
			found = append(found, l)
		}
	}
	return found
}

func afterLast(s, mark string) string {
	if i := strings.LastIndex(s, mark); i >= 0 {
		return s[i+len(mark):]
	}
	return s
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
