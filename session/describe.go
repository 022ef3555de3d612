package session

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
)

const (
	detailValue  = 30 // characters of a value in the description of a visit
	detailValues = 2  // values that the description of a visit shows
)

// describe sets the details of the visits that have none yet.
func (vs *visits) describe() {
	list := vs.tree.List()
	for i := len(list) - 1; i >= 0; i-- {
		if v := &list[i]; !v.Described {
			v.Detail, v.Described = vs.detail(v), true
		}
	}
}

// detail describes what is new at a visit: the end's exit code, a raised or returned value, the
// arguments of a call, or the locals whose values differ from those at the parent.
func (vs *visits) detail(v *Visit) string {
	source := vs.program.sourceOf(v.Position)
	t := source.States()
	if v.Kind == 0 {
		if exit := source.Mark(v.Position).Exit; exit != nil {
			return exitText(exit)
		}
		return ""
	}
	if v.Event >= t.Len() {
		return "" // the program was restarted and has no state yet
	}
	at := t.At(v.Event)
	if at.Event == dsl.Exception || at.Event == dsl.Return {
		value := t.State(v.Event).Value
		switch {
		case value == nil:
			return ""
		case at.Event == dsl.Exception:
			return shorten(*value, detailValue)
		}
		return "-> " + shorten(*value, detailValue)
	}
	if v.Origin == dsl.Edited && vs.program.rec == nil {
		return "" // the command tells what was edited
	}
	before, known := map[string]string{}, at.Event == dsl.Call
	if parent := vs.tree.Visit(v.Parent); parent != nil && !known {
		before, known = vs.localsAt(parent.Position, at.Activation)
	}
	if !known {
		return ""
	}
	var changed []string
	for _, l := range t.LocalsOf(at.Activation, v.Event) {
		if was, had := before[l.Name]; !l.Hidden && (!had || was != l.Value) {
			changed = append(changed, l.Name+" = "+shorten(l.Value, detailValue))
		}
	}
	if more := len(changed) - detailValues; more > 0 {
		return strings.Join(changed[:detailValues], ", ") + fmt.Sprintf(", +%d", more)
	}
	return strings.Join(changed, ", ")
}

// exitText describes how the program ended.
func exitText(exit *dsl.Exit) string {
	text := fmt.Sprintf("exit code %d", exit.Code)
	if exit.Exception != nil {
		text += ": " + shorten(*exit.Exception, detailValue)
	}
	return text
}
