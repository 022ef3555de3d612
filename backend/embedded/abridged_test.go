package embedded

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
)

// padded returns an abridged whose whole program has two comments before each line of p.
func padded(p *dsl.Program) *abridged {
	a := &abridged{whole: &dsl.Program{}, short: p}
	for _, f := range p.Files {
		long := dsl.SourceFile{Name: f.Name}
		var from []int
		for _, line := range f.Lines {
			long.Lines = append(long.Lines, "# said", "   # twice", line)
			from = append(from, len(long.Lines))
		}
		a.whole.Files, a.from = append(a.whole.Files, long), append(a.from, from)
	}
	return a
}

// TestQuestionsAboutProse checks that a question about a program with comments becomes the question
// about the program without them, and that the reply gets the line numbers of the whole program.
func TestQuestionsAboutProse(t *testing.T) {
	asked := 0
	for _, v := range vectors.All() {
		if strings.Contains(v.Program, "#") || strings.Contains(v.Program, `"""`) || strings.Contains(v.Program, "\n\n\n\n") {
			continue
		}
		last, _, err := dsl.ND1.Read(v.Wire)
		if err != nil {
			t.Fatal(err)
		}
		to := padded(last.Program())
		told := last.Trajectory()
		told.Program = to.whole
		for i, s := range told.Steps {
			var lines []dsl.Location
			for _, l := range s.Action.Lines {
				n, _ := to.longer(l.File, l.Line)
				lines = append(lines, dsl.Location{File: l.File, Line: n})
			}
			told.Steps[i].Action.Lines, told.Steps[i].Reply = lines, to.reply(s.Reply)
		}
		for i, s := range told.Steps {
			if s.Action.Move == 0 {
				continue
			}
			before := told
			before.Steps = told.Steps[:i]
			at, err := dsl.ND1.Encode(before)
			if err != nil {
				t.Fatalf("%s: %v", v.Name, err)
			}
			a := abridge(to.whole)
			short, ok := a.question(backend.Question{At: at, Action: s.Action})
			if !ok {
				t.Fatalf("%s: step %d is not asked", v.Name, i)
			}
			prompt, err := short.At.Prompt(short.Action)
			if err != nil || !strings.HasPrefix(v.Wire, prompt) {
				t.Fatalf("%s: step %d asks (%v)\n%s\nnot as\n%s", v.Name, i, err, prompt, v.Wire)
			}
			asked++
		}
	}
	if asked < 200 {
		t.Errorf("only %d questions", asked)
	}
}

func TestAbridgedSays(t *testing.T) {
	program := &dsl.Program{Files: []dsl.SourceFile{{Lines: []string{`"""What`, "", `it does."""`, "# one", "x = 1", "y = 2"}}}}
	if a := abridge(&dsl.Program{Files: []dsl.SourceFile{{Lines: []string{"x = 1", "", "y = 2"}}}}); a != nil {
		t.Error("there is nothing to leave out")
	}
	a := abridge(program)
	if got := strings.Join(a.short.Files[0].Lines, "|"); got != `"""What"""|x = 1|y = 2` {
		t.Fatal(got)
	}
	at, err := dsl.ND1.Encode(dsl.Trajectory{Program: program, Steps: []dsl.Step{{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{
		State: dsl.State{Event: dsl.Line, Line: 1, Source: `"""What`, Function: "<module>"},
		Stack: []dsl.Frame{{Function: "<module>", Line: 1}},
	}}}}})
	if err != nil {
		t.Fatal(err)
	}
	short, ok := a.question(backend.Question{At: at, Action: dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 6}}}})
	if !ok || short.Action.String() != "breakpoint 3" || short.At.Current().Source != `"""What"""` {
		t.Errorf("%v: %v at %+v", ok, short.Action, short.At.Current())
	}
	if _, ok := a.question(backend.Question{At: at, Action: dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 4}}}}); ok {
		t.Error("there is no line 4 to ask about")
	}
	back := a.reply(dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{
		State: dsl.State{Event: dsl.Line, Line: 2, Source: "x = 1", Function: "<module>"},
		Stack: []dsl.Frame{{Function: "f"}, {Function: "<module>", Line: 2}},
	}})
	if s := back.Stop; s.Line != 5 || s.Source != "x = 1" || !slices.Equal(s.Stack, []dsl.Frame{{Function: "f"}, {Function: "<module>", Line: 5}}) {
		t.Errorf("%+v", back.Stop)
	}
}
