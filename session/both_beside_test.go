//go:build unix

package session_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
)

// beside is a session in the mode both on a program.
type beside struct {
	t       *testing.T
	s       *command.Interpreter
	last    *session.Answer
	moves   int // predicted moves so far
	random  *rand.Rand
	lines   []int // lines for breakpoints
	stopped int   // the line of the breakpoint; 0 for none
}

// newBeside opens a session on a copy of a program.
func newBeside(t *testing.T, interpreter, path string, p backend.Predictor) *beside {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return besideOf(t, interpreter, filepath.Base(path), source, p)
}

// besideOf opens a session on a program given as name and text.
func besideOf(t *testing.T, interpreter, name string, source []byte, p backend.Predictor) *beside {
	t.Helper()
	return besideStarted(t, interpreter, name, source, p, session.StartTrace)
}

func besideStarted(t *testing.T, interpreter, name string, source []byte, p backend.Predictor, start session.StartFunc) *beside {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, source, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := interpreted(t.Context(), session.Config{
		Options: trace.Options{Script: path, Python: interpreter, Dir: filepath.Dir(path), Stdin: strings.NewReader("")},
		Start:   start,
		Mode:    session.Both, Neural: &nav.Neural{Predictor: p},
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &beside{
		t: t, s: s, random: rand.New(rand.NewPCG(uint64(len(source)), 11)),
		lines: python.Read(source).Outline().Executable,
	}
	t.Cleanup(b.close)
	b.last = s.First(t.Context())
	return b
}

func (b *beside) close() {
	if b.s == nil {
		return
	}
	if err := b.s.Close(); err != nil {
		b.t.Error(err)
	}
	b.s = nil
}

// do runs one command and returns its answer.
func (b *beside) do(command string) *session.Answer {
	b.t.Helper()
	b.s.Line(b.t.Context(), command, func(a *session.Answer) { b.last = a })
	if err := fitsSchema(b.last); err != nil {
		b.t.Error(err)
	}
	if b.last.Beside == nil {
		b.t.Fatalf("%q is answered without a prediction: %+v", command, b.last)
	}
	b.moves = b.last.Beside.Moves
	return b.last
}

func (b *beside) score() *score.Score { return b.last.Beside.Score }

// remembered is a predictor that caches its answers.
type remembered struct {
	backend.Predictor
	mu    sync.Mutex
	known map[string]*backend.Prediction
}

// remembering returns the path of an interpreter, and a predictor that runs it and remembers its answers.
func remembering(t *testing.T, c cpython.Config) (interpreter string, p *remembered) {
	t.Helper()
	interpreter = pythons.Any(t)
	c.Python, c.Timeout = interpreter, time.Minute
	asked := cpython.New(c)
	t.Cleanup(func() {
		if err := asked.Close(); err != nil {
			t.Error(err)
		}
	})
	return interpreter, &remembered{Predictor: asked, known: map[string]*backend.Prediction{}}
}

func (r *remembered) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	prompt, err := q.At.Prompt(q.Action)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	made := r.known[prompt]
	r.mu.Unlock()
	if made != nil {
		return made, nil
	}
	made, err = r.Predictor.Predict(ctx, q, show)
	if err == nil {
		r.mu.Lock()
		r.known[prompt] = made
		r.mu.Unlock()
	}
	return made, err
}

// said returns npdb's messages in an answer.
func said(a *session.Answer) string {
	text, _ := a.Text(session.Said)
	return text
}
