package session_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

const disSource = `def inner(a):
    return a + 1

def outer(n):
    found = []
    for i in range(n):
        found.append(inner(i))
        if i > 5: break
    try:
        found[9]
    except IndexError:
        pass
    return [x for x in found
            if x]

result = outer(2)
`

// answered returns the last answer to a line.
func answered(s *command.Interpreter, line string) (last *session.Answer) {
	s.Line(context.Background(), line, func(a *session.Answer) {
		if err := fitsSchema(a); err != nil {
			panic(err)
		}
		last = a
	})
	return last
}

// TestBytecode walks through a program with every Python. At each event dis must mark one instruction,
// which belongs to the event's line, also in the frames around. All instructions of a function must be
// those that Python's own module dis has.
func TestBytecode(t *testing.T) {
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			s := opened(t, trace.Options{Python: p.Path, Script: scriptOf(t, disSource)})
			for range 60 {
				a := answered(s, "dis")
				if a.Done {
					break
				}
				if a.Err != nil {
					t.Fatal(a.Err)
				}
				for up := 0; ; up++ {
					b := a.Bytecode
					var current []session.Instruction
					for _, one := range b.Instructions {
						if one.Current {
							current = append(current, one)
						}
						if one.Line != b.Line {
							t.Errorf("an instruction of line %d, not %d", one.Line, b.Line)
						}
					}
					if len(current) != 1 || !b.Live {
						t.Errorf("%s:%d of %s, %d up: the current instructions are %v", a.State.Event, a.State.Line, b.Function, up, current)
					} else if got, _ := a.Text(session.Said); strings.Count(got, "->") != 1 {
						t.Errorf("%s", got)
					}
					if a.State.Event == dsl.Return && a.State.Value != nil && up == 0 && !strings.HasPrefix(current[0].Name, "RETURN_") {
						t.Errorf("a return is at %s", current[0].Name)
					}
					if answered(s, "up").Err != nil {
						break
					}
					if a = answered(s, "dis"); a.Err != nil {
						t.Fatal(a.Err)
					}
				}
				if a.State.Function == "outer" {
					own := answered(s, "p [(i.offset, i.opname, i.arg) for i in __import__('dis').get_instructions(outer.__code__)]")
					s.Line(t.Context(), "down 9", func(*session.Answer) {})
					var got []string
					for _, one := range answered(s, "dis all").Bytecode.Instructions {
						argument := "None"
						if one.HasArgument {
							argument = fmt.Sprint(one.Argument)
						}
						got = append(got, fmt.Sprintf("(%d, '%s', %s)", one.Offset, one.Name, argument))
					}
					if want, _ := own.Text(session.Said); want != "["+strings.Join(got, ", ")+"]" {
						t.Errorf("%s\n%v", want, got)
					}
				}
				answered(s, "s")
			}
			if got := run(s, "c", "dis"); !strings.Contains(got, "*** dis: the program is over, and a recording has no bytecode (restart runs it again)") {
				t.Error(got)
			}
		})
	}
}

// TestBytecodePostMortem checks that the instruction that raised is marked, and the calls around it, also
// in frames that the exception has left through a finally.
func TestBytecodePostMortem(t *testing.T) {
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			s := opened(t, trace.Options{Python: p.Path, Script: scriptOf(t, "def f(d):\n    try:\n        return len(d['no'])\n    finally:\n        d.clear()\n\nf({})\n")})
			run(s, "c")
			for _, line := range []int{3, 7} {
				a := answered(s, "dis")
				if a.Err != nil {
					t.Fatal(a.Err)
				}
				marked := ""
				for _, one := range a.Bytecode.Instructions {
					if one.Current {
						marked += one.Name
					}
				}
				raises := map[int][]string{3: {"BINARY_SUBSCR", "BINARY_OP"}, 7: {"CALL_FUNCTION", "CALL"}}
				if a.Bytecode.Line != line || !slices.Contains(raises[line], marked) {
					t.Errorf("line %d, %s is marked", a.Bytecode.Line, marked)
				}
				run(s, "up")
			}
		})
	}
}

// TestBytecodeElsewhere checks dis at earlier events, on other lines, and where there is no bytecode.
func TestBytecodeElsewhere(t *testing.T) {
	s := opened(t, trace.Options{Python: pythons.Any(t), Script: scriptOf(t, disSource)})
	run(s, "b inner", "c", "r")
	past := answered(s, "rs 4")
	a := answered(s, "dis")
	if a.Err != nil || a.Bytecode.Live || a.Bytecode.Function != past.State.Function || a.Bytecode.Line != past.State.Line || len(a.Bytecode.Instructions) == 0 {
		t.Fatalf("%+v %v", a.Bytecode, a.Err)
	}
	for _, one := range a.Bytecode.Instructions {
		if one.Current {
			t.Errorf("%+v is marked in the past", one)
		}
	}
	if got := run(s, "dis"); !strings.Contains(got, "This state is recorded by lines: which instruction ran next is not known.") || strings.Contains(got, "->") {
		t.Error(got)
	}
	for _, c := range [][2]string{
		{"dis 99", "*** dis: line 99 has no instructions in outer (dis all shows those of all lines)\n"},
		{"dis x", "Usage: dis [LINE | all]"},
		{"dis 0", "Usage: dis [LINE | all]"},
	} {
		if got := run(s, c[0]); !strings.Contains(got, c[1]) {
			t.Errorf("%s: %s", c[0], got)
		}
	}
	if got := answered(s, "dis 7").Bytecode; got.Line != 7 || got.Instructions[0].Line != 7 {
		t.Errorf("%+v", got)
	}
	n := neural(t, &scripted{}, trace.Options{})
	if got := run(n, "dis"); !strings.Contains(got, "in neural mode nothing is run") {
		t.Error(got)
	}
}
