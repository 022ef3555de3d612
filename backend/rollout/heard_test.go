package rollout_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// begins returns the trail of a program at its first line.
func begins(t *testing.T, lines []string) *rollout.Trail {
	t.Helper()
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: lines}}})
	if err == nil {
		first := &dsl.Stop{State: dsl.State{Event: dsl.Line, File: "a.py", Line: 1, Source: lines[0], Function: "<module>"}, Stack: []dsl.Frame{{Function: "<module>", File: "a.py", Line: 1}}}
		at, err = at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}})
	}
	if err != nil {
		t.Fatal(err)
	}
	trail, err := rollout.Begin(at)
	if err != nil {
		t.Fatal(err)
	}
	return trail
}

// walked runs an action. texts are the model's replies, one for each request. It returns the parts of
// the final reply with the text of their spans, and the trail up to that state.
func walked(t *testing.T, at *rollout.Trail, a dsl.Action, texts ...string) (parts string, landed *rollout.Trail) {
	t.Helper()
	course, err := rollout.Set(at, a)
	if err != nil {
		t.Fatal(err)
	}
	var all string
	var h rollout.Heard
	for {
		ask, reply, landed := course.Look(at)
		if ask.From != nil {
			at = ask.From
		}
		if reply != nil {
			if len(texts) > 0 {
				t.Errorf("nobody asks for %q", texts)
			}
			return partsOf(all, h.Told(at, landed, *reply)), landed
		}
		if len(texts) == 0 {
			t.Fatalf("it goes on after %q", all)
		}
		text := texts[0]
		texts = texts[1:]
		if ask.Forced {
			all += cwm.ForcedReturn
		}
		frames, ended, err := at.Decode(ask.Forced).Feed(text)
		if err != nil || len(frames) == 0 && !ended {
			t.Fatalf("%q: %v", text, err)
		}
		for _, f := range frames {
			if at, err = at.Follow(f, ask.Forced); err != nil {
				t.Fatal(err)
			}
			h.Add(at, f.Told, len(all))
		}
		all += text
		if ended {
			at = at.Exit()
			h.End(dsl.Span{From: len(all) - len(cwm.StopOfTrace), To: len(all)})
		}
	}
}

// partsOf formats the text of each part's spans.
func partsOf(text string, told dsl.Told) string {
	var out []string
	part := func(name string, spans []dsl.Span) {
		if len(spans) == 0 {
			return
		}
		var texts []string
		for _, s := range spans {
			texts = append(texts, strings.TrimSpace(text[s.From:s.To]))
		}
		out = append(out, fmt.Sprintf("%s: %s", name, strings.Join(texts, " & ")))
	}
	part("event", told.Event)
	part("line", told.Line)
	for _, name := range slices.Sorted(maps.Keys(told.Locals)) {
		part(name, told.Locals[name])
	}
	part("value", told.Value)
	return strings.Join(out, "\n")
}

// wrote returns a frame as a model writes it.
func wrote(event, locals, line string) string {
	return "<|" + event + "_sep|>" + locals + "<|action_sep|>" + line + "\n<|frame_sep|>"
}

func left(line, value string) string {
	return "<|action_sep|>" + line + "\n<|arg_sep|>" + value + "<|frame_sep|>"
}

