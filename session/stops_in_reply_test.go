//go:build unix

package session_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
)

const sums = `def add(a, b):
    c = a + b
    return c

total = 0
for i in range(12):
    total = add(total, i)
print(total)
`

// countedOracle serves a perfect model, and counts its chat requests.
func countedOracle(t *testing.T) (interpreter, url string, asked func() int) {
	t.Helper()
	interpreter = pythons.Any(t)
	oracle := cpython.New(cpython.Config{Python: interpreter, Timeout: time.Minute})
	t.Cleanup(func() { _ = oracle.Close() })
	server, err := serve.New(serve.Config{Models: []serve.Model{{Name: "oracle", Predictor: oracle}}})
	if err != nil {
		t.Fatal(err)
	}
	var n atomic.Int64
	answers := server.Handler()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/chat/completions") {
			n.Add(1)
		}
		answers.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return interpreter, s.URL + "/v1", func() int { return int(n.Load()) }
}

// stepper returns a session by chat with a number of states in a reply.
func stepper(t *testing.T, w walker, stateDir string) *command.Interpreter {
	t.Helper()
	w.dialect = openai.Chat
	c := w.neural()
	c.StateDir = stateDir
	s := unclosed(t, c)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s.First(t.Context())
	return s
}

// TestStopsInAReply checks that a walk makes one request for eight steps, which is
// reported. The other steps are marked as coming with an earlier reply, and cost nothing.
// Going back and forward again, and a restart, make no requests.
func TestStopsInAReply(t *testing.T) {
	interpreter, url, asked := countedOracle(t)
	w := program(t, interpreter, url, "prog.py", sums)
	w.stops = 8
	s := stepper(t, w, "")
	const steps = 60
	for i := range steps {
		a := do(s, "s")
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		account := s.View().Account
		if kept := i%8 > 0; account.WasKept != kept || account.Kept != i+1-asked() || account.Answers != asked() || len(account.Took) != asked() {
			t.Fatalf("after step %d: %+v, %d requests", i+1, account, asked())
		}
		raw := run(s, "raw")
		if told := strings.Contains(raw, "came with the reply to an earlier question"); told != (i%8 > 0) || !strings.Contains(raw, `{"outcome"`) {
			t.Errorf("raw at step %d: %s", i+1, raw)
		}
	}
	const want = (steps + 7) / 8
	t.Logf("%d requests for %d steps, %.2f a step: %s", asked(), steps, float64(asked())/steps, strings.Join(s.Bill(), " "))
	if asked() != want {
		t.Errorf("%d requests, want %d", asked(), want)
	}
	info := run(s, "info prog")
	for _, line := range []string{"Asked: 8 predictions, ", "With earlier replies came: 52 further states, at no request."} {
		if !strings.Contains(info, line) {
			t.Errorf("info does not say %q:\n%s", line, info)
		}
	}
	do(s, "back 20")
	for range 20 {
		do(s, "s")
	}
	if got := do(s, "restart"); got.Err != nil {
		t.Error(got.Err)
	}
	for range steps {
		do(s, "s")
	}
	if asked() != want {
		t.Errorf("%d requests more for what is known", asked()-want)
	}
}

// TestStopsAnswerTheirOwnMoves checks that states of a step into do not answer a step
// over, nor forward ones a backward step. A retry makes a request; an edit begins another
// history.
func TestStopsAnswerTheirOwnMoves(t *testing.T) {
	interpreter, url, asked := countedOracle(t)
	w := program(t, interpreter, url, "prog.py", sums)
	w.stops = 8
	s := stepper(t, w, "")
	for i, c := range []struct {
		line string
		asks int
	}{
		{"s", 1}, {"s", 0}, {"s", 0}, // to the call
		{"retry", 1}, {"s", 0}, // the other answer is the same here
		{"back", 0}, {"n", 1}, {"n", 0}, // over it, to the next one
		{"s", 1}, {"s", 0}, // into that
		{"rs", 0}, {"rs", 0}, {"rn", 0}, // back the same way
		{"rs", 1}, {"rs", 0}, {"rn", 1}, {"rs", 1}, {"rs", 0}, // into the past of the first one
		{"!b = 500", 0}, {"s", 1}, {"s", 0}, {"r", 1},
	} {
		before := asked()
		if a := do(s, c.line); a.Err != nil {
			t.Fatalf("%s: %v", c.line, a.Err)
		}
		if got := asked() - before; got != c.asks {
			t.Errorf("step %d, %s: %d requests, want %d", i, c.line, got, c.asks)
		}
	}
}

