package dap

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// lineOf converts a line of the client to one that counts from 1, shownLine the other way.
func (c *client) lineOf(line int) int {
	if c.zeroLines {
		return line + 1
	}
	return line
}

func (c *client) shownLine(line int) int {
	if c.zeroLines {
		return line - 1
	}
	return line
}

// query runs a command that moves nothing, even while npdb asks the user something in the debug console.
func (c *client) query(command session.Command) *session.Answer {
	return c.i.Session.Do(c.ctx, command)
}

// view returns the session's view of the selected frame.
func (c *client) view() *session.View {
	if c.handles.view == nil {
		c.handles.view = c.i.View()
	}
	return c.handles.view
}

// inFrame selects a frame of the view, calls f, and selects the former frame again.
func (c *client) inFrame(frame int, f func() error) error {
	by := c.view().Selected - frame
	if by == 0 {
		return f()
	}
	if a := c.query(session.SelectFrame{By: by}); a.Err != nil {
		return a.Err
	}
	err := f()
	if a := c.query(session.SelectFrame{By: -by}); a.Err != nil {
		err = errors.Join(err, a.Err)
	}
	return err
}

// viewOf returns the view of a frame.
func (c *client) viewOf(frame int) (*session.View, error) {
	v := c.view()
	if frame == v.Selected {
		return v, nil
	}
	if known := c.handles.views[frame]; known != nil {
		return known, nil
	}
	var of *session.View
	if err := c.inFrame(frame, func() error { of = c.i.View(); return nil }); err != nil {
		return nil, err
	}
	if c.handles.views == nil {
		c.handles.views = map[int]*session.View{}
	}
	c.handles.views[frame] = of
	return of, nil
}

// stackTrace returns frames of the call stack, the innermost first.
func (c *client) stackTrace(r *request) (any, error) {
	var in dap.StackTraceArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	v := c.view()
	total := len(v.Frames)
	if total == 0 { // the program has ended
		return dap.StackTraceResponseBody{TotalFrames: 1, StackFrames: []dap.StackFrame{
			{Id: c.handles.frameID(0), Name: "(the program has ended)", PresentationHint: "label"},
		}}, nil
	}
	start := min(max(in.StartFrame, 0), total)
	end := total
	if in.Levels > 0 {
		end = min(start+in.Levels, total)
	}
	frames := make([]dap.StackFrame, 0, end-start)
	for k := start; k < end; k++ {
		at := total - 1 - k
		f := v.Frames[at]
		one := dap.StackFrame{Id: c.handles.frameID(at), Name: f.Function, Line: c.shownLine(f.Line), Column: 1, CanRestart: v.Mode != session.Predicted && at <= v.Here}
		if !c.about.ColumnsStartAt1 {
			one.Column = 0
		}
		if f.Path != "" {
			one.Source = c.sourceOf(f.Path)
		}
		if v.Origin == dsl.Predicted {
			one.Name += " (predicted)"
		}
		frames = append(frames, one)
	}
	return dap.StackTraceResponseBody{StackFrames: frames, TotalFrames: total}, nil
}

// scopes returns the groups of variables of a frame.
func (c *client) scopes(r *request) (any, error) {
	var in dap.ScopesArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	frame, err := c.frame(in.FrameId)
	if err != nil {
		return nil, err
	}
	body := dap.ScopesResponseBody{Scopes: []dap.Scope{}}
	if frame >= len(c.view().Frames) {
		return body, nil
	}
	v, err := c.viewOf(frame)
	if err != nil {
		return nil, err
	}
	add := func(name, hint string, frame int, list []named) {
		body.Scopes = append(body.Scopes, dap.Scope{
			Name: name, PresentationHint: hint, NamedVariables: len(list),
			VariablesReference: c.handles.hold(&holder{frame: frame, list: list}),
		})
	}
	add("Locals", "locals", frame, localsOf(v, frame))
	globals, module, err := c.globals(frame, v)
	if err != nil {
		return nil, err
	}
	add("Globals", "globals", module, globals)
	if frame != v.Here {
		return body, nil
	}
	switch v.Mode {
	case session.Both:
		if b := v.Beside; b != nil {
			add("Predicted", "", frame, predictedBeside(b))
			add("Divergent", "", frame, divergent(b.Verdicts))
		}
	case session.Predicted:
		add("Predicted", "", frame, predicted(v))
		add("Divergent", "", frame, contradicted(v))
	case session.Real:
	}
	return body, nil
}

