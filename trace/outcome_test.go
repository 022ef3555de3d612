//go:build unix

package trace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// debuggee is a program under npdb with its current position. The tests in the files
// outcome_…_test.go name the outcomes of difficult programs.
type debuggee struct {
	*testing.T
	python pythons.Python
	rec    *trace.Recording
	at     trace.Landing
	source string
}

// onEach runs a test on every Python, concurrently.
func onEach(t *testing.T, test func(t *testing.T, python pythons.Python)) {
	t.Helper()
	t.Parallel()
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			test(t, python)
		})
	}
}

// scriptOf writes a program to a folder of the test and returns its path.
func scriptOf(t *testing.T, source string) string {
	t.Helper()
	// The path without symbolic links, as plain Python shows it.
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return writeIn(t, dir, "prog.py", source)
}

// writeIn writes a file below a folder and returns its path.
func writeIn(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	// A process that is forked meanwhile would keep the file open until it executes
	// another program, and a file that is open for writing cannot be executed.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// debug starts a program given as source and stops at its first state.
func debug(t *testing.T, python pythons.Python, source string, set ...func(*trace.Options)) *debuggee {
	t.Helper()
	o := trace.Options{Script: scriptOf(t, source), Stdin: strings.NewReader("")}
	for _, f := range set {
		f(&o)
	}
	d := debugAs(t, python, o)
	d.source = source
	return d
}

// debugAs starts a program with options.
func debugAs(t *testing.T, python pythons.Python, o trace.Options) *debuggee {
	t.Helper()
	if o.Python == "" {
		o.Python = python.Path
	}
	rec, landing, err := trace.Start(t.Context(), o)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	path := filepath.Join(t.TempDir(), "run.npdb")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rec.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if !t.Failed() {
			wantReopened(t, rec, path)
		}
	})
	rec.IndexFrom(1)
	if err := rec.Save(file, "of the test"); err != nil {
		t.Fatalf("save: %v", err)
	}
	return &debuggee{T: t, python: python, rec: rec, at: landing}
}

func withArgs(args ...string) func(*trace.Options) {
	return func(o *trace.Options) { o.Args = args }
}

func withLimits(l trace.Limits) func(*trace.Options) {
	return func(o *trace.Options) { o.Limits = l }
}

// interactive leaves standard input to Recording.Input.
func interactive(o *trace.Options) { o.Stdin = nil }

// do makes one move from the current position.
func (d *debuggee) do(m dsl.Move, lines ...int) trace.Landing {
	d.Helper()
	a := dsl.Action{Move: m}
	for _, line := range lines {
		a.Lines = append(a.Lines, dsl.Location{Line: line})
	}
	landing, err := d.rec.Move(d.Context(), d.at.Position, a)
	if err != nil {
		d.Fatalf("%v from %+v: %v", a, d.at, err)
	}
	d.at = landing
	return landing
}

// line returns the number of the first line of the program that contains a text.
func (d *debuggee) line(holds string) int {
	d.Helper()
	for i, line := range strings.Split(d.source, "\n") {
		if strings.Contains(line, holds) {
			return i + 1
		}
	}
	d.Fatalf("no line of the program holds %q", holds)
	return 0
}

// upTo runs until a line is about to run.
func (d *debuggee) upTo(holds string) {
	d.Helper()
	line := d.line(holds)
	d.do(dsl.Breakpoint, line)
	if got := d.state(); d.at.End || got.Line != line {
		d.Fatalf("breakpoint %d landed at %s", line, d.here())
	}
}

// state returns the full current state.
func (d *debuggee) state() *dsl.State {
	d.Helper()
	if d.at.End || d.at.Event < 0 {
		d.Fatalf("no state at %+v, exit %s", d.at, exitText(d.rec.Exit()))
	}
	return d.rec.Tree().State(d.at.Event)
}

// here returns the current position in short: "line 3 f", "return 4 f yield", "end".
func (d *debuggee) here() string {
	if d.at.End || d.at.Event < 0 {
		return "end"
	}
	return short(d.rec.Tree().State(d.at.Event))
}

func short(s *dsl.State) string {
	return strings.TrimSpace(fmt.Sprintf("%v %d %s %v", s.Event, s.Line, s.Function, s.Kind))
}

// wantHere checks the current position, and the reason for the stop.
func (d *debuggee) wantHere(place string, why trace.Reason) {
	d.Helper()
	if got := d.here(); got != place || d.at.Reason != why {
		d.Fatalf("stands at %q, reason %d, want %q, reason %d (%+v, exit %s)",
			got, d.at.Reason, place, why, d.at, exitText(d.rec.Exit()))
	}
}

