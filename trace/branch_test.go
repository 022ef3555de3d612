//go:build unix

package trace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

func branching(o *trace.Options) { o.Branches = true }

// branch makes a branch at an event.
func (d *debuggee) branch(event int) *trace.Recording {
	d.Helper()
	made, err := d.rec.Branch(d.Context(), event)
	if err != nil {
		d.Fatalf("branch at event %d: %v", event, err)
	}
	d.Cleanup(func() { _ = made.Close() })
	if made.LiveEdge() != (trace.Position{Event: event}) || made.Tree().Len() != event+1 {
		d.Fatalf("the branch at event %d stands at %+v of %d events", event, made.LiveEdge(), made.Tree().Len())
	}
	return made
}

// edits runs a statement in a run.
func edits(t *testing.T, r *trace.Recording, up int, statement string) {
	t.Helper()
	if _, err := r.Ask(t.Context(), up, trace.VerbExec, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// toEnd runs a run to its end and returns its standard output.
func toEnd(t *testing.T, r *trace.Recording) string {
	t.Helper()
	if _, err := r.Advance(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, o := range r.Output(-1, -1) {
		b.WriteString(o.Text)
	}
	return b.String()
}

// eventOn returns the first event of a recording on a line of the program.
func (d *debuggee) eventOn(comment string) int {
	d.Helper()
	at := d.stopAt(comment).At
	event, ok := d.rec.Tree().NextLine(-1, []dsl.Location{at})
	if !ok {
		d.Fatalf("no event on %s", comment)
	}
	return event
}

// TestBranch edits the past of a program that depends on chance and has ended.
func TestBranch(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, chancy+"print(x, y)\n", branching)
		first := toEnd(t, d.rec)
		events := d.rec.Tree().Len()
		branch := d.branch(d.eventOn("x = 1  # here") + 1)
		edits(t, branch, 0, "x = 7")
		if got, want := toEnd(t, branch), strings.Replace(first, "1 2\n", "7 2\n", 1); got != want {
			t.Errorf("the branch prints %q, want %q", got, want)
		}
		if d.rec.Tree().Len() != events || toEnd(t, d.rec) != first {
			t.Error("the first run has changed")
		}
	})
}

// TestBranchStops checks that a run that goes another way is ended before it has an effect.
func TestBranchStops(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		d := debug(t, python, "import os\nif os.path.exists('seen'):\n    os.mkdir('made')\nelse:\n    open('seen', 'w').close()\nx = 1  # here\n", branching, func(o *trace.Options) { o.Dir = dir })
		_ = toEnd(t, d.rec)
		if again := d.rec.Again(); len(again) != 1 || !strings.Contains(again[0], "seen for writing") {
			t.Errorf("what happens again: %q", again)
		}
		_, err := d.rec.Branch(t.Context(), d.eventOn("# here"))
		var no *trace.NoPast
		if !errors.As(err, &no) || no.Kind != "differs" || !strings.Contains(no.Why, "event 2 is line 3 of prog.py instead of line 5 of prog.py") {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
			t.Error("the other run has gone on")
		}
	})
}

// TestBranchOfWhatRanUnrecorded makes branches before, in and after a stretch that ran unrecorded and of which
// a part was recorded later, and a branch of a branch.
func TestBranchOfWhatRanUnrecorded(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, chancy, repeatable)
		d.do(dsl.StepOver)
		d.fast().advance(nil, d.stopAt("# here"))
		edge := d.at.Event
		made, err := d.rec.MakePast(t.Context(), trace.Past{Edge: edge, Window: 50})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = made.Close() }()
		made.Record(true)
		if _, err := made.Move(t.Context(), made.LiveEdge(), dsl.Action{Move: dsl.StepOver}); err != nil {
			t.Fatal(err)
		}
		last := made.Tree().Len() - 1
		for _, event := range []int{1, edge + 3, last - 2, last} {
			branch, err := made.Branch(t.Context(), event)
			if err != nil {
				t.Fatalf("event %d: %v", event, err)
			}
			defer func() { _ = branch.Close() }()
			other, err := branch.Branch(t.Context(), event)
			if err != nil {
				t.Fatalf("event %d, again: %v", event, err)
			}
			defer func() { _ = other.Close() }()
			if edge := other.LiveEdge(); edge.Event != event || other.Tree().Len() != event+1 {
				t.Errorf("the branch of the branch stands at %+v of %d events", edge, other.Tree().Len())
			}
			edits(t, other, 0, "token = 'mine'")
			if got := toEnd(t, other); !strings.Contains(got, " ") {
				t.Errorf("it prints %q", got)
			}
		}
	})
}

// TestBranchRepeatsEdits repeats statements and jumps of the first run that are before the event.
func TestBranchRepeatsEdits(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "x = 1\ny = 2\nz = 3\nw = 4  # here\nprint(x, y, z)\n", branching)
		d.do(dsl.StepInto)
		edits(t, d.rec, 0, "x = 10")
		if _, err := d.rec.Ask(t.Context(), 0, trace.VerbExec, "x = nothing"); err == nil {
			t.Error("nothing has a value")
		}
		jumped := d.rec.Tree().Len() - 1
		d.ask(0, trace.VerbJump, "3")
		edits(t, d.rec, 0, "y = 20")
		d.at = trace.Landing{Position: d.rec.LiveEdge()}
		_ = toEnd(t, d.rec)
		at := d.branch(jumped)
		if got := toEnd(t, at); got != "10 2 3\n" {
			t.Errorf("from before the jump it prints %q", got)
		}
		if got := toEnd(t, d.branch(d.eventOn("# here"))); got != "10 20 3\n" {
			t.Errorf("from after the jump it prints %q", got)
		}
	})
}

// TestBranchIsGivenUp ends the process of a branch that the user gives up.
func TestBranchIsGivenUp(t *testing.T) {
	d := debug(t, pythons.Usual(t), chancy, branching)
	_ = toEnd(t, d.rec)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.rec.Branch(ctx, d.eventOn("# here")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestBranchThreadChanges makes a branch of a program in which a thread changes a list or a global, earlier in the
// recording than in the run for the branch. The code that runs binds no name at that event, and both runs have the
// same state at the end.
func TestBranchThreadChanges(t *testing.T) {
	for _, statement := range []string{"changed.append(1)", "globals()['count'] += 1"} {
		t.Run(statement, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				dir := t.TempDir()
				d := debug(t, python, `import os, _thread
again = "again"
changed, count = [], 0
go_on, done = os.pipe(), os.pipe()
def work():
    if os.path.exists(again):
        os.read(go_on[0], 1)
    `+statement+`
    os.write(done[1], b".")
def main():
    _thread.start_new_thread(work, ())
    os.path.exists(again) or os.read(done[0], 1)
    x = 1
    os.write(go_on[1], b".")
    os.path.exists(again) and os.read(done[0], 1)
main()
x = 2  # here
`, branching, func(o *trace.Options) { o.Dir = dir })
				toEnd(t, d.rec)
				event := d.eventOn("x = 2  # here")
				d.branch(event)
				if err := os.WriteFile(filepath.Join(dir, "again"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
				branch, err := d.rec.Branch(t.Context(), event)
				var no *trace.NoPast
				if !errors.As(err, &no) || no.Kind != "differs" {
					t.Errorf("got %v, want another run", err)
				}
				if err == nil {
					_ = branch.Close()
				}
			})
		})
	}
}
