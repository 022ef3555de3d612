package traceback

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// describe returns a description of a trace, without the source lines.
func describe(t *Trace) string {
	var b strings.Builder
	if t.Remote {
		b.WriteString("remote\n")
	}
	b.WriteString(t.Type)
	if t.Message != "" {
		b.WriteString(": " + t.Message)
	}
	b.WriteString("\n")
	for _, f := range t.Frames {
		fmt.Fprintf(&b, "%s:%d %s", f.File, f.Line, f.Function)
		if f.Syntax {
			b.WriteString("(syntax)")
		}
		if f.Repeated > 0 {
			fmt.Fprintf(&b, " (%d more)", f.Repeated)
		}
		b.WriteString("\n")
		for _, l := range f.Locals {
			fmt.Fprintf(&b, "  %s = %s", l.Name, l.Repr)
			if l.Cut {
				b.WriteString(" (cut)")
			}
			b.WriteString("\n")
		}
	}
	for _, note := range t.Notes {
		b.WriteString("note " + note + "\n")
	}
	for _, leaf := range t.Leaves {
		b.WriteString("leaf\n" + describe(leaf) + "end\n")
	}
	if t.LeavesOmitted > 0 {
		fmt.Fprintf(&b, "omitted %d\n", t.LeavesOmitted)
	}
	if t.Cause != nil {
		b.WriteString("cause\n" + describe(t.Cause))
	}
	if t.Context != nil {
		b.WriteString("context\n" + describe(t.Context))
	}
	return b.String()
}

func TestReal(t *testing.T) {
	for _, c := range realCases {
		t.Run(c.file, func(t *testing.T) {
			trace, err := Parse(readReal(t, c.file))
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(trace); got != c.want {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
			if trace.Style != c.style || trace.Found != c.found || !trace.complete() {
				t.Errorf("style %v, %d found, complete: %v", trace.Style, trace.Found, trace.complete())
			}
			checkSources(t, trace)
		})
	}
}

// refusedCases are the outputs that contain no line of code, so Parse rejects them.
var refusedCases = map[string]Problem{"no-3.11": NoPlace, "doctest-by-pytest-3.11": NoPlace, "cells-minimal-3.11": NoPlace}

func TestRefusedReal(t *testing.T) {
	for file, want := range refusedCases {
		_, err := Parse(readReal(t, file))
		var problem *Error
		if !errors.As(err, &problem) || problem.Problem != want || !strings.Contains(problem.Error(), "aste") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestAllReal checks that every output in testdata/real has a case.
func TestAllReal(t *testing.T) {
	files, err := filepath.Glob("testdata/real/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatal(len(files), "outputs: ", err)
	}
	var known []string
	for _, c := range realCases {
		known = append(known, c.file)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if _, refused := refusedCases[name]; !refused && !slices.Contains(known, name) {
			t.Errorf("no case for %s", name)
		}
	}
}

func readReal(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "real", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkSources checks that each frame's source equals the line in the program's file.
func checkSources(t *testing.T, trace *Trace) {
	t.Helper()
	for one := range trace.All() {
		for _, f := range one.Frames {
			text, err := os.ReadFile(filepath.Join("testdata", "programs", filepath.Base(f.File)))
			if err != nil || strings.HasPrefix(f.File, "/usr/") || f.Source == "" {
				continue
			}
			line := strings.TrimSpace(strings.Split(string(text), "\n")[f.Line-1])
			if f.Source != line && (!f.SourceCut || !strings.HasPrefix(line, f.Source)) {
				t.Errorf("%s:%d: source %q, the file has %q", f.File, f.Line, f.Source, line)
			}
			if !strings.Contains(f.Source, f.Marked) {
				t.Errorf("%q is marked in %q", f.Marked, f.Source)
			}
		}
	}
}