// globals returns the globals of a frame, and the frame in which they are assigned: all globals if the module
// is on the stack, else those that the function uses, to read only.
func (c *client) globals(frame int, v *session.View) (list []named, module int, err error) {
	module = frame
	for module >= 0 && (v.Frames[module].Function != "<module>" || v.Frames[module].File != v.Frames[frame].File) {
		module--
	}
	if module < 0 {
		list = variablesOf(v.Globals, frame)
		for k := range list {
			list[k].path = ""
		}
		return list, frame, nil
	}
	of, err := c.viewOf(module)
	if err != nil {
		return nil, 0, err
	}
	return variablesOf(of.Locals, module), module, nil
}

// exceptionInfo describes the exception at the position.
func (c *client) exceptionInfo(_ *request) (any, error) {
	v := c.view()
	if v.State == nil || v.State.Event != dsl.Exception || v.Raised == "" {
		return nil, errors.New("exceptionInfo: no exception is raised here")
	}
	kind, message, _ := strings.Cut(v.Raised, ":")
	message = strings.TrimSpace(message)
	mode := dap.ExceptionBreakMode("always")
	if v.PostMortem {
		mode = "unhandled"
	}
	var trace strings.Builder
	trace.WriteString("Traceback (most recent call last):\n")
	for _, f := range v.Frames {
		fmt.Fprintf(&trace, "  File %q, line %d, in %s\n", f.Path, f.Line, f.Function)
	}
	trace.WriteString(v.Raised)
	return dap.ExceptionInfoResponseBody{
		ExceptionId: kind, Description: message, BreakMode: mode,
		Details: &dap.ExceptionDetails{Message: message, TypeName: kind, StackTrace: trace.String()},
	}, nil
}

// sourceOf describes a source file. A file that is not on this machine as the program ran it gets a
// reference, by which the client asks for its text.
func (c *client) sourceOf(path string) *dap.Source {
	s := &dap.Source{Name: filepath.Base(path), Path: path}
	if filepath.IsAbs(path) && c.launched.Recording == "" {
		return s
	}
	for k, f := range c.view().Files {
		if f.Path != path {
			continue
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, f.Source) {
			s.SourceReference, s.Origin = k+1, "from the recording"
		}
	}
	return s
}

// pathOf returns the path of a source of the client.
func (c *client) pathOf(s dap.Source) string {
	if files := c.view().Files; s.SourceReference > 0 && s.SourceReference <= len(files) {
		return files[s.SourceReference-1].Path
	}
	return s.Path
}

// same reports whether a source of the client is the file with this path.
func (c *client) same(s dap.Source, path string) bool {
	given := c.pathOf(s)
	return given == path || filepath.Clean(given) == filepath.Clean(path)
}

// loadedSources lists the files that the program has run.
func (c *client) loadedSources(_ *request) (any, error) {
	list := []dap.Source{}
	for _, f := range c.view().Files {
		list = append(list, *c.sourceOf(f.Path))
	}
	return dap.LoadedSourcesResponseBody{Sources: list}, nil
}

// source returns the text of a source file, as the program ran it.
func (c *client) source(r *request) (any, error) {
	var in dap.SourceArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	want := dap.Source{SourceReference: in.SourceReference}
	if in.Source != nil {
		want = *in.Source
		want.SourceReference = max(want.SourceReference, in.SourceReference)
	}
	for _, f := range c.view().Files {
		if c.same(want, f.Path) && len(f.Source) > 0 {
			return dap.SourceResponseBody{Content: string(f.Source), MimeType: "text/x-python"}, nil
		}
	}
	return nil, errors.New("source: the program has run no such file")
}

// news tells the client about files that the program has run for the first time.
func (c *client) news() {
	files := c.view().Files
	for _, f := range files[min(c.sources, len(files)):] {
		c.event("loadedSource", dap.LoadedSourceEventBody{Reason: "new", Source: *c.sourceOf(f.Path)})
	}
	c.sources = len(files)
}
