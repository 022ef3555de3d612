package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// secondInChat is the right answer to a step at node.
const secondInChat = `{"outcome":"state","event":"line","line":2,"function":null,"stack":null,"locals":[{"name":"x","value":"1"}],"names":["x"],"kind":null,"value":null,"exit_code":null}`

// delta returns a chunk of a streamed chat. fields are the fields of its delta, after those of its
// choice.
func delta(fields, after string) string {
	return `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"nd","choices":[{"index":0,"delta":{` + fields + `}` + after + `}]}` + "\n\n"
}

func content(text string) string {
	quoted, _ := json.Marshal(text)
	return `"content":` + string(quoted)
}

// said returns the stream of an answer, in two pieces.
func said(text string) string {
	half := len(text) / 2
	return delta(`"role":"assistant","content":""`, "") + delta(content(text[:half]), "") + delta(content(text[half:]), "") +
		delta("", `,"finish_reason":"stop"`) + usageTold + done
}

// chatServer answers chats with handle, which receives the request's body. It has no completions
// endpoint. It records the bodies.
type chatServer struct {
	*httptest.Server
	mu    sync.Mutex
	asked []map[string]any
}

func chats(t testing.TB, handle func(w http.ResponseWriter, body map[string]any)) *chatServer {
	t.Helper()
	s := &chatServer{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"object":"list","data":[{"id":"nd","object":"model"}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.asked = append(s.asked, body)
		s.mu.Unlock()
		handle(w, body)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// says sends a stream, or an error with this status.
func says(w http.ResponseWriter, status int, body string) {
	kind := "text/event-stream"
	if strings.HasPrefix(body, "{") {
		kind = "application/json"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	io.WriteString(w, body)
}

// inChat returns a predictor with the dialect chat.
func inChat(t testing.TB, s *chatServer, change func(*Config)) *Predictor {
	t.Helper()
	return predictor(t, s.URL+"/v1", func(c *Config) {
		c.Dialect, c.Retries = Chat, -1
		if change != nil {
			change(c)
		}
	})
}

// landed fails the test unless the prediction is the right state after a step at node.
func landed(t testing.TB, got *backend.Prediction, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	r := got.Step.Reply
	if r.Outcome != dsl.Landed || r.Stop.Line != 2 || len(r.Stop.Locals) != 1 || r.Stop.Locals[0] != (dsl.Local{Name: "x", Value: "1"}) {
		t.Fatalf("it predicts %+v %+v", r, r.Stop)
	}
	if _, err := node(t).Append(got.Step); err != nil {
		t.Error(err)
	}
}

func TestChat(t *testing.T) {
	thinking := delta(`"role":"assistant","reasoning_content":"x becomes "`, "") + delta(`"reasoning":"1"`, "")
	logprobs := fmt.Sprintf(`,"logprobs":{"content":[{"token":%q,"logprob":-0.5},{"token":%q,"logprob":-0.25}]}`, secondInChat[:9], secondInChat[9:])
	for _, tt := range []struct {
		name, body, thoughts string
		confidence           float64
	}{
		{"a stream", said(secondInChat), "", 0},
		{"a stream without its end", delta(content(secondInChat), `,"finish_reason":"stop"`), "", 0},
		{"no stream", `{"id":"1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":` + quoted(secondInChat) + `},"finish_reason":"stop"}],"usage":{"prompt_tokens":30,"completion_tokens":12}}`, "", 0},
		{"thoughts", thinking + said(secondInChat), "x becomes 1", 0},
		{"thoughts in the answer, and a fence", said("<think>{so}</think>\n```json\n" + secondInChat + "\n```"), "", 0},
		{"probabilities, with that of the end", delta(content(secondInChat), logprobs) + delta("", `,"finish_reason":"stop","logprobs":{"content":[{"token":"<|im_end|>","logprob":-0.25}]}`) + done, "", 0.36787944117144233},
		{"probabilities", delta(content(secondInChat), logprobs) + delta("", `,"finish_reason":"stop"`) + done, "", 0.4723665527410147},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := chats(t, func(w http.ResponseWriter, _ map[string]any) { says(w, 200, tt.body) })
			p := inChat(t, s, func(c *Config) { c.Logprobs = tt.confidence > 0 })
			var shown []string
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, func(u backend.Update) { shown = append(shown, u.Raw) })
			landed(t, got, err)
			if got.Thoughts != tt.thoughts || !strings.Contains(got.Raw, secondInChat) || len(shown) == 0 || shown[len(shown)-1] != got.Raw {
				t.Errorf("thoughts %q, raw %q, shown %q", got.Thoughts, got.Raw, shown)
			}
			switch {
			case tt.confidence == 0 && got.Confidence != nil, tt.confidence > 0 && (got.Confidence == nil || *got.Confidence != tt.confidence):
				t.Errorf("confidence %v, want %v", got.Confidence, tt.confidence)
			}
			if strings.Contains(tt.body, "prompt_tokens") && got.Usage.Prompt != 30 {
				t.Errorf("usage %+v", got.Usage)
			}
		})
	}
}

// TestChatRequest checks the body of a chat: the messages, a strict schema, the user's fields, and no
// field of completions.
func TestChatRequest(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) { says(w, 200, said(secondInChat)) })
	p := inChat(t, s, func(c *Config) {
		c.Logprobs, c.Extra = true, map[string]any{"reasoning_effort": "low"}
	})
	got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	landed(t, got, err)
	body := s.asked[0]
	want := []string{"logprobs", "max_tokens", "messages", "model", "reasoning_effort", "response_format", "stream", "stream_options", "temperature"}
	var names []string
	for name := range body {
		names = append(names, name)
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Errorf("the request has %q, want %q", names, want)
	}
	format, _ := json.Marshal(body["response_format"])
	for _, part := range []string{`"type":"json_schema"`, `"strict":true`, `"name":"state"`, `"additionalProperties":false`} {
		if !strings.Contains(string(format), part) {
			t.Errorf("%s is not in %s", part, format)
		}
	}
	var messages []chat.Message
	raw, _ := json.Marshal(body["messages"])
	if err := json.Unmarshal(raw, &messages); err != nil {
		t.Fatal(err)
	}
	at, asked, err := chat.Read(dsl.ND1, messages)
	if err != nil || at.Text() != node(t).Text() || asked.String() != "step_over" {
		t.Errorf("it asks %v, %v", asked, err)
	}
}

