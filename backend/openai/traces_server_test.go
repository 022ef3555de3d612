package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// The replies of a Code World Model about this program, from its first line on. tracedValue is the reply
// if the return of the call is forced.
const (
	tracedContext = "<|begin_of_text|><|trace_context_start|>def f(x):  # << START_OF_TRACE\n    return x + 1\na = f(2)\nb = a\n<|frame_sep|>" +
		"<|line_sep|>{}<|action_sep|>def f(x):\n<|frame_sep|>"
	tracedLine  = "<|line_sep|>{\"f\": \"<function f>\"}<|action_sep|>a = f(2)\n<|frame_sep|>"
	tracedCall  = "<|call_sep|>{\"x\": \"2\"}<|action_sep|>def f(x):\n<|frame_sep|>"
	tracedBody  = "<|line_sep|>{\"x\": \"..\"}<|action_sep|>    return x + 1\n<|frame_sep|>"
	tracedValue = "<|action_sep|>    return x + 1\n<|arg_sep|>\"3\"<|frame_sep|>"
	tracedAfter = "<|line_sep|>{\"f\": \"..\", \"a\": \"3\"}<|action_sep|>b = a\n<|frame_sep|>"
	tracedEnd   = "<|return_sep|><|action_sep|>b = a\n<|arg_sep|>\"None\"<|frame_sep|><|end_of_text|>"
)

// tracedNode returns the node of the program's first line.
func tracedNode(t testing.TB) *dsl.Node {
	t.Helper()
	lines := []string{"def f(x):", "    return x + 1", "a = f(2)", "b = a"}
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: lines}}})
	if err != nil {
		t.Fatal(err)
	}
	first := &dsl.Stop{
		State: dsl.State{Event: dsl.Line, File: "p.py", Line: 1, Source: lines[0], Function: "<module>"},
		Stack: []dsl.Frame{{Function: "<module>", File: "p.py", Line: 1}},
	}
	if at, err = at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}}); err != nil {
		t.Fatal(err)
	}
	return at
}

// continued returns the model's continuation of a prompt, "" if the prompt is not expected.
func continued(prompt string) string {
	prompt = "<|begin_of_text|>" + strings.TrimPrefix(prompt, "<|begin_of_text|>")
	for _, whole := range []string{
		tracedContext + tracedLine + tracedCall + tracedBody + "<|return_sep|>" + tracedValue + tracedAfter + tracedEnd,
		tracedContext + tracedLine + tracedCall + "<|return_sep|>" + tracedValue + tracedAfter + tracedEnd,
	} {
		if rest, ok := strings.CutPrefix(whole, prompt); ok {
			return rest
		}
	}
	return ""
}

// traceServer imitates a server of the Code World Model.
type traceServer struct {
	*httptest.Server
	requests []asked
	prompts  []string
}

// traceWay describes the server that a traceServer imitates.
type traceWay struct {
	numbers   bool // prompts must be token numbers
	tokenizes bool
	lists     bool
	keepsStop bool // the reply includes its stop text
	length    bool // every finish_reason is "length"
	idsAlone  bool // the reply consists of token numbers
	prefix    string
}

var traceWays = map[string]traceWay{
	"vLLM":           {tokenizes: true, lists: true, keepsStop: true, prefix: "/v1"},
	"llama-server":   {tokenizes: true, lists: true, prefix: "/v1"},
	"one of texts":   {lists: true, keepsStop: true, prefix: "/v1"},
	"fgserve":        {numbers: true, length: true, keepsStop: true, idsAlone: true},
	"one of numbers": {numbers: true, tokenizes: true, lists: true, keepsStop: true, prefix: "/v1"},
}

func serveTraces(t *testing.T, way traceWay, v *Vocabulary) *traceServer {
	s := &traceServer{}
	mux := http.NewServeMux()
	if way.lists {
		mux.HandleFunc("GET "+way.prefix+"/models", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"data":[{"id":"facebook/cwm","max_model_len":131072}]}`)
		})
	}
	if way.tokenizes {
		mux.HandleFunc("POST /tokenize", func(w http.ResponseWriter, r *http.Request) {
			json.NewEncoder(w).Encode(map[string]any{"tokens": v.IDs(fields(t, r)["prompt"].(string))})
		})
	}
	mux.HandleFunc("POST "+way.prefix+"/completions", func(w http.ResponseWriter, r *http.Request) {
		f := asked(fields(t, r))
		s.requests = append(s.requests, f)
		var prompt string
		switch given := f["prompt"].(type) {
		case string:
			prompt = given
			if way.numbers {
				prompt = "" // the prompt is not accepted
			}
		case []any:
			var ids []int
			for _, id := range given {
				ids = append(ids, int(id.(float64)))
			}
			prompt = v.Text(ids)
		}
		s.prompts = append(s.prompts, prompt)
		says := continued(prompt)
		stop, _ := f["stop"].(string)
		said, _, _ := strings.Cut(says, stop)
		if whole := said + stop; strings.HasPrefix(says, whole) && (way.keepsStop || way.idsAlone) {
			said = whole
		}
		finish := "stop"
		if way.length {
			finish = "length"
		}
		if way.idsAlone {
			ids, _ := json.Marshal(v.IDs(said))
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"choices":[{"text":%s,"tokens":%s,"finish_reason":%q}]}`, quoted(mark.ReplaceAllString(said, "")), ids, finish)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for said != "" {
			n := min(7, len(said))
			io.WriteString(w, piece(said[:n], ""))
			said = said[n:]
		}
		io.WriteString(w, piece("", fmt.Sprintf(`,"finish_reason":%q`, finish))+usageTold+done)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// vocabulary returns a vocabulary of all bytes and some longer tokens.
func vocabulary(t testing.TB) *Vocabulary {
	t.Helper()
	var b strings.Builder
	for i := range 256 {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte{byte(i)}), i)
	}
	for i, token := range []string{"re", "tu", "retu", "rn", "return", " x", "é"} {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), 256+i)
	}
	path := filepath.Join(t.TempDir(), "tokenizer.model")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := ReadVocabulary(path)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// step asks for an action and returns the next node and the prediction.
func step(t testing.TB, p *Predictor, at *dsl.Node, a dsl.Action) (*dsl.Node, *backend.Prediction) {
	t.Helper()
	got, err := p.Predict(t.Context(), backend.Question{At: at, Action: a}, nil)
	if err != nil {
		t.Fatal(err)
	}
	next, err := at.Append(got.Step)
	if err != nil {
		t.Fatal(err)
	}
	return next, got
}
