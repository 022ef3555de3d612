package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Breakpoint is a line that stops the user's continue. Its words are pdb's.
type Breakpoint struct {
	Number    int    `json:"number"`
	File      string `json:"file"` // absolute path, or "<string>"
	Line      int    `json:"line"` // from 1
	Function  string `json:"function,omitempty"`
	Condition string `json:"condition,omitempty"` // a Python expression
	Ignore    int    `json:"ignore,omitempty"`    // satisfied hits still to pass over
	Temporary bool   `json:"temporary,omitempty"`
	Enabled   bool   `json:"enabled"`
	Hits      int    `json:"-"` // of this session; satisfied, the ignored ones included

	passing bool // of an advance: it is gone when the move is over

	Commands []string `json:"commands,omitempty"` // run on a hit
	Silent   bool     `json:"silent,omitempty"`   // the location is not shown on a hit

	Anchor Anchor `json:"anchor"`
}

// String is pdb's short description of a breakpoint.
func (b *Breakpoint) String() string {
	return fmt.Sprintf("breakpoint %d at %s:%d", b.Number, b.File, b.Line)
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
	fmt.Fprintf(&s, "%-4dbreakpoint   %-5s%-6sat %s:%d", b.Number, disp, enabled, b.File, b.Line)
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
		fmt.Fprintf(&s, "\n\tbreakpoint already hit %d time%s", b.Hits, plural)
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
