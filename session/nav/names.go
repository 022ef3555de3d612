package nav

import (
	"errors"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Names returns the names that an expression can read in frame i of a stack: the frame's own and
// those of its module. p is nil for predicted states.
func Names(states States, p *query.Past, stack []statetree.StackFrame, i, event int, expr string) python.Names {
	if p != nil {
		return recordedNames(p, Scope(p, stack[i]), event, expr)
	}
	names := python.Names{List: states.LocalsOf(stack[i].Activation, event)}
	predicted := stack[i].Function == moduleFunction
	for _, f := range stack {
		if !predicted && f.Function == moduleFunction && f.File == stack[i].File {
			names.List, predicted = shadowed(states.LocalsOf(f.Activation, event), names.List), true
		}
	}
	names.List, names.Unknown = known(names.List, unpredicted(states, stack[i], predicted))
	return names
}

// known removes the names whose values are unknown from a list. The returned function explains why
// such a name has no value, and asks others about all other names.
func known(list []dsl.Local, others func(string) string) ([]dsl.Local, func(string) string) {
	unknown := map[string]bool{}
	for _, l := range list {
		if l.Unknown {
			unknown[l.Name] = true
		}
	}
	if len(unknown) == 0 {
		return list, others
	}
	return slices.DeleteFunc(slices.Clone(list), func(l dsl.Local) bool { return l.Unknown }), func(name string) string {
		switch {
		case unknown[name]:
			return "its value is unknown: the session began here without it (!" + name + " = VALUE sets it)"
		case others != nil:
			return others(name)
		}
		return ""
	}
}

const moduleFunction = "<module>"

// unpredicted returns a function that explains why a global of a frame is unknown. States do not
// list a module's functions, classes and imports, and no globals at all if its code was not
// predicted.
func unpredicted(states States, frame statetree.StackFrame, predicted bool) func(name string) string {
	file := FileOf(states, frame)
	if file < 0 {
		return nil
	}
	var bound *python.Globals
	return func(name string) string {
		if bound == nil {
			read := python.ReadGlobals(states.Files()[file].Source)
			bound = &read
		}
		switch {
		case bound.Hides(name):
			return "it is a function, a class or an import of " + frame.File + ", which predicted states do not show"
		case !predicted && bound.Has(name):
			return "it is a global of " + frame.File + ", whose code was not predicted"
		}
		return ""
	}
}

// OverTexts adds advice to the error of an expression in a recording that was evaluated over the
// texts of values, because the recorded objects do not support its syntax.
func OverTexts(p *query.Past, expr string, err error) error {
	var refused, unsupported *python.RefusedError
	if p == nil || !errors.As(err, &refused) || refused.Reason == query.UnrecordedGlobals {
		return err
	}
	if _, compiled := p.Condition(expr); !errors.As(compiled, &unsupported) || unsupported.Syntax == "" {
		return err
	}
	advice := ". Before the live edge " + unsupported.Syntax + " reads only the texts of values: ask for single ones, such as xs[0].name"
	return &python.RefusedError{Name: refused.Name, Reason: refused.Reason + advice}
}

// recordedNames returns the names of a scope at an event of a recording, with the texts of their
// values.
func recordedNames(p *query.Past, scope query.Scope, event int, expr string) python.Names {
	names := python.Names{List: p.Tree().LocalsOf(scope.Activation, event)}
	switch {
	case scope.HasModule:
		names.List = shadowed(p.Tree().LocalsOf(scope.Module, event), names.List)
	case scope.Unrecorded:
		names.Unknown = func(string) string { return query.UnrecordedGlobals }
	}
	names.List = readable(p, expr, names.List, scope, event)
	return names
}

// shadowed returns the names of a module and a function; the function's own hide equal ones of the
// module.
func shadowed(module, own []dsl.Local) []dsl.Local {
	all := slices.DeleteFunc(slices.Clone(module), func(g dsl.Local) bool {
		return slices.ContainsFunc(own, func(l dsl.Local) bool { return l.Name == g.Name })
	})
	return append(all, own...)
}

// Scope returns the names' scope of a frame in a recording.
func Scope(p *query.Past, frame statetree.StackFrame) query.Scope { return p.ScopeOf(frame.Activation) }

// readable prepares names for the evaluator of texts. It marks the value of an object whose class
// is derived from list, dict and the like, because its text would be taken for a plain list or
// dict.
func readable(p *query.Past, expr string, names []dsl.Local, scope query.Scope, event int) []dsl.Local {
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
