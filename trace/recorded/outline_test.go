package recorded

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// lineEvents is what testdata/witness.py prints.
type lineEvents struct {
	Lines  []int          `json:"lines"`
	Bodies map[string]int `json:"bodies"` // "NAME:FIRSTLINE" to line
}

// witness runs a program under sys.settrace.
func witness(t *testing.T, p pythons.Python, path string) lineEvents {
	t.Helper()
	out, err := exec.Command(p.Path, "-W", "ignore", "testdata/witness.py", path).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("%s: %v\n%s", path, err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	var events lineEvents
	if err := json.Unmarshal(out, &events); err != nil {
		t.Fatal(err)
	}
	return events
}

// minorOf returns the minor version that a sample's name asks for, "match_310.py".
func minorOf(path string) int {
	m := regexp.MustCompile(`_3(\d+)\.py$`).FindStringSubmatch(path)
	if m == nil {
		return 0
	}
	minor, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return minor
}

// Every sample runs all of its lines, so that the outline's lines and those of
// the interpreter's line events must be the same.
func TestOutlineMatchesLineEvents(t *testing.T) {
	samples, err := filepath.Glob("testdata/outline/*.py")
	if err != nil || len(samples) < 10 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		for _, path := range samples {
			if p.Minor < minorOf(path) {
				continue
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			o, err := e.Outline(patient(t), source, path)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			want := witness(t, p, path)
			last := bytes.Count(source, []byte("\n")) + bytes.Count(bytes.ReplaceAll(source, []byte("\r\n"), nil), []byte("\r")) + 1
			if len(source) == 0 || bytes.HasSuffix(source, []byte("\n")) {
				last--
			}
			// CPython reports line 0 or 1 of a file without a line.
			want.Lines = slices.DeleteFunc(want.Lines, func(line int) bool { return line < 1 || line > last })
			if !slices.Equal(o.Executable, want.Lines) {
				t.Errorf("%s: lines\n got %v\nwant %v", path, o.Executable, want.Lines)
			}
			for _, f := range o.Functions {
				if got := want.Bodies[fmt.Sprintf("%s:%d", f.Name, f.Line)]; got != f.BodyLine {
					t.Errorf("%s: the body of %s begins on line %d, the witness says %d", path, f.QualName, f.BodyLine, got)
				}
			}
		}
	})
}

func TestOutlineFunctions(t *testing.T) {
	source, err := os.ReadFile("testdata/outline/functions.py")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"one_liner 6-6", "documented 9-18", "only_a_docstring 21-22", "nothing 25-26",
		"decorated_docstring 29-35",
		"decorate 38-46", "decorate.<locals>.wrap 39-45", "decorate.<locals>.wrap.<locals>.inner 40-44",
		"decorated 49-65", "decorated.<locals>.nested 60-64", "declared 68-73", "made_global 71-72",
		"Account.__init__ 81-82", "Account.name 84-88", "Account.Inner.deep 91-95", "Account.Inner.deep.<locals>.deeper 93-94",
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		o, err := newEvaluator(t, p).Outline(patient(t), source, "functions.py")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range o.Functions {
			got = append(got, fmt.Sprintf("%s %d-%d", f.QualName, f.Line, f.EndLine))
			if !strings.HasSuffix(f.QualName, f.Name) {
				t.Errorf("the name of %s is %s", f.QualName, f.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestOutlineOfUnreachableCode(t *testing.T) {
	const source = "if 0:\n    def f():\n        pass\nx = 1\n"
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		o, err := newEvaluator(t, p).Outline(patient(t), []byte(source), "prog.py")
		if err != nil || len(o.Functions) != 0 || slices.Contains(o.Executable, 3) || !slices.Contains(o.Executable, 4) {
			t.Errorf("got %+v, %v", o, err)
		}
	})
}

func TestOutlineOfNoPython(t *testing.T) {
	tests := []struct {
		name, source string
		line         int
	}{
		{"bad operand", "x = 1\ny = = 2\n", 2},
		{"bad indentation", "if 1:\n    x = 1\n   y = 2\n", 3},
		{"unclosed", "x = 1\nf(\n", 2},
		{"return outside", "x = 1\n\nreturn x\n", 3},
		{"null byte", "x = 1\ny = '\x00'\n", 2},
		{"unknown coding", "# coding: no-such-coding\nx = 1\n", 0},
		{"not utf-8", "x = 1\ny = '\xff'\n", 2},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		for _, test := range tests {
			o, err := e.Outline(patient(t), []byte(test.source), "prog.py")
			var syntax *python.SyntaxError
			if !errors.As(err, &syntax) || syntax.Message == "" {
				t.Errorf("%s: got %+v, %v; want a syntax error", test.name, o, err)
			} else if syntax.Line != test.line {
				t.Errorf("%s: got line %d (%s), want %d", test.name, syntax.Line, syntax.Message, test.line)
			}
		}
	})
}

func TestParseOutline(t *testing.T) {
	got, err := parseOutline([]string{"1,3", "f", "A.f", "1", "3", "4"})
	want := python.Outline{Executable: []int{1, 3}, Functions: []python.Function{{Name: "f", QualName: "A.f", Line: 1, BodyLine: 3, EndLine: 4}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range [][]string{{}, {"x"}, {"1", "f"}, {"1", "f", "f", "1", "2", "x"}, {"1,"}} {
		if got, err := parseOutline(bad); err == nil {
			t.Errorf("%q: got %+v, want an error", bad, got)
		}
	}
}