// TestHeard checks that a part of a state has spans in all frames that led to it.
func TestHeard(t *testing.T) {
	lines := []string{
		"def f(x):", "    y = x + 1", "    return y", // 1-3
		"def g(x):", "    raise E(x)", // 4, 5
		"a = 1", "a = f(a)", // 6, 7
		"try:", "    g(a)", "except E as e:", "    b = e", "c = a", "d = 1", "c = a", // 8-14
	}
	over, into, back, on := dsl.Action{Move: dsl.StepOver}, dsl.Action{Move: dsl.StepInto}, dsl.Action{Move: dsl.StepReturn}, dsl.Action{Move: dsl.Continue}
	until := func(line int) dsl.Action {
		return dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: line}}}
	}
	const lineSep, callSep, returnSep, exceptionSep = "<|line_sep|>", "<|call_sep|>", "<|return_sep|>", "<|exception_sep|>"
	call := wrote("call", `{"x": "1"}`, lines[0])
	inside := wrote("line", `{"x": ".."}`, lines[1]) + wrote("line", `{"x": "..", "y": "2"}`, lines[2])
	after := wrote("line", `{"a": "2"}`, lines[7])
	raises := wrote("call", `{"x": "2"}`, lines[3]) + wrote("line", `{"x": ".."}`, lines[4]) + exceptionSep + left(lines[4], `"E(2)"`)
	type move struct {
		action dsl.Action
		texts  []string
		want   string
	}
	toCall := []move{
		{until(7), []string{wrote("line", "{}", lines[3]) + wrote("line", "{}", lines[5]) + wrote("line", `{"a": "1"}`, lines[6])}, "event: <|line_sep|> & <|line_sep|> & <|line_sep|>\nline: def g(x): & a = 1 & a = f(a)\n" + `a: "a": "1"`},
	}
	for _, c := range []struct {
		name  string
		moves []move
	}{
		{"one frame", []move{{into, []string{wrote("line", "{}", lines[3])}, "event: " + lineSep + "\nline: def g(x):"}}},
		{"over a call: what it returned decides what is told anew", append(toCall[:1:1], move{
			over,
			[]string{call, left(lines[2], `"2"`), wrote("line", `{"a": "2"}`, lines[7])},
			"event: " + callSep + " & " + lineSep + "\nline: def f(x): & return y & try:\n" + `a: "2" & "a": "2"`,
		})},
		{"over a call: what is as before is not decided by it", append(toCall[:1:1], move{
			over,
			[]string{call, left(lines[2], `"2"`), wrote("line", `{"a": ".."}`, lines[7])},
			"event: " + callSep + " & " + lineSep + "\nline: def f(x): & return y & try:\n" + `a: "a": ".."`,
		})},
		{"a call's own return is forced", append(
			toCall[:1:1],
			move{into, []string{call}, "event: " + callSep + "\nline: def f(x):\n" + `x: "x": "1"`},
			move{back, []string{left(lines[2], `"2"`)}, "line: return y\n" + `value: "2"`},
		)},
		{"state by state, a local of another activation apart", append(toCall[:1:1], move{
			until(8),
			[]string{call + inside + returnSep + left(lines[2], `"2"`) + after},
			"event: " + strings.Join([]string{callSep, lineSep, lineSep, returnSep, lineSep}, " & ") + "\nline: def f(x): & y = x + 1 & return y & return y & try:\n" + `a: "2" & "a": "2"`,
		})},
		{"an argument may be what a call returned", append(toCall[:1:1], move{
			until(5),
			[]string{call + returnSep + left(lines[2], `"2"`) + strings.TrimSuffix(raises, exceptionSep+left(lines[4], `"E(2)"`))},
			"event: " + strings.Join([]string{callSep, returnSep, callSep, lineSep}, " & ") + "\nline: def f(x): & return y & def g(x): & raise E(x)\n" + `x: "2" & "x": "2" & "x": ".."`,
		})},
		{"what was returned counts once", append(toCall[:1:1], move{
			until(13),
			[]string{call + returnSep + left(lines[2], `"2"`) + after + wrote("line", `{"a": "..", "c": "2"}`, lines[12])},
			"event: " + strings.Join([]string{callSep, returnSep, lineSep, lineSep}, " & ") + "\nline: def f(x): & return y & try: & d = 1\n" + `a: "2" & "a": "2" & "a": ".."` + "\n" + `c: "c": "2"`,
		})},
		{"to a line of the call", append(toCall[:1:1], move{
			until(3),
			[]string{call + inside},
			"event: " + strings.Join([]string{callSep, lineSep, lineSep}, " & ") + "\nline: def f(x): & y = x + 1 & return y\n" + `x: "x": "1" & "x": ".." & "x": ".."` + "\n" + `y: "y": "2"`,
		})},
		{"what a caught exception says decides what is told anew", append(
			toCall[:1:1],
			move{until(9), []string{call + inside + returnSep + left(lines[2], `"2"`) + after + wrote("line", `{"a": ".."}`, lines[8])}, "event: " + strings.Join([]string{callSep, lineSep, lineSep, returnSep, lineSep, lineSep}, " & ") + "\nline: def f(x): & y = x + 1 & return y & return y & try: & g(a)\n" + `a: "2" & "a": "2" & "a": ".."`},
			move{
				until(11),
				[]string{raises + returnSep + left(lines[4], `"None"`) + exceptionSep + left(lines[8], `"E(2)"`) + wrote("line", `{"a": ".."}`, lines[9]) + wrote("line", `{"a": "..", "e": "E(2)"}`, lines[10])},
				"event: " + strings.Join([]string{callSep, lineSep, exceptionSep, returnSep, exceptionSep, lineSep, lineSep}, " & ") +
					"\nline: def g(x): & raise E(x) & raise E(x) & raise E(x) & g(a) & except E as e: & b = e\n" + `a: "a": ".." & "a": ".."` + "\n" + `e: "E(2)" & "None" & "E(2)" & "e": "E(2)"`,
			},
		)},
		{"the exception of a call is that of its caller", append(toCall[:1:1], move{
			until(9), []string{wrote("line", `{"a": ".."}`, lines[8])}, "event: " + lineSep + "\nline: g(a)\n" + `a: "a": ".."`,
		}, move{
			over,
			[]string{raises[:strings.Index(raises, "<|line_sep|>")], left(lines[4], `"None"`), exceptionSep + left(lines[8], `"E(2)"`)},
			"event: " + callSep + " & " + exceptionSep + "\nline: def g(x): & raise E(x) & g(a)\n" + `value: "None" & "E(2)"`,
		})},
		{"a line of which a doubt is left", []move{
			{until(12), []string{wrote("line", `{"a": "1"}`, lines[11])}, "event: " + lineSep + "\n" + `a: "a": "1"`},
		}},
		{"the end", append(toCall[:1:1], move{
			on,
			[]string{returnSep + left(lines[6], `"None"`)},
			"event: " + returnSep,
		})},
		{"an end within a function", append(toCall[:1:1], move{
			on,
			[]string{call + cwm.StopOfTrace},
			"event: " + callSep + " & " + cwm.StopOfTrace,
		})},
		{"an exit says its status", append(toCall[:1:1], move{
			on,
			[]string{exceptionSep + left(lines[6], `"SystemExit(3)"`) + returnSep + left(lines[6], `"None"`)},
			"event: " + exceptionSep + " & " + returnSep + "\n" + `value: "SystemExit(3)"`,
		})},
		{"the program dies of an exception", append(toCall[:1:1], move{
			on,
			[]string{exceptionSep + left(lines[6], `"E()"`) + returnSep + left(lines[6], `"None"`)},
			"event: " + exceptionSep + " & " + returnSep + "\nline: a = f(a) & a = f(a)\n" + `value: "E()"`,
		})},
		{"it dies of one that was shown before", append(
			toCall[:1:1],
			move{into, []string{exceptionSep + left(lines[6], `"E()"`)}, "event: " + exceptionSep + "\nline: a = f(a)\n" + `value: "E()"`},
			move{on, []string{returnSep + left(lines[6], `"None"`)}, "event: " + returnSep + "\nline: a = f(a)"},
		)},
		{"an activation that an exception leaves has no value", append(
			toCall[:1:1],
			move{until(9), []string{wrote("line", `{"a": ".."}`, lines[8])}, "event: " + lineSep + "\nline: g(a)\n" + `a: "a": ".."`},
			move{until(5), []string{raises[:strings.Index(raises, exceptionSep)]}, "event: " + callSep + " & " + lineSep + "\nline: def g(x): & raise E(x)\n" + `x: "x": "2" & "x": ".."`},
			move{into, []string{exceptionSep + left(lines[4], `"E(2)"`)}, "event: " + exceptionSep + "\nline: raise E(x)\n" + `value: "E(2)"`},
			move{into, []string{returnSep + left(lines[4], `"None"`)}, "event: " + returnSep + "\nline: raise E(x)"},
		)},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := begins(t, lines)
			for _, m := range c.moves {
				var got string
				if got, at = walked(t, at, m.action, m.texts...); got != m.want {
					t.Errorf("%s has\n%s\nwant\n%s", m.action, got, m.want)
				}
			}
		})
	}
}

