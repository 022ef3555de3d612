package walk

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/past"
	"github.com/npdb/npdb/trace/statetree"
)

// FileOf is the place of a frame's file among those of the states, -1 if unknown.
func FileOf(states States, f statetree.StackFrame) int {
	if f.Event >= 0 {
		return states.At(f.Event).File
	}
	return slices.IndexFunc(states.Files(), func(file statetree.File) bool { return file.Name == f.File })
}

// Names is the names an expression can use in a frame of a stack: those of its
// module, where that is on the stack, shadowed by its own.
func Names(states States, stack []statetree.StackFrame, i, event int) []dsl.Local {
	own := states.LocalsOf(stack[i].Activation, event)
	if stack[i].Function == "<module>" {
		return own
	}
	for _, f := range stack {
		if f.Function == "<module>" && f.File == stack[i].File {
			return shadowed(states.LocalsOf(f.Activation, event), own)
		}
	}
	return own
}

// namesIn is the names of a scope of a recording.
func namesIn(states States, scope past.Scope, event int) []dsl.Local {
	own := states.LocalsOf(scope.Activation, event)
	if !scope.HasModule {
		return own
	}
	return shadowed(states.LocalsOf(scope.Module, event), own)
}

// shadowed is names of a module, but for those that a function has itself, and these.
func shadowed(module, own []dsl.Local) []dsl.Local {
	all := slices.DeleteFunc(module, func(g dsl.Local) bool {
		return slices.ContainsFunc(own, func(l dsl.Local) bool { return l.Name == g.Name })
	})
	return append(all, own...)
}

// Scope is whose names an expression sees in a frame of a recording as of an event.
func Scope(p *past.Past, frame statetree.StackFrame, event int) past.Scope {
	return p.ScopeOf(frame.Activation, FileOf(p.Tree(), frame), p.Tree().CodeOf(frame.Activation), event)
}

// Readable is names as the evaluator of texts may read them for an expression: one that
// holds an object of a class derived from list, dict and the like says so, for the text
// would be taken for a list or dict.
func Readable(p *past.Past, expr string, names []dsl.Local, scope past.Scope, event int) []dsl.Local {
	names = slices.Clone(names)
	for i, l := range names {
		if !strings.Contains(expr, l.Name) {
			continue
		}
		if class, ok := p.Derived(scope, l.Name, event); ok {
			names[i].Value = "<" + class + " " + l.Value + ">"
		}
	}
	return names
}
