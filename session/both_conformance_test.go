//go:build unix

package session_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// same checks that the prediction of the last move, if any, is the truth.
func (b *beside) same(command string) {
	b.t.Helper()
	for _, v := range b.last.Beside.Verdicts {
		if v.Kind.Wrong() || v.Rule != "" {
			b.t.Fatalf("%s, after %d moves: %s\n%+v", command, b.moves, v, b.last.Beside.Verdicts)
		}
	}
	if b.last.Beside.Failure != "" {
		b.t.Fatalf("%s, after %d moves: %s", command, b.moves, b.last.Beside.Failure)
	}
}

// TestBothPerfect walks through the hard programs with a perfect model beside CPython,
// free and then guided: nothing may differ.
func TestBothPerfect(t *testing.T) {
	interpreter, oracle := remembering(t, cpython.Config{})
	var compared atomic.Int64
	t.Run("programs", func(t *testing.T) {
		for name, source := range hardPrograms(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b := besideOf(t, interpreter, name, source, oracle)
				w := walker{source: source}
				commands := w.commands()
				for _, way := range []string{"walk free", "walk guided"} {
					b.do("goto 0")
					b.do(way)
					for _, command := range commands {
						b.do(command)
						b.same(command)
					}
				}
				compared.Add(int64(b.moves))
			})
		}
	})
	t.Logf("%d questions", compared.Load())
	if n := compared.Load(); n < 500 { // cached answers are not requested again
		t.Errorf("only %d questions were asked", n)
	}
}

// hardPrograms returns those programs of the tracer's own tests that behave the same in
// two runs: a third of them, or all.
func hardPrograms(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "trace", "testdata", "programs", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	walked := 0
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Base(path); walkable(t, name, source) {
			if longtest.In(t, walked, 3) {
				found[name] = source
			}
			walked++
		}
	}
	return found
}

