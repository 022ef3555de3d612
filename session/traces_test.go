//go:build unix

package session_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session/compare"
)

// forwards returns a random walk of forward moves. The dialect cwm has no others.
func (w *walker) forwards() []string {
	random := rand.New(rand.NewPCG(uint64(len(w.source)), 11))
	lines := python.Read(w.source).Outline().Executable
	commands := []string{"s", "n", "s", fmt.Sprintf("b %d", lines[random.IntN(len(lines))])}
	moves := []string{"s", "s", "s", "n", "n", "r", "c"}
	if suspends.Match(w.source) {
		moves = []string{"s", "s", "s", "c"}
	}
	for len(commands) < walkLength {
		commands = append(commands, moves[random.IntN(len(moves))])
	}
	return append(commands, "clear", "y", "c", "c")
}

// tellable returns a state without the parts that a trace lacks: the locals of returns and
// exceptions.
func (a answer) tellable() (text string, whole bool) {
	var state map[string]any
	if json.Unmarshal(a.State, &state) != nil || state == nil {
		return string(a.State), true
	}
	if event := state["event"]; event == "return" || event == "exception" {
		delete(state, "locals")
		text, err := json.Marshal(state)
		return string(text), err != nil
	}
	return string(a.State), true
}

// comeApart lists programs whose walks diverge, with the part that a trace lacks.
var comeApart = map[string]string{
	"chain_context.py":    "where an exception was raised in a call that was passed over",
	"exit_caught.py":      "whether a call that was passed over returned None or raised",
	"exit_now.py":         "that a program ends within a function, and how",
	"frames_inspected.py": "the frames that a program looks at",
}

// TestTraceIsReal walks forwards through programs twice with the same commands: in a
// recording, and with a perfect Code World Model on a server. The states must be the same
// as far as a trace contains them; missing parts are counted. It uses a sixth of the
// programs, or all.
func TestTraceIsReal(t *testing.T) {
	if pythons.Usual(t).Minor < 10 {
		t.Skip("3.9 has events on other lines than those that a text is read to have")
	}
	interpreter, url := serveOracle(t, serve.Config{})
	programs, err := filepath.Glob(filepath.Join("..", "trace", "testdata", "programs", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	share := longtest.Rarer(6)
	walkables, walked := 0, 0
	var mu sync.Mutex
	same, untold, apart := 0, 0, map[string]string{}
	t.Run("programs", func(t *testing.T) {
		for _, path := range programs {
			name := filepath.Base(path)
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !walkable(t, name, source) {
				continue
			}
			walkables++
			if !longtest.In(t, walkables, share) {
				continue
			}
			walked++
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := walker{t: t, interpreter: interpreter, url: url, dialect: openai.CWM, path: filepath.Join(t.TempDir(), name), source: source}
				if err := os.WriteFile(w.path, source, 0o600); err != nil {
					t.Fatal(err)
				}
				commands := w.forwards()
				real, predicted := w.walk(w.real(), commands), w.walk(w.neural(), commands)
				mu.Lock()
				defer mu.Unlock()
				for i := range real {
					if i > 0 && real[i].passed() && !predicted[i].passed() && predicted[i-1].callerUnknown() {
						break
					}
					want, whole := real[i].tellable()
					got, _ := predicted[i].tellable()
					real[i].State, predicted[i].State = json.RawMessage(want), json.RawMessage(got)
					if why := differ(real[i], predicted[i]); why != "" {
						apart[name] = fmt.Sprintf("%s after %q\nreal:      %s\npredicted: %s", why, commands[:i], real[i].line, predicted[i].line)
						break
					}
					same++
					if !whole {
						untold++
					}
				}
			})
		}
	})
	t.Logf("%d states of %d programs, of %d; of %d the locals are not told; %d walks come apart", same, walked, walkables, untold, len(apart))
	unknown := 0
	for name, why := range apart {
		t.Logf("%s (%s): %s", name, comeApart[name], why)
		if comeApart[name] == "" {
			unknown++
		}
	}
	if walkables < 30 || walked < walkables/share || same < walked*walkLength/2 || unknown > 1+walked/25 {
		t.Errorf("%d programs of %d were walked over, %d states compared, %d walks come apart otherwise than is known", walked, walkables, same, unknown)
	}
}

// TestTraceBeside checks that a perfect Code World Model is right beside CPython: where a
// trace has no locals, they are neither right nor wrong.
func TestTraceBeside(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{})
	const source = `def half(n):
    k = n // 2
    if k > 2:
        raise ValueError(k)
    return k


def sum_of(ns):
    total = 0
    for n in ns:
        try:
            total += half(n)
        except ValueError:
            total = -1
    return total


first = sum_of([2, 4])
second = sum_of([9])
`
	for _, way := range []string{"walk free", "walk guided"} {
		b := besideOf(t, interpreter, "prog.py", []byte(source), predictor(t, url, openai.CWM, 1, 1<<12))
		b.do(way)
		untold := 0
		for _, command := range []string{"n", "n", "s", "s", "s", "s", "s", "s", "r", "n", "r", "n", "s", "n", "n", "s", "r", "n", "n", "r", "n", "n"} {
			b.do(command)
			b.same(command)
			for _, v := range b.last.Beside.Verdicts {
				if v.Kind == compare.Incomparable {
					untold++
				}
			}
		}
		if untold < 5 {
			t.Errorf("%s: of %d locals it is said that they are not told", way, untold)
		}
	}
}
