//go:build unix

package cpython_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/trace"
)

// TestBeginningsAnywhere checks texts that begin at a random event, after compaction or a jump. They
// must be answered with what the program does, or with "unknown". It uses the tracer's test programs,
// and problems of CruxEval if they are present: a share of them, or all with NPDB_WALKS.
func TestBeginningsAnywhere(t *testing.T) {
	p := predictor(t, cpython.Config{})
	programs := hardPrograms(t)
	if cruxeval.AtHand() {
		for _, problem := range cruxeval.Some(t) {
			programs[problem.ID] = problem.Source
		}
	}
	var asked, unknown atomic.Int64
	t.Run("programs", func(t *testing.T) {
		for name, source := range programs {
			if unfit[name] != "" && !strings.HasPrefix(name, "input_") || !longtest.In(t, len(source), 18) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := recordWhole(t, source)
				random := rand.New(rand.NewPCG(2, uint64(len(source))))
				for range 4 {
					text, at := w.beginning(t, random)
					a, u := w.ask(t, p, text, at, random)
					asked.Add(int64(a))
					unknown.Add(int64(u))
				}
			})
		}
	})
	t.Logf("%d questions, %d unknown", asked.Load(), unknown.Load())
	if asked.Load() == 0 || unknown.Load()*2 > asked.Load() {
		t.Errorf("%d of %d answers are unknown", unknown.Load(), asked.Load())
	}
}

// TestCompactedEntry checks texts under --entry that begin in the middle of the call. They are answered
// only if the text determines the arguments of the call.
func TestCompactedEntry(t *testing.T) {
	const source = `def kept(n, word):
    total = 0
    for i in range(n):
        total += len(word)
    return total

def counted(n):
    while n > 0:
        n -= 1
    return n

def filled(xs):
    xs.append(1)
    xs.append(2)
    return xs

def deleted(n):
    m = n
    del n
    return m
`
	p := predictor(t, cpython.Config{})
	prog := program(source)
	for _, test := range []struct {
		function  string
		line      int
		arguments []string
		want, why string
	}{
		{"kept", 1, []string{"n", "3", "word", "'ab'"}, "return kept     return total {n: 3, word: 'ab', total: 6, i: 2} = 6", ""},
		{"counted", 7, []string{"n", "3"}, "", "what the argument n was at the call is not in the text"},
		{"filled", 12, []string{"xs", "[]"}, "", "what the argument xs was at the call is not in the text"},
		{"deleted", 17, []string{"n", "3"}, "", "what the argument n was at the call is not in the text"},
	} {
		n := begin(t, prog, called(prog, test.function, test.line, test.arguments...))
		n, err := walk(t, p, n, "step_over", "step_over").Compact()
		if err != nil {
			t.Fatal(err)
		}
		made := ask(t, p, reread(t, n), "step_return")
		if test.want != "" && replied(made.Step.Reply) != test.want {
			t.Errorf("%s: %s %q, want %s", test.function, replied(made.Step.Reply), made.Warnings, test.want)
		}
		if test.why != "" && (len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], test.why)) {
			t.Errorf("%s: %s because %q, want %q", test.function, replied(made.Step.Reply), made.Warnings, test.why)
		}
	}
}

func hardPrograms(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "trace", "testdata", "programs", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]string{}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		programs[filepath.Base(path)] = string(source)
	}
	return programs
}

// recordedRun is a complete run of a program, with which answers are compared.
type recordedRun struct {
	rec   *trace.Recording
	prog  *dsl.Program
	fatal int // the exception event that ended it, or -1
}

func recordWhole(t *testing.T, source string) *recordedRun {
	t.Helper()
	w := &recordedRun{prog: program(source), fatal: -1}
	rec, l := recordText(t, w.prog)
	var err error
	for w.rec = rec; !l.End; {
		if l, err = rec.Move(t.Context(), l.Position, dsl.Action{Move: dsl.Continue}); err != nil {
			t.Fatal(err)
		}
		if l.Reason == trace.DiedPostMortem {
			w.fatal = l.Event
		}
	}
	if rec.Tree().Len() == 0 {
		t.Skip("no events")
	}
	return w
}

