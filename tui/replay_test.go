package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// run is a Recording of a finished run: its tree has all events, and there is no process.
// A test writes it event by event.
type run struct {
	path   string
	tree   *statetree.Tree
	output []trace.Output
}

func newRun(path, source string) *run {
	r := &run{path: path, tree: statetree.New()}
	r.tree.AddFile(statetree.File{Path: path, Name: path[strings.LastIndexByte(path, '/')+1:], Source: []byte(source)})
	return r
}

// module enters the module's body. All its names are known from the start.
func (r *run) module(lines int, names ...string) {
	code := r.tree.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: lines})
	for _, n := range names {
		r.tree.AddName(code, n)
	}
	r.tree.Enter(code)
}

// function adds a function's code, and returns its number.
func (r *run) function(function string, first, last, args int, names ...string) int {
	return r.tree.AddCode(statetree.Code{
		Name: function, QualName: function, FirstLine: first, LastLine: last, Names: names, Args: args, Fast: true,
	})
}

// set sets a name of the top activation, by its slot.
func (r *run) set(slot int, value string) { r.tree.Set(slot, []byte(value), false) }

func (r *run) line(n int) { r.tree.Event(dsl.Line, n, 0, nil) }

func (r *run) wrote(text string) {
	r.output = append(r.output, trace.Output{Event: r.tree.Len() - 1, Stream: "stdout", Text: text})
}

func (r *run) over() trace.Position { return trace.Position{Event: r.tree.Len() - 1, End: true} }

func (r *run) start(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
	return r, trace.Landing{}, nil
}

func (r *run) Tree() *statetree.Tree    { return r.tree }
func (r *run) LiveEdge() trace.Position { return r.over() }
func (r *run) Announced() string        { return "" }

func (r *run) Progress() trace.Progress { return trace.Progress{Events: r.tree.Len()} }

func (r *run) Move(_ context.Context, from trace.Position, a dsl.Action, _ ...trace.Stop) (trace.Landing, error) {
	at := from.Event
	if from.End {
		at = r.tree.Len()
	}
	out := r.tree.Land(at, a)
	switch out.Boundary {
	case statetree.AtStart:
		return trace.Landing{Position: from, Boundary: trace.AtStart}, nil
	case statetree.AtEnd:
		l := trace.Landing{Position: r.over(), Reason: trace.Ended}
		if from.End {
			l.Boundary = trace.AtEnd
		}
		return l, nil
	}
	return trace.Landing{Position: trace.Position{Event: out.Event}, Horizon: out.Event - at}, nil
}

var errOver = errors.New("the program is over")

func (r *run) Advance(context.Context, []trace.Stop, *int) (trace.Landing, error) {
	return trace.Landing{Position: r.over(), Reason: trace.Ended, Boundary: trace.AtEnd}, nil
}

func (r *run) Pass(context.Context, int) (trace.Landing, error) {
	return trace.Landing{Position: r.over(), Reason: trace.Ended, Boundary: trace.AtEnd}, nil
}

func (r *run) AddFile(path string) (int, error)              { return 0, fmt.Errorf("there is no file %s", path) }
func (r *run) Resume(context.Context) (trace.Landing, error) { return trace.Landing{}, errOver }
func (r *run) Input(string, bool) error                      { return errOver }
func (r *run) Interrupt()                                    {}
func (r *run) Kill()                                         {}

// Record does nothing: the run is over.
func (r *run) Record(bool) {}

func (r *run) Resize(int, int) {}

func (r *run) PythonVersion() string { return "" }

func (r *run) Save(io.WriteCloser, string) error { return nil }
func (r *run) Close() error                      { return nil }
func (r *run) Exit() *dsl.Exit                   { return &dsl.Exit{} }

func (r *run) Output(from, to int) []trace.Output {
	var out []trace.Output
	for _, o := range r.output {
		if o.Event >= from && (to < 0 || o.Event < to) {
			out = append(out, o)
		}
	}
	return out
}

func (r *run) Debug(context.Context, int, string) (trace.Landing, error) {
	return trace.Landing{Position: r.over()}, nil
}

func (r *run) Below(context.Context) ([]trace.BelowFrame, error) { return nil, nil }

func (r *run) LocalsBelow(context.Context, int) ([]dsl.Local, error) { return nil, nil }

func (r *run) Ask(context.Context, int, trace.Verb, string) (trace.Answer, error) {
	return trace.Answer{}, errOver
}