// TestBothPerfectCruxEval does the same with CruxEval's problems.
func TestBothPerfectCruxEval(t *testing.T) {
	problems := cruxeval.Some(t)
	interpreter := pythons.Any(t)
	var compared atomic.Int64
	oracle := cpython.New(cpython.Config{Python: interpreter, Timeout: time.Minute})
	t.Cleanup(func() {
		if err := oracle.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("problems", func(t *testing.T) {
		for _, problem := range problems {
			t.Run(problem.ID, func(t *testing.T) {
				t.Parallel()
				b := besideOf(t, interpreter, "prog.py", []byte(problem.Source), oracle)
				random := rand.New(rand.NewPCG(uint64(len(problem.Source)), 3))
				moves := []string{"s", "s", "s", "s", "n", "n", "r", "rs", "rn", "rf", "c", "rc", "back", "forth"}
				do := func(command string) {
					b.do(command)
					b.same(command)
				}
				for _, way := range []string{"walk free", "walk guided"} {
					b.do("goto 0")
					b.do(way)
					for range 30 {
						do(moves[random.IntN(len(moves))])
					}
					for !b.last.Done {
						do("s")
					}
					for b.last.Boundary != trace.AtStart {
						do("rs")
					}
				}
				compared.Add(int64(b.moves))
			})
		}
	})
	t.Logf("%d problems, %d moves", len(problems), compared.Load())
}

// echo is a model that knows what happened: it waits for CPython, and writes its state as
// the reply. It fails if the text cannot have that reply, or is not at the session's
// position.
type echo struct {
	backend.Predictor
	t         *testing.T
	recording session.Recording
	from      trace.Position
	landed    chan trace.Landing
	asked     int
	over      bool // an exception ended the program
	away      bool // it does not answer
}

// start is session.StartTrace with observation.
func (e *echo) start(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
	r, l, err := session.StartTrace(ctx, o)
	e.recording = r
	return observed{r, e}, l, err
}

type observed struct {
	session.Recording
	by *echo
}

func (o observed) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	l, err := o.Recording.Move(ctx, from, a, stops...)
	if !o.by.away {
		select {
		case <-o.by.landed: // of a move that was looked up before it was requested
		default:
		}
		o.by.landed <- l
	}
	return l, err
}

// forget drops the landing of a move that was not requested.
func (e *echo) forget(from trace.Position) {
	e.from, e.over = from, false
	select {
	case <-e.landed:
	default:
	}
}

func (e *echo) reply(l trace.Landing) dsl.Reply {
	switch {
	case l.Boundary == trace.AtStart:
		return dsl.Reply{Outcome: dsl.AtStart}
	case l.End:
		return dsl.Reply{Outcome: dsl.Ended, Exit: e.recording.Exit()}
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: e.stop(l.Event)}
}

func (e *echo) stop(event int) *dsl.Stop {
	stop := &dsl.Stop{State: *e.recording.Tree().State(event)}
	for _, f := range e.recording.Tree().Stack(event) {
		stop.Stack = append(stop.Stack, f.Frame)
		stop.Activations = append(stop.Activations, f.Activation)
	}
	return stop
}

func (e *echo) Predict(_ context.Context, q backend.Question, _ func(backend.Update)) (*backend.Prediction, error) {
	e.asked++
	l := e.landing(q.Action)
	if exit := e.recording.Exit(); l.End && exit != nil && exit.Exception != nil {
		// A text that has not reached the exception yet stops there; a model that reads
		// the text must know that.
		e.over = true
		return nil, &backend.Error{Kind: backend.Unreachable, Message: "not asked"}
	}
	prompt, err := q.At.Prompt(q.Action)
	if err != nil {
		e.t.Errorf("%s cannot be asked: %v", q.Action, err)
		return nil, err
	}
	read, action, err := dsl.ND1.Read(prompt)
	if err != nil || action.String() != q.Action.String() {
		e.t.Fatalf("a prompt that cannot be read: %v, %v\n%s", action, err, prompt)
	}
	if e.from.End != (read.Current() == nil) || !e.from.End && !sameStop(read.Current(), e.stop(e.from.Event)) {
		e.t.Errorf("the text stands elsewhere than event %d: %+v\n%s", e.from.Event, read.Current(), prompt)
	}
	raw, err := q.At.Reply(q.Action, e.reply(l))
	if err != nil {
		e.t.Errorf("the text cannot have the reply to %s: %v\n%s", q.Action, err, prompt)
		return nil, err
	}
	d := q.At.Decode(q.Action)
	if err := d.Feed(raw); err != nil || !d.Done() {
		e.t.Errorf("the reply to %s cannot be read: %v\n%s%s", q.Action, err, prompt, raw)
		return nil, &backend.Error{Kind: backend.NoState, Message: "no state"}
	}
	step, _ := d.Step()
	return &backend.Prediction{Step: step, Raw: raw}, nil
}

// landing returns where an action leads from the session's position, from the recording or
// from CPython's current move.
func (e *echo) landing(a dsl.Action) trace.Landing {
	at := e.from.Event
	if e.from.End {
		at = e.recording.Tree().Len()
	}
	if out := e.recording.Tree().Land(at, a); a.Move.TakesLines() && out.Boundary == statetree.NoBoundary {
		return trace.Landing{Position: trace.Position{Event: out.Event}}
	}
	return <-e.landed
}

func (e *echo) Model() backend.Model { return backend.Model{Name: "echo"} }

// sameStop reports whether a text shows a state and its stack, as far as it contains the
// lines of the frames below.
func sameStop(shown, real *dsl.Stop) bool {
	if shown.Event != real.Event || shown.Kind != real.Kind || shown.Line != real.Line || shown.Function != real.Function || len(shown.Stack) != len(real.Stack) {
		return false
	}
	for i, f := range shown.Stack {
		if r := real.Stack[i]; f.Function != r.Function || f.Line != 0 && f.Line != r.Line {
			return false
		}
	}
	var locals []dsl.Local
	for _, l := range real.Locals {
		if !l.Hidden {
			locals = append(locals, l)
		}
	}
	if fmt.Sprint(locals) != fmt.Sprint(shown.Locals) {
		return false
	}
	return (shown.Value == nil) == (real.Value == nil) && (shown.Value == nil || *shown.Value == *real.Value)
}

// without makes several moves of all kinds while the model does not answer. Then it joins
// again.
func (e *echo) without(b *beside, random *rand.Rand, lines []int) {
	b.t.Helper()
	commands := []string{"mode real"}
	for range random.IntN(6) {
		commands = append(commands, []string{
			"s", "s", "n", "n", "rs", "rn", "s", "c", "rc", "until", "back", "!x = 7", "!i = 0", "goto 40%",
			fmt.Sprintf("tbreak %d", lines[random.IntN(len(lines))]), fmt.Sprintf("jump %d", lines[random.IntN(len(lines))]),
		}[random.IntN(16)])
	}
	e.away = true
	defer func() { e.away = false }()
	for _, command := range append(commands, "mode both") {
		b.s.Line(b.t.Context(), command, func(a *session.Answer) { b.last = a })
	}
	b.moves = b.last.Beside.Moves
}

// The numbers of commands for each program: with the model always present, and while it
// comes and goes.
const (
	truthWalk = 80
	awayWalk  = 24
)

// TestBothTellsTheTruth walks through the hard programs in every way, also to places where
// no action leads. The text of each request, free or guided, must be at the program's
// position, and must allow the true next state as its reply.
func TestBothTellsTheTruth(t *testing.T) {
	interpreter := pythons.Any(t)
	var asked, edits, jumps, left atomic.Int64
	t.Run("programs", func(t *testing.T) {
		for name, source := range hardPrograms(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				e := &echo{t: t, landed: make(chan trace.Landing, 1)}
				b := besideStarted(t, interpreter, name, source, e, e.start)
				random := rand.New(rand.NewPCG(uint64(len(source)), 5))
				lines := python.Read(source).Outline().Executable
				for i := range truthWalk + awayWalk {
					var command string
					switch random.IntN(14) {
					case 0:
						command = fmt.Sprintf("goto %d", random.IntN(b.s.Recording().Tree().Len()+5))
					case 1:
						command = fmt.Sprintf("goto %d%%", random.IntN(101))
					case 2:
						command = []string{"back", "back 3", "forth", "resync", "walk free", "walk guided", "rewind", "divergence"}[random.IntN(8)]
					case 3:
						command = fmt.Sprintf("b %d", lines[random.IntN(len(lines))])
					case 4:
						command = "goto 100%"
					case 5:
						command = []string{"!npdb_new = [1, 'a']", "!x = 7", "!n = 3", "!i = 0"}[random.IntN(4)]
					case 6:
						command = fmt.Sprintf("jump %d", lines[random.IntN(len(lines))])
					default:
						command = []string{"s", "s", "n", "r", "rs", "rn", "rf", "c", "rc"}[random.IntN(9)]
					}
					if i >= truthWalk && i%4 == 0 {
						left.Add(1)
						e.without(b, random, lines)
					}
					e.forget(b.s.Position())
					before := b.moves
					b.do(command)
					if b.last.Err == nil && strings.HasPrefix(command, "!") {
						edits.Add(1)
					}
					if b.last.Err == nil && strings.HasPrefix(command, "jump") {
						jumps.Add(1)
					}
					if b.moves > before && !e.over {
						b.same(command)
					}
					if t.Failed() {
						t.Fatalf("after %s", command)
					}
				}
				asked.Add(int64(e.asked))
			})
		}
	})
	t.Logf("%d questions, %d edits, %d jumps, the model left %d times", asked.Load(), edits.Load(), jumps.Load(), left.Load())
	if asked.Load() < 300 || edits.Load() < 3 || jumps.Load() < 3 {
		t.Errorf("only %d questions, %d edits, %d jumps", asked.Load(), edits.Load(), jumps.Load())
	}
}
