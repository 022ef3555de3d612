package openai

import (
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

// TestFailsOverLogprobs checks a server that fails if log probabilities are requested. They are omitted
// from then on, at once if the error names them, otherwise after that has helped twice.
func TestFailsOverLogprobs(t *testing.T) {
	for _, tt := range []struct {
		name  string
		says  answer
		asked []bool // for each request, whether it asks for log probabilities
	}{
		{"named", inJSON(500, `{"error":{"message":"logprobs is not supported by this engine","type":"InternalServerError","code":500}}`), []bool{true, false, false, false}},
		{"named, with another status", inJSON(501, `{"error":"this engine has no logprobs"}`), []bool{true, false, false, false}},
		{"Python's words", inJSON(500, `{"detail":"Out of range float values are not JSON compliant"}`), []bool{true, false, true, false, false}},
		{"no JSON", answer{500, "text/plain", "Internal Server Error"}, []bool{true, false, true, false, false}},
		{"nothing", answer{500, "", ""}, []bool{true, false, true, false, false}},
		{"in the stream", answer{200, "text/event-stream", `data: {"error":{"message":"Internal","type":"InternalServerError","code":500}}` + "\n\n" + done}, []bool{true, false, true, false, false}},
	} {
		for _, inChat := range []bool{false, true} {
			name, reply := tt.name, whole()
			if inChat {
				name, reply = tt.name+", by chat", said(secondInChat)
			}
			t.Run(name, func(t *testing.T) {
				var with []bool
				handle := func(w http.ResponseWriter, body map[string]any) {
					with = append(with, body["logprobs"] != nil)
					if body["logprobs"] != nil {
						tt.says.write(w)
						return
					}
					says(w, 200, reply)
				}
				url := ""
				if inChat {
					url = chats(t, handle).URL
				} else {
					url = server(t, func(w http.ResponseWriter, r *http.Request) { handle(w, fields(t, r)) }).URL
				}
				p := predictor(t, url+"/v1", func(c *Config) {
					c.Retries, c.Logprobs = -1, true
					if inChat {
						c.Dialect = Chat
					}
				})
				told := 0
				for range 3 {
					got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
					if err != nil {
						t.Fatal(err)
					}
					told += strings.Count(strings.Join(got.Warnings, "\n"), "left out from now on: logprobs")
				}
				if len(with) != len(tt.asked) || told != 1 {
					t.Errorf("log probabilities are asked for in %v, want %v; it is said %d times", with, tt.asked, told)
				}
			})
		}
	}
}

// TestFailsAnyway checks a server that always fails: there is one retry, and the error has the server's
// words. A field that the user has set is not removed.
func TestFailsAnyway(t *testing.T) {
	for _, c := range []struct {
		extra map[string]any
		most  int
	}{{nil, 2}, {map[string]any{"logprobs": 1}, 1}} {
		asked := 0
		s := server(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			inJSON(500, `{"error":{"message":"CUDA error"}}`).write(w)
		})
		p := predictor(t, s.URL+"/v1", func(cfg *Config) { cfg.Retries, cfg.Logprobs, cfg.Extra = -1, true, c.extra })
		_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		fails(t, err, backend.ServerFailed, "CUDA error")
		if asked != c.most || len(p.without) > 0 {
			t.Errorf("asked %d times, want %d; left out: %v", asked, c.most, p.without)
		}
	}
}

// TestLongEvents checks that an event may have 16 MiB, for example the log probabilities of a whole
// reply.
func TestLongEvents(t *testing.T) {
	for _, inJSON := range []bool{false, true} {
		for size, kind := range map[int]backend.ErrorKind{15 << 20: 0, 17 << 20: backend.ServerFailed} {
			padding := `,"logprobs":null,"padding":"` + strings.Repeat("x", size) + `"`
			body := piece(second, padding+`,"finish_reason":"stop"`)
			if inJSON {
				body = strings.TrimPrefix(body, "data: ")
			} else {
				body += done
			}
			s := server(t, streams(body))
			_, err := predictor(t, s.URL+"/v1", func(c *Config) { c.Retries = -1 }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			switch {
			case kind == 0 && err != nil:
				t.Errorf("%d bytes, in JSON %v: %v", size, inJSON, err)
			case kind != 0:
				fails(t, err, kind, "16 MiB")
			}
		}
	}
}
