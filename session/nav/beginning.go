package nav

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// begun is the state of a trace.Beginning.
type begun struct {
	stop    *dsl.Stop
	callers []*dsl.Stop // states of callers whose locals are given, the outermost first
	notice  string      // what was chosen that the user did not say; "" for nothing
}

// begin returns the state of a beginning, with the names of its locals that are unknown.
func (p *predictions) begin(b *trace.Beginning, entry string) (*begun, error) {
	out := &begun{}
	frames := slices.Clone(b.Frames)
	if entry != "" {
		call, err := python.ParseCall(entry)
		if err != nil {
			return nil, entryError(entry, err)
		}
		frames[len(frames)-1].Function = call.Function
	}
	stack := make([]dsl.Frame, len(frames))
	for i, f := range frames {
		last := i == len(frames)-1
		file := 0
		if f.File != "" {
			if file = SameFile(p.files, f.File); file < 0 {
				return nil, beginError("%s is no file of the program", f.File)
			}
		}
		if last && f.Line == 0 {
			var err error
			if f.Line, out.notice, err = p.leaves(file, f.Function, b); err != nil {
				return nil, err
			}
		}
		if lines := len(p.sources[file].Lines()); f.Line > lines && last {
			return nil, beginError("%s has no line %d, it ends at line %d", p.files[file].Name, f.Line, lines)
		} else if f.Line > lines {
			f.Line = 0
		}
		function, err := p.functionOf(file, f)
		if err != nil {
			return nil, err
		}
		if last && b.Raised == nil && b.Returned == nil && !slices.Contains(p.sources[file].Outline().Executable, f.Line) {
			return nil, beginError("line %d of %s holds no statement that can be the next to run", f.Line, p.files[file].Name)
		}
		stack[i] = dsl.Frame{Function: function, File: p.files[file].Name, Line: f.Line}
		frames[i].Line, frames[i].Function = f.Line, function
		if !last && (f.Line == 0 || len(f.Locals) == 0) {
			continue
		}
		source, _ := p.SourceLine(file, f.Line)
		stop := &dsl.Stop{State: dsl.State{
			Event: dsl.Line, File: p.files[file].Name, Line: f.Line, Source: source, Function: function, Depth: i,
			Locals: p.localsOf(file, frames[i]),
		}, Stack: slices.Clone(stack[:i+1])}
		if !last {
			out.callers = append(out.callers, stop)
			continue
		}
		switch {
		case b.Called:
			stop.Event = dsl.Call
		case b.Returned != nil:
			stop.Event, stop.Kind, stop.Value = dsl.Return, dsl.Returned, b.Returned
		case b.Raised != nil:
			stop.Event, stop.Value = dsl.Exception, b.Raised
		}
		out.stop = stop
	}
	return out, nil
}

// given returns the state in the middle of the program at which the session begins, and the text
// before it, which holds the states of its callers.
func (s *Predicted) given(node *dsl.Node) (before *dsl.Node, first *dsl.Stop, err error) {
	b, err := s.begin(s.base.Options.Begin, s.base.Options.Entry)
	if err != nil {
		return nil, nil, err
	}
	if s.anyExit = b.notice != ""; s.anyExit {
		s.base.Notice("%s", b.notice)
	}
	s.tellWording(b.stop)
	before = node.Mark()
	s.callers = map[uint32][]dsl.Local{}
	for _, stop := range b.callers {
		s.callers[uint32(stop.Depth)] = s.Redact.Stop(stop).Locals // the first state's activations are numbered from 0
		if before, err = before.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: s.Redact.Stop(stop)}}); err != nil {
			return nil, nil, beginError("a caller's state cannot be shown to a model: %v", err)
		}
	}
	return before, s.Redact.Stop(b.stop), nil
}

// tellWording tells the user that the message of a given exception is not one of the Python version by
// which npdb follows the program: no past would lead to it.
func (s *Predicted) tellWording(given *dsl.Stop) {
	if given.Event != dsl.Exception {
		return
	}
	v := s.Python
	if v == (python.Version{}) {
		v = python.Version{Major: 3, Minor: 12}
	}
	message, ok := python.ExceptionMessage(*given.Value)
	if ok && python.WordedOtherwise(message, v) {
		s.base.Notice("Python %s words this exception otherwise, so no past may lead to it. --python-version names the version that printed it.", v)
	}
}

