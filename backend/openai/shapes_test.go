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
)

// answer is a server's response at one path.
type answer struct {
	status int
	kind   string // Content-Type
	body   string
}

func inJSON(status int, body string) answer { return answer{status, "application/json", body} }

func (a answer) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", a.kind)
	w.WriteHeader(a.status)
	io.WriteString(w, a.body)
}

// shaped returns the address of a server with an answer for each path; "" stands for all other paths. It
// counts requests by path.
func shaped(t *testing.T, at map[string]answer) (url string, asked map[string]int) {
	t.Helper()
	asked = map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/v1")
		asked[path]++
		a, ok := at[path]
		if !ok {
			a = at[""]
		}
		a.write(w)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", asked
}

// noSuchPath holds the responses of servers to a path that does not exist, from their documentation and
// sources.
var noSuchPath = map[string]answer{
	"FastAPI":      inJSON(404, `{"detail":"Not Found"}`),
	"FastAPI, 405": inJSON(405, `{"detail":"Method Not Allowed"}`),
	"Groq":         inJSON(404, `{"error":{"message":"Unknown request URL: POST /openai/v1/completions. Please check the URL for typos, or see the docs at https://console.groq.com/docs/","type":"invalid_request_error","code":"unknown_url"}}`),
	"Anthropic":    inJSON(404, `{"type":"error","error":{"type":"not_found_error","message":"Not Found"}}`),
	"Kong":         inJSON(404, `{"message":"no Route matched with those values"}`),
	"Cloudflare":   inJSON(405, `{"result":null,"success":false,"errors":[{"code":7001,"message":"Method POST not available for that URI."}],"messages":[]}`),
	"LM Studio":    inJSON(200, `{"error":"Unexpected endpoint or method. (POST /v1/completions)"}`),
	"200, nested":  inJSON(200, `{"error":{"message":"Not found: /v1/completions","type":"not_found","code":404}}`),
	"nginx":        {405, "text/html", "<html>\r\n<head><title>405 Not Allowed</title></head></html>"},
	"a web app":    {200, "text/html; charset=utf-8", "<!doctype html><title>Sign in</title>"},
	"net/http":     {404, "text/plain; charset=utf-8", "404 page not found\n"},
	"plain text":   {404, "text/plain", "Cannot POST /v1/completions"},
	"empty":        {404, "", ""},
	"llama-server": inJSON(404, `{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}`),
}

// TestChatAlone checks that a server with only chat is distinguished from an address without this API.
func TestChatAlone(t *testing.T) {
	models := inJSON(200, `{"object":"list","data":[{"id":"nd","max_model_len":4096}]}`)
	chats := map[string]answer{
		"400":                 inJSON(400, `{"error":{"message":"messages: at least one message is required","type":"invalid_request_error"}}`),
		"422":                 inJSON(422, `{"detail":[{"loc":["body","messages"],"msg":"List should have at least 1 item"}]}`),
		"500 that says so":    inJSON(500, `{"error":"messages is empty"}`),
		"200 without a reply": inJSON(200, `{"object":"chat.completion","choices":[]}`),
	}
	for name, none := range noSuchPath {
		for how, chat := range chats {
			t.Run(name+", chat "+how, func(t *testing.T) {
				url, asked := shaped(t, map[string]answer{"/models": models, "/chat/completions": chat, "": none})
				p := predictor(t, url, func(c *Config) { c.Model, c.Retries = "nd", -1 })
				for range 2 {
					_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
					fails(t, err, backend.NoEndpoint, "chat", "/completions", "npdb serve", "docs/servers.md")
					if strings.Contains(err.Error(), "base-url") {
						t.Errorf("the address is right: %v", err)
					}
				}
				if asked["/chat/completions"] != 1 {
					t.Errorf("chat was tried %d times", asked["/chat/completions"])
				}
			})
		}
		t.Run(name+", models alone", func(t *testing.T) {
			url, _ := shaped(t, map[string]answer{"/models": models, "": none})
			p := predictor(t, url, func(c *Config) { c.Model, c.Retries = "nd", -1 })
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			fails(t, err, backend.NoEndpoint, "lists its models", "/completions", "docs/servers.md")
		})
		t.Run(name+", nothing", func(t *testing.T) {
			url, _ := shaped(t, map[string]answer{"": none})
			p := predictor(t, url, func(c *Config) { c.Model, c.Retries = "nd", -1 })
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			fails(t, err, backend.NoEndpoint, "--base-url")
		})
	}
}

