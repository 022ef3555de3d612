package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// node returns a program at its first line. The replies below are those to a step from there.
func node(t testing.TB) *dsl.Node {
	t.Helper()
	n, _, err := dsl.ND1.Read("<|trace_context_start|>1|x = 1\n2|y=3\n<|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>` + "1|x = 1\n<|frame_sep|>")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// second is the right reply to a step at node.
const second = `<|line_sep|>{"x": "1"}<|action_sep|>2|y=3` + "\n<|frame_sep|>"

var stepOver = dsl.Action{Move: dsl.StepOver}

// piece returns a chunk of a stream as vLLM sends it. fields are added after the text.
func piece(text, fields string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`data: {"id":"cmpl-1","object":"text_completion","created":1,"model":"nd","choices":[{"index":0,"text":%s%s}]}`+"\n\n", quoted, fields)
}

const (
	stopped   = `,"logprobs":null,"finish_reason":"stop","stop_reason":"<|frame_sep|>"`
	usageTold = `data: {"id":"cmpl-1","object":"text_completion","created":1,"model":"nd","choices":[],"usage":{"prompt_tokens":30,"total_tokens":42,"completion_tokens":12,"prompt_tokens_details":{"cached_tokens":16}}}` + "\n\n"
	done      = "data: [DONE]\n\n"
)

// whole returns the stream of the right reply.
func whole() string {
	return piece("<|line_sep|>", "") + piece(second[len("<|line_sep|>"):], stopped) + usageTold + done
}

// server returns a server that answers completions with handle and lists one model.
func server(t testing.TB, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"object":"list","data":[{"id":"nd","object":"model","max_model_len":4096}]}`)
	})
	mux.HandleFunc("POST /v1/completions", handle)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// streams returns a handler that sends a stream.
func streams(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		io.WriteString(w, body)
	}
}

// predictor returns a predictor for a test's server that does not wait between attempts.
func predictor(t testing.TB, base string, change func(*Config)) *Predictor {
	t.Helper()
	c := Config{BaseURL: base, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	if change != nil {
		change(&c)
	}
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// fails fails the test unless err is a readable *backend.Error of this kind with these words.
func fails(t *testing.T, err error, kind backend.ErrorKind, words ...string) *backend.Error {
	t.Helper()
	e, ok := err.(*backend.Error) //nolint:errorlint // it must not be wrapped
	if !ok {
		t.Fatalf("the error is %T: %v", err, err)
	}
	if e.Kind != kind {
		t.Errorf("kind %d, want %d: %s", e.Kind, kind, e.Message)
	}
	for _, w := range words {
		if !strings.Contains(e.Message, w) {
			t.Errorf("%q is not in the message: %s", w, e.Message)
		}
	}
	if strings.ContainsAny(e.Message, "\n\x1b") || len(e.Message) > 600 {
		t.Errorf("the message is not one line: %q", e.Message)
	}
	return e
}
