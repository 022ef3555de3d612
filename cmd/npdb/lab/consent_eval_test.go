package lab

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/eval"
)

// TestRedactSource checks that measured programs run as they are sent to the model,
// including their calls and expected values.
func TestRedactSource(t *testing.T) {
	rules, err := config.Config{}.Redaction()
	if err != nil {
		t.Fatal(err)
	}
	text := &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"def f(user, password):", "    return password"}}}}
	script := &dsl.Program{Files: []dsl.SourceFile{{Name: "s.py", Lines: []string{"secret = 'hunter2x'", "x = 1"}}}}
	first := &dsl.Stop{
		State: dsl.State{Event: dsl.Line, File: "s.py", Line: 2, Source: "x = 1", Function: "<module>", Locals: []dsl.Local{{Name: "secret", Value: "'hunter2x'"}}},
		Stack: []dsl.Frame{{Function: "<module>", File: "s.py", Line: 2}},
	}
	walk, err := dsl.ND1.Encode(dsl.Trajectory{Program: script, Compacted: true, Steps: []dsl.Step{{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}}}})
	if err != nil {
		t.Fatal(err)
	}
	s := &eval.Source{
		Programs: []eval.Program{
			{Name: "a", Text: text, Function: "f", Input: "'bobby', 'hunter2x'", Output: "'hunter2x'"},
			{Name: "b", Text: text, Function: "f", Input: "1, (2)", Output: "(2)"},
		},
		Walks: []eval.Walk{{Name: "w", Last: walk}},
	}
	found, err := redactSource(s, rules)
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Programs[0]; p.Input != "'bobby', '<redacted>'" || p.Output != "'<redacted>'" {
		t.Errorf("%+v", p)
	}
	if p := s.Programs[1]; p.Input != "1, (2)" || p.Output != "(2)" {
		t.Errorf("%+v", p)
	}
	if got := s.Walks[0].Last.Text(); strings.Contains(got, "hunter2x") || strings.Count(got, "<redacted>") != 2 {
		t.Error(got)
	}
	if found != 4 { // the input, the output, and a literal and a value of the walk
		t.Errorf("%d were found", found)
	}
}
