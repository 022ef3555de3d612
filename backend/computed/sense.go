package computed

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// sense checks that the states of claims can occur in a program. It keeps the flow and the functions
// of the last program.
type sense struct {
	mu      sync.Mutex
	program *dsl.Program
	flow    *python.Flow
	source  *python.Source
}

// of returns the flow and the functions of a program.
func (s *sense) of(p *dsl.Program) (*python.Flow, *python.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.program != p {
		text := sourceOf(p)
		s.program, s.flow, s.source = p, python.ReadFlow(text), python.Read(text)
	}
	return s.flow, s.source
}

// suspends reports whether a state may be one of a generator.
func (s *sense) suspends(p *dsl.Program, stop *dsl.Stop) bool {
	flow, _ := s.of(p)
	return slices.ContainsFunc(flow.Codes, func(c *python.Code) bool { return c.Generator && c.Name == stop.Function })
}

// fault returns why the past of a claim cannot be a state of the program, "" if it can.
func (s *sense) fault(c backend.Claim) string {
	past := c.Past
	switch {
	case !c.Action.Move.Inverse():
		return c.Action.Move.String() + " does not lead to a past"
	case !hasStack(past) || !hasStack(c.Now):
		return "the state has no call stack"
	}
	flow, source := s.of(c.Program)
	for i, f := range past.Stack {
		if !slices.ContainsFunc(flow.Codes, func(c *python.Code) bool { return c.Name == f.Function }) {
			if strings.HasPrefix(f.Function, "<") { // such as that of type parameters
				return ""
			}
			return "the program has no function " + f.Function
		}
		if i < len(past.Stack)-1 && f.Line > 0 && !has(flow, f.Function, f.Line, dsl.Line) {
			return fmt.Sprintf("line %d is not in %s", f.Line, f.Function)
		}
	}
	if !has(flow, past.Function, past.Line, past.Event) {
		if past.Event == dsl.Call {
			return fmt.Sprintf("no function %s begins at line %d", past.Function, past.Line)
		}
		return fmt.Sprintf("line %d is not in %s", past.Line, past.Function)
	}
	if past.Function == "<module>" {
		return ""
	}
	return nameFault(c.Program, source, past)
}

func hasStack(s *dsl.Stop) bool {
	return s != nil && len(s.Stack) > 0 && s.Stack[len(s.Stack)-1].Function == s.Function
}

// has reports whether an event of a function may be at a line.
func has(flow *python.Flow, function string, line int, event dsl.Event) bool {
	return slices.ContainsFunc(flow.Codes, func(c *python.Code) bool {
		switch {
		case c.Name != function:
			return false
		case event == dsl.Call:
			return c.Line == line || c.Yields(line)
		}
		return c.Has(line) || c.Line == line
	})
}

var word = regexp.MustCompile(`[\p{L}\p{N}_]+`)

// nameFault returns which name of a state its function lacks, or which parameter has no value in a call.
func nameFault(p *dsl.Program, source *python.Source, past *dsl.Stop) string {
	functions := source.Functions()
	at := -1
	for i, f := range functions {
		if f.Name == past.Function && f.Line <= past.Line && past.Line <= f.EndLine {
			at = i
		}
	}
	if at < 0 {
		return "" // a lambda, a comprehension or a class
	}
	f := functions[at]
	words := map[string]bool{"__class__": true, ".0": true}
	for _, line := range p.Files[0].Lines[f.Line-1 : f.EndLine] {
		for _, w := range word.FindAllString(line, -1) {
			words[w] = true
		}
	}
	given := map[string]bool{}
	for _, l := range past.Locals {
		if !words[l.Name] && !strings.HasPrefix(l.Name, "_") { // the state has a private name as _CLASS__NAME
			return fmt.Sprintf("%s has no name %s", past.Function, l.Name)
		}
		given[l.Name] = true
	}
	if past.Event != dsl.Call || past.Line != f.Line {
		return ""
	}
	for _, param := range f.Params {
		if !given[param.Name] {
			return fmt.Sprintf("%s has no value for %s", past.Function, param.Name)
		}
	}
	return ""
}
