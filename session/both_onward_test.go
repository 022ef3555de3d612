package session_test

import (
	"testing"

	"github.com/npdb/npdb/session"
)

// The moves towards a divergence end where there is a reason to look, and say how many
// they were.
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
		{"the end", []string{returns, itEnds}, []string{"goto 20"}, "They did not part up to the end: 2 moves of next made.", -1},
		{"continue", []string{first, itEnds}, []string{"tbreak 5", "c"}, "They did not part up to the end: 1 move of continue made.", -1},
		{"a breakpoint with commands", []string{first, again}, []string{"b 5", "commands 1", "p i", "end", "c"}, "They have not parted so far: 1 move of continue made; <divergence onward> goes on.\n0", 7},
		{"no prediction", []string{"rubbish"}, []string{"goto 20"}, "The model gave no prediction: 1 move of next made.", 21},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := bothModes(t, &scripted{replies: c.replies})
			s.SetKey(func(command string) string { return "<" + command + ">" })
			s.First(t.Context())
			run(s, c.before...)
			a := do(s, "divergence onward")
			if said, _ := a.Text(session.Said); a.Err != nil || said != c.want || s.Position().End != (c.event < 0) || c.event >= 0 && s.Position().Event != c.event {
				t.Errorf("at %+v: %q, %v", s.Position(), said, a.Err)
			}
		})
	}
}

// An interrupt ends them, and so does what fails.
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
	if said, _ := a.Text(session.Said); said != "They have not parted so far: 2 moves of next made." || s.Position().Event != 2 {
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

// The reference's landing is shown while the model is still asked; what the session is
// does not change by that.
func TestBothShowsTheReferenceFirst(t *testing.T) {
	var views []*session.View
	s, _ := bothModes(t, &scripted{replies: []string{saysLoop}})
	s.SetLanded(func(v *session.View) { views = append(views, v) })
	s.First(t.Context())
	do(s, "s")
	if len(views) != 1 {
		t.Fatalf("%d views", len(views))
	}
	v := views[0]
	if v.State.Line != 5 || len(v.History) != 2 || v.Shown != 1 || v.Beside == nil || v.Beside.Compared || v.Selected != 0 {
		t.Errorf("%+v, beside %+v", v, v.Beside)
	}
	if len(s.History()) != 2 || s.Position().Event != 1 {
		t.Errorf("%+v at %+v", s.History(), s.Position())
	}
}

// Where the place of the last move is shown no more it is not asked again.
func TestBothRetryNeedsThePlace(t *testing.T) {
	s, _ := bothModes(t, &scripted{replies: []string{saysLoop, saysOne, saysCall}})
	s.First(t.Context())
	if a := do(s, "retry"); a.Err == nil || a.Err.Message != "Nothing was asked yet that could be asked again" {
		t.Errorf("%+v", a.Err)
	}
	run(s, "s", "s", "back 2")
	if a := do(s, "retry"); a.Err == nil || a.Err.Message != "The place where the last move was given is shown no more" || s.Position().Event != 0 {
		t.Errorf("%+v", a.Err)
	}
	run(s, "forth 2")
	if a := do(s, "retry"); a.Err != nil || !a.Beside.Verdicts.Same() || s.Position().Event != 2 {
		t.Errorf("%+v", a)
	}
}

// What can be left out in real mode is recorded again when a model joins.
func TestBothRecordsAll(t *testing.T) {
	s := alone(t, &scripted{}, session.Real)
	answers(t, s,
		"mode neural", "*** mode neural: from real one goes by --mode neural at the start",
		"record off", "Recording is off: next, return, until, continue and advance watch breakpoints and where they land, and record nothing else",
		"mode both", "What runs is recorded again: the model is compared with it.\nboth",
		"record", "Recording is on: all that the program does is recorded",
		"record off", "*** record off: in both modes what runs is recorded, for the model is compared with it (mode real leaves the model out)",
		"fc", "*** fast-continue: in both modes what runs is recorded, for the model is compared with it (mode real leaves the model out)",
		"mode neural", "*** mode neural: from both one goes by --mode neural at the start",
		"walk", "free: the model goes on from what it said itself",
		"walk guided", "guided: after each move the model is put back on the truth",
		"walk free", "free: the model goes on from what it said itself",
		"resync", "The model stands where CPython does.",
		"mode both", "both",
		"mode real", "real",
		"mode both", "both",
	)
	two := against(t, &scripted{}, &scripted{})
	two.First(t.Context())
	if a := do(two, "mode real"); a.Err == nil || a.Err.Message != "mode real: two models walk beside each other in this session, and nothing is run" {
		t.Errorf("%+v", a.Err)
	}
}
