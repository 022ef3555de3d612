//go:build unix

package session_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend/openai"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
)

// corruptedMoves returns the minimum number of moves that are compared for each field that
// a server corrupts.
func corruptedMoves(t testing.TB) int {
	t.Helper()
	if longtest.Asked(t) {
		return 2000
	}
	return 360
}

// corruptedPrograms are the programs for this: calls, returns, generators, exceptions,
// many values.
var corruptedPrograms = []string{
	"callbacks_nested.py", "closures.py", "containers.py", "generator_delegation.py", "recursion_mutual.py", "finally_nested.py",
}

// corruptions lists the server's errors, and which parts of its replies they may change.
var corruptions = []struct {
	field  string // the server's name for it
	p      float64
	set    func(*serve.Misbehavior, float64)
	count  score.Measure
	always compare.Field   // is wrong in each such reply
	also   []compare.Field // may be wrong too
}{
	{"event", 0.2, func(m *serve.Misbehavior, p float64) { m.Event = p }, score.Event, compare.Event, []compare.Field{compare.Value}},
	{"line", 0.1, func(m *serve.Misbehavior, p float64) { m.Line = p }, score.Line, compare.Line, nil},
	{"function", 0.3, func(m *serve.Misbehavior, p float64) { m.Function = p }, score.Function, compare.Function, nil},
	{"locals", 0.2, func(m *serve.Misbehavior, p float64) { m.Locals = p }, score.Locals, compare.Local, nil},
	{"value", 0.3, func(m *serve.Misbehavior, p float64) { m.Value = p }, score.Value, compare.Value, nil},
	// A wrong end has another exit code.
	{"outcome", 0.15, func(m *serve.Misbehavior, p float64) { m.Outcome = p }, score.State, 0, []compare.Field{compare.Outcome, compare.ExitCode}},
}

// TestBothScoresCorruption lets a server corrupt one field of its replies while a guided
// model walks beside CPython. The score must show the server's probability, for the field
// and for each action, and the reported fields must be those that the server corrupted.
func TestBothScoresCorruption(t *testing.T) {
	interpreter, oracle := remembering(t, cpython.Config{})
	for i, c := range corruptions {
		t.Run(fmt.Sprintf("%s %v", c.field, c.p), func(t *testing.T) {
			t.Parallel()
			told := &corruptionLog{}
			config := serve.Config{Misbehavior: serve.Misbehavior{Seed: uint64(i + 1)}}
			c.set(&config.Misbehavior, c.p)
			url := told.serve(t, config, oracle)
			var total score.Score
			corrupted := 0
			for _, name := range corruptedPrograms {
				path := filepath.Join("..", "trace", "testdata", "programs", name)
				b := newBeside(t, interpreter, path, predictor(t, url, openai.ND1, 1, 1<<16))
				b.do("walk guided")
				for b.moves < corruptedMoves(t)/len(corruptedPrograms)+1 {
					told.latest = ""
					before := b.moves
					a := b.do(b.randomCommand())
					if a.Err != nil {
						t.Fatalf("%s: %v", name, a.Err)
					}
					if b.moves > before+1 {
						t.Fatalf("%s: a command made %d moves", name, b.moves-before)
					}
					if b.moves == before {
						continue
					}
					wrong := flagged(a)
					if told.latest != "" {
						corrupted++
					}
					if (told.latest != "") != (len(wrong) > 0) || told.latest != "" && told.latest != c.field {
						t.Fatalf("%s, move %d, %s: the server corrupted %q, %v are flagged\n%s\n%+v", name, b.moves, *a.Action, told.latest, wrong, a.Beside.Sentence, a.Beside.Verdicts)
					}
					if len(wrong) > 0 && c.always != 0 && !slices.Contains(wrong, c.always) {
						t.Fatalf("%s, move %d: %s was corrupted, %v are flagged", name, b.moves, c.field, wrong)
					}
					for _, f := range wrong {
						if f != c.always && !slices.Contains(c.also, f) {
							t.Fatalf("%s, move %d: %s was corrupted, %s is flagged too", name, b.moves, c.field, f)
						}
					}
				}
				total.Merge(b.score())
			}
			sum := total.Of(c.count)
			t.Logf("%d moves; %s: %d of %d wrong, %.4f", total.Moves(), c.count, sum.N-sum.Same, sum.N, 1-sum.Accuracy())
			if total.Moves() < corruptedMoves(t) || sum.N-sum.Same != corrupted {
				t.Errorf("%d moves with %d wrong, the server corrupted %d", total.Moves(), sum.N-sum.Same, corrupted)
			}
			within(t, "all", sum, c.p)
			actions := total.ByAction(c.count)
			for _, row := range actions {
				t.Logf("%-16s %4d of %4d wrong, %.4f", row.Label, row.N-row.Same, row.N, 1-row.Accuracy())
				within(t, row.Label, row.Tally, c.p)
			}
			if least := map[bool]int{true: 6, false: 9}[c.field == "value"]; len(actions) < least {
				t.Errorf("only %d actions", len(actions))
			}
		})
	}
}

