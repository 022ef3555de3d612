package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// endInChat is the answer that follows secondInChat.
const endInChat = `{"outcome":"end","event":null,"line":null,"function":null,"stack":null,"locals":[],"names":null,"kind":null,"value":null,"exit_code":0}`

// asked holds the fields of a request as a server receives them.
type asked map[string]any

func (a asked) has(field string) bool { return a[field] != nil }

// role returns the role of the i-th message.
func (a asked) role(i int) string {
	messages, _ := a["messages"].([]any)
	if i >= len(messages) {
		return ""
	}
	m, _ := messages[i].(map[string]any)
	role, _ := m["role"].(string)
	return role
}

// format returns the type of the response_format.
func (a asked) format() string {
	f, _ := a["response_format"].(map[string]any)
	kind, _ := f["type"].(string)
	return kind
}

// beyond returns the name of a field that not all servers know and that is not in known, "" if there is
// none.
func (a asked) beyond(known ...string) string {
	known = append(known, "model", "messages", "stream", "temperature", "top_p")
	for name := range a {
		if !slices.Contains(known, name) {
			return name
		}
	}
	return ""
}

// answer returns the right answer: the first state, then the end, or both if the request asks for a
// list.
func (a asked) answer() string {
	messages, _ := a["messages"].([]any)
	last, _ := messages[len(messages)-1].(map[string]any)
	said, _ := last["content"].(string)
	switch lists := strings.Contains(said, " up to 8 times\n"); {
	case lists && len(messages) < 3:
		return `{"states":[` + secondInChat + "," + endInChat + `]}`
	case lists:
		return `{"states":[` + endInChat + `]}`
	case len(messages) > 2:
		return endInChat
	}
	return secondInChat
}

// imitation imitates a kind of server for which there is no recording: what it refuses, what it ignores,
// and the form of its replies.
type imitation struct {
	name        string
	models      answer
	completions func(asked) answer
	chat        func(asked) answer
	thoughts    string
	sure        bool   // it returns log probabilities
	lacks       string // npdb's error; "" if stepping works
}

func event(body string) string { return "data: " + body + "\n\n" }

// piecewise returns a stream with one chunk, made by chunk, for each piece of a text.
func piecewise(text string, chunk func(piece string) string) string {
	var b strings.Builder
	for len(text) > 0 {
		n := min(20, len(text))
		b.WriteString(event(chunk(text[:n])))
		text = text[n:]
	}
	return b.String()
}

func inStream(body string) answer { return answer{200, "text/event-stream; charset=utf-8", body} }

// prose returns the reply of a chat model to an nd/1 text.
func prose(asked) answer {
	return inStream(piecewise("The variable x is assigned the value 1, so", func(s string) string {
		return `{"id":"cmpl-1","object":"text_completion","created":1,"model":"nd","choices":[{"index":0,"text":` + quoted(s) + `,"logprobs":null,"finish_reason":null}]}`
	}) + event(`{"id":"cmpl-1","object":"text_completion","created":1,"model":"nd","choices":[{"index":0,"text":"","finish_reason":"stop"}]}`) + done)
}

// refusedBy returns an error in OpenAI's format.
func refusedBy(status int, message, param, code string) answer {
	return inJSON(status, fmt.Sprintf(`{"error":{"message":%s,"type":"invalid_request_error","param":%s,"code":%s}}`, quoted(message), orNull(param), orNull(code)))
}

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return quoted(text)
}

const listsND = `{"object":"list","data":[{"id":"nd","object":"model","created":1,"owned_by":"them"}]}`

// openAI returns a stream as OpenAI sends it, with usage null in all chunks but the last.
func openAI(a asked) answer {
	chunk := func(choices, usage string) string {
		return `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"nd","service_tier":"default","system_fingerprint":"fp_1","choices":` + choices + `,"usage":` + usage + `,"obfuscation":"kx"}`
	}
	body := event(chunk(`[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}]`, "null"))
	body += piecewise(a.answer(), func(s string) string {
		logprobs := "null"
		if a.has("logprobs") {
			logprobs = `{"content":[{"token":` + quoted(s) + `,"logprob":-0.01,"bytes":null,"top_logprobs":[]}],"refusal":null}`
		}
		return chunk(`[{"index":0,"delta":{"content":`+quoted(s)+`},"logprobs":`+logprobs+`,"finish_reason":null}]`, "null")
	})
	body += event(chunk(`[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]`, "null"))
	if a.has("stream_options") {
		body += event(chunk(`[]`, `{"prompt_tokens":1500,"completion_tokens":60,"total_tokens":1560,"prompt_tokens_details":{"cached_tokens":1408,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}`))
	}
	return inStream(body + done)
}