// stop returns the state at an event, as a text shows it.
func (w *recordedRun) stop(event int) *dsl.Stop {
	s := &dsl.Stop{State: *w.rec.Tree().State(event)}
	s.Source = w.prog.Files[0].Lines[s.Line-1]
	for _, f := range w.rec.Tree().Stack(event) {
		s.Stack, s.Activations = append(s.Stack, f.Frame), append(s.Activations, f.Activation)
	}
	return s
}

// reply returns the right reply to an action at the position at. died reports whether the text has
// already shown the exception that ends the program; now is the same after the reply.
func (w *recordedRun) reply(t *testing.T, at trace.Position, died bool, a dsl.Action) (to trace.Position, now bool, r dsl.Reply) {
	t.Helper()
	l, err := w.rec.Move(t.Context(), at, a)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case l.Boundary == trace.AtStart:
		return at, died, dsl.Reply{Outcome: dsl.AtStart}
	case l.End && w.fatal >= 0 && !died:
		return trace.Position{Event: w.fatal, PostMortem: true}, true, dsl.Reply{Outcome: dsl.Landed, Stop: w.stop(w.fatal)}
	case l.End:
		return l.Position, true, dsl.Reply{Outcome: dsl.Ended, Exit: w.rec.Exit()}
	}
	return l.Position, died, dsl.Reply{Outcome: dsl.Landed, Stop: w.stop(l.Event)}
}

func (w *recordedRun) action(random *rand.Rand) dsl.Action {
	a := dsl.Action{Move: dsl.Move(1 + random.IntN(int(dsl.InvStepFunction)))}
	if random.IntN(2) == 0 {
		a.Move = dsl.StepInto + dsl.Move(random.IntN(2))
	}
	if a.Move.TakesLines() {
		a.Lines = []dsl.Location{{Line: 1 + random.IntN(len(w.prog.Files[0].Lines)+1)}}
	}
	return a
}

// beginning returns a text that begins at a random event, as npdb writes it after a jump or after
// compaction, and the event.
func (w *recordedRun) beginning(t *testing.T, random *rand.Rand) (*dsl.Node, int) {
	t.Helper()
	event := random.IntN(w.rec.Tree().Len())
	text := dsl.Trajectory{Program: w.prog, Compacted: true}
	for _, f := range w.rec.Tree().Stack(event) {
		if f.Event >= 0 && f.Event != event {
			text.Steps = append(text.Steps, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: w.stop(f.Event)}})
		}
	}
	text.Steps = append(text.Steps, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: w.stop(event)}})
	n, err := dsl.ND1.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	if random.IntN(2) == 0 {
		return n, event
	}
	at, died := trace.Position{Event: event}, false
	for range random.IntN(6) {
		a := w.action(random)
		to, now, r := w.reply(t, at, died, a)
		if to.End || to.PostMortem {
			break // compaction drops whether the exception was shown
		}
		at, died = to, now
		n = appended(t, n, dsl.Step{Action: a, Reply: r})
	}
	if n, err = n.Compact(); err != nil {
		t.Fatal(err)
	}
	return n, at.Event
}

// ask asks four questions in a row and checks the answers. asked counts them, unknown the answers
// "unknown".
func (w *recordedRun) ask(t *testing.T, p *cpython.Predictor, text *dsl.Node, event int, random *rand.Rand) (asked, unknown int) {
	t.Helper()
	at, died := trace.Position{Event: event}, false
	for range 4 {
		a := w.action(random)
		to, now, r := w.reply(t, at, died, a)
		read := reread(t, text)
		made := ask(t, p, read, a.String())
		asked++
		want := appended(t, text, dsl.Step{Action: a, Reply: r})
		if made.Step.Reply.Outcome == dsl.Unknown && r.Outcome != dsl.Unknown {
			if unknown++; len(made.Warnings) != 1 {
				t.Errorf("unknown without a reason: %q", made.Warnings)
			}
			t.Logf("%v at event %d: %q", a, at.Event, made.Warnings)
		} else if got := appended(t, read, made.Step); got.Added() != want.Added() {
			t.Fatalf("%v at event %d\n%s\nwant\n%s\nafter\n%s", a, at.Event, got.Added(), want.Added(), text.Text())
		}
		at, died, text = to, now, want
		if at.End {
			break
		}
	}
	return asked, unknown
}
