// Package breakpoint holds the breakpoints, watchpoints and catchpoints of a session: their table,
// their hit counts, and how they find their lines again in a file that was edited.
package breakpoint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/escape"
)

// AnyException is the Catch of a catchpoint for all types.
const AnyException = "*"

// Breakpoint stops the user's continue at a line, or as a watchpoint or catchpoint elsewhere. Its
// words are pdb's.
type Breakpoint struct {
	Number    int    `json:"number"`
	File      string `json:"file"`                // absolute path, or "<string>"
	Line      int    `json:"line"`                // from 1
	Function  string `json:"function,omitempty"`  // its co_name, where it is set on one
	Condition string `json:"condition,omitempty"` // a Python expression
	Ignore    int    `json:"ignore,omitempty"`    // satisfied hits still to pass over
	Temporary bool   `json:"temporary,omitempty"`
	Enabled   bool   `json:"enabled"`
	// Hits counts the crossings of this run up to the position, as pdb does: whether the condition
	// holds or not.
	Hits    int `json:"-"`
	crossed hits

	Watch string `json:"watch,omitempty"` // an expression: it stops where its value changes
	Catch string `json:"catch,omitempty"` // a type of exceptions, or *: it stops where one is raised
	Scope string `json:"scope,omitempty"` // of Watch: the function whose names it has, "" for a module's

	// Passing marks the breakpoint of an advance, which is deleted when the move ends. Kept marks
	// one of an earlier run that was not set in this one.
	Passing bool `json:"-"`
	Kept    bool `json:"-"`
	// Pending reports whether the file is not imported yet. It is set on breakpoints for display.
	Pending bool `json:"-"`

	Commands []string `json:"commands,omitempty"` // run on a hit
	Silent   bool     `json:"silent,omitempty"`   // the location is not shown on a hit

	Anchor Anchor `json:"anchor"`
}

// OnLine reports whether it is a breakpoint on a line, and neither a watchpoint nor a
// catchpoint.
func (b Breakpoint) OnLine() bool { return b.Watch == "" && b.Catch == "" }

// String returns pdb's short description of a breakpoint.
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

// Describe returns pdb's entry in the list of breakpoints.
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
	last int // the highest number that was given
}

// Last returns the highest number that was given to a breakpoint, 0 for none.
func (t *Table) Last() int { return t.last }

// Add numbers a breakpoint and adds it to the table.
func (t *Table) Add(b *Breakpoint) {
	t.last++
	b.Number = t.last
	t.List = append(t.List, b)
}

// Again returns the kept breakpoint that equals one that is set now, so that commands given in
// each run, such as those of .pdbrc, do not add a breakpoint each time.
func (t *Table) Again(b *Breakpoint) *Breakpoint {
	for _, k := range t.List {
		if k.Kept && k.OnLine() && k.File == b.File && k.Line == b.Line && k.Function == b.Function && k.Condition == b.Condition && !b.Temporary {
			return k
		}
	}
	return nil
}

// Restore replaces the table by what an earlier run kept.
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

// At returns the breakpoints of a line, enabled or not.
func (t *Table) At(file string, line int) []*Breakpoint {
	var out []*Breakpoint
	for _, b := range t.List {
		if b.File == file && b.Line == line {
			out = append(out, b)
		}
	}
	return out
}

// Files returns the files of the enabled breakpoints.
func (t *Table) Files() []string {
	var out []string
	for _, b := range t.Enabled() {
		if b.OnLine() && !slices.Contains(out, b.File) {
			out = append(out, b.File)
		}
	}
	return out
}

// Enabled returns the breakpoints that can stop a move.
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

// NumberError reports, in pdb's words, that no breakpoint has a number.
type NumberError struct {
	Number  int
	Deleted bool // there was one
}

func (e *NumberError) Error() string {
	if e.Deleted {
		return fmt.Sprintf("Breakpoint %d already deleted", e.Number)
	}
	return fmt.Sprintf("Breakpoint number %d out of range", e.Number)
}