func openAIRefuses(a asked) (answer, bool) {
	if name := a.beyond("max_tokens", "max_completion_tokens", "stream_options", "response_format", "logprobs", "seed"); name != "" {
		return refusedBy(400, "Unrecognized request argument supplied: "+name, "", ""), true
	}
	if messages, _ := a["messages"].([]any); len(messages) == 0 {
		return refusedBy(400, "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.", "messages", "empty_array"), true
	}
	return answer{}, false
}

func chatOnlyOpenAI(asked) answer {
	return refusedBy(404, "This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?", "model", "")
}

// local returns a stream as vLLM, SGLang and llama-server send it. fields are added to each chunk; the
// reasoning is in the field `thinks`.
func local(a asked, fields, thinks string) answer {
	chunk := func(delta, after string) string {
		return event(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"nd","choices":[{"index":0,"delta":` + delta + after + `}]}`)
	}
	body := chunk(`{"role":"assistant","content":null}`, `,"logprobs":null,"finish_reason":null`)
	if thinks != "" {
		body += chunk(`{`+quoted(thinks)+`:"x is "}`, `,"finish_reason":null`) + chunk(`{`+quoted(thinks)+`:"1"}`, `,"finish_reason":null`)
	}
	text := a.answer()
	for len(text) > 0 {
		n := min(20, len(text))
		after := `,"logprobs":null`
		if a.has("logprobs") {
			bytes := make([]string, n)
			for i := range n {
				bytes[i] = fmt.Sprint(text[i])
			}
			after = `,"logprobs":{"content":[{"token":` + quoted(text[:n]) + `,"logprob":-0.01,"bytes":[` + strings.Join(bytes, ",") + `],"top_logprobs":[]}]}`
		}
		body += chunk(`{"content":`+quoted(text[:n])+`}`, after+`,"finish_reason":null`)
		text = text[n:]
	}
	body += chunk(`{}`, `,"logprobs":null,"finish_reason":"stop"`+fields)
	if a.has("stream_options") {
		body += event(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"nd","choices":[],"usage":{"prompt_tokens":1500,"total_tokens":1560,"completion_tokens":60,"prompt_tokens_details":null}}`)
	}
	return inStream(body + done)
}

