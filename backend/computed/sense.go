package computed

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// suspends reports whether a state may be in a generator.
func (t *texts) suspends(p *dsl.Program, stop *dsl.Stop) bool {
	file := t.file(p, stop.File)
	return file != nil && slices.ContainsFunc(file.flow.Codes, func(c *python.Code) bool { return c.Generator && c.Name == stop.Function })
}

// fault returns the reason why the past of a claim cannot be a state of the program, "" if it can.
func (t *texts) fault(c backend.Claim) string {
	past := c.Past
	switch {
	case !c.Action.Move.Inverse():
		return c.Action.Move.String() + " does not lead to a past"
	case !hasStack(past) || !hasStack(c.Now):
		return "the state has no call stack"
	}
	for i, f := range past.Stack {
		file := t.file(c.Program, f.File)
		if file == nil {
			return "the program has no file " + f.File
		}
		flow := file.flow
		if !slices.ContainsFunc(flow.Codes, func(c *python.Code) bool { return c.Name == f.Function }) {
			if strings.HasPrefix(f.Function, "<") { // a scope without a code object of its own, for example of type parameters
				return ""
			}
			return "the program has no function " + f.Function
		}
		if i < len(past.Stack)-1 && f.Line > 0 && !has(flow, f.Function, f.Line, dsl.Line) {
			return fmt.Sprintf("line %d is not in %s", f.Line, f.Function)
		}
	}
	if past.Function == "<module>" && past.Event == dsl.Call {
		return "" // its line depends on the Python version
	}
	file := t.file(c.Program, past.Stack[len(past.Stack)-1].File)
	if !has(file.flow, past.Function, past.Line, past.Event) {
		if past.Event == dsl.Call {
			return fmt.Sprintf("no function %s begins at line %d", past.Function, past.Line)
		}
		return fmt.Sprintf("line %d is not in %s", past.Line, past.Function)
	}
	if past.Function == "<module>" {
		return ""
	}
	return nameFault(file, past)
}

func hasStack(s *dsl.Stop) bool {
	return s != nil && len(s.Stack) > 0 && s.Stack[len(s.Stack)-1].Function == s.Function
}

// has reports whether an event of a function can occur at a line.
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

// nameFault reports a local of the state past whose name its function does not contain, or a parameter
// without a value in a call. It returns "" if there is none.
func nameFault(file *fileText, past *dsl.Stop) string {
	functions := file.source.Functions()
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
	for _, line := range file.lines[f.Line-1 : f.EndLine] {
		for _, w := range word.FindAllString(line, -1) {
			words[w] = true
		}
	}
	given := map[string]bool{}
	for _, l := range past.Locals {
		if !words[l.Name] && !strings.HasPrefix(l.Name, "_") { // a state contains a private name in the form _CLASS__NAME
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
