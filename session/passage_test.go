package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestPassageNamesItsAction checks that action is the move that was made, and that a
// breakpoint's hits are its crossings, whether or not its condition is true.
func TestPassageNamesItsAction(t *testing.T) {
	for name, first := range map[string]string{"live": "s 2", "recorded": "c;;rewind;;s 2"} {
		t.Run(name, func(t *testing.T) {
			s := open(t, newFake(t))
			s.First(context.Background())
			run(s, first, "b 3, x == 2", "b 2, x == 7", "b 7")
			for _, step := range []struct {
				line, action string
				at, hits     int
			}{
				{"n", "step_over", 7, 1},
				{"n 2", "step_over", 13, 2},
				{"n 2", "breakpoint 2,3,7", 17, 3},
				{"r", "step_return", 18, 3},
				{"n", "step_over", 19, 3},
				{"rn", "inv_breakpoint 2,3,7", 17, 3},
			} {
				a := do(s, step.line)
				if a.Action == nil || *a.Action != step.action || s.Position().Event != step.at {
					t.Errorf("%s: %v to event %d, want %s to %d", step.line, *a.Action, s.Position().Event, step.action, step.at)
				}
				if b := s.Breakpoints()[0]; b.Hits != step.hits {
					t.Errorf("after %s breakpoint 1 was hit %d times, want %d", step.line, b.Hits, step.hits)
				}
			}
			if b := s.Breakpoints()[2]; b.Hits != 0 {
				t.Errorf("breakpoint 3 was hit %d times before it was passed", b.Hits)
			}
		})
	}
}

// TestPassageStopsAtProgramBreak checks that n also stops in the recording where the
// program called the debugger.
func TestPassageStopsAtProgramBreak(t *testing.T) {
	f := newFake(t)
	f.pauseAt = 11
	s := open(t, f)
	s.First(context.Background())
	run(s, "b 3, x == 7", "c", "goto 8", "condition 1")
	do(s, "n")
	if at := s.Position().Event; at != 11 {
		t.Errorf("n stands at event %d, the program stopped at 11", at)
	}
	if b := s.Breakpoints()[0]; b.Hits != 2 {
		t.Errorf("the breakpoint there was hit %d times", b.Hits)
	}
	run(s, "disable 1", "goto 8")
	if do(s, "n"); s.Position().Event != 11 {
		t.Errorf("without a breakpoint n stands at event %d", s.Position().Event)
	}
	run(s, "s 2")
	if do(s, "rn"); s.Position().Event != 11 {
		t.Errorf("rn stands at event %d", s.Position().Event)
	}
}

// TestPassageAsks checks that in neural mode a breakpoint is requested only if one can be
// hit in what is passed over, and before the move itself, so that a hit needs no further
// request.
func TestPassageAsks(t *testing.T) {
	for name, test := range map[string]struct {
		lines   string // before the last one
		replies []string
		last    string
		asked   []string
		line    int // where it ends; 0 at the end
	}{
		"hit":                     {"b 2;;n", []string{atCall, jumpToY}, "n", []string{"breakpoint 2"}, 2},
		"not hit":                 {"b 2;;s", []string{atCall, itEnds, atB}, "n", []string{"breakpoint 2", "step_over"}, 6},
		"no breakpoint":           {"n", []string{atCall, atB}, "n", []string{"step_over"}, 6},
		"disabled":                {"b 2;;disable 1;;n", []string{atCall, atB}, "n", []string{"step_over"}, 6},
		"of the frame":            {"b 6;;n", []string{atCall, atB}, "n", []string{"step_over"}, 6},
		"a line that runs none":   {"b 2", []string{atCall}, "n", []string{"step_over"}, 5},
		"operators, none defined": {"b 2;;disable 1;;s;;n;;enable 1", []string{atCall, atB, itEnds}, "n", []string{"step_over"}, 0},
		"onto a call":             {"b 3;;s 2", []string{atCall, inF, atY}, "n", []string{"step_over"}, 2},
		"condition does not hold": {"b 2, x == 7;;s", []string{atCall, jumpToY, itEnds, atB}, "n", []string{"breakpoint 2", "breakpoint 2", "step_over"}, 6},
		"return, further down":    {"b 3;;s 3", []string{atCall, inF, atY, `<|line_sep|><|stack_sep|>[["<module>", 5], ["f", 3]]{"x": "2", "y": "3"}<|action_sep|>3|    return y` + "\n<|frame_sep|>"}, "r", []string{"breakpoint 3"}, 3},
		"return, further up":      {"b 2;;disable 1;;s 3;;enable 1", []string{atCall, inF, atY, returnsY}, "r", []string{"step_return"}, 3},
		"back, not hit":           {"b 2;;disable 1;;s;;n;;enable 1", []string{atCall, atB, `<|start_sep|><|frame_sep|>`}, "rn", []string{"inv_breakpoint 2"}, 5},
		"back, hit":               {"b 2;;disable 1;;s;;n;;enable 1", []string{atCall, atB, jumpToY}, "rn", []string{"inv_breakpoint 2"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{replies: test.replies}
			s := neural(t, m, trace.Options{})
			s.First(context.Background())
			run(s, test.lines)
			before := len(m.asked)
			a := do(s, test.last)
			var asked []string
			for _, q := range m.asked[before:] {
				asked = append(asked, q.Action.String())
			}
			if got, want := strings.Join(asked, ", "), strings.Join(test.asked, ", "); got != want {
				t.Errorf("asked %s, want %s", got, want)
			}
			if a.Err != nil {
				t.Fatal(a.Err)
			}
			action := test.asked[len(test.asked)-1]
			if name == "back, not hit" { // back to the state just shown, without a request
				action = "inv_step_over"
			}
			if line := shownLine(a); line != test.line || *a.Action != action {
				t.Errorf("%s leads to line %d by %s, want line %d by %s", test.last, line, *a.Action, test.line, action)
			}
		})
	}
}

func shownLine(a *session.Answer) int {
	if a.State == nil {
		return 0
	}
	return a.State.Line
}

// TestPassageInALoop checks that a breakpoint is requested if its line may repeat, so that
// a hit in another iteration is not confused with one in this.
func TestPassageInALoop(t *testing.T) {
	source := "def f(x):\n    return x\n\nfor i in range(3):\n    f(i)\n"
	at := func(line int, text string) string {
		return `<|line_sep|>{"i": "0"}<|action_sep|>` + string(rune('0'+line)) + "|" + text + "\n<|frame_sep|>"
	}
	m := &scripted{replies: []string{
		at(4, "for i in range(3):"), at(5, "    f(i)"),
		`<|line_sep|><|stack_sep|>[["<module>", 5]]{"i": "1"}<|action_sep|>5|    f(i)` + "\n<|frame_sep|>",
		at(4, "for i in range(3):"),
	}}
	s := neural(t, m, trace.Options{Script: scriptOf(t, source)})
	s.First(context.Background())
	run(s, "s 2", "b 2, x == 1")
	if a := do(s, "n"); a.Err != nil || a.State.Line != 4 || *a.Action != "step_over" {
		t.Errorf("n: %+v", a)
	}
	if got := m.asked[2].Action.String(); got != "breakpoint 2,5" {
		t.Errorf("n asks %s first", got)
	}
}
