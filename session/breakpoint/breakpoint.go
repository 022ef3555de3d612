// Package breakpoint holds the breakpoints, watchpoints and catchpoints of a session, counts their
// hits, and finds their lines again after a file was edited. A watchpoint stops where the value of
// an expression changes, a catchpoint where an exception is raised.
package breakpoint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/escape"
)

// AnyException is the value of Breakpoint.Catch that matches exceptions of every type.
const AnyException = "*"

// Breakpoint is a breakpoint on a line, a watchpoint (Watch is set) or a catchpoint (Catch is set).
// It stops the commands that resume the program, such as continue. Its descriptions are worded as
// in pdb.
type Breakpoint struct {
	Number    int    `json:"number"`
	File      string `json:"file"`                // absolute path, or "<string>"
	Line      int    `json:"line"`                // from 1
	Function  string `json:"function,omitempty"`  // co_name of the function, if set on one
	Condition string `json:"condition,omitempty"` // a Python expression
	Ignore    int    `json:"ignore,omitempty"`    // number of hits still to skip
	Temporary bool   `json:"temporary,omitempty"`
	Enabled   bool   `json:"enabled"`
	// Hits counts how often this run has passed the breakpoint up to the current position. As in
	// pdb, a hit counts whether or not the condition is true.
	Hits    int `json:"-"`
	crossed Crossings

	Watch string `json:"watch,omitempty"` // a watchpoint's expression
	Catch string `json:"catch,omitempty"` // a catchpoint's exception type, "*" for all
	Scope string `json:"scope,omitempty"` // function in which Watch is evaluated, "" for a module

	// Passing marks the temporary breakpoint of an advance command, which is deleted when the move
	// ends. Kept marks a breakpoint that was loaded from an earlier run and not set again in this
	// one.
	Passing bool `json:"-"`
	Kept    bool `json:"-"`
	// Pending reports that the program has not imported the file yet. It is filled in only for
	// display.
	Pending bool `json:"-"`

	Commands []string `json:"commands,omitempty"` // debugger commands to run on a hit
	Silent   bool     `json:"silent,omitempty"`   // do not show the location on a hit

	Anchor Anchor `json:"anchor"`
}

// OnLine reports whether b is a breakpoint on a line, not a watchpoint or catchpoint.
func (b Breakpoint) OnLine() bool { return b.Watch == "" && b.Catch == "" }

// String returns a short description, as pdb words it: "breakpoint 1 at FILE:LINE".
func (b *Breakpoint) String() string {
	switch {
	case b.Watch != "":
		return fmt.Sprintf("watchpoint %d: %s", b.Number, b.Subject())
	case b.Catch != "":
		return fmt.Sprintf("catchpoint %d: %s", b.Number, b.Subject())
	}
	return fmt.Sprintf("breakpoint %d at %s:%d", b.Number, escape.Line(b.File), b.Line)
}

// Subject returns the expression of a watchpoint or the type of a catchpoint.
func (b Breakpoint) Subject() string {
	switch {
	case b.Catch == AnyException:
		return "any exception"
	case b.Catch != "":
		return b.Catch
	case b.Scope != "":
		return b.Watch + " in " + b.Scope
	}
	return b.Watch
}

// Describe returns the breakpoint's entry in the list of breakpoints, in pdb's format.
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
	if b.Pending {
		s.WriteString("\n\tpending: the file is not imported yet")
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

// Table holds the breakpoints of a session, ordered by number. The zero Table is empty.
type Table struct {
	List []*Breakpoint
	last int // the highest number given so far
}

// Last returns the highest number given to a breakpoint so far, or 0 if there was none.
func (t *Table) Last() int { return t.last }

// Add gives a breakpoint the next number and adds it to the table.
func (t *Table) Add(b *Breakpoint) {
	t.last++
	b.Number = t.last
	t.List = append(t.List, b)
}

// Again returns the breakpoint of an earlier run (Kept) that equals the new breakpoint b, or nil.
// The caller reuses it, so that a command repeated in each run, for instance from .pdbrc, does not
// add a duplicate each time.
func (t *Table) Again(b *Breakpoint) *Breakpoint {
	for _, k := range t.List {
		if k.Kept && k.OnLine() && k.File == b.File && k.Line == b.Line && k.Function == b.Function && k.Condition == b.Condition && !b.Temporary {
			return k
		}
	}
	return nil
}

// Restore replaces the table by the breakpoints saved in an earlier run.
func (t *Table) Restore(kept []*Breakpoint) {
	t.List = kept
	for _, b := range kept {
		t.last = max(t.last, b.Number)
	}
}

// Remove removes a breakpoint.
func (t *Table) Remove(b *Breakpoint) {
	t.List = slices.DeleteFunc(t.List, func(x *Breakpoint) bool { return x == b })
}

// At returns the breakpoints on a line, enabled or not.
func (t *Table) At(file string, line int) []*Breakpoint {
	var out []*Breakpoint
	for _, b := range t.List {
		if b.File == file && b.Line == line {
			out = append(out, b)
		}
	}
	return out
}

// Files returns the files that have enabled line breakpoints.
func (t *Table) Files() []string {
	var out []string
	for _, b := range t.Enabled() {
		if b.OnLine() && !slices.Contains(out, b.File) {
			out = append(out, b.File)
		}
	}
	return out
}

// Enabled returns the enabled breakpoints, watchpoints and catchpoints.
func (t *Table) Enabled() []*Breakpoint {
	var out []*Breakpoint
	for _, b := range t.List {
		if b.Enabled {
			out = append(out, b)
		}
	}
	return out
}

// Numbered finds a breakpoint by its number. The error is a *NumberError.
func (t *Table) Numbered(n int) (*Breakpoint, error) {
	for _, b := range t.List {
		if b.Number == n {
			return b, nil
		}
	}
	return nil, &NumberError{Number: n, Deleted: n >= 1 && n <= t.last}
}

// NumberError reports, as pdb words it, that no breakpoint has this number.
type NumberError struct {
	Number  int
	Deleted bool // a breakpoint with this number existed
}

func (e *NumberError) Error() string {
	if e.Deleted {
		return fmt.Sprintf("Breakpoint %d already deleted", e.Number)
	}
	return fmt.Sprintf("Breakpoint number %d out of range", e.Number)
}
