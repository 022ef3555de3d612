package session_test

import (
	"testing"

	"github.com/npdb/npdb/session"
)

// TestBothOnwardEnds checks that the moves towards a divergence end for any other reason
// to stop, and that their number is reported.
func TestBothOnwardEnds(t *testing.T) {
	const (
		returns = `<|return_sep|>{"i": "2"}<|action_sep|>7|print(i)` + "\n<|arg_sep|>\"None\"<|frame_sep|>"
		first   = `<|line_sep|><|stack_sep|>[["<module>", 5]]{}<|action_sep|>5|for i in range(3):` + "\n<|frame_sep|>"
		again   = `<|line_sep|><|stack_sep|>[["<module>", 5]]{"i": "0"}<|action_sep|>5|for i in range(3):` + "\n<|frame_sep|>"
	)
	for _, c := range []struct {
		name    string
		replies []string
		before  []string
		want    string
		event   int
	}{
		{"the end", []string{returns, itEnds}, []string{"goto 20"}, "No divergence up to the end, after 2 moves by next.", -1},
		{"continue", []string{first, itEnds}, []string{"tbreak 5", "c"}, "No divergence up to the end, after 1 move by continue.", -1},
		{"a breakpoint with commands", []string{first, again}, []string{"b 5", "commands 1", "p i", "end", "c"}, "No divergence after 1 move by continue; <divergence onward> goes on.\n0", 7},
		{"no prediction", []string{"rubbish"}, []string{"goto 20"}, "The model gave no prediction after 1 move by next.", 21},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := bothModes(t, &scripted{replies: c.replies})
			s.SetKey(bracketed)
			s.First(t.Context())
			run(s, c.before...)
			a := do(s, "divergence onward")
			if said, _ := a.Text(session.Said); a.Err != nil || said != c.want || s.Position().End != (c.event < 0) || c.event >= 0 && s.Position().Event != c.event {
				t.Errorf("at %+v: %q, %v", s.Position(), said, a.Err)
			}
		})
	}
}

// TestBothOnwardInterrupted checks that an interrupt or a failure ends these moves.
func TestBothOnwardInterrupted(t *testing.T) {
	s, f := bothModes(t, &scripted{replies: []string{saysLoop, saysCall}})
	s.First(t.Context())
	moves := 0
	f.before = func() {
		if moves++; moves == 2 {
			s.Stop()
		}
	}
	a := do(s, "divergence onward")
	if said, _ := a.Text(session.Said); said != "No divergence after 2 moves by next." || s.Position().Event != 2 {
		t.Errorf("at %+v: %q, %v", s.Position(), said, a.Err)
	}
	a = do(s, "divergence next")
	if a.Err == nil || a.Err.Message != "No later stop of the history shows a divergence" {
		t.Errorf("%+v", a.Err)
	}
	if a = do(s, "divergence previous"); a.Err == nil || a.Err.Message != "No earlier stop of the history shows a divergence" {
		t.Errorf("%+v", a.Err)
	}
}
