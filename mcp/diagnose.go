package mcp

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// Diagnosing contains the arguments of diagnose: a program to run to its failure.
type Diagnosing struct {
	Program
	Hypothesis string  `json:"hypothesis,omitempty" jsonschema:"what you expect; kept as a bookmark at the failure"`
	Seconds    float64 `json:"seconds,omitempty" jsonschema:"how long to wait; a longer run goes on, and move with action wait waits again"`
}

// Suspect is a name that the failing line reads.
type Suspect struct {
	Expression string  `json:"expression"`
	Value      *string `json:"value"`
	Last       *Change `json:"last_change,omitempty" jsonschema:"where its value was set"`
	From       []Hop   `json:"from,omitempty" jsonschema:"where its value came from, the latest hop first; provenance shows more"`
}

// Diagnosis is the answer of diagnose: where a program failed, and the values that the failing line read.
type Diagnosis struct {
	Stop
	Program  string    `json:"program"`
	Runs     string    `json:"runs,omitempty" jsonschema:"the command that was run; empty if nothing ran"`
	Failed   bool      `json:"failed" jsonschema:"the program ended by an exception or with an exit code other than 0"`
	Suspects []Suspect `json:"suspects,omitempty"`
	Next     string    `json:"next" jsonschema:"what to call next"`
}

// The maximum numbers of suspects in a diagnosis, and of hops for each.
const (
	mostSuspects = 6
	mostHops     = 6
)

func (s *Server) diagnose(ctx context.Context, _ *sdk.CallToolRequest, in Diagnosing) (*sdk.CallToolResult, *Diagnosis, error) {
	d, err := s.open(ctx, in.Program)
	if err != nil {
		return nil, nil, err
	}
	at := At{Session: d.id, Hypothesis: in.Hypothesis, Seconds: in.Seconds}
	var suspects []Suspect
	_, _, stop, err := s.do(ctx, at, "run to the failure", func(ctx context.Context, i *command.Interpreter) []*session.Answer {
		answers := []*session.Answer{d.opened.First}
		for last := d.opened.First; !last.PostMortem && !last.Done && len(answers) <= mostSteps; {
			last = i.Do(ctx, session.Continue{})
			answers = append(answers, last)
			if last.Err != nil || last.Reason != trace.ProgramBreak { // breakpoint() is no failure
				break
			}
		}
		if !failed(answers) {
			suspects = suspectsOf(ctx, i, answers[len(answers)-1])
		}
		return answers
	})
	if err != nil {
		return nil, nil, err
	}
	out := &Diagnosis{Stop: *stop, Program: d.program, Runs: d.runs}
	switch {
	case stop.Running != "":
		out.Next = "call move with action wait; then state"
		return nil, out, nil
	case stop.PostMortem: // the command has ended, so suspects is complete
		out.Failed, out.Suspects = true, suspects
		out.Next = "call provenance with the expression whose value is wrong, or move with action inv_breakpoint to a place before the failure"
	case stop.Exit != nil && (stop.Exit.Code != 0 || stop.Exit.Exception != ""):
		out.Failed = true
		out.Next = "the program ended with an exit code: read output, then call move with action inv_breakpoint and the location that printed the failure"
	default:
		out.Next = "the program did not fail: call move with action inv_breakpoint and a location whose values you doubt, then provenance"
	}
	return nil, out, nil
}

// chains matches names and attributes of names.
var chains = regexp.MustCompile(`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*`)

// readIn returns the names and attributes that a line of source may read, in order. For the call of a
// method it returns the object. The list may also contain keywords and words of string literals.
func readIn(source string) (names []string) {
	for _, at := range chains.FindAllStringIndex(source, -1) {
		name, before, after := source[at[0]:at[1]], source[:at[0]], strings.TrimLeft(source[at[1]:], " ")
		if strings.HasPrefix(after, "(") {
			name = name[:max(strings.LastIndexByte(name, '.'), 0)]
		}
		assigned := strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
		if name != "" && !assigned && !strings.HasSuffix(before, ".") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// suspectsOf returns the names that the failing line reads, with the places where their values came
// from. It returns nil if a is not post mortem.
func suspectsOf(ctx context.Context, i *command.Interpreter, a *session.Answer) (list []Suspect) {
	if a.State == nil || !a.PostMortem {
		return nil
	}
	for _, name := range readIn(a.State.Source) {
		if len(list) == mostSuspects {
			break
		}
		found := i.Do(ctx, session.Provenance{Expression: name})
		if found.Err != nil { // a module, a keyword, a word of a string literal
			continue
		}
		one := Suspect{Expression: name}
		one.From, _ = hopsOf(found.Provenance, mostHops)
		if len(one.From) > 0 {
			one.Value = one.From[0].Value
		}
		if changes := changesOf(i.Do(ctx, session.LastChange{Expression: name}).Changes); len(changes) > 0 {
			one.Last = &changes[len(changes)-1]
		}
		list = append(list, one)
	}
	return list
}

// open opens a session on a program.
func (s *Server) open(ctx context.Context, p Program) (*desk, error) {
	given := 0
	for _, text := range []string{p.File, p.Module, p.Code} {
		if text != "" {
			given++
		}
	}
	switch {
	case given == 0:
		return nil, errors.New("no program is given: give file, module or code")
	case given > 1:
		return nil, errors.New("give only one of file, module and code; the program's arguments are args")
	case p.Mode != "" && p.Mode != string(session.Real) && p.Mode != string(session.Predicted) && p.Mode != string(session.Both):
		return nil, errors.New("mode is " + p.Mode + ": it is real, neural or both")
	}
	return s.desks.add(ctx, p, s.cfg.Open)
}
