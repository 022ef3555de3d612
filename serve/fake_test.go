package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// walk is the example text in docs/nd1.md, which is known to be correct.
const walk = `<|trace_context_start|>1|def f(x):
2|    return x + 1
3|a = f(2)
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|def f(x):
<|frame_sep|><|debug_sep|>step_over<|frame_sep|><|line_sep|>{}<|action_sep|>3|a = f(2)
<|frame_sep|><|debug_sep|>step_into<|frame_sep|><|call_sep|><|stack_sep|>"f"{"x": "2"}<|action_sep|>1|def f(x):
<|frame_sep|><|debug_sep|>step_return<|frame_sep|><|return_sep|>{"x": ".."}<|action_sep|>2|    return x + 1
<|arg_sep|>"3"<|frame_sep|><|debug_sep|>continue<|frame_sep|><|end_sep|>{"code": 0}<|frame_sep|>`

// fake is a predictor that answers with the next step of walk. It answers anything else with
// unknown and the reason why. If hold is not nil, it is called first.
type fake struct {
	steps []dsl.Step
	why   string
	hold  func(context.Context) error
}

func newFake(t testing.TB) *fake {
	t.Helper()
	last, _, err := dsl.ND1.Read(walk)
	if err != nil {
		t.Fatal(err)
	}
	return &fake{steps: last.Trajectory().Steps}
}

func (f *fake) Predict(ctx context.Context, q backend.Question, _ func(backend.Update)) (*backend.Prediction, error) {
	if f.hold != nil {
		if err := f.hold(ctx); err != nil {
			return nil, err
		}
	}
	step := dsl.Step{Action: q.Action, Reply: dsl.Reply{Outcome: dsl.Unknown}}
	if at := len(q.At.Trajectory().Steps); at < len(f.steps) && f.steps[at].Action.Move == q.Action.Move {
		step.Reply = f.steps[at].Reply
	}
	made := &backend.Prediction{Step: step}
	if step.Reply.Outcome == dsl.Unknown && f.why != "" {
		made.Warnings = []string{f.why}
	}
	return made, nil
}

func (f *fake) Fill(context.Context, *dsl.Node, *dsl.Stop, []int, backend.Options) (*backend.Filled, error) {
	return nil, &backend.Error{Kind: backend.Unwritable}
}
func (f *fake) Model() backend.Model { return backend.Model{Name: "fake"} }
func (f *fake) Close() error         { return nil }

// prompts returns the prompts in walk, and the reply to each.
func prompts(t testing.TB) (asked, replies []string) {
	t.Helper()
	const mark = "<|debug_sep|>"
	const end = "<|frame_sep|>"
	for i := 0; ; {
		next := strings.Index(walk[i:], mark)
		if next < 0 {
			return asked, replies
		}
		i += next
		i += strings.Index(walk[i:], end) + len(end)
		asked = append(asked, walk[:i])
		replies = append(replies, walk[i:i+strings.Index(walk[i:], end)+len(end)])
	}
}

const fakeWindow = 4096

// served starts a server with the fake predictor.
func served(t testing.TB, change func(*Config)) *httptest.Server {
	t.Helper()
	c := Config{Models: []Model{{Name: "oracle", Predictor: newFake(t)}}, Window: fakeWindow}
	if change != nil {
		change(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return server
}

// object is a JSON object.
type object = map[string]any

// post sends a request, and returns the status, the body and the headers.
func post(t testing.TB, server *httptest.Server, path string, body any) (status int, text string, h http.Header) {
	t.Helper()
	raw, ok := body.(string)
	if !ok {
		said, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		raw = string(said)
	}
	return posted(path, raw).ask(t, server.Client(), server.URL)
}

// posted returns a POST request with the usual headers of a client.
func posted(path, body string) visit {
	return visit{http.MethodPost, path, body, map[string]string{"Content-Type": "application/json"}}
}

// complete sends a request to /v1/completions and fails the test unless it succeeds.
func complete(t testing.TB, server *httptest.Server, q object) (completion, http.Header) {
	t.Helper()
	status, text, h := post(t, server, "/v1/completions", q)
	var c completion
	if err := json.Unmarshal([]byte(text), &c); err != nil || status != http.StatusOK || len(c.Choices) == 0 {
		t.Fatalf("%v: status %d, %s", q, status, text)
	}
	return c, h
}
