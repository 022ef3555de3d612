package pasts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/contain"
)

const searchKeep = 5 // the number of calls that a session shows

// Patient returns limits for a search for which a user waits. It continues for a while after the first
// success, as it often finds more natural calls later.
func Patient() Options {
	return Options{Time: 5 * time.Second, MoreTime: 800 * time.Millisecond, MoreRuns: 3000}
}

// Searcher searches for calls by computing them from the program's source, or by running them in a
// sandbox.
type Searcher struct {
	Version   python.Version
	Contained *contain.Containment // the sandbox; if nil, no call is run, only computed
}

var _ backend.Searcher = Searcher{}

// Search searches for calls of the function that q.Now leaves. See backend.Searcher.
func (s Searcher) Search(ctx context.Context, q backend.CallSearch) (backend.FoundCalls, error) {
	now := q.Now
	file := slices.IndexFunc(q.Program.Files, func(f dsl.SourceFile) bool { return f.Name == now.File })
	if file < 0 || now.Value == nil {
		return backend.FoundCalls{}, fmt.Errorf("what left %s is not known", now.Function)
	}
	def, err := functionAt(q.Program.Files[file], now.Function, now.Line)
	if err != nil {
		return backend.FoundCalls{}, err
	}
	params := make([]string, len(def.Params))
	for i, p := range def.Params {
		params[i] = p.Name
	}
	run, done, err := s.runner(ctx, q.Program, now, def, params)
	if err != nil {
		return backend.FoundCalls{}, err
	}
	defer done()
	one := Question{Program: q.Program, File: file, Line: def.Line, Known: q.Known, Run: run, Alone: s.Contained != nil}
	if now.Event == dsl.Return {
		one.Returned = now.Value
	} else {
		one.Raised = now.Value
	}
	for _, call := range q.Seen {
		if args, ok := Arguments(def, call); ok {
			one.Seen = append(one.Seen, args)
		}
	}
	for _, c := range q.Samples {
		if c.Reply.Stop == nil {
			continue
		}
		if args, ok := Arguments(def, c.Reply.Stop.Locals); ok && c.Probability != nil {
			one.Samples = append(one.Samples, Sample{Args: args, Probability: *c.Probability})
		}
	}
	limits := Patient()
	limits.Keep = searchKeep
	got, err := Search(ctx, one, limits)
	if err != nil {
		return backend.FoundCalls{}, err
	}
	by := backend.ByText
	if s.Contained != nil {
		by = backend.ByRun
	}
	return candidates(got, q.Program.Files[file], def, now, by), nil
}

// runner returns the function that runs candidates, and a function that releases its resources.
func (s Searcher) runner(ctx context.Context, p *dsl.Program, now *dsl.Stop, def python.Signature, params []string) (run func(context.Context, [][]string) ([]backend.CallOutcome, error), done func(), err error) {
	if s.Contained == nil {
		run, err = byTextTo(now, p, s.Version, now.File, def.Name, def.Line, params)
		return run, func() {}, err
	}
	caller, err := cpython.NewCaller(ctx, s.Contained, p, now.File, def.Name, def.Line)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = caller.Close() } // the results have already been read
	if run, err = ByRun(caller, params); err != nil {
		done()
		return nil, nil, err
	}
	return run, done, nil
}

// functionAt returns the innermost function with this name whose body contains the line.
func functionAt(file dsl.SourceFile, name string, line int) (python.Signature, error) {
	var found python.Signature
	for _, f := range python.Read(sourceOf(file)).Functions() {
		if f.Name == name && f.Line <= line && line <= f.EndLine && f.Line > found.Line {
			found = f
		}
	}
	switch {
	case found.Line == 0:
		return found, fmt.Errorf("%s has no function %s around line %d", file.Name, name, line)
	case found.Generator || found.Async:
		return found, fmt.Errorf("%s is a generator or a coroutine", name)
	}
	return found, nil
}

// Arguments returns the values of the parameters among the locals of a call, in the order of the
// parameters. ok is false if a value is missing or unknown.
func Arguments(def python.Signature, locals []dsl.Local) (args []string, ok bool) {
	args = make([]string, 0, len(def.Params))
	for _, param := range def.Params {
		i := slices.IndexFunc(locals, func(l dsl.Local) bool { return l.Name == param.Name && !l.Unknown })
		if i < 0 {
			return nil, false
		}
		args = append(args, locals[i].Value)
	}
	return args, true
}

// candidates converts the result of a search to candidates: call events with the stack of now.
func candidates(got Result, file dsl.SourceFile, def python.Signature, now *dsl.Stop, by backend.Means) backend.FoundCalls {
	out := backend.FoundCalls{Said: said(got)}
	stack := slices.Clone(now.Stack)
	stack[len(stack)-1].Line = def.Line
	for _, f := range got.Found {
		st := dsl.State{
			Event: dsl.Call, File: now.File, Line: def.Line, Source: file.Lines[def.Line-1], Function: now.Function, Depth: now.Depth,
			Locals: localsOf(got.Params, f.Args, def),
		}
		out.List = append(out.List, backend.Candidate{
			Reply:        dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{State: st, Stack: stack}},
			Verification: backend.Verification{Verdict: backend.LeadsHere, By: by},
		})
	}
	return out
}

// localsOf returns the arguments as the locals of a call, in the order of co_varnames.
func localsOf(params, args []string, def python.Signature) []dsl.Local {
	var locals []dsl.Local
	for _, kinds := range [][]python.ParamKind{
		{python.PositionalOnly, python.PositionalOrKeyword}, {python.KeywordOnly}, {python.VarPositional}, {python.VarKeyword},
	} {
		for _, p := range def.Params {
			if i := slices.Index(params, p.Name); i >= 0 && slices.Contains(kinds, p.Kind) {
				locals = append(locals, dsl.Local{Name: p.Name, Value: args[i]})
			}
		}
	}
	return locals
}

// said describes a search in one sentence for the user.
func said(r Result) string {
	text := fmt.Sprintf("a search tried %s in %.1f s", count(r.Tried, "call"), r.Took.Seconds())
	switch {
	case r.Hits > 0:
		return text + fmt.Sprintf(", %s here", leads(r.Hits))
	case r.Refused == r.Tried:
		return text + ", the text decides none of them"
	}
	return text + ", none leads here"
}

func leads(n int) string {
	if n == 1 {
		return "1 of them leads"
	}
	return humanize.Comma(int64(n)) + " of them lead"
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return humanize.Comma(int64(n)) + " " + noun + "s"
}
