//go:build unix

package session_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session/journal"
)

// TestChatWalks checks the oracle's answers by chat to what TestNeuralIsReal does not ask: several
// files, an entry whose values are filled in, a post-mortem stop, and the program's end.
func TestChatWalks(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{})
	w := program(t, interpreter, url,
		"main.py", "import store\ntotal = store.cost('bun')\ntotal = store.cost('cake')\n",
		"store.py", "PRICES = {'bun': 2}\n\ndef cost(what):\n    price = PRICES[what]\n    return price\n",
	)
	w.dialect = openai.Chat
	for _, w := range w.ways() {
		w.same(w.real(), w.neural(), "s", "s", "s", "n", "n", "n", "s", "r", "rs", "rn", "n", "c", "c", "rs", "rf")
	}
}

// TestChatCompaction checks that a conversation that exceeds the window is replaced by a
// new one, that this is reported, and that the oracle knows the program's position from
// it.
func TestChatCompaction(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{Window: 8000})
	w := program(t, interpreter, url, "prog.py", "total = 0\nfor i in range(20):\n    total += i\nprint(total)\n")
	for _, stops := range []int{1, 8} {
		c := w.neural()
		c.Neural.Predictor = predictor(t, url, openai.Chat, stops, 256)
		answers := w.same(w.real(), c, times("n", 40)...)
		first := slices.IndexFunc(answers, func(a answer) bool { return bytes.Contains(a.line, []byte("was compacted")) })
		if first < 3 {
			t.Errorf("the text was compacted at answer %d; it was to go on for some steps before", first)
		}
	}
}

// TestChatResume checks that a journal stores a chat's states as nd/1, so that resuming
// needs no request, and that raw shows the model's own text.
func TestChatResume(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{})
	w := program(t, interpreter, url, "prog.py", neuralSource)
	w.dialect = openai.Chat
	c := w.neural()
	c.StateDir = t.TempDir()
	s := started(t, c)
	s.First(t.Context())
	a := do(s, "n")
	if raw := run(s, "raw"); !strings.Contains(raw, `{"outcome":"state","event":"line"`) {
		t.Errorf("raw shows %s", raw)
	}
	options := s.Configured().Options
	j, err := journal.Find(c.StateDir, options)
	if err != nil {
		t.Fatal(err)
	}
	nobody := &scripted{}
	again := neuralIn(t, nobody, j.Options(options), c.StateDir, journal.Filled{})
	resumed := again.Resume(t.Context(), j)
	if resumed.Err != nil || a.State == nil || resumed.State.Line != a.State.Line || !slices.Equal(resumed.State.Locals, a.State.Locals) || resumed.Origin != dsl.Predicted {
		t.Errorf("resumed at %+v, left at %+v: %v", resumed.State, a.State, resumed.Err)
	}
	if len(nobody.asked) != 0 {
		t.Errorf("the model is asked %d questions", len(nobody.asked))
	}
}
