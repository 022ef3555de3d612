package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// landed returns a state in f, called by the module, with two locals.
func landed(change func(*dsl.Stop)) dsl.Reply {
	s := &dsl.Stop{
		State: dsl.State{
			Event: dsl.Line, File: "prog.py", Line: 14, Function: "f", Depth: 1,
			Locals: []dsl.Local{{Name: "n", Value: "3"}, {Name: "f", Value: "<function f>", Hidden: true}, {Name: "total", Value: "42"}},
		},
		Stack: []dsl.Frame{{Function: "<module>", File: "prog.py", Line: 20}, {Function: "f", File: "prog.py", Line: 14}},
	}
	if change != nil {
		change(s)
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: s}
}

func ended(code int, exception string) dsl.Reply {
	e := &dsl.Exit{Code: code}
	if exception != "" {
		e.Exception = &exception
	}
	return dsl.Reply{Outcome: dsl.Ended, Exit: e}
}

func returned(kind dsl.ReturnKind, value string) func(*dsl.Stop) {
	return func(s *dsl.Stop) {
		s.Event, s.Kind = dsl.Return, kind
		if kind != dsl.Unwound {
			s.Value = &value
		}
	}
}

// lines writes verdicts one a line, without those that are same.
func lines(v Verdicts) string {
	var b strings.Builder
	for _, v := range v {
		if v.Kind == Same && v.Rule == "" {
			continue
		}
		fmt.Fprintf(&b, "%s %s: %s | %s", strings.TrimSpace(v.Field.String()+" "+v.Name), v.Kind, v.Predicted, v.Real)
		if v.Rule != "" {
			fmt.Fprintf(&b, " (%s)", v.Rule)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestCompare(t *testing.T) {
	raised := func(value string) func(*dsl.Stop) {
		return func(s *dsl.Stop) { s.Event, s.Value = dsl.Exception, &value }
	}
	locals := func(pairs ...string) func(*dsl.Stop) {
		return func(s *dsl.Stop) {
			s.Locals = nil
			for i := 0; i < len(pairs); i += 2 {
				s.Locals = append(s.Locals, dsl.Local{Name: pairs[i], Value: pairs[i+1]})
			}
		}
	}
	for _, c := range []struct {
		name            string
		predicted, real dsl.Reply
		want            string
		summary         string
	}{
		{"the same", landed(nil), landed(nil), "", ""},
		{
			"a local", landed(locals("n", "3", "total", "41")), landed(nil),
			"local total differs: 41 | 42", "line 14, total = 41, actually 42",
		},
		{
			"a missing and an extra local", landed(locals("n", "3", "tmp", "1")), landed(nil),
			"local tmp extra: 1 | \nlocal total missing:  | 42", "line 14, `tmp` does not exist: 1",
		},
		{
			"an extra local first", landed(locals("tmp", "1", "n", "3")), landed(nil),
			"local tmp extra: 1 | \nlocal total missing:  | 42", "line 14, `tmp` does not exist: 1",
		},
		{"locals in another order", landed(locals("total", "42", "n", "3")), landed(nil), "", ""},
		{
			"a line", landed(func(s *dsl.Stop) { s.Line, s.Stack[1].Line = 16, 16 }), landed(nil),
			"line differs: 16 | 14", "line 16, actually 14",
		},
		{
			"a file", landed(func(s *dsl.Stop) { s.File, s.Stack[1].File = "lib.py", "lib.py" }), landed(nil),
			"line differs: lib.py:14 | prog.py:14", "line lib.py:14, actually prog.py:14",
		},
		{
			"an event", landed(returned(dsl.Returned, "42")), landed(nil),
			"event differs: return | line\nvalue extra: 42 | ", "line 14, event return, actually line",
		},
		{
			"the kind of a return", landed(returned(dsl.Yielded, "42")), landed(returned(dsl.Returned, "42")),
			"event differs: yield | return", "line 14, event yield, actually return",
		},
		{
			"an unwind", landed(returned(dsl.Returned, "None")), landed(returned(dsl.Unwound, "")),
			"event differs: return | unwind\nvalue extra: None | ", "line 14, event return, actually unwind",
		},
		{"two unwinds", landed(returned(dsl.Unwound, "")), landed(returned(dsl.Unwound, "")), "", ""},
		{
			"a value", landed(returned(dsl.Returned, "{1, 2}")), landed(returned(dsl.Returned, "{2, 1}")),
			"value same: {1, 2} | {2, 1} (set-order)", "",
		},
		{
			"an exception", landed(raised("KeyError('a')")), landed(raised("KeyError('b')")),
			"value differs: KeyError('a') | KeyError('b')", "line 14, value KeyError('a'), actually KeyError('b')",
		},
		{
			"a function", landed(func(s *dsl.Stop) { s.Function, s.Stack[1].Function = "g", "g" }), landed(nil),
			"function differs: g | f", "line 14, function g, actually f",
		},
		{
			"a caller", landed(func(s *dsl.Stop) { s.Stack[0].Function = "main" }), landed(nil),
			"stack differs: main:20 > f:14 | <module>:20 > f:14", "line 14, stack main:20 > f:14, actually <module>:20 > f:14",
		},
		{
			"a caller's line", landed(func(s *dsl.Stop) { s.Stack[0].Line = 21 }), landed(nil),
			"stack differs: <module>:21 > f:14 | <module>:20 > f:14", "line 14, stack <module>:21 > f:14, actually <module>:20 > f:14",
		},
		{
			"a caller's file", landed(func(s *dsl.Stop) { s.Stack[0].File = "lib.py" }), landed(nil),
			"stack differs: <module> lib.py:20 > f:14 | <module>:20 > f:14", "line 14, stack <module> lib.py:20 > f:14, actually <module>:20 > f:14",
		},
		{
			"the depth alone", landed(func(s *dsl.Stop) { s.Stack = nil }), landed(func(s *dsl.Stop) { s.Stack, s.Depth = nil, 2 }),
			"stack differs:  | ", "line 14, stack , actually ",
		},
		{"stacks that are not known", landed(func(s *dsl.Stop) { s.Stack = nil }), landed(func(s *dsl.Stop) { s.Stack = nil }), "", ""},
		{"a real line that is not known", landed(nil), landed(func(s *dsl.Stop) { s.Stack[0].Line = 0 }), "", ""},
		{
			"a missing local alone", landed(locals("total", "42")), landed(nil),
			"local n missing:  | 3", "line 14, `n` is missing: 3",
		},
		{
			"extra locals between", landed(locals("n", "3", "a", "1", "b", "2", "total", "42", "c", "3")), landed(nil),
			"local a extra: 1 | \nlocal b extra: 2 | \nlocal c extra: 3 | ", "line 14, `a` does not exist: 1",
		},
		{"a local that is hidden", landed(func(s *dsl.Stop) { s.Locals = append(s.Locals, dsl.Local{Name: "m", Value: "1", Hidden: true}) }), landed(nil), "", ""},
		{
			"no value", landed(func(s *dsl.Stop) { s.Event = dsl.Exception }), landed(raised("KeyError('b')")),
			"value missing:  | KeyError('b')", "line 14, value is missing: KeyError('b')",
		},
		{
			"no reply",
			dsl.Reply{},
			landed(nil),
			"outcome missing:  | state", "no answer, actually a state",
		},
		{
			"no reply to compare with", landed(nil),
			dsl.Reply{},
			"outcome incomparable: state | ", "",
		},
		{"no states", dsl.Reply{Outcome: dsl.Landed}, landed(nil), "", ""},
		{"no exits", ended(0, ""), dsl.Reply{Outcome: dsl.Ended}, "", ""},
		{"a caller's line that is not known", landed(func(s *dsl.Stop) { s.Stack[0].Line = 0 }), landed(nil), "", ""},
		{
			"the depth", landed(func(s *dsl.Stop) { s.Depth, s.Stack = 0, s.Stack[1:] }), landed(nil),
			"stack differs: f:14 | <module>:20 > f:14", "line 14, stack f:14, actually <module>:20 > f:14",
		},
		{
			"an end", ended(0, ""), landed(nil),
			"outcome differs: end | state", "the end of the program, actually a state",
		},
		{
			"a start", landed(nil),
			dsl.Reply{Outcome: dsl.AtStart},
			"outcome differs: state | start", "a state, actually the start of the program",
		},
		{"two starts", dsl.Reply{Outcome: dsl.AtStart}, dsl.Reply{Outcome: dsl.AtStart}, "", ""},
		{
			"no answer",
			dsl.Reply{Outcome: dsl.Unknown},
			landed(nil),
			"outcome missing: unknown | state", "no answer, actually a state",
		},
		{
			"nothing to compare with", landed(nil),
			dsl.Reply{Outcome: dsl.Unknown},
			"outcome incomparable: state | unknown", "",
		},
		{"two ends", ended(1, "ValueError('x')"), ended(1, "ValueError('x')"), "", ""},
		{
			"an exit", ended(0, ""), ended(1, "ValueError('x')"),
			"exit-code differs: 0 | 1\nexit-exception missing:  | ValueError('x')", "exit code 0, actually 1",
		},
		{
			"an uncaught exception", ended(1, "ValueError('y')"), ended(1, "ValueError('x')"),
			"exit-exception differs: ValueError('y') | ValueError('x')", "uncaught exception ValueError('y'), actually ValueError('x')",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := Compare(c.predicted, c.real, All())
			if got := lines(v); got != c.want {
				t.Errorf("verdicts\n%s\nwant\n%s", got, c.want)
			}
			if got := v.Summary(); got != c.summary {
				t.Errorf("summary %q, want %q", got, c.summary)
			}
			wrong := 0
			for _, v := range v {
				if v.Kind.Wrong() {
					wrong++
				}
			}
			if _, ok := v.First(); v.Count() != wrong || ok != (wrong > 0) {
				t.Errorf("count %d, first %v; %d are wrong", v.Count(), ok, wrong)
			}
			incomparable := strings.Contains(c.want, "incomparable")
			if v.Same() != (wrong == 0 && !incomparable) {
				t.Errorf("same: %v", v.Same())
			}
		})
	}
}

// TestOrder checks that verdicts are in the order of fields, and that each field of the
// state has one, even if it is the same.
func TestOrder(t *testing.T) {
	var got []string
	for _, v := range Compare(landed(returned(dsl.Returned, "1")), landed(returned(dsl.Returned, "1")), All()) {
		got = append(got, strings.TrimSpace(v.Field.String()+" "+v.Name))
	}
	want := []string{"outcome", "event", "line", "function", "stack", "local n", "local total", "value"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if (Verdicts{}).Same() {
		t.Error("no verdicts are the same as the real state")
	}
	v := Compare(landed(func(s *dsl.Stop) { s.Line++ }), landed(nil), All())
	if n, ok := v.Local("n"); !ok || n.Field != Local || n.Name != "n" || n.Real != "3" {
		t.Errorf("the local n: %+v, %v", n, ok)
	}
	if line, ok := v.Of(Line); !ok || line.Kind != Differs || line.Real != "14" {
		t.Errorf("the line: %+v, %v", line, ok)
	}
	if none, ok := v.Local("line"); ok {
		t.Errorf("a local that there is not: %+v", none)
	}
	if none, ok := v.Of(Value); ok {
		t.Errorf("a value that there is not: %+v", none)
	}
}

func TestSentence(t *testing.T) {
	const alphabet = "abcdefghijklmnopqrstuvwxyz"
	long := strings.Repeat("0, ", 100)
	for _, c := range []struct {
		v    Verdict
		want string
	}{
		{compareValue("{1, 2}", "{2, 1}", All()), "`x` is the same by set-order"},
		{compareValue("1", "1", All()), "`x` is the same"},
		{compareValue("[1, … +2 items not stored]", "[1, … +2 items not stored]", All()), "`x` cannot be compared: " + reasonCut},
		{compareValue("["+long+"1, 5]", "["+long+"2, 5]", All()), "x = …, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5], actually …, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 5]"},
		{
			compareValue("1", "["+long+"2]", All()),
			"x = 1, actually [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …",
		},
		{Verdict{Kind: Differs, Predicted: "1", Real: "2", Own: "time.time()"}, "x = 1, actually 2 (may be the program's own: it comes from time.time())"},
		{Verdict{Kind: Same, Predicted: "1", Real: "1", Own: "time.time()"}, "`x` is the same"},
		{Verdict{Kind: Missing, Real: "2"}, "`x` is missing: 2"},
		{Verdict{Kind: Extra, Predicted: "2"}, "`x` does not exist: 2"},
		// Forty characters are shown, regardless of their bytes.
		{compareValue(strings.Repeat("é", 40), "1", All()), "x = " + strings.Repeat("é", 40) + ", actually 1"},
		{compareValue(strings.Repeat("é", 41), "1", All()), "x = " + strings.Repeat("é", 40) + "…, actually 1"},
		{compareValue("1", strings.Repeat("é", 41), All()), "x = 1, actually " + strings.Repeat("é", 40) + "…"},
		// What is shown begins ten characters before the difference, and earlier if the difference
		// is near the end of the value.
		{
			compareValue("'abcdefghij1"+alphabet+alphabet+"'", "'abcdefghij2"+alphabet+alphabet+"'", All()),
			"x = …abcdefghij1abcdefghijklmnopqrstuvwxyzabc…, actually …abcdefghij2abcdefghijklmnopqrstuvwxyzabc…",
		},
		{
			compareValue("'"+alphabet+alphabet+"'", "'"+alphabet+strings.ToUpper(alphabet)+"'", All()),
			"x = …nopqrstuvwxyzabcdefghijklmnopqrstuvwxyz', actually …nopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'",
		},
		{
			compareValue("'"+alphabet+alphabet+alphabet+"'", "'"+alphabet+strings.ToUpper(alphabet)+alphabet+"'", All()),
			"x = …qrstuvwxyzabcdefghijklmnopqrstuvwxyzabcd…, actually …qrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZabcd…",
		},
		{
			compareValue("'"+alphabet+alphabet+alphabet+"1'", "'"+alphabet+alphabet+alphabet+"2'", All()),
			"x = …opqrstuvwxyzabcdefghijklmnopqrstuvwxyz1', actually …opqrstuvwxyzabcdefghijklmnopqrstuvwxyz2'",
		},
		{
			compareValue("'1"+alphabet+alphabet+"'", "'2"+alphabet+alphabet+"'", All()),
			"x = '1abcdefghijklmnopqrstuvwxyzabcdefghijkl…, actually '2abcdefghijklmnopqrstuvwxyzabcdefghijkl…",
		},
	} {
		c.v.Field, c.v.Name = Local, "x"
		if got := c.v.String(); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

func TestJSON(t *testing.T) {
	v := Compare(landed(func(s *dsl.Stop) { s.Locals = nil }), landed(nil), All())
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"field":"local","name":"n","kind":"missing","predicted":"","real":"3"}`
	if !strings.Contains(string(text), want) {
		t.Errorf("%s\nlacks\n%s", text, want)
	}
	var back Verdicts
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%v: %+v, want %+v", err, back, v)
	}
	for _, bad := range []string{`[{"field": "locals"}]`, `[{"kind": ""}]`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		Outcome.String(): "outcome", ExitException.String(): "exit-exception", Field(0).String(): "Field(0)", Field(10).String(): "Field(10)",
		Same.String(): "same", Incomparable.String(): "incomparable", Kind(0).String(): "Kind(0)", Kind(6).String(): "Kind(6)",
	} {
		if got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
	if fields, kinds := Fields(), Kinds(); len(fields) != 9 || fields[0] != Outcome || fields[8] != ExitException || len(kinds) != 5 {
		t.Errorf("fields %v, kinds %v", fields, kinds)
	}
}

func TestRules(t *testing.T) {
	if len(RuleList()) != reflect.TypeFor[Rules]().NumField() {
		t.Fatal("a rule is not in the table")
	}
	var r Rules
	for _, info := range RuleList() {
		if r.Has(info.Name) {
			t.Errorf("%s is on already", info.Name)
		}
		if err := r.Set(info.Name, true); err != nil || !r.Has(info.Name) {
			t.Errorf("%s: %v", info.Name, err)
		}
	}
	if r != All() {
		t.Errorf("%+v", r)
	}
	var unknown *UnknownRuleError
	const says = `there is no rule "dict-order" for comparing values; there are addresses, ids, clocks, set-order, float-noise`
	if err := r.Set("dict-order", true); !errors.As(err, &unknown) || err.Error() != says || r.Has("dict-order") {
		t.Errorf("%v", err)
	}
}

func BenchmarkEqual(b *testing.B) {
	var value strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&value, "%q: %d, ", fmt.Sprint("key ", i), i)
	}
	p := landed(func(s *dsl.Stop) { s.Locals[0].Value = "{" + value.String() + "}" })
	r := landed(func(s *dsl.Stop) { s.Locals[0].Value = "{" + value.String() + "}" })
	for b.Loop() {
		if !Compare(p, r, All()).Same() {
			b.Fatal("not the same")
		}
	}
}

func BenchmarkLastDiffers(b *testing.B) {
	var value strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&value, "'key %d': %d.5, ", i, i)
	}
	p, r := "{"+value.String()+"'x': 1}", "{"+value.String()+"'x': 2}"
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		if compareValue(p, r, All()).Kind != Differs {
			b.Fatal("the same")
		}
	}
}