func imitations() []imitation {
	withSystem := func(a asked) bool { return a.role(0) == "system" }
	anthropicError := func(status int, kind, message string) answer {
		return inJSON(status, fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message))
	}
	liteLLM := func(status int, message string) answer {
		return inJSON(status, fmt.Sprintf(`{"error":{"message":%q,"type":"None","param":null,"code":"%d"}}`, message+". Received Model Group=nd\nAvailable Model Group Fallbacks=None", status))
	}
	lists := inJSON(200, listsND)
	return []imitation{
		{name: "OpenAI", models: lists, completions: chatOnlyOpenAI, chat: func(a asked) answer {
			if refusal, ok := openAIRefuses(a); ok {
				return refusal
			}
			return openAI(a)
		}, sure: true},
		{name: "OpenAI, a model that thinks", models: lists, completions: chatOnlyOpenAI, chat: func(a asked) answer {
			if refusal, ok := openAIRefuses(a); ok {
				return refusal
			}
			switch {
			case a.has("max_tokens"):
				return refusedBy(400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter")
			case a.has("temperature"):
				return refusedBy(400, "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", "temperature", "unsupported_value")
			case a.has("logprobs"):
				return inJSON(403, `{"error":{"message":"You are not allowed to request logprobs from this model","type":"invalid_request_error","param":null,"code":null}}`)
			}
			return openAI(a)
		}},
		{name: "OpenAI, a model of /responses alone", models: lists, completions: func(asked) answer {
			return refusedBy(404, "This model is only supported in v1/responses and not in v1/completions.", "model", "")
		}, chat: func(asked) answer {
			return refusedBy(404, "This model is only supported in v1/responses and not in v1/chat/completions.", "model", "")
		}, lacks: "only supported in v1/responses"},
		{name: "Anthropic's path for OpenAI's clients", models: anthropicError(401, "authentication_error", "x-api-key header is required"), completions: func(asked) answer {
			return anthropicError(404, "not_found_error", "Not Found")
		}, chat: func(a asked) answer {
			if a.role(0) == "" {
				return refusedBy(400, "messages: at least one message is required", "", "")
			}
			// This server ignores the requested form, log probabilities and seeds.
			text := "Here is the next state:\n\n```json\n" + a.answer() + "\n```"
			chunk := func(delta, finish string) string {
				return `{"id":"msg_1","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}],"created":1,"model":"nd","object":"chat.completion.chunk"}`
			}
			return inStream(event(chunk(`{"role":"assistant"}`, "null")) + piecewise(text, func(s string) string { return chunk(`{"content":`+quoted(s)+`}`, "null") }) +
				event(chunk(`{}`, `"stop"`)) + event(`{"id":"msg_1","choices":[],"created":1,"model":"nd","object":"chat.completion.chunk","usage":{"completion_tokens":60,"prompt_tokens":1500,"total_tokens":1560}}`) + done)
		}},
		{name: "OpenRouter", models: inJSON(200, `{"data":[{"id":"nd","name":"Lab: ND","created":1,"context_length":163840,"supported_parameters":["max_tokens","temperature"],"top_provider":{"context_length":null}}]}`), completions: func(a asked) answer {
			said := prose(a)
			said.body = strings.Repeat(": OPENROUTER PROCESSING\n\n", 3) + said.body
			return said
		}, chat: func(a asked) answer {
			if a.role(0) == "" {
				return inJSON(400, `{"error":{"message":"Input must have at least 1 token.","code":400},"user_id":"user_1"}`)
			}
			if a.format() == "json_schema" {
				return inJSON(404, `{"error":{"message":"No endpoints found that can handle the requested parameters. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}`)
			}
			chunk := func(delta, finish, more string) string {
				return `{"id":"gen-1","provider":"Them","model":"nd","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `,"native_finish_reason":` + finish + `,"logprobs":null}]` + more + `}`
			}
			return inStream(strings.Repeat(": OPENROUTER PROCESSING\n\n", 3) +
				event(chunk(`{"role":"assistant","content":"","reasoning":"x is 1","reasoning_details":[{"type":"reasoning.text","text":"x is 1","index":0}]}`, "null", "")) + ": OPENROUTER PROCESSING\n\n" +
				piecewise(a.answer(), func(s string) string {
					return chunk(`{"role":"assistant","content":`+quoted(s)+`,"reasoning":null,"reasoning_details":[]}`, "null", "")
				}) +
				event(chunk(`{"role":"assistant","content":""}`, `"stop"`, "")) +
				event(chunk(`{"role":"assistant","content":""}`, "null", `,"usage":{"prompt_tokens":1500,"completion_tokens":60,"total_tokens":1560,"cost":0.001,"is_byok":false,"prompt_tokens_details":{"cached_tokens":0},"cost_details":{"upstream_inference_cost":null}}`)) + done)
		}, thoughts: "x is 1"},
		{name: "LiteLLM", models: lists, completions: func(asked) answer {
			return liteLLM(404, "litellm.NotFoundError: OpenAIException - This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?")
		}, chat: func(a asked) answer {
			var unsupported []string
			for _, name := range []string{"logprobs", "response_format"} {
				if a.has(name) {
					unsupported = append(unsupported, "'"+name+"'")
				}
			}
			if len(unsupported) > 0 {
				return liteLLM(400, "litellm.UnsupportedParamsError: bedrock does not support parameters: ["+strings.Join(unsupported, ", ")+"], for model=nd. To drop these, set `litellm.drop_params=True` or for proxy:\n\n`litellm_settings:\n drop_params: true`\n")
			}
			return local(a, "", "reasoning_content")
		}, thoughts: "x is 1"},
		{name: "LM Studio", models: lists, completions: prose, chat: func(a asked) answer {
			if format := a.format(); format != "" && format != "json_schema" {
				return inJSON(400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`)
			}
			delete(a, "logprobs") // this server ignores it
			return local(a, `,"system_fingerprint":"nd"`, "")
		}},
		{name: "LM Studio, without /v1 in its address", models: inJSON(200, `{"error":"Unexpected endpoint or method. (GET /models). Returning 200 anyway"}`), completions: func(asked) answer {
			return inJSON(200, `{"error":"Unexpected endpoint or method. (POST /completions). Returning 200 anyway"}`)
		}, chat: func(asked) answer {
			return inJSON(200, `{"error":"Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway"}`)
		}, lacks: "Check --base-url"},
		{name: "vLLM", models: inJSON(200, `{"object":"list","data":[{"id":"nd","object":"model","max_model_len":8192,"root":"/models/nd"}]}`), completions: prose, chat: func(a asked) answer {
			return local(a, `,"stop_reason":null,"token_ids":null`, "reasoning")
		}, thoughts: "x is 1", sure: true},
		{name: "SGLang", models: inJSON(200, `{"object":"list","data":[{"id":"nd","object":"model","max_model_len":8192}]}`), completions: prose, chat: func(a asked) answer {
			if a.has("response_format") {
				return inJSON(400, `{"object":"error","message":"Structured output is not available: the grammar backend is none","type":"BadRequestError","param":null,"code":400}`)
			}
			return local(a, `,"matched_stop":151645`, "reasoning_content")
		}, thoughts: "x is 1", sure: true},
		{name: "llama-server, with a template that has no system", models: inJSON(200, `{"models":[{"name":"nd","model":"nd"}],"object":"list","data":[{"id":"nd","object":"model","meta":{"n_ctx":8192,"n_ctx_train":131072}}]}`), completions: prose, chat: func(a asked) answer {
			if withSystem(a) {
				return inJSON(500, `{"error":{"code":500,"message":"\n------------\nWhile executing CallExpression at line 1, column 80 in source:\n...{{ raise_exception('System role not supported') }}...\n^\nError: Jinja Exception: System role not supported","type":"server_error"}}`)
			}
			return local(a, `,"timings":{"prompt_n":1,"predicted_n":60}`, "")
		}, sure: true},
		{name: "Ollama", models: lists, completions: prose, chat: func(a asked) answer {
			chunk := func(delta, finish string) string {
				return `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"nd","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant",` + delta + `},"finish_reason":` + finish + `}]}`
			}
			return inStream(event(chunk(`"content":"","reasoning":"x is 1"`, "null")) + piecewise(a.answer(), func(s string) string { return chunk(content(s), "null") }) + event(chunk(`"content":""`, `"stop"`)) +
				event(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"nd","system_fingerprint":"fp_ollama","choices":[],"usage":{"prompt_tokens":1500,"completion_tokens":60,"total_tokens":1560}}`) + done)
		}, thoughts: "x is 1"},
		{name: "Ollama, a model that was not pulled", models: lists, completions: func(asked) answer {
			return inJSON(404, `{"error":{"message":"model \"nd\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`)
		}, chat: func(asked) answer {
			return inJSON(404, `{"error":{"message":"model \"nd\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`)
		}, lacks: "try pulling it first"},
		{name: "a gateway that ends its streams by closing them", models: answer{404, "text/plain", "404 page not found"}, completions: func(asked) answer {
			return answer{404, "text/plain", "404 page not found"}
		}, chat: func(a asked) answer {
			if a.role(0) == "" {
				return inJSON(422, `{"detail":[{"type":"too_short","loc":["body","messages"],"msg":"List should have at least 1 item"}]}`)
			}
			if name := a.beyond("max_tokens"); name != "" {
				return inJSON(422, `{"detail":[{"type":"extra_forbidden","loc":["body",`+quoted(name)+`],"msg":"Extra inputs are not permitted"}]}`)
			}
			return inStream(delta(`"role":"assistant"`, "") + delta(content(a.answer()), `,"finish_reason":"stop","usage":{"prompt_tokens":1}`))
		}},
	}
}

// TestImitations checks npdb with each imitated server: it steps over the whole program by chat and
// with Auto, with one state per reply and with several.
func TestImitations(t *testing.T) {
	for _, i := range imitations() {
		for _, way := range []Dialect{Chat, Auto} {
			for _, most := range []int{1, 8} {
				t.Run(fmt.Sprintf("%s, %s, %d", i.name, way, most), func(t *testing.T) { i.stepOver(t, way, most) })
			}
		}
	}
}

// stepOver steps over the program with an imitation, in a dialect, with at most `most` states per reply.
func (i *imitation) stepOver(t *testing.T, d Dialect, most int) {
	t.Helper()
	n := 0
	route := func(w http.ResponseWriter, r *http.Request) {
		n++
		said := i.models
		if r.Method == http.MethodPost {
			var body asked
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			said = i.completions(body)
			if strings.HasSuffix(r.URL.Path, "/chat/completions") {
				said = i.chat(body)
			}
		}
		w.Header().Set("Content-Type", said.kind)
		w.WriteHeader(said.status)
		io.WriteString(w, said.body)
	}
	s := httptest.NewServer(http.HandlerFunc(route))
	t.Cleanup(s.Close)
	p := predictor(t, s.URL+"/v1", func(c *Config) {
		c.Dialect, c.Model, c.Logprobs, c.OwnWord, c.Retries, c.Stops = d, "nd", true, true, -1, most
	})
	got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	if i.lacks != "" {
		e, ok := err.(*backend.Error) //nolint:errorlint // it must not be wrapped
		if !ok || !strings.Contains(e.Message, i.lacks) || strings.Contains(e.Message, "--dialect") {
			t.Errorf("it says: %v", err)
		}
		return
	}
	landed(t, got, err)
	if told := strings.Contains(strings.Join(got.Warnings, "\n"), "asked by chat"); told != (d == Auto) {
		t.Errorf("it warns %q", got.Warnings)
	}
	if got.Thoughts != i.thoughts || (got.Confidence != nil) != i.sure {
		t.Errorf("thoughts %q, confidence %v, warnings %q", got.Thoughts, got.Confidence, got.Warnings)
	}
	at, err := node(t).Append(got.Step)
	if err != nil {
		t.Fatal(err)
	}
	before := n
	got, err = p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
	if err != nil || got.Step.Reply.Outcome != dsl.Ended || n != before+1-min(most-1, 1) || got.Kept != (most > 1) || len(got.Warnings) > 0 {
		t.Fatalf("the second step takes %d requests, and comes to %+v, %v", n-before, got, err)
	}
}
