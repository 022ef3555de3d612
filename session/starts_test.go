package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// late begins a run towards the place of --from; it reaches an event, or the end.
func (f *fake) late(event int, end bool) session.StartFunc {
	return func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
		f.edge = trace.Position{Event: -1}
		f.resume = func() (trace.Landing, error) {
			f.record(event, end)
			return trace.Landing{Position: f.edge, Horizon: 5, Boundary: trace.AtEnd}, nil
		}
		return f, trace.Landing{Position: f.edge, Reason: trace.Begun}, nil
	}
}

// TestFirstStopOfFrom checks that the first stop is at the place of --from, with no
// horizon. If the program does not reach it, the end says so.
func TestFirstStopOfFrom(t *testing.T) {
	for _, end := range []bool{false, true} {
		f := newFake(t)
		event := 3
		if end {
			event = f.length - 1
		}
		s := open(t, f, func(c *session.Config) { c.Start, c.Options.From = f.late(event, end), "g" })
		if s.Position().Event != -1 || len(s.History()) != 0 {
			t.Fatalf("at %+v before the first stop is asked for", s.Position())
		}
		a := s.First(t.Context())
		said, _ := a.Text(session.Notice)
		if a.Err != nil || a.Done != end || a.Horizon != 0 || a.Boundary != trace.NoBoundary || (said == "The program did not come to g (--from).") != end || len(s.History()) != 1 {
			t.Errorf("%+v: %q", a, said)
		}
		*f = *newFake(t)
		if a := do(s, "restart"); a.Err != nil || a.Done != end || len(s.History()) != 1 {
			t.Errorf("restart: %+v", a)
		}
	}
}

// TestFirstStopFails checks that an error on the way there is the first answer.
func TestFirstStopFails(t *testing.T) {
	f := newFake(t)
	s := open(t, f, func(c *session.Config) { c.Start = f.late(3, false) })
	f.resume = func() (trace.Landing, error) { return trace.Landing{}, errDied }
	if a := s.First(t.Context()); a.Err == nil || a.Err.Kind != session.EngineFailed || a.State != nil {
		t.Errorf("%+v", a)
	}
	for _, line := range []string{"goto 0", "goto 50%"} {
		if a := do(s, line); a.Err == nil || a.Err.Message != "The recording has no states" {
			t.Errorf("%s: %+v", line, a.Err)
		}
	}
}

// TestRestartMovesBreakpoints checks that an edited program is restarted with its
// breakpoints on the moved lines.
func TestRestartMovesBreakpoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prog.py")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(fakeSource)
	f := newFakeOf(t, path)
	var args []string
	s := open(t, f, func(c *session.Config) {
		c.Options = trace.Options{Script: path, Args: []string{"a"}}
		c.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
			args = o.Args
			return f.start(ctx, o)
		}
	})
	s.First(t.Context())
	run(s, "b 3", "b 7", "c")
	write("# new\n" + strings.Replace(fakeSource, "print(i)\n", "", 1))
	*f = *newFakeOf(t, path)
	answers(t, s,
		"restart", "Restarting PROG with arguments:\n\ta\nBreakpoint 1 moved with its line from PROG:3 to line 4\nBreakpoint 2 at PROG:7 is disabled: its line \"print(i)\" and the lines around it are gone from the edited file\n> PROG(1)<module>()\n-> def f(x):",
		"b", "Num Type         Disp Enb   Where\n1   breakpoint   keep yes   at PROG:4\n2   breakpoint   keep no    at PROG:7",
	)
	*f = *newFakeOf(t, path)
	answers(t, s, "restart b 'c d'", "Restarting PROG with arguments:\n\tb c d\n> PROG(1)<module>()\n-> def f(x):")
	if strings.Join(args, "|") != "b|c d" {
		t.Errorf("%q", args)
	}
	if got := run(s, "info program"); !strings.Contains(got, "\nArguments: [\"b\" \"c d\"]\nHere: event 0, the live edge\nThe program waits at event 0\nRecorded: 1 event, ") {
		t.Errorf("%s", got)
	}
	f.said = map[trace.Verb]trace.Answer{trace.VerbThreads: {Text: "2\x1eMainThread\x1f11\x1f1\x1f/src/prog.py\x1f5\x1f<module>\x1f\x1f\x1f\x1eother\x1f12\x1f\x1f/src/prog.py\x1f2\x1ff\x1f/lib/threading.py\x1f7\x1fwait"}}
	answers(t, s, "info threads", "* MainThread (ident 11, recorded): /src/prog.py:5 in <module>\n  other (ident 12): /src/prog.py:2 in f, inside /lib/threading.py:7 in wait")
}

// TestRestartKeepsBreakpointsInTexts checks that a breakpoint in code compiled from a
// string is kept for the next run.
func TestRestartKeepsBreakpointsInTexts(t *testing.T) {
	f := newFakeOf(t, "<cell 1>")
	s := open(t, f, func(c *session.Config) { c.Start = f.start })
	s.First(t.Context())
	run(s, "b 3", "c")
	*f = *newFakeOf(t, "<cell 1>")
	answers(t, s, "restart", "Restarting /src/prog.py with arguments:\n\t\n> PROG(1)<module>()\n-> def f(x):",
		"b", "Num Type         Disp Enb   Where\n1   breakpoint   keep yes   at PROG:3")
}

// TestNoInterpreterToStart checks that without an interpreter the error has no run, not a
// nil one in an interface.
func TestNoInterpreterToStart(t *testing.T) {
	o := trace.Options{Python: filepath.Join(t.TempDir(), "python3"), Script: scriptOf(t, "x = 1\n")}
	r, _, err := session.StartTrace(t.Context(), o)
	if r != nil || err == nil || session.AsError(err).Kind != session.StartFailure {
		t.Errorf("%v, %v", r, err)
	}
}

// TestFromIsForRealMode checks that --from is refused outside real mode.
func TestFromIsForRealMode(t *testing.T) {
	for _, mode := range []session.Mode{session.Both, session.Predicted} {
		path := scriptOf(t, fakeSource)
		_, err := session.Open(t.Context(), session.Config{
			Options: trace.Options{Script: path, From: "f"}, Start: newFakeOf(t, path).start,
			Mode: mode, Neural: &nav.Neural{Predictor: &scripted{t: t}},
		})
		var start *trace.StartError
		if !errors.As(err, &start) || start.Kind != trace.FromInvalid {
			t.Errorf("%s: %v", mode, err)
		}
	}
}
