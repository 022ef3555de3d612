package computed_test

import (
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// tested is a script that tests a module in a package.
var tested = &dsl.Program{Files: []dsl.SourceFile{
	{Name: "main.py", Lines: dsl.SplitLines(`import lib.stats as stats
from lib import UNIT

def test_scale(top):
    scaled = stats.scale([1, 2], top)
    return scaled == [5.0, 10.0]

passed = test_scale(10)
stats.calls.append(passed)
stats.EXTRA = 3
`)},
	{Name: "lib/__init__.py", Lines: dsl.SplitLines("from .stats import LIMIT\nUNIT = LIMIT + 1\n")},
	{Name: "lib/stats.py", Lines: dsl.SplitLines(`LIMIT = 20
calls, EXTRA = [], 1
def scale(values, top):
    most = max(values)
    if top > LIMIT:
        raise ValueError(top)
    return [v * top / most for v in values]

def extra():
    return EXTRA
`)},
}}

// file sets the file of each frame of a state, outermost first.
func file(s *dsl.Stop, names ...string) *dsl.Stop {
	for i, name := range names {
		s.Stack[i].File = name
		s.File = name
	}
	for _, f := range tested.Files {
		if f.Name == s.File && s.Line > 0 {
			s.Source = f.Lines[s.Line-1]
		}
	}
	return s
}

// inScale sets the files of a state in scale, which the test in the script called.
func inScale(s *dsl.Stop) *dsl.Stop { return file(s, "main.py", "main.py", "lib/stats.py") }

const belowScale = "<module>:8 test_scale:5 scale:"

// TestCallerOfAnotherFile checks calls of a function in a module that the script imports.
func TestCallerOfAnotherFile(t *testing.T) {
	version := python.Version{Major: 3, Minor: 12}
	c, err := computed.NewCallerAt(tested, version, inScale(at(belowScale+"3", "call")))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct{ values, top, want string }{{"[1, 2]", "10", "[5.0, 10.0]"}, {"[3]", "21", "ValueError(21)"}} {
		end, err := c.Call(t.Context(), localsOf("values", one.values, "top", one.top))
		if err != nil || *end.Value != one.want || end.File != "lib/stats.py" {
			t.Errorf("scale(%s, %s): %+v, %v", one.values, one.top, end, err)
		}
	}
	anywhere, err := computed.NewCaller(tested, version, "lib/stats.py", "extra", 9)
	if err != nil {
		t.Fatal(err)
	}
	if end, err := anywhere.Call(t.Context(), nil); err == nil {
		t.Errorf("EXTRA, which the script sets, is known from every line of it: %+v", end)
	}
	if _, err := computed.NewCaller(tested, version, "lib/other.py", "scale", 4); err == nil {
		t.Error("a function of a file that the program lacks is prepared")
	}
}

// TestVerifierAcrossFiles checks verdicts about states in one file whose callers are in another.
func TestVerifierAcrossFiles(t *testing.T) {
	scaled := []string{"values", "[1, 2]", "top", "10", "most", "2"}
	for _, c := range []struct {
		name   string
		past   *dsl.Stop
		action string
		now    *dsl.Stop
		want   string
	}{
		{
			"a call that returns", inScale(at(belowScale+"3", "call", "values", "[1, 2]", "top", "10")), "inv_step_return",
			inScale(at(belowScale+"7", "return [5.0, 10.0]", scaled...)), "leads_here",
		},
		{
			"a call that returns another value", inScale(at(belowScale+"3", "call", "values", "[2]", "top", "10")), "inv_step_return",
			inScale(at(belowScale+"7", "return [5.0, 10.0]", scaled...)), "leads_elsewhere: returns [10.0] instead of [5.0, 10.0] (and 1 more)",
		},
		{
			"a line of the module", inScale(at(belowScale+"4", "line", "values", "[1, 2]", "top", "10")), "inv_step_into",
			inScale(at(belowScale+"5", "line", scaled...)), "leads_here",
		},
		{
			"the caller in the other file", file(at("<module>:8 test_scale:5", "line", "top", "10"), "main.py", "main.py"), "inv_step_into",
			inScale(at(belowScale+"3", "call", "values", "[1, 2]", "top", "10")), "leads_here",
		},
		{
			"a return to the other file", inScale(at(belowScale+"7", "return [5.0, 10.0]", scaled...)), "inv_step_into",
			file(at("<module>:8 test_scale:6", "line", "top", "10", "scaled", "[5.0, 10.0]"), "main.py", "main.py"), "undecided: what a statement makes of a call",
		},
		{
			"an import", file(at("<module>:1", "line"), "main.py"), "inv_step_into",
			file(at("<module>:1 <module>:1", "line"), "main.py", "lib/__init__.py"), "leads_here",
		},
		{
			"the first line of another file", file(at("<module>:1", "line"), "main.py"), "inv_step_into",
			file(at("<module>:1 <module>:1", "line"), "main.py", "lib/stats.py"), "leads_elsewhere: in lib/__init__.py instead of lib/stats.py",
		},
		{
			"a module that ends", file(at("<module>:1 <module>:2", "return None", "LIMIT", "20", "UNIT", "21"), "main.py", "lib/__init__.py"), "inv_step_into",
			file(at("<module>:2", "line"), "main.py"), "leads_here",
		},
		{
			"a file that the program lacks", file(at("<module>:1 f:1", "line"), "main.py", "other.py"), "inv_step_into",
			file(at("<module>:2", "line"), "main.py"), "cannot_run: the program has no file other.py",
		},
	} {
		action, err := dsl.ParseAction(c.action)
		if err != nil {
			t.Fatal(err)
		}
		got, err := computed.NewVerifier(python.Version{Major: 3, Minor: 12}).Verify(t.Context(), backend.Claim{
			Program: tested, Past: c.past, Action: action, Now: c.now,
		})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Verdict.String()
		if more := got.Difference + got.Why; more != "" {
			text += ": " + more
		}
		if text != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, text, c.want)
		}
	}
}

// TestPredictorBeginsInAnotherFile checks the states computed for a history that begins in an imported
// module.
func TestPredictorBeginsInAnotherFile(t *testing.T) {
	node, err := dsl.ND1.Begin(tested)
	if err != nil {
		t.Fatal(err)
	}
	first := inScale(at(belowScale+"4", "line", "values", "[1, 2]", "top", "10"))
	node = add(t, node, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}})
	p := computed.New(&rest{}, python.Version{Major: 3, Minor: 12}, 0)
	defer p.Close()
	_, seen := walk(t, p, node, dsl.StepInto, dsl.StepReturn)
	expect(t, seen, "computed line     if top > LIMIT: values=[1, 2] top=10 most=2",
		"computed return     return [v * top / most for v in values] values=[1, 2] top=10 most=2 [5.0, 10.0]")

	start, err := dsl.ND1.Begin(tested)
	if err != nil {
		t.Fatal(err)
	}
	start = add(t, start, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: file(at("<module>:1", "line"), "main.py")}})
	_, seen = walk(t, p, start, dsl.StepInto, dsl.StepInto, dsl.StepReturn, dsl.StepOver, dsl.StepReturn)
	expect(t, seen, "computed line from .stats import LIMIT", "computed line LIMIT = 20",
		"computed return def extra(): LIMIT=20 calls=[] EXTRA=1 None", "computed line UNIT = LIMIT + 1 LIMIT=20",
		"computed return UNIT = LIMIT + 1 LIMIT=20 UNIT=21 None")
}
