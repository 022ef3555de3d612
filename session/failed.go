package session

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// mostRaises limits how many raised exceptions failureText looks at.
const mostRaises = 1000

// noFailure holds exceptions by which code ends a test or the program on purpose.
var noFailure = map[string]bool{"SystemExit": true, "KeyboardInterrupt": true, "Exit": true, "Skipped": true, "SkipTest": true}

// failureText names the last exception that library code caught after it had left the program's code,
// as a test runner does, and the goto that goes there. It returns "" if there is none, if the exit code
// is 0, or if an exception ended the program.
func (ps *position) failureText(exit *dsl.Exit) string {
	if exit == nil || exit.Code == 0 || exit.Exception != nil || ps.program.rec == nil {
		return ""
	}
	t := ps.program.rec.Tree()
	seen := map[uint32]bool{} // by outermost activation: the last exception below it is the one that can have left it
	event, ok := t.PrevRaise(t.Len())
	for range mostRaises {
		if !ok {
			return ""
		}
		stack := t.Stack(event)
		outer := stack[0].Activation
		if _, last := t.Lifetime(outer); !seen[outer] && last >= event && t.At(last).Kind == dsl.Unwound {
			if name := exceptionName(t.State(event).Value); !noFailure[name] {
				return fmt.Sprintf("goto %d goes to the last failure: %s at %s.", event, name, placeLine(stack[len(stack)-1]))
			}
		}
		seen[outer] = true
		event, ok = t.PrevRaise(event)
	}
	return ""
}

// exceptionName returns the name of an exception's class, given the exception's repr.
func exceptionName(repr *string) string {
	if repr != nil {
		if name, _, _ := strings.Cut(*repr, "("); python.IsDottedName(name) {
			return name[strings.LastIndexByte(name, '.')+1:]
		}
	}
	return "an exception"
}
