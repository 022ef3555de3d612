package session_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// judging is a scripted model that also judges blocks: by its verdicts, in order.
type judging struct {
	scripted
	verdicts []string
	blocks   []*chat.Block
}

func (m *judging) Judge(_ context.Context, b *chat.Block) (*backend.Judgement, error) {
	m.blocks = append(m.blocks, b)
	if len(m.verdicts) == 0 {
		return nil, &backend.Error{Kind: backend.Unreachable, Message: "the server is gone"}
	}
	correct, why, err := chat.DecodeJudgement(m.verdicts[0])
	m.verdicts = m.verdicts[1:]
	if err != nil {
		return nil, &backend.Error{Kind: backend.NoState, Message: err.Error(), Err: err}
	}
	return &backend.Judgement{Correct: correct, Why: why, Usage: backend.Usage{Prompt: 10, Completion: 5}}, nil
}

// judged opens a session in real mode that has a model.
func judged(t *testing.T, m backend.Predictor, source string) *command.Interpreter {
	t.Helper()
	return opened(t, trace.Options{Python: pythons.Any(t), Script: scriptOf(t, source)}, func(c *session.Config) {
		c.Neural = neuralConfig(&scripted{}, trace.Options{}).Neural
		c.Neural.Predictor, c.Neural.Redact, c.Mode = m, redactor(), session.Real
	})
}

// TestBlocksJudged checks the request for a verdict on a run, and what the session does with verdicts,
// including hostile and missing ones.
func TestBlocksJudged(t *testing.T) {
	long := strings.Repeat("x", 5000)
	m := &judging{verdicts: []string{
		`{"correct": true, "why": "fine"}`, `Sure! {"correct": false, "why": "adds\u001b[31m\ntwice"}`, `{"correct": true, "why": "` + long + `"}`,
	}}
	s := judged(t, m, `def f(n, password):
    '''Doubles n.'''
    n += n
    if n:
        n = n + 1
    return n

f(2, 'correct-horse')
`)
	run(s, "b 6", "c")
	got := run(s, "blocks --judge")
	if len(m.blocks) != 2 { // the last run is not over
		t.Fatalf("%d questions: %s", len(m.blocks), got)
	}
	first := m.blocks[0]
	if first.Function != "f" || first.Task != "Doubles n." || first.First != 1 || first.Lines != [2]int{2, 4} || len(first.Source) != 6 ||
		!reflect.DeepEqual(first.In, []dsl.Local{{Name: "n", Value: "2"}}) || !reflect.DeepEqual(first.Out, []dsl.Local{{Name: "n", Value: "4"}}) {
		t.Errorf("%+v", first)
	}
	for _, want := range []string{"model: correct", "model: not correct", "scripted says not correct: adds"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.ContainsRune(got, 0x1b) {
		t.Errorf("an escape sequence comes through: %q", got)
	}
	run(s, "cl 1", "c")
	m.blocks = nil
	a := answered(s, "blocks f --judge Returns 2n, and keeps password secret.")
	if len(m.blocks) != 2 || m.blocks[0].Task != "Returns 2n, and keeps password secret." || !strings.Contains(a.Blocks.JudgeFailed, "the server is gone") {
		t.Fatalf("%d %+v", len(m.blocks), a.Blocks)
	}
	if v := a.Blocks.Rows[0].Verdict; v == nil || !v.Correct || len(v.Why) > 2100 || !strings.HasSuffix(v.Why, "bytes more)") {
		t.Errorf("%+v", v)
	}
	if v := a.Blocks.Rows[1].Verdict; v != nil {
		t.Errorf("%+v", v)
	}
	m.verdicts, m.blocks = []string{"no idea"}, nil
	if got := answered(s, "blocks f --judge").Blocks; got.Rows[0].Verdict != nil || len(m.blocks) != 1 || !strings.Contains(got.JudgeFailed, "no JSON object") {
		t.Errorf("%+v", got)
	}
}

// TestBlocksJudgedRedacted checks that a request for a verdict contains no secret.
func TestBlocksJudgedRedacted(t *testing.T) {
	m := &judging{verdicts: []string{`{"correct": true, "why": ""}`, `{"correct": true, "why": ""}`}}
	s := judged(t, m, "def f(password):\n    token = 'sk-abcdefghijklmnop' + password\n    return token\n\nf('correct-' + 'horse-battery')\n")
	run(s, "c")
	if a := answered(s, "blocks f --judge"); a.Err != nil || len(m.blocks) == 0 {
		t.Fatal(a.Err)
	}
	for _, b := range m.blocks {
		messages, err := chat.JudgeMessages(b)
		if err != nil {
			t.Fatal(err)
		}
		if text := messages[1].Content; strings.Contains(text, "horse-battery") || strings.Contains(text, "sk-abc") || !strings.Contains(text, "<redacted>") {
			t.Errorf("%s", text)
		}
	}
}

// TestBlocksNotJudged checks sessions without a model that can judge.
func TestBlocksNotJudged(t *testing.T) {
	s := opened(t, trace.Options{Python: pythons.Any(t), Script: scriptOf(t, blocksSource)})
	run(s, "c")
	if got := run(s, "blocks total --judge"); !strings.Contains(got, "*** blocks --judge: there is no model to ask") {
		t.Error(got)
	}
	s = judged(t, &scripted{}, blocksSource)
	run(s, "c")
	if got := run(s, "blocks total --judge"); !strings.Contains(got, "*** blocks --judge: only a chat model can judge a block") {
		t.Error(got)
	}
	m := &judging{verdicts: []string{`{"correct": true}`}}
	s = judged(t, &backend.Gated{Predictor: m, Refusal: func() string { return "not allowed" }}, blocksSource)
	run(s, "c")
	if got := answered(s, "blocks total --judge"); !strings.Contains(got.Blocks.JudgeFailed, "not allowed") || len(m.blocks) > 0 {
		t.Errorf("%+v", got.Blocks)
	}
	var failure *backend.Error
	if _, err := backend.Judged(t.Context(), &scripted{}, &chat.Block{}); !errors.Is(err, backend.ErrNoJudge) || !errors.As(err, &failure) {
		t.Error(err)
	}
}