// TestChatModels checks errors that say that a model supports only chat, with various statuses.
func TestChatModels(t *testing.T) {
	for name, said := range map[string]answer{
		"OpenAI": inJSON(404, `{"error":{"message":"This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?","type":"invalid_request_error","param":"model","code":null}}`),
		"400":    inJSON(400, `{"error":{"message":"The model nd does not support Completions API.","type":"BadRequestError","param":null,"code":400}}`),
		"vLLM":   inJSON(400, `{"object":"error","message":"The model does not support Completions API","type":"BadRequestError","param":null,"code":400}`),
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := shaped(t, map[string]answer{"/models": inJSON(200, `{"data":[{"id":"nd"}]}`), "": said})
			_, err := predictor(t, url, nil).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			fails(t, err, backend.NoEndpoint, "chat", "npdb serve")
		})
	}
}

// TestModelLists checks lists of models in the forms that servers send.
func TestModelLists(t *testing.T) {
	for _, tt := range []struct {
		name   string
		list   answer
		model  string // the configured model
		called string
		window int
		kind   backend.ErrorKind // 0: the model is found
		words  []string
	}{
		{"vLLM", inJSON(200, `{"object":"list","data":[{"id":"nd","object":"model","max_model_len":4096,"permission":[{"id":"x"}]}]}`), "", "nd", 4096, 0, nil},
		{"llama-server", inJSON(200, `{"models":[{"name":"nd","model":"nd","details":{}}],"object":"list","data":[{"id":"nd","meta":{"n_ctx":2048,"n_ctx_train":9999}}]}`), "", "nd", 2048, 0, nil},
		{"OpenRouter", inJSON(200, `{"data":[{"id":"nd","context_length":8192,"top_provider":{"context_length":null}}]}`), "nd", "nd", 8192, 0, nil},
		{"an array, Together", inJSON(200, `[{"id":"nd","object":"model","context_length":4096},{"id":"other"}]`), "", "nd", 4096, 0, nil},
		{"Groq", inJSON(200, `{"data":[{"id":"nd","context_window":131072}]}`), "", "nd", 131072, 0, nil},
		{"Mistral", inJSON(200, `{"data":[{"id":"nd","max_context_length":32768}]}`), "", "nd", 32768, 0, nil},
		{"Ollama's own", inJSON(200, `{"models":[{"name":"nd:latest","model":"nd:latest","size":1}]}`), "", "nd:latest", 0, 0, nil},
		{"names alone", inJSON(200, `{"data":["nd","other"]}`), "", "nd", 0, 0, nil},
		{"numbers as text", inJSON(200, `{"data":[{"id":"nd","max_model_len":"4096","context_length":null}]}`), "", "nd", 4096, 0, nil},
		{"a number with a point", inJSON(200, `{"data":[{"id":"nd","context_length":4096.0}]}`), "", "nd", 4096, 0, nil},
		{"odd types", inJSON(200, `{"data":[{"id":"nd","max_model_len":{},"meta":"none","context_length":[1]}, 7, null]}`), "", "nd", 0, 0, nil},
		{"as text", answer{200, "text/plain", `{"data":[{"id":"nd"}]}`}, "", "nd", 0, 0, nil},
		{"empty", inJSON(200, `{"object":"list","data":[]}`), "", "", 0, backend.NoModel, []string{"lists no model", "--model"}},
		{"null", inJSON(200, `{"object":"list","data":null}`), "", "", 0, backend.NoModel, []string{"lists no model", "--model"}},
		{"nothing but null", inJSON(200, `null`), "", "", 0, backend.NoModel, []string{"lists no model", "--model"}},
		{"another object", inJSON(200, `{"ok":true}`), "", "", 0, backend.NoModel, []string{"lists no model", "--model"}},
		{"missing", inJSON(404, `{"detail":"Not Found"}`), "", "", 0, backend.NoEndpoint, []string{"/models", "HTTP 404", "--model", "--base-url"}},
		{"missing, in plain text", answer{404, "text/plain", "404 page not found"}, "", "", 0, backend.NoEndpoint, []string{"/models", "HTTP 404", "--model", "--base-url"}},
		{"a web page", answer{200, "text/html", "<html>"}, "", "", 0, backend.NoEndpoint, []string{"/models", "a web page", "--base-url"}},
		{"200 with an error", inJSON(200, `{"error":"Unexpected endpoint or method. (GET /v1/models)"}`), "", "", 0, backend.NoEndpoint, []string{"/models", "Unexpected endpoint", "--model"}},
		{"forbidden", inJSON(401, `{"error":{"message":"no key"}}`), "", "", 0, backend.Unauthorized, []string{"OPENAI_API_KEY"}},
		{"missing, and a name", inJSON(404, `{"detail":"Not Found"}`), "nd", "nd", 0, 0, nil},
		{"null, and a name", inJSON(200, `{"data":null}`), "nd", "nd", 0, 0, nil},
		{"an array, and a name that is not first", inJSON(200, `[{"id":"other","context_length":1},{"id":"nd","context_length":4096}]`), "nd", "nd", 4096, 0, nil},
		{"a web page, and a name", answer{200, "text/html", "<html>"}, "nd", "nd", 0, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, _ := shaped(t, map[string]answer{"/models": tt.list, "/completions": {200, "text/event-stream", whole()}})
			p := predictor(t, url, func(c *Config) { c.Model, c.Retries = tt.model, -1 })
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if tt.kind != 0 {
				fails(t, err, tt.kind, tt.words...)
				return
			}
			if err != nil || p.name() != tt.called || p.window != tt.window {
				t.Errorf("%v: the model is %q with a window of %d", err, p.name(), p.window)
			}
		})
	}
}

