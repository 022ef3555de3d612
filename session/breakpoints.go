package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/internal/escape"
)

// Breakpoint is a line that stops the user's continue. Its words are pdb's.
type Breakpoint struct {
	Number    int    `json:"number"`
	File      string `json:"file"`                // absolute path, or "<string>"
	Line      int    `json:"line"`                // from 1
	Function  string `json:"function,omitempty"`  // its co_name, where it is set on one
	Condition string `json:"condition,omitempty"` // a Python expression
	Ignore    int    `json:"ignore,omitempty"`    // satisfied hits still to pass over
	Temporary bool   `json:"temporary,omitempty"`
	Enabled   bool   `json:"enabled"`
	Hits      int    `json:"-"` // crossings of this run, as pdb counts them: whether the condition holds or not

	Watch string `json:"watch,omitempty"` // an expression: it stops where its value changes
	Catch string `json:"catch,omitempty"` // a type of exceptions, or *: it stops where one is raised
	Scope string `json:"scope,omitempty"` // of Watch: the function whose names it has, "" for a module's

	watched *watched // of Watch, in this run

	passing bool // of an advance: it is gone when the move is over
	kept    bool // from an earlier run, and not set in this one

	Commands []string `json:"commands,omitempty"` // run on a hit
	Silent   bool     `json:"silent,omitempty"`   // the location is not shown on a hit

	Anchor Anchor `json:"anchor"`
}

// OnLine reports whether it is a breakpoint on a line, and neither a watchpoint nor a
// catchpoint.
func (b Breakpoint) OnLine() bool { return b.Watch == "" && b.Catch == "" }

// String is pdb's short description of a breakpoint.
func (b *Breakpoint) String() string {
	switch {
	case b.Watch != "":
		return fmt.Sprintf("watchpoint %d: %s", b.Number, b.Subject())
	case b.Catch != "":
		return fmt.Sprintf("catchpoint %d: %s", b.Number, b.Subject())
	}
	return fmt.Sprintf("breakpoint %d at %s:%d", b.Number, escape.Line(b.File), b.Line)
}

// Subject is what a watchpoint or a catchpoint is about.
func (b Breakpoint) Subject() string {
	switch {
	case b.Catch == anyException:
		return "any exception"
	case b.Catch != "":
		return b.Catch
	case b.Scope != "":
		return b.Watch + " in " + b.Scope
	}
	return b.Watch
}

// Describe is pdb's entry in the list of breakpoints.
func (b *Breakpoint) Describe() string {
	disp, enabled := "keep", "no"
	if b.Temporary {
		disp = "del"
	}
	if b.Enabled {
		enabled = "yes"
	}
	var s strings.Builder
	switch {
	case b.Watch != "":
		fmt.Fprintf(&s, "%-4dwatchpoint   %-5s%-6s%s", b.Number, disp, enabled, b.Subject())
	case b.Catch != "":
		fmt.Fprintf(&s, "%-4dcatchpoint   %-5s%-6s%s", b.Number, disp, enabled, b.Subject())
	default:
		fmt.Fprintf(&s, "%-4dbreakpoint   %-5s%-6sat %s:%d", b.Number, disp, enabled, escape.Line(b.File), b.Line)
	}
	if b.Condition != "" {
		fmt.Fprintf(&s, "\n\tstop only if %s", b.Condition)
	}
	if b.Ignore > 0 {
		fmt.Fprintf(&s, "\n\tignore next %d hits", b.Ignore)
	}
	if b.Hits > 0 {
		plural := "s"
		if b.Hits == 1 {
			plural = ""
		}
		kind, _, _ := strings.Cut(b.String(), " ")
		fmt.Fprintf(&s, "\n\t%s already hit %d time%s", kind, b.Hits, plural)
	}
	return s.String()
}

// breakpoints is the table of a session, in the order of their numbers.
type breakpoints struct {
	list []*Breakpoint
	next int // the number of the next one
}

func newBreakpoints() *breakpoints { return &breakpoints{next: 1} }

func (t *breakpoints) add(b *Breakpoint) {
	b.Number = t.next
	t.next++
	t.list = append(t.list, b)
}

// again is a breakpoint of an earlier run that is the same as one that is set now:
// commands that are given in each run, as those of .pdbrc, do not make more and more.
func (t *breakpoints) again(b *Breakpoint) *Breakpoint {
	for _, k := range t.list {
		if k.kept && k.OnLine() && k.File == b.File && k.Line == b.Line && k.Function == b.Function && k.Condition == b.Condition && !b.Temporary {
			return k
		}
	}
	return nil
}

// restore takes over what an earlier run kept.
func (t *breakpoints) restore(kept []*Breakpoint) {
	t.list = kept
	for _, b := range kept {
		t.next = max(t.next, b.Number+1)
	}
}

func (t *breakpoints) remove(b *Breakpoint) {
	t.list = slices.DeleteFunc(t.list, func(x *Breakpoint) bool { return x == b })
}

// at is the breakpoints of a line, enabled or not.
func (t *breakpoints) at(file string, line int) []*Breakpoint {
	var out []*Breakpoint
	for _, b := range t.list {
		if b.File == file && b.Line == line {
			out = append(out, b)
		}
	}
	return out
}

// files is where the enabled breakpoints are.
func (t *breakpoints) files() []string {
	var out []string
	for _, b := range t.enabled() {
		if b.OnLine() && !slices.Contains(out, b.File) {
			out = append(out, b.File)
		}
	}
	return out
}

// enabled is the breakpoints that can stop a move.
func (t *breakpoints) enabled() []*Breakpoint {
	var out []*Breakpoint
	for _, b := range t.list {
		if b.Enabled {
			out = append(out, b)
		}
	}
	return out
}

// numbered finds a breakpoint by what the user typed; the errors are pdb's.
func (t *breakpoints) numbered(arg string) (*Breakpoint, error) {
	if arg == "" {
		return nil, errorf(BadArgument, "Breakpoint number expected")
	}
	n, err := strconv.Atoi(arg)
	if err != nil {
		return nil, errorf(BadArgument, "Non-numeric breakpoint number %s", arg)
	}
	if n < 1 || n >= t.next {
		return nil, errorf(NotFound, "Breakpoint number %d out of range", n)
	}
	for _, b := range t.list {
		if b.Number == n {
			return b, nil
		}
	}
	return nil, errorf(NotFound, "Breakpoint %d already deleted", n)
}