// TestChatRefusals checks that fields that a server refuses, in its own words, are removed or replaced
// in the same question and all later ones.
func TestChatRefusals(t *testing.T) {
	openAI := func(message, param, code string) string {
		return fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error","param":%q,"code":%q}}`, message, param, code)
	}
	has := func(field string) func(map[string]any) bool {
		return func(body map[string]any) bool { return body[field] != nil }
	}
	format := func(kind string) func(map[string]any) bool {
		return func(body map[string]any) bool {
			f, _ := body["response_format"].(map[string]any)
			return f != nil && (kind == "" || f["type"] == kind)
		}
	}
	type refusal struct {
		when   func(map[string]any) bool
		status int
		body   string
	}
	for _, tt := range []struct {
		name     string
		refusals []refusal
		asked    int // number of requests for the first question
	}{
		{"OpenAI, a reasoning model", []refusal{
			{has("max_tokens"), 400, openAI("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter")},
			{has("temperature"), 400, openAI("Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", "temperature", "unsupported_value")},
			{has("logprobs"), 400, openAI("Unsupported parameter: 'logprobs' is not supported with this model.", "logprobs", "unsupported_parameter")},
		}, 4},
		{"OpenAI, an old model", []refusal{
			{format("json_schema"), 400, openAI("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide: https://platform.openai.com/docs/guides/structured-outputs", "response_format", "")},
		}, 2},
		{"DeepSeek", []refusal{
			{format("json_schema"), 400, openAI("This response_format type is unavailable now", "", "invalid_request_error")},
		}, 2},
		{"llama-server", []refusal{
			{format("json_schema"), 400, `{"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar","type":"invalid_request_error"}}`},
			{format(""), 400, `{"error":{"code":400,"message":"\"response_format\" type must be one of \"text\" or \"json_object\", but got: x","type":"invalid_request_error"}}`},
		}, 3},
		{"a template without a system", []refusal{
			{func(body map[string]any) bool {
				first, _ := body["messages"].([]any)[0].(map[string]any)
				return first["role"] == "system"
			}, 500, `{"error":{"code":500,"message":"System role not supported","type":"server_error"}}`},
		}, 2},
		{"LM Studio", []refusal{
			{format("json_object"), 400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`},
		}, 1},
		{"a gateway that is strict", []refusal{
			{has("stream_options"), 422, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`},
		}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := chats(t, func(w http.ResponseWriter, body map[string]any) {
				for _, r := range tt.refusals {
					if r.when(body) {
						says(w, r.status, r.body)
						return
					}
				}
				says(w, 200, said(secondInChat))
			})
			p := inChat(t, s, func(c *Config) { c.Logprobs = true })
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			landed(t, got, err)
			if len(s.asked) != tt.asked {
				t.Errorf("the first question takes %d requests, want %d", len(s.asked), tt.asked)
			}
			got, err = p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			landed(t, got, err)
			if len(s.asked) != tt.asked+1 {
				t.Errorf("the second question takes %d requests", len(s.asked)-tt.asked)
			}
			messages, _ := json.Marshal(s.asked[len(s.asked)-1]["messages"])
			if !strings.Contains(string(messages), "You are the engine of a debugger") {
				t.Errorf("what the system says is lost: %.200s", messages)
			}
		})
	}
}