// strict returns a server that refuses unknown fields, with the response of refuse.
func strict(t *testing.T, refuse func(names []string) answer, known ...string) (url string, bodies *[]map[string]any) {
	t.Helper()
	bodies = &[]map[string]any{}
	known = append(known, "model", "prompt", "max_tokens", "temperature", "stop", "stream")
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		body := fields(t, r)
		*bodies = append(*bodies, body)
		var unknown []string
		for name := range body {
			if !slices.Contains(known, name) {
				unknown = append(unknown, name)
			}
		}
		slices.Sort(unknown)
		if len(unknown) > 0 {
			refuse(unknown).write(w)
			return
		}
		streams(whole())(w, r)
	})
	return s.URL + "/v1", bodies
}

// TestRefusedFields checks that optional fields that a server refuses are omitted, with one warning.
func TestRefusedFields(t *testing.T) {
	pydantic := func(names []string) answer {
		var detail []map[string]any
		for _, name := range names {
			detail = append(detail, map[string]any{"type": "extra_forbidden", "loc": []string{"body", name}, "msg": "Extra inputs are not permitted", "input": "x"})
		}
		body, _ := json.Marshal(map[string]any{"detail": detail})
		return inJSON(422, string(body))
	}
	for _, tt := range []struct {
		name   string
		refuse func(names []string) answer
		most   int // the most requests for the first question
	}{
		{"pydantic", pydantic, 2},
		{"OpenAI", func(names []string) answer {
			return inJSON(400, `{"error":{"message":"Unrecognized request arguments supplied: `+strings.Join(names, ", ")+`","type":"invalid_request_error","param":null,"code":null}}`)
		}, 2},
		{"one after the other", func(names []string) answer {
			return inJSON(400, `{"error":{"message":"Unrecognized request argument supplied: `+names[0]+`","type":"invalid_request_error","param":null,"code":null}}`)
		}, 4},
		{"by param", func(names []string) answer {
			return inJSON(400, `{"error":{"message":"This parameter is not supported.","type":"invalid_request_error","param":"`+names[0]+`","code":"unsupported_parameter"}}`)
		}, 4},
		{"no name", func([]string) answer {
			return inJSON(400, `{"object":"error","message":"Extra inputs are not permitted","code":400}`)
		}, 3},
		{"plain text", func(names []string) answer {
			return answer{400, "text/plain", "json: unknown field \"" + names[0] + "\""}
		}, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, bodies := strict(t, tt.refuse)
			seed := int64(1)
			p := predictor(t, url, func(c *Config) {
				c.Retries, c.Logprobs, c.Seed = -1, true, &seed
			})
			said := 0
			for range 3 {
				got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
				if err != nil {
					t.Fatal(err)
				}
				said += strings.Count(strings.Join(got.Warnings, "\n"), "logprobs")
			}
			if n := len(*bodies) - 2; n > tt.most {
				t.Errorf("%d requests for the first question", n)
			}
			if said != 1 {
				t.Errorf("that logprobs is left out is said %d times", said)
			}
			if first := (*bodies)[0]; first["preserved_tokens"] == nil || first["seed"] == nil {
				t.Errorf("the first question has %v", first)
			}
		})
	}
}

// TestRefusedStream checks that a server that does not stream is asked for the whole reply.
func TestRefusedStream(t *testing.T) {
	asked := 0
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		if body := fields(t, r); body["stream"] != nil || body["stream_options"] != nil {
			inJSON(400, `{"error":{"message":"stream is not supported by this endpoint, nor are stream_options","param":"stream"}}`).write(w)
			return
		}
		inJSON(200, `{"choices":[{"index":0,"text":`+quoted(second)+`,"finish_reason":"stop"}],"usage":{"prompt_tokens":30,"completion_tokens":12}}`).write(w)
	})
	p := predictor(t, s.URL+"/v1", nil)
	for range 2 {
		if _, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if asked != 3 {
		t.Errorf("asked %d times", asked)
	}
}

