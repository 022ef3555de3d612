package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

func open(t *testing.T, path string) *Cache {
	t.Helper()
	c, err := OpenCache(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestResume checks that a run that was killed continues without repeating questions, and that its
// result is the same.
func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "cache.jsonl")
	sure := 0.75
	source := repeated(40)
	ask := func(ctx context.Context, answer func(backend.Question) (dsl.Reply, error)) (*Result, *fake, error) {
		f := &fake{name: "m", sure: &sure, answer: answer}
		cache := open(t, path)
		defer cache.Close()
		r, err := MeasureCruxEval(ctx, Config{Predictor: f, Identity: "m", Cache: cache, Parallel: 4, Only: MeasureOutput}, source)
		return r, f, err
	}
	right := func(q backend.Question) (dsl.Reply, error) { return returns(q.At, q.At.Current().Locals[0].Value), nil }

	ctx, kill := context.WithCancel(t.Context())
	var n atomic.Int64
	r, first, err := ask(ctx, func(q backend.Question) (dsl.Reply, error) {
		if n.Add(1) == 13 {
			kill()
		}
		return right(q)
	})
	if !errors.Is(err, context.Canceled) || r == nil || r.Complete || r.N == 0 || r.N >= 40 {
		t.Fatalf("%v %+v", err, r)
	}
	r, second, err := ask(t.Context(), right)
	if err != nil || r.N != 40 || !r.Complete || *r.Output.Pass1 != 1 {
		t.Fatalf("%v %+v", err, r)
	}
	// The questions that were in progress when it was killed have no answer.
	if first.asked+second.asked > 40+4 || second.asked == 0 {
		t.Errorf("%d and %d questions", first.asked, second.asked)
	}
	if r, third, err := ask(t.Context(), right); err != nil || third.asked != 0 || *r.Output.Pass1 != 1 || r.Output.Calibration.N() != 40 {
		t.Errorf("%v, %d questions the third time, %+v", err, third.asked, r)
	}
}

// TestCacheKey checks that a saved answer is used only for the same text, model and sampling options.
func TestCacheKey(t *testing.T) {
	base := keeping{identity: "m", sampling: "{}"}
	at := placeOf(t, "def f(x):\n    return x\n", "f", "1")
	seed := int64(3)
	keys := map[string]string{}
	for name, ask := range map[string]func() (string, error){
		"plain": func() (string, error) { return base.key(question1(at, dsl.StepOver), 0) },
		"model": func() (string, error) {
			k := keeping{identity: "n", sampling: "{}"}
			return k.key(question1(at, dsl.StepOver), 0)
		},
		"sampling": func() (string, error) {
			k := keeping{identity: "m", sampling: "1"}
			return k.key(question1(at, dsl.StepOver), 0)
		},
		"action": func() (string, error) { return base.key(question1(at, dsl.StepInto), 0) },
		"sample": func() (string, error) { return base.key(question1(at, dsl.StepOver), 1) },
		"program": func() (string, error) {
			return base.key(question1(placeOf(t, "def f(x):\n    return 1\n", "f", "1"), dsl.StepOver), 0)
		},
		"state": func() (string, error) {
			return base.key(question1(placeOf(t, "def f(x):\n    return x\n", "f", "2"), dsl.StepOver), 0)
		},
		"seed": func() (string, error) {
			q := question1(at, dsl.StepOver)
			q.Options.Seed = &seed
			return base.key(q, 0)
		},
	} {
		key, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		if other, twice := keys[key]; twice {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[key] = name
	}
	if again, _ := base.key(question1(at, dsl.StepOver), 0); keys[again] != "plain" {
		t.Error("the same question has another key")
	}
}

func question1(at *dsl.Node, m dsl.Move) backend.Question {
	return backend.Question{At: at, Action: dsl.Action{Move: m}}
}

// placeOf returns a node at the call of a function.
func placeOf(t *testing.T, source, function, input string) *dsl.Node {
	t.Helper()
	p := Program{Text: programOf(source), Function: function, Input: input}
	call, err := p.firstCall()
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRunner(Config{})
	if err != nil {
		t.Fatal(err)
	}
	at, err := r.called(p.Text, call)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestWhatIsKept checks that failures of the model are saved, and failures of the server are not, and
// that the question of a damaged line is asked again.
func TestWhatIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.jsonl")
	at := placeOf(t, "def f(x):\n    return x\n", "f", "1")
	for _, test := range []struct {
		kind  backend.ErrorKind
		asked int // number of questions in two runs
	}{
		{backend.NoState, 1},
		{backend.Endless, 1},
		{backend.TooLong, 1},
		{backend.TimedOut, 2},
		{backend.ServerFailed, 2},
		{backend.Cut, 2},
	} {
		f := &fake{answer: func(backend.Question) (dsl.Reply, error) {
			return dsl.Reply{}, &backend.Error{Kind: test.kind, Message: "no", Raw: "<|garbage"}
		}}
		for range 2 {
			cache := open(t, path)
			k := &keeping{Predictor: f, cache: cache, identity: fmt.Sprint(test.kind)}
			_, err := k.predict(t.Context(), question1(at, dsl.StepOver), 0)
			var failure *backend.Error
			if !errors.As(err, &failure) || failure.Kind != test.kind || failure.Raw != "<|garbage" {
				t.Errorf("%v: %v", test.kind, err)
			}
			if err := cache.Close(); err != nil {
				t.Error(err)
			}
		}
		if f.asked != test.asked {
			t.Errorf("%v was asked %d times", test.kind, f.asked)
		}
	}
	// The last line was truncated because a run was killed; the lines after it are complete.
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw[:len(raw)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	cache := open(t, path)
	cache.put(cached{Key: "k", Reply: "r"})
	if cache.Damaged() != 1 {
		t.Errorf("%d damaged lines", cache.Damaged())
	}
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	cache = open(t, path)
	defer cache.Close()
	if a, ok := cache.get("k"); !ok || a.Reply != "r" || cache.Damaged() != 1 {
		t.Errorf("%v %v, %d damaged", a, ok, cache.Damaged())
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

// FuzzCache checks that for any file, the reader neither fails nor returns an invalid answer.
func FuzzCache(f *testing.F) {
	f.Add([]byte(`{"key":"k","reply":"<|return_sep|>{}","confidence":0.5}` + "\n" + `{"key":"e","kind":12,"message":"no"}` + "\n{"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := &Cache{answers: map[string]cached{}}
		c.read(raw)
		if c.damaged+len(c.answers) > strings.Count(string(raw), "\n")+1 {
			t.Errorf("%d answers and %d damaged lines", len(c.answers), c.damaged)
		}
		at := placeOf(t, "def f(x):\n    return x\n", "f", "1")
		q := question1(at, dsl.StepReturn)
		for _, a := range c.answers {
			made, err := a.answer(q)
			if made == nil {
				continue
			}
			if err != nil {
				t.Fatalf("%v and an answer", err)
			}
			if _, err := at.Append(made.Step); err != nil {
				t.Errorf("%q is no answer: %v", a.Reply, err)
			}
		}
	})
}
