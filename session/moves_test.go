package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestMoves makes moves in the fake run and checks where each line of commands leads.
func TestMoves(t *testing.T) {
	const end = -1
	type step struct {
		line string
		at   int // event, or end
	}
	tests := []struct {
		name  string
		steps []step
	}{
		{"step and back", []step{{"s", 1}, {"s 2", 3}, {"rs", 2}, {"reverse-step 2", 0}, {"rs", 0}}},
		{"next passes over calls", []step{{"n 2", 2}, {"n", 7}, {"rn", 2}, {"n 2", 8}}},
		{"next stops at a breakpoint, live", []step{{"b 3", 0}, {"s 2", 2}, {"n", 5}, {"n", 6}, {"n 3", 11}}},
		{"next stops at a breakpoint, recorded", []step{{"c", end}, {"rewind", 0}, {"b 3", 0}, {"s 2", 2}, {"n", 5}, {"n", 6}, {"n 3", 11}}},
		{"next stops at a breakpoint, across the edge", []step{{"s 4", 4}, {"goto 2", 2}, {"b 3", 2}, {"n", 5}}},
		{"next passes over what is not satisfied", []step{{"b 3, x == 1", 0}, {"s 2", 2}, {"n", 7}, {"n", 8}, {"n", 11}}},
		{"next passes over what is to be ignored", []step{{"b 3", 0}, {"ignore 1 1", 0}, {"s 2", 2}, {"n", 7}, {"n 2", 11}}},
		{"next stops at a temporary breakpoint once", []step{{"tbreak 3", 0}, {"s 2", 2}, {"n", 5}, {"r 2", 7}, {"n 2", 13}}},
		{"return stops at a breakpoint", []step{{"b 3", 0}, {"s 4", 4}, {"r", 5}, {"r", 6}, {"r", 7}, {"r", 11}, {"cl 1", 11}, {"r 2", 13}}},
		{"reverse-next stops at a breakpoint", []step{{"b 3", 0}, {"goto 13", 13}, {"rn", 11}, {"rn", 10}, {"rf", 9}, {"rf", 8}, {"rn", 7}, {"rn", 5}}},
		{"reverse-finish stops at a breakpoint", []step{{"b 2", 0}, {"s 5", 5}, {"rf", 4}, {"rf", 3}}},
		{"counts end at a breakpoint", []step{{"b 3", 0}, {"n 20", 5}, {"n 20", 11}, {"rn 20", 5}}},
		{"frames above, and a breakpoint", []step{{"s 4", 4}, {"u", 4}, {"b 3", 4}, {"n", 5}, {"u", 5}, {"n", 7}}},
		{"until stops where it passes over", []step{{"b 3", 0}, {"s 2", 2}, {"until", 5}, {"goto 2", 2}, {"until 7", 5}}},
		{"reverse-until stops where it passes over", []step{{"goto 20", 20}, {"b 3", 20}, {"reverse-until 5", 19}, {"reverse-until 1", 17}}},
		{"return and finish", []step{{"s 4", 4}, {"r", 6}, {"rf", 3}, {"r 2", 7}}},
		{"empty line repeats", []step{{"s", 1}, {"", 2}, {"", 3}}},
		{"continue to the end and back", []step{{"c", end}, {"c", end}, {"rs", 21}, {"c", end}, {"rc", 0}}},
		{"breakpoint live, then recorded", []step{{"b 3", 0}, {"c", 5}, {"c", 11}, {"rc", 5}, {"c", 11}, {"c", 17}, {"c", end}, {"rc", 17}}},
		{"reverse-continue without an earlier breakpoint stays", []step{{"b 3", 0}, {"c", 5}, {"rc", 5}}},
		{"counts of continue", []step{{"b 3", 0}, {"c 2", 11}, {"rewind", 0}, {"c 3", 17}, {"rc 2", 5}}},
		{"condition live", []step{{"b 3, x == 2", 0}, {"c", 17}}},
		{"condition recorded", []step{{"b 3, x == 1", 0}, {"goto 100%", 0}, {"c", 11}, {"rewind", 0}, {"c", 11}, {"c", end}, {"rc", 11}}},
		{"ignore live", []step{{"b 3", 0}, {"ignore 1 2", 0}, {"c", 17}, {"rewind", 0}, {"c", 5}}},
		{"ignore recorded", []step{{"c", end}, {"rewind", 0}, {"b 3", 0}, {"ignore 1 1", 0}, {"c", 11}}},
		{"ignore spans the edge", []step{{"s 8", 8}, {"rewind", 0}, {"b 3", 0}, {"ignore 1 1", 0}, {"c", 11}}},
		{"temporary live", []step{{"tbreak 3", 0}, {"c", 5}, {"c", end}}},
		{"temporary recorded", []step{{"c", end}, {"rewind", 0}, {"tbreak 3", 0}, {"c", 5}, {"c", end}}},
		{"disabled", []step{{"b 3", 0}, {"disable 1", 0}, {"c", end}, {"enable 1", end}, {"rc", 17}}},
		{"two on a line", []step{{"b 3, x == 1", 0}, {"b 3, x == 2", 0}, {"c", 11}, {"c", 17}, {"c", end}}},
		{"function", []step{{"b f", 0}, {"c", 4}, {"c", 10}}},
		{"until", []step{{"unt", 1}, {"s", 2}, {"until 7", 20}, {"until", 21}}},
		{"until stops at the return", []step{{"s 4", 4}, {"unt 99", 6}}},
		{"until recorded", []step{{"c", end}, {"rewind", 0}, {"until 7", 20}, {"rewind", 0}, {"s 4", 4}, {"unt 99", 6}}},
		{"until across the edge", []step{{"s 4", 4}, {"goto 2", 2}, {"until 7", 20}}},
		{"until stops at a breakpoint", []step{{"b 2, x == 1", 0}, {"s 2", 2}, {"until 7", 10}, {"rewind", 0}, {"until 7", 10}}},
		{"reverse-until", []step{{"b 7", 0}, {"c", 20}, {"cl 1", 20}, {"reverse-until 5", 19}, {"reverse-until", 0}}},
		{"reverse-until stops at the call", []step{{"s 5", 5}, {"reverse-until 1", 3}}},
		{"goto", []step{{"goto 5", 5}, {"goto 1", 1}, {"goto 20%", 1}, {"goto 100%", 5}, {"goto 0", 0}, {"goto 99", end}, {"goto 50%", 10}, {"goto 100%", end}}},
		{"frames above", []step{{"s 4", 4}, {"u", 4}, {"n", 7}}},
		{"frames above, return", []step{{"s 4", 4}, {"u", 4}, {"r", 21}}},
		{"frames above, back", []step{{"s 4", 4}, {"u", 4}, {"rn", 2}}},
		{"separator", []step{{"s ;; s ;; n", 7}}},
		{"alias", []step{{"alias two s %1 ;; s %1", 0}, {"two 2", 4}}},
		{"a wrong count does not move", []step{{"s x", 0}, {"n 0", 0}, {"goto", 0}, {"goto 101%", 0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, newFake(t))
			s.First(context.Background())
			for i, st := range tt.steps {
				text := run(s, st.line)
				at := s.Position().Event
				if s.Position().End {
					at = end
				}
				if at != st.at {
					t.Fatalf("step %d, %q: at event %d, want %d; it said\n%s", i, st.line, at, st.at, text)
				}
			}
		})
	}
}