// flagged returns the fields in which a prediction is wrong.
func flagged(a *session.Answer) []compare.Field {
	var wrong []compare.Field
	for _, v := range a.Beside.Verdicts {
		if v.Kind.Wrong() && !slices.Contains(wrong, v.Field) {
			wrong = append(wrong, v.Field)
		}
	}
	return wrong
}

// TestBothFlagsCorruptionCruxEval compares the reported fields with those that a server
// corrupted, for many kinds of values: the hard programs and CruxEval's problems.
func TestBothFlagsCorruptionCruxEval(t *testing.T) {
	const p, each = 0.3, 40
	problems := cruxeval.Some(t)
	programs := hardPrograms(t)
	for _, problem := range problems {
		programs[problem.ID] = []byte(problem.Source)
	}
	interpreter, oracle := remembering(t, cpython.Config{})
	misbehavior := serve.Misbehavior{Seed: 9, Locals: p, Value: p, Line: p}
	var mu sync.Mutex
	var total score.Score
	t.Run("programs", func(t *testing.T) {
		for name, source := range programs {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				told := &corruptionLog{}
				m := misbehavior
				m.Seed += uint64(len(source))
				url := told.serve(t, serve.Config{Misbehavior: m}, oracle)
				b := besideOf(t, interpreter, "prog.py", source, predictor(t, url, openai.ND1, 1, 1<<16))
				b.do("walk guided")
				for range each {
					told.latest = ""
					before := b.moves
					a := b.do(b.randomCommand())
					if b.moves == before {
						continue
					}
					var want []string
					for _, f := range flagged(a) {
						want = append(want, map[compare.Field]string{compare.Line: "line", compare.Local: "locals", compare.Value: "value"}[f])
					}
					if got := strings.Join(want, ", "); got != told.latest {
						t.Fatalf("move %d: the server corrupted %q, %q is flagged\n%+v", b.moves, told.latest, got, a.Beside.Verdicts)
					}
				}
				mu.Lock()
				defer mu.Unlock()
				total.Merge(b.score())
			})
		}
	})
	for _, m := range []score.Measure{score.Line, score.Locals, score.Value} {
		sum := total.Of(m)
		t.Logf("%d moves; %s: %d of %d wrong, %.4f", total.Moves(), m, sum.N-sum.Same, sum.N, 1-sum.Accuracy())
	}
}

// within checks that the share of wrong ones is within four standard errors of a
// probability.
func within(t *testing.T, what string, got score.Tally, p float64) {
	t.Helper()
	if got.Incomparable > 0 {
		t.Errorf("%s: %d cannot be compared", what, got.Incomparable)
	}
	share := 1 - got.Accuracy()
	if far := 4 * math.Sqrt(p*(1-p)/float64(got.N)); math.Abs(share-p) > far {
		t.Errorf("%s: %.4f of %d are wrong, which is more than four standard errors (%.4f) from %v", what, share, got.N, far, p)
	}
}

// corruptionLog records which fields a server corrupted, answer by answer.
type corruptionLog struct{ latest string }

// serve serves a predictor over HTTP until the test ends, and returns its address.
func (l *corruptionLog) serve(t *testing.T, c serve.Config, p backend.Predictor) (url string) {
	t.Helper()
	c.Models = []serve.Model{{Name: "oracle", Predictor: p}}
	server, err := serve.New(c)
	if err != nil {
		t.Fatal(err)
	}
	handler := server.Handler()
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		// Request replies in one piece, because this test is not about streaming.
		body = bytes.Replace(body, []byte(`"stream":true,"stream_options":{"include_usage":true}`), []byte(`"stream":false`), 1)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		handler.ServeHTTP(told{w, l}, r)
	}))
	t.Cleanup(listening.Close)
	return listening.URL + "/v1"
}

// told is a response whose header is read before it is sent.
type told struct {
	http.ResponseWriter
	log *corruptionLog
}

func (w told) Write(p []byte) (int, error) {
	w.log.latest = w.Header().Get("X-Npdb-Corrupted")
	return w.ResponseWriter.Write(p)
}

func (w told) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// randomCommand returns a command that makes at most one move. All actions occur. At an
// end it goes back, so that the text stays short.
func (b *beside) randomCommand() string {
	if (b.last.Done || b.last.State.Depth == 0) && b.random.IntN(20) == 0 {
		return "goto 0"
	}
	if b.random.IntN(12) == 0 {
		if b.stopped > 0 {
			line := b.stopped
			b.stopped = 0
			return fmt.Sprintf("cl %s:%d", b.s.Recording().Tree().Files()[0].Name, line)
		}
		b.stopped = b.lines[b.random.IntN(len(b.lines))]
		return fmt.Sprintf("b %d", b.stopped)
	}
	back := []string{"rs", "rs", "rn", "rf", "rc"}
	if b.last.Done {
		return back[b.random.IntN(len(back))]
	}
	moves := append([]string{"s", "s", "s", "n", "n", "r", "c"}, back...)
	return moves[b.random.IntN(len(moves))]
}