// wantEnd checks that the program has ended, and how.
func (d *debuggee) wantEnd(code int, exception string) {
	d.Helper()
	if !d.at.End || d.at.Reason != trace.Ended {
		d.Fatalf("stands at %q, reason %d, want the end", d.here(), d.at.Reason)
	}
	want := fmt.Sprintf("%d %s", code, exception)
	if got := exitText(d.rec.Exit()); got != want {
		d.Fatalf("exit is %q, want %q; stderr:\n%s", got, want, d.printed("stderr"))
	}
}

func exitText(e *dsl.Exit) string {
	if e == nil {
		return "none"
	}
	if e.Exception == nil {
		return fmt.Sprintf("%d ", e.Code)
	}
	return fmt.Sprintf("%d %s", e.Code, *e.Exception)
}

// finish lets the program run to its end, which must be a normal one.
func (d *debuggee) finish() {
	d.Helper()
	d.do(dsl.Continue)
	d.wantEnd(0, "")
}

// events lists all recorded events in short.
func (d *debuggee) events() []string {
	var all []string
	for i := range d.rec.Tree().Len() {
		all = append(all, short(d.rec.Tree().State(i)))
	}
	return all
}

// printed returns all that the program has written to a stream.
func (d *debuggee) printed(stream string) string {
	var b strings.Builder
	for _, o := range d.rec.Output(-1, -1) {
		if o.Stream == stream {
			b.WriteString(o.Text)
		}
	}
	return b.String()
}

// wantPrinted checks all that the program has written to standard output.
func (d *debuggee) wantPrinted(want string) {
	d.Helper()
	if got := d.printed("stdout"); got != want {
		d.Fatalf("printed %q, want %q; stderr:\n%s", got, want, d.printed("stderr"))
	}
}

// local returns the text of a name at the current position.
func (d *debuggee) local(name string) string {
	d.Helper()
	return localOf(d.state(), name)
}

func localOf(s *dsl.State, name string) string {
	for _, l := range s.Locals {
		if l.Name == name {
			return l.Value
		}
	}
	return "(unbound)"
}

// wantLocal checks the text of a name at the current position.
func (d *debuggee) wantLocal(name, want string) {
	d.Helper()
	if got := d.local(name); got != want {
		d.Fatalf("at %s: %s is %s, want %s", d.here(), name, got, want)
	}
}

// ask sends a request to the live frame, or to one above it.
func (d *debuggee) ask(up int, v trace.Verb, text string) trace.Answer {
	d.Helper()
	a, err := d.rec.Ask(d.Context(), up, v, text)
	if err != nil {
		d.Fatalf("%s %s at %s: %v", v, text, d.here(), err)
	}
	if a.Landing != nil {
		d.at = *a.Landing
	}
	return a
}

// wantAnswer checks the answer of the live frame.
func (d *debuggee) wantAnswer(up int, v trace.Verb, text, want string) {
	d.Helper()
	if got := d.ask(up, v, text).Text; got != want {
		d.Fatalf("%s %s, %d up from %s: %q, want %q", v, text, up, d.here(), got, want)
	}
}

// wantError checks the exception that the live frame's code raises.
func (d *debuggee) wantError(v trace.Verb, text, want string) {
	d.Helper()
	var raised *trace.EvalError
	if a, err := d.rec.Ask(d.Context(), 0, v, text); !errors.As(err, &raised) || raised.Error() != want {
		d.Fatalf("%s %s: answer %q, error %v, want %s", v, text, a.Text, err, want)
	}
}

// run makes a move that only an external event ends; landing waits for it.
func (d *debuggee) run(ctx context.Context, m dsl.Move) (landing func() trace.Landing) {
	type answer struct {
		trace.Landing
		error
	}
	done := make(chan answer, 1)
	from := d.at.Position
	go func() {
		l, err := d.rec.Move(ctx, from, dsl.Action{Move: m})
		done <- answer{l, err}
	}()
	return func() trace.Landing {
		d.Helper()
		var a answer
		select {
		case a = <-done:
		case <-time.After(time.Minute): // a hang fails only this test, not the whole run
			d.rec.Kill()
			a = <-done
			d.Fatalf("%v does not end: it was killed, and lands at %+v", m, a.Landing)
		}
		if a.error != nil {
			d.Fatalf("%v from %+v: %v", m, from, a.error)
		}
		d.at = a.Landing
		return d.at
	}
}
