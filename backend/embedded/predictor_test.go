package embedded

import (
	"context"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/python"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// babbler returns a predictor for a tiny model with random weights.
func babbler(t testing.TB, c Config) *Predictor {
	t.Helper()
	data, err := os.ReadFile("testdata/tiny.npdb")
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(data, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// walk returns the nodes of a vector's walk that have a state, in order.
func walk(t testing.TB, which int) []*dsl.Node {
	t.Helper()
	last, _, err := dsl.ND1.Read(vectors.All()[which].Wire)
	if err != nil {
		t.Fatal(err)
	}
	var nodes []*dsl.Node
	for n := last; n.Parent() != nil; n = n.Parent() {
		nodes = append([]*dsl.Node{n}, nodes...)
	}
	return nodes
}

func to[T any](x T) *T { return &x }

// TestPredictionsAreStates checks that even a model with random weights replies with states.
func TestPredictionsAreStates(t *testing.T) {
	p := babbler(t, Config{Threads: 2})
	ended := 0
	for i := range 3 {
		for j, a := range actions(dsl.Location{Line: 2}) {
			at := walk(t, i)[j%2]
			q := backend.Question{At: at, Action: a, Options: backend.Options{Temperature: to(2.0), Seed: to(int64(i))}}
			var last backend.Update
			got, err := p.Predict(t.Context(), q, func(u backend.Update) { last = u })
			var failure *backend.Error
			if errors.As(err, &failure) && (failure.Kind == backend.TooLong || failure.Kind == backend.Endless) && (failure.Raw != "" || at.Len() > 800) {
				continue // the reply filled the window without an end
			}
			if err != nil {
				t.Fatalf("%v after\n%s\n%v", a, at.Text(), err)
			}
			ended++
			if err := checkReply(at, a, got.Raw); err != nil {
				t.Fatalf("%v is answered with %q: %v", a, got.Raw, err)
			}
			if last.Raw != got.Raw || !reflect.DeepEqual(last.Reply, got.Step.Reply) {
				t.Errorf("the last update is %+v, the prediction %+v", last, got)
			}
			if c := *got.Confidence; !(c >= 0 && c <= 1) {
				t.Errorf("the confidence is %v", c)
			}
			if part, p := got.Sureness.Least(); p == nil || *p < *got.Confidence || *p > 1 {
				t.Errorf("of %q the least sure part is %s, %v; the whole is %v", got.Raw, part, p, *got.Confidence)
			}
			if u := got.Usage; u.Completion < 2 || u.Prompt < 10 || u.Cached >= u.Prompt {
				t.Errorf("the usage is %+v", u)
			}
		}
	}
	if ended < 20 {
		t.Errorf("%d replies came to an end", ended)
	}
}

// TestCacheChangesNothing checks that cached keys and values are used, and that they do not change a
// reply.
func TestCacheChangesNothing(t *testing.T) {
	warm := babbler(t, Config{Threads: 2})
	for _, which := range []int{0, 3, 0} {
		nodes := walk(t, which)
		nodes = nodes[:min(5, len(nodes))]
		for _, at := range append(nodes, nodes[1], nodes[0]) {
			q := backend.Question{At: at, Action: dsl.Action{Move: dsl.StepOver}, Options: backend.Options{MaxTokens: to(12)}}
			again, err1 := warm.Predict(t.Context(), q, nil)
			fresh, err2 := babbler(t, Config{Threads: 1}).Predict(t.Context(), q, nil)
			if again == nil || fresh == nil {
				var a, b *backend.Error
				if !errors.As(err1, &a) || !errors.As(err2, &b) || a.Raw != b.Raw || a.Kind != b.Kind {
					t.Fatalf("%v, and anew %v", err1, err2)
				}
				continue
			}
			if again.Raw != fresh.Raw || *again.Confidence != *fresh.Confidence {
				t.Errorf("%q (%v), and anew %q (%v)", again.Raw, *again.Confidence, fresh.Raw, *fresh.Confidence)
			}
			if fresh.Usage.Cached != 0 {
				t.Errorf("a new predictor knew %d tokens", fresh.Usage.Cached)
			}
		}
	}
	w := &writing{spot: newScene(walk(t, 0)[1], dsl.Action{Move: dsl.StepInto}, python.Version{}).begin(), drawing: drawing{calibration: 1}, limit: 1}
	if err := warm.ask(t.Context(), w, walk(t, 0)[1].Text(), backend.Options{MaxTokens: to(1)}); err == nil || w.cached < w.prompt-40 {
		t.Errorf("%d of %d tokens were known (%v)", w.cached, w.prompt, err)
	}
}

func TestSeedDecides(t *testing.T) {
	p := babbler(t, Config{})
	q := backend.Question{At: walk(t, 0)[0], Action: dsl.Action{Move: dsl.StepOver}}
	q.Options = backend.Options{Temperature: to(3.0), TopP: to(0.95), MaxTokens: to(15)}
	ask := func(seed int64) string {
		q.Options.Seed = &seed
		got, err := p.Predict(t.Context(), q, nil)
		var failure *backend.Error
		if errors.As(err, &failure) {
			return failure.Raw
		}
		return got.Raw
	}
	if a, b := ask(1), ask(1); a != b {
		t.Errorf("%q and %q with the same seed", a, b)
	}
	replies := map[string]bool{}
	for seed := range int64(10) {
		replies[ask(seed)] = true
	}
	if len(replies) < 5 {
		t.Errorf("ten seeds give %d replies", len(replies))
	}
}

func TestFailures(t *testing.T) {
	p := babbler(t, Config{})
	at := walk(t, 0)[0]
	q := backend.Question{At: at, Action: dsl.Action{Move: dsl.StepOver}, Options: backend.Options{MaxTokens: to(3)}}
	kind := func(err error) backend.ErrorKind {
		var failure *backend.Error
		if !errors.As(err, &failure) {
			t.Fatal(err)
		}
		return failure.Kind
	}
	_, err := p.Predict(t.Context(), q, nil)
	var failure *backend.Error
	if kind(err) != backend.Endless || !errors.As(err, &failure) || failure.Raw == "" || failure.Known == 0 {
		t.Errorf("a reply with its limit of tokens: %#v", failure)
	}
	q.Action = dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{File: 1, Line: 1}}}
	if _, err = p.Predict(t.Context(), q, nil); kind(err) != backend.Unwritable {
		t.Errorf("a breakpoint nowhere: %v", err)
	}
	q.Action = dsl.Action{Move: dsl.StepOver}
	nodes := walk(t, 0)
	q.At = nodes[len(nodes)-1]
	if _, err = p.Predict(t.Context(), q, nil); kind(err) != backend.TooLong {
		t.Errorf("a long text: %v", err)
	}
	q.At = at
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = p.Predict(ctx, q, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("given up before: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	q.Options.MaxTokens = nil
	if _, err = p.Predict(ctx, q, func(backend.Update) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("given up after a token: %v", err)
	}
	if _, err = p.Predict(t.Context(), q, func(backend.Update) { p.Close() }); kind(err) != backend.Unreachable {
		t.Errorf("closed after a token: %v", err)
	}
	if _, err = p.Predict(t.Context(), q, nil); kind(err) != backend.Unreachable {
		t.Errorf("closed before: %v", err)
	}
}

func TestQuestionsQueue(t *testing.T) {
	p := babbler(t, Config{Threads: 2})
	var all sync.WaitGroup
	for i := range 6 {
		at := walk(t, i%2)[i%3]
		all.Go(func() {
			q := backend.Question{At: at, Action: dsl.Action{Move: dsl.StepInto}, Options: backend.Options{MaxTokens: to(20)}}
			got, err := p.Predict(t.Context(), q, nil)
			var failure *backend.Error
			if err != nil && (!errors.As(err, &failure) || failure.Kind != backend.Endless && failure.Kind != backend.TooLong) {
				t.Errorf("%v %v", got, err)
			}
		})
	}
	all.Wait()
}

func TestFill(t *testing.T) {
	p := babbler(t, Config{})
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"def f(x, y):", "    return x"}}}})
	if err != nil {
		t.Fatal(err)
	}
	first := &dsl.Stop{
		State: dsl.State{
			Event: dsl.Call, File: "p.py", Line: 1, Source: "def f(x, y):", Function: "f",
			Locals: []dsl.Local{{Name: "x"}, {Name: "y", Value: "2"}},
		},
		Stack: []dsl.Frame{{Function: "f", File: "p.py", Line: 1}},
	}
	one := 1
	_, err = p.Fill(t.Context(), at, first, []int{0}, backend.Options{Temperature: to(3.0), MaxTokens: &one})
	if failure := (*backend.Error)(nil); err != nil && (!errors.As(err, &failure) || failure.Kind != backend.Endless || !strings.Contains(failure.Message, `makes up for "x" exceeds the limit of 1 tokens`)) {
		t.Errorf("a value of many tokens: %v", err)
	}
	for seed := range int64(20) {
		got, err := p.Fill(t.Context(), at, first, []int{0}, backend.Options{Temperature: to(3.0), Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		if got.Confidence == nil || *got.Confidence < 0 || *got.Confidence > 1 || got.Sureness.Local("x") == nil || got.Sureness.Local("y") != nil {
			t.Fatalf("it is %v sure, %+v", got.Confidence, got.Sureness)
		}
		if first.Locals[0].Value != "" || got.First.Locals[1].Value != "2" {
			t.Fatal("what was given has changed")
		}
		if _, err := at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: got.First}}); err != nil {
			t.Errorf("%q: %v", got.First.Locals[0].Value, err)
		}
	}
}

func TestRepeats(t *testing.T) {
	once := count(0, 40)
	over := slices.Repeat(once, 6)
	if !repeats(over) || !repeats(append(count(0, 300), over...)) || repeats(count(0, 400)) || repeats(over[:100]) || repeats(append(over, 7)) {
		t.Error("repetitions are not what they are taken for")
	}
}