// TestRefusedForGood checks that a request fails if the server refuses a field that the user set, or a
// required one, without needless retries.
func TestRefusedForGood(t *testing.T) {
	refusing := func(a answer) (string, *int) {
		asked := 0
		s := server(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			a.write(w)
		})
		return s.URL + "/v1", &asked
	}
	for _, tt := range []struct {
		name  string
		says  answer
		extra map[string]any
		asked int
	}{
		{"a field of the user's", inJSON(400, `{"error":{"message":"Unrecognized request argument supplied: priority"}}`), map[string]any{"priority": 1}, 1},
		{"a field that the user set", inJSON(400, `{"error":{"message":"seed must be positive"}}`), map[string]any{"seed": 1}, 1},
		{"the prompt", inJSON(400, `{"error":{"message":"prompt: field required"}}`), nil, 1},
		{"something else", inJSON(400, `{"error":{"message":"no"}}`), nil, 1},
		{"all is named each time", inJSON(422, `{"detail":[{"loc":["body","messages"],"msg":"Field required","input":{"seed":1,"logprobs":1,"stop":[],"preserved_tokens":[]}}]}`), nil, 1},
		{"the same again and again", inJSON(400, `{"error":{"message":"skip_special_tokens is unknown"}}`), nil, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, asked := refusing(tt.says)
			p := predictor(t, url, func(c *Config) { c.Retries, c.Extra = -1, tt.extra })
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			fails(t, err, backend.BadRequest)
			if *asked > tt.asked {
				t.Errorf("asked %d times", *asked)
			}
			if len(p.without) > 0 {
				t.Errorf("left out from now on: %v", p.without)
			}
		})
	}
}

// TestQuota checks that an exhausted quota is not reported as a rate limit for which waiting helps.
func TestQuota(t *testing.T) {
	for name, said := range map[string]answer{
		"OpenAI":        inJSON(429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`),
		"the code says": inJSON(429, `{"error":{"message":"no","type":"requests","param":null,"code":"insufficient_quota"}}`),
		"DeepSeek":      inJSON(402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`),
		"OpenRouter":    inJSON(402, `{"error":{"code":402,"message":"Insufficient credits. Add more using https://openrouter.ai/credits"}}`),
		"no JSON":       {402, "text/plain", "Payment Required"},
	} {
		t.Run(name, func(t *testing.T) {
			url, asked := shaped(t, map[string]answer{"": said})
			p := predictor(t, url, func(c *Config) { c.Model = "nd" })
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			e := fails(t, err, backend.NoQuota, "quota", fmt.Sprintf("HTTP %d", said.status))
			if strings.Contains(e.Message, "Wait") || strings.Contains(e.Message, "asked") || asked["/completions"] != 1 {
				t.Errorf("asked %d times: %s", asked["/completions"], e.Message)
			}
		})
	}
	url, _ := shaped(t, map[string]answer{"": inJSON(429, `{"error":{"message":"Rate limit reached for requests per min","type":"requests","code":"rate_limit_exceeded"}}`)})
	_, err := predictor(t, url, func(c *Config) { c.Model, c.Retries = "nd", -1 }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.RateLimited, "Wait a little")
}

// TestProse checks the error for a model that does not speak nd/1, which names models that do, and that
// a server that hides special tokens is reported differently.
func TestProse(t *testing.T) {
	for reply, want := range map[string]string{
		"Sure! The next line is 2.":                    "does not speak nd/1",
		"def f(x):\n    return {'x': 1}":               "does not speak nd/1",
		`Here is the JSON: {"event": "line"}`:          "does not speak nd/1",
		"<think>\nThe user wants":                      "does not speak nd/1",
		"<|im_start|>assistant\nThe state is":          "does not speak nd/1",
		`{"x": "1"}2|y=3`:                              "has no special tokens",
		`{}2|y=3`:                                      "has no special tokens",
		`<|line_sep|>{}<|action_sep|>9|z<|frame_sep|>`: "is no state",
		"": "said nothing",
	} {
		s := server(t, streams(piece(reply, stopped)+done))
		p := predictor(t, s.URL+"/v1", func(c *Config) { c.Retries = -1 })
		_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		e := fails(t, err, backend.NoState, want)
		if prose := strings.Contains(want, "not speak"); prose && !strings.Contains(e.Message, "npdb serve") {
			t.Errorf("%q: what speaks it is not named: %s", reply, e.Message)
		}
	}
}