// TestStopsBeside checks that beside CPython several states in a reply are as right as
// one, free and guided.
func TestStopsBeside(t *testing.T) {
	interpreter, url, asked := countedOracle(t)
	for _, way := range []string{"walk free", "walk guided"} {
		b := besideOf(t, interpreter, "prog.py", []byte(sums), predictor(t, url, openai.Chat, 8, 1<<12))
		before, moves := asked(), 0
		b.do(way)
		for _, line := range append(times("s", 32), "n", "n", "n", "rs", "rs", "n", "r") {
			requests := asked()
			b.do(line)
			b.same(line)
			moves++
			kept := asked() == requests
			if told := strings.Contains(run(b.s, "raw"), "came with the reply to an earlier question"); told != kept {
				t.Errorf("%s, move %d: that it came with an earlier reply is told: %v, want %v", way, moves, told, kept)
			}
		}
		if n := asked() - before; n > 12 {
			t.Errorf("%s: %d requests for %d moves", way, n, moves)
		}
	}
}

// TestStopsResume checks that a session is resumed without its server: the journal has
// each step separately, whichever reply it came with.
func TestStopsResume(t *testing.T) {
	interpreter, url, asked := countedOracle(t)
	w := program(t, interpreter, url, "prog.py", sums)
	w.stops = 8
	dir := t.TempDir()
	s := stepper(t, w, dir)
	var a *session.Answer
	for range 12 {
		a = do(s, "s")
	}
	if asked() != 2 || a.Err != nil {
		t.Fatalf("%d requests, %v", asked(), a.Err)
	}
	options := s.Configured().Options
	j, err := journal.Find(dir, options)
	if err != nil {
		t.Fatal(err)
	}
	nobody := &scripted{}
	again := neuralIn(t, nobody, j.Options(options), dir, journal.Filled{})
	resumed := again.Resume(t.Context(), j)
	if resumed.Err != nil || resumed.State.Line != a.State.Line || !slices.Equal(resumed.State.Locals, a.State.Locals) || resumed.Origin != dsl.Predicted || len(nobody.asked) != 0 {
		t.Errorf("resumed at %+v, left at %+v, %d questions: %v", resumed.State, a.State, len(nobody.asked), resumed.Err)
	}
}

// TestPrefetchWantsNoMoreOfTheOtherMove checks that only the prefetch of the move that
// repeats the last one requests several states. A user who makes the other move once will
// rarely repeat it.
func TestPrefetchWantsNoMoreOfTheOtherMove(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"n", "step_over, step_over, step_into alone"},
		{"s", "step_into, step_into, step_over alone"},
		{"r", "step_return, step_over alone, step_into alone"},
	} {
		m := &imitation{}
		bubble(t, m, nav.Foresight{Moves: 2, AtOnce: 1}, func(t *testing.T, s *command.Interpreter) {
			do(s, c.line)
			reads(5 * time.Second)
			if got := m.wanted(); got != c.want {
				t.Errorf("after %s it is asked %s, want %s", c.line, got, c.want)
			}
		})
	}
}

// keeping is a model that already has the answers to one move.
type keeping struct {
	*imitation
	move dsl.Move
}

func (k keeping) Keeps(q backend.Question) bool { return q.Action.Move == k.move }

// TestPrefetchLeavesOutWhatIsKept checks that available states are not prefetched, but
// count as one of the allowed moves.
func TestPrefetchLeavesOutWhatIsKept(t *testing.T) {
	for _, c := range []struct {
		moves int
		keeps dsl.Move
		want  string
	}{
		{1, 0, "step_over step_over"},
		{1, dsl.StepOver, "step_over"},
		{2, dsl.StepOver, "step_over step_into"},
		{2, dsl.StepInto, "step_over step_over"},
		{1, dsl.StepInto, "step_over step_over"},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &imitation{latency: time.Second}
			s := foreseeing(t, m, nav.Foresight{Moves: c.moves}, func(cfg *session.Config) {
				if c.keeps != 0 {
					cfg.Neural.Predictor = keeping{m, c.keeps}
				}
			})
			do(s, "n")
			reads(5 * time.Second)
			if got := m.questions(); got != c.want {
				t.Errorf("%d moves ahead, %v kept: it is asked %s, want %s", c.moves, c.keeps, got, c.want)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
