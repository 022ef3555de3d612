package traceback

import (
	"fmt"
	"strings"
	"testing"
)

// facts returns, as strings, all frames and values in the tracebacks of a text.
func facts(s *scanner) map[string]bool {
	known := map[string]bool{}
	for _, end := range s.chains() {
		for one := range end.All() {
			for _, f := range one.Frames {
				place := fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Function)
				known[place] = true
				known[f.Source] = true
				for _, l := range f.Locals {
					known[place+" "+l.Name+" = "+l.Repr] = true
				}
			}
			known[one.Type+": "+one.Message] = true
			for _, note := range one.Notes { // the first line of the remaining text may be one of the notes
				known[one.Type+": "+note] = true
			}
		}
	}
	return known
}

// TestRealCut cuts each output at each line, at the beginning or the end. It checks that what is
// read from the rest is also read from the whole output: nothing is made up.
func TestRealCut(t *testing.T) {
	for _, c := range realCases {
		text := readReal(t, c.file)
		whole := &scanner{lines: split(text)}
		whole.scan()
		known := facts(whole)
		lines := strings.SplitAfter(text, "\n")
		for n := range lines {
			checkKnown(t, c.file, fmt.Sprint("from line ", n), strings.Join(lines[n:], ""), known)
			if c.file == "hang-3.11" {
				continue // the last thread is the result, and the text may end before it
			}
			checkKnown(t, c.file, fmt.Sprint("to line ", n), strings.Join(lines[:n], ""), known)
		}
	}
}

func checkKnown(t *testing.T, file, part, text string, known map[string]bool) {
	t.Helper()
	trace, err := Parse(text)
	if err != nil {
		return
	}
	for one := range trace.All() {
		unknown := one.NoStart && one.Message == ""
		if one.Type != "" && !unknown && !known[one.Type+": "+one.Message] {
			t.Errorf("%s %s: exception %s: %s", file, part, one.Type, one.Message)
		}
		for _, f := range one.Frames {
			place := fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Function)
			cut := f.File == "" || f.Function == "" || f.Line == 0
			if !known[place] && !cut || f.Source != "" && !known[f.Source] {
				t.Errorf("%s %s: frame %s %q", file, part, place, f.Source)
			}
			for _, l := range f.Locals {
				if !cut && !l.Cut && !known[place+" "+l.Name+" = "+l.Repr] {
					t.Errorf("%s %s: %s has %s = %s", file, part, place, l.Name, l.Repr)
				}
			}
		}
	}
}