// functionOf returns the name of a frame's code. Without a name it is the innermost function or class
// around the line. A name that no function around the line has is an error, unless it is that of a module,
// a class or a frame that Python makes, such as <listcomp>.
func (p *predictions) functionOf(file int, f trace.BeginningFrame) (string, error) {
	switch {
	case strings.HasPrefix(f.Function, "<"):
		return f.Function, nil
	case f.Line == 0:
		return f.Function, nil
	}
	if f.Function == "" {
		return cmp.Or(python.ReadScopes(p.files[file].Source).Around(f.Line), "<module>"), nil
	}
	short := f.Function[strings.LastIndex(f.Function, ".")+1:]
	known := false
	for _, s := range p.sources[file].Functions() {
		if s.Name == short {
			known = true
			if s.Line <= f.Line && f.Line <= s.EndLine {
				return short, nil
			}
		}
	}
	if known {
		return "", beginError("line %d of %s is not in %s", f.Line, p.files[file].Name, f.Function)
	}
	return short, nil // the body of a class
}

// localsOf returns the locals of a frame: those that are given, and the names whose values are
// unknown.
func (p *predictions) localsOf(file int, f trace.BeginningFrame) []dsl.Local {
	given := map[string]bool{}
	var locals []dsl.Local
	for _, l := range f.Locals {
		if !given[l.Name] {
			given[l.Name] = true
			locals = append(locals, dsl.Local{Name: l.Name, Value: l.Value})
		}
	}
	var names []string
	order := map[string]int{}
	scopes := python.ReadScopes(p.files[file].Source)
	if f.Function == "<module>" {
		names = scopes.Module
	} else if scope, ok := scopes.At(f.Function, f.Line); ok && !strings.HasPrefix(f.Function, "<") {
		names = scope.Locals
	}
	parameters := 0
	if code := p.codes[p.codeAt(file, f.Line, f.Function)]; code.FirstLine > 0 {
		parameters = code.Args
	}
	for i, name := range names {
		order[name] = i + 1
		if !given[name] && (!f.Complete || i < parameters) {
			locals = append(locals, dsl.Local{Name: name, Hidden: true, Unknown: true})
		}
	}
	if f.Function != "<module>" {
		slices.SortStableFunc(locals, func(a, b dsl.Local) int {
			return cmp.Compare(cmp.Or(order[a.Name], len(names)+1), cmp.Or(order[b.Name], len(names)+1))
		})
	}
	return locals
}

// leaves returns the line at which a function returns or raises the value of a beginning. If the
// text leaves a choice, notice tells which line was chosen.
func (p *predictions) leaves(file int, name string, b *trace.Beginning) (line int, notice string, err error) {
	f, ok := p.sources[file].Function(name)
	if !ok {
		return 0, "", beginError("%s defines no function %s", p.files[file].Name, name)
	}
	if b.Raised == nil && b.Returned == nil {
		return 0, "", beginError("the line of %s is not given; --at LINE gives it", name)
	}
	exits := python.ReadExits(p.files[file].Source, f.Line)
	lines := exits.Returns
	verb := "returns"
	if b.Raised != nil {
		verb = "raises"
		lines = exits.RaisesOf(*b.Raised)
		if len(lines) == 0 {
			return 0, "", beginError("no raise statement of %s names %s; add --at LINE, the line that raised it", name, python.ExceptionName(*b.Raised))
		}
	}
	line = lines[len(lines)-1]
	if len(lines) > 1 {
		notice = fmt.Sprintf("%s %s at %s; this session begins at line %d. --at LINE begins at another one.", name, verb, linesText(lines), line)
	}
	return line, notice, nil
}

// linesText lists line numbers: "lines 3, 5 and 9".
func linesText(lines []int) string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = fmt.Sprint(line)
	}
	last := len(texts) - 1
	return "lines " + strings.Join(texts[:last], ", ") + " and " + texts[last]
}

func beginError(format string, a ...any) error {
	return &trace.StartError{Kind: trace.StartFailed, Message: "The session cannot begin there: " + fmt.Sprintf(format, a...)}
}

// stillUnknown returns the locals of a state that was predicted from the state was. It adds the names
// that were unknown there, in the same frame, and that the prediction does not list.
func stillUnknown(was, stop *dsl.Stop) []dsl.Local {
	locals := stop.Locals
	if was == nil || was.Function != stop.Function || was.File != stop.File || was.Depth != stop.Depth || stop.Event == dsl.Call {
		return locals
	}
	for _, l := range was.Locals {
		if l.Unknown && !slices.ContainsFunc(locals, func(o dsl.Local) bool { return o.Name == l.Name }) {
			locals = append(slices.Clip(locals), l)
		}
	}
	return locals
}