func TestChatFails(t *testing.T) {
	for _, tt := range []struct {
		name  string
		body  string
		kind  backend.ErrorKind
		words string
	}{
		{"words", said("I cannot run code."), backend.NoState, "no JSON object"},
		{"nothing", delta("", `,"finish_reason":"stop"`) + done, backend.NoState, "said nothing"},
		{"a refusal", delta(`"refusal":"I will not."`, `,"finish_reason":"stop"`) + done, backend.NoState, "no JSON object"},
		{"thoughts alone", delta(`"reasoning":"hm"`, `,"finish_reason":"length"`) + done, backend.Endless, "--max-tokens"},
		{"a filter", delta("", `,"finish_reason":"content_filter"`) + done, backend.BadRequest, "filtered"},
		{"broken off", delta(content(`{"outcome":`), ""), backend.Cut, "broke its reply off"},
		{"an error on its way", delta(content(`{`), "") + `data: {"error":{"message":"CUDA out of memory","type":"server_error"}}` + "\n\n", backend.ServerFailed, "CUDA"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := chats(t, func(w http.ResponseWriter, _ map[string]any) { says(w, 200, tt.body) })
			_, err := inChat(t, s, func(c *Config) { c.MaxTokens = 64 }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			fails(t, err, tt.kind, tt.words)
		})
	}
}

// TestChatThinksOn checks that reasoning without an end is cut off at the limit for a reply.
func TestChatThinksOn(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			if _, err := io.WriteString(w, delta(`"reasoning":"and so on "`, "")); err != nil {
				return
			}
		}
	})
	_, err := inChat(t, s, func(c *Config) { c.MaxTokens = 100 }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.Endless, "--max-tokens")
}

// TestChatHidesSecrets checks that a key that the model repeats is not shown anywhere.
func TestChatHidesSecrets(t *testing.T) {
	const key = "sk-very-secret-1234567890"
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 200, delta(`"reasoning":"the key is `+key+`"`, "")+said(strings.Replace(secondInChat, `"1"`, `"'`+key+`'"`, 1)))
	})
	var shown strings.Builder
	got, err := inChat(t, s, func(c *Config) { c.Key = key }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, func(u backend.Update) { shown.WriteString(u.Raw) })
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprint(got.Raw, got.Thoughts, got.Warnings, got.Step.Reply.Stop.Locals, shown.String())
	if strings.Contains(all, key) {
		t.Errorf("the key is shown: %s", all)
	}
}

func TestChatFills(t *testing.T) {
	n, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Lines: []string{"def f(a, b):", "    return a"}}}})
	if err != nil {
		t.Fatal(err)
	}
	first := &dsl.Stop{
		State: dsl.State{Event: dsl.Call, Line: 1, Source: "def f(a, b):", Function: "f", Locals: []dsl.Local{{Name: "a"}, {Name: "b", Value: "2"}}},
		Stack: []dsl.Frame{{Function: "f", Line: 1}},
	}
	answers := []string{`{"values":[]}`, `{"values":[{"name":"a","value":"'x'"}]}`}
	s := chats(t, func(w http.ResponseWriter, body map[string]any) {
		says(w, 200, said(answers[0]))
		answers = answers[1:]
	})
	whole, err := inChat(t, s, nil).Fill(t.Context(), n, first, []int{0}, backend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []dsl.Local{{Name: "a", Value: "'x'"}, {Name: "b", Value: "2"}}; !slices.Equal(whole.First.Locals, want) {
		t.Errorf("the values are %+v", whole.First.Locals)
	}
	if first.Locals[0].Value != "" || len(s.asked) != 2 {
		t.Error("the first state was changed, or was not asked for again")
	}
}

// TestChatCancelled checks that a cancelled question returns. TestMain checks that no goroutine is left.
func TestChatCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, delta(content("{"), ""))
		w.(http.Flusher).Flush() //nolint:forcetypeassert // it is a Flusher
		cancel()
		for {
			if _, err := io.WriteString(w, ": still here\n\n"); err != nil {
				return
			}
			w.(http.Flusher).Flush() //nolint:forcetypeassert // it is a Flusher
		}
	})
	if _, err := inChat(t, s, nil).Predict(ctx, backend.Question{At: node(t), Action: stepOver}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