func TestHorizonAndBoundary(t *testing.T) {
	s := open(t, newFake(t))
	s.First(context.Background())
	tests := []struct {
		line     string
		horizon  int
		action   string
		boundary trace.Boundary
	}{
		{"s 3", 3, "step_into", trace.NoBoundary},
		{"b 3", 0, "", trace.NoBoundary},
		{"c", 2, "breakpoint 3", trace.NoBoundary},
		{"c 2", 12, "breakpoint 3", trace.NoBoundary},
		{"rc", 6, "inv_breakpoint 3", trace.NoBoundary},
		{"goto 1", 10, "", trace.NoBoundary},
		{"rewind", 1, "inv_continue", trace.NoBoundary},
		{"rs", 0, "inv_step_into", trace.AtStart},
	}
	for _, tt := range tests {
		s.Line(context.Background(), tt.line, func(a *session.Answer) {
			action := ""
			if a.Action != nil {
				action = *a.Action
			}
			if a.Horizon != tt.horizon || action != tt.action || a.Boundary != tt.boundary {
				t.Errorf("%s: horizon %d, action %q, boundary %d; want %d, %q, %d",
					tt.line, a.Horizon, action, a.Boundary, tt.horizon, tt.action, tt.boundary)
			}
		})
	}
}

func TestProgramBreakIsFoundAgain(t *testing.T) {
	f := newFake(t)
	f.pauseAt = 10
	s := open(t, f)
	s.First(context.Background())
	run(s, "b 7", "c")
	for _, line := range []string{"", "rewind", "c", "c", "rc"} {
		run(s, line)
	}
	if got := s.Position().Event; got != 10 {
		t.Errorf("at event %d, want 10, where the program called breakpoint()", got)
	}
}

func TestConditionThatRaisesStops(t *testing.T) {
	s := open(t, newFake(t))
	s.First(context.Background())
	run(s, "b 5, z == 1")
	if text := run(s, "c"); s.Position().Event != 1 || !strings.Contains(text, "NameError") {
		t.Errorf("live: at %d, said %s", s.Position().Event, text)
	}
	run(s, "s 8", "rewind")
	if text := run(s, "c"); s.Position().Event != 1 || !strings.Contains(text, "has no value here") {
		t.Errorf("recorded: at %d, said %s", s.Position().Event, text)
	}
}
