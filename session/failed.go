package session

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// mostRaises is the maximum number of raised exceptions that escapedText looks at.
const mostRaises = 1000

// escapedText names the last exception that left the program's code without ending the program, and
// says how to go to it. Library code caught it, as a test runner does. It is "" if there is none, and
// if the program ended well or by an exception.
func (ps *position) escapedText(exit *dsl.Exit) string {
	if exit.Code == 0 || exit.Exception != nil || ps.program.rec == nil {
		return ""
	}
	t := ps.program.rec.Tree()
	event, ok := t.PrevRaise(t.Len())
	for range mostRaises {
		if !ok {
			return ""
		}
		stack := t.Stack(event)
		_, last := t.Lifetime(stack[0].Activation)
		var name string
		if v := t.State(event).Value; v != nil {
			name, _, _ = strings.Cut(*v, "(")
		}
		if last >= event && t.At(last).Kind == dsl.Unwound && name != "SystemExit" {
			return fmt.Sprintf("goto %d goes to the %s that left the program's code: %s.", event, name, placeLine(stack[len(stack)-1]))
		}
		event, ok = t.PrevRaise(event)
	}
	return ""
}