// TestHeardAgain checks a call that was skipped, although the program ends with an exception inside of
// it. The model is asked for the call again, and the spans do not include the first reply about its
// return.
func TestHeardAgain(t *testing.T) {
	lines := []string{"def g(x):", "    return h(x)", "g(1)"}
	call := wrote("call", `{"x": "1"}`, lines[0])
	const exceptionSep, returnSep = "<|exception_sep|>", "<|return_sep|>"
	at := begins(t, lines)
	_, at = walked(t, at, dsl.Action{Move: dsl.StepOver}, wrote("line", "{}", lines[2]))
	got, _ := walked(t, at, dsl.Action{Move: dsl.StepOver},
		call, left(lines[1], `"None"`), exceptionSep+left(lines[2], `"E(1)"`))
	if want := "event: <|call_sep|> & <|exception_sep|>\nline: def g(x): & return h(x) & g(1)\n" + `value: "None" & "E(1)"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	dies := exceptionSep + left(lines[2], `"E(1)"`) + returnSep + left(lines[2], `"None"`)
	_, at = walked(t, begins(t, lines), dsl.Action{Move: dsl.StepOver}, wrote("line", "{}", lines[2]))
	_, shown := walked(t, at, dsl.Action{Move: dsl.StepOver}, call, left(lines[1], `"None"`), exceptionSep+left(lines[2], `"E(1)"`))
	got, _ = walked(t, shown, dsl.Action{Move: dsl.Continue}, returnSep+left(lines[2], `"None"`),
		wrote("line", `{"x": ".."}`, lines[1])+exceptionSep+left(lines[1], `"E(1)"`)+returnSep+left(lines[1], `"None"`)+dies)
	want := "event: <|line_sep|> & <|exception_sep|> & <|return_sep|> & <|exception_sep|> & <|return_sep|>\n" +
		"line: return h(x) & return h(x) & return h(x) & g(1) & g(1)\n" + `value: "E(1)"`
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestHeardOfALongWay checks that each of many returned values counts once, so that the number of spans
// grows only linearly.
func TestHeardOfALongWay(t *testing.T) {
	const calls = 200
	lines := []string{"def f(x):", "    return 1", "while True:", "    f(2)", "a = 3"}
	at := begins(t, lines)
	var text strings.Builder
	for range calls {
		text.WriteString(wrote("line", "{}", lines[3]) + wrote("call", `{"x": "2"}`, lines[0]) + wrote("line", `{"x": ".."}`, lines[1]) + "<|return_sep|>" + left(lines[1], `"1"`) + wrote("line", "{}", lines[2]))
	}
	text.WriteString(wrote("line", `{"b": "4"}`, lines[4]))
	_, at = walked(t, at, dsl.Action{Move: dsl.StepInto}, wrote("line", "{}", lines[2]))
	got, _ := walked(t, at, dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 5}}}, text.String())
	for part, want := range map[string]int{"event": 5*calls + 1, "line": 5*calls + 1, "b": calls + 1} {
		_, spans, _ := strings.Cut(got, part+": ")
		spans, _, _ = strings.Cut(spans, "\n")
		if n := strings.Count(spans, " & ") + 1; n != want {
			t.Errorf("%s stands in %d places, want %d", part, n, want)
		}
	}
}
