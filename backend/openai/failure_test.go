package openai

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
)

const testKey = "sk-very-secret-1234"

// TestFailures checks that each failure has a message of one line that says what happened, and that it
// does not contain the key, even if the server repeats it.
func TestFailures(t *testing.T) {
	nested := func(message, kind, code string) string {
		return `{"error":{"message":"` + message + `","type":"` + kind + `","param":null,"code":` + code + `}}`
	}
	tests := []struct {
		name   string
		status int
		header string // NAME: VALUE
		body   string
		kind   backend.ErrorKind
		words  []string
	}{
		{"401", 401, "", nested("Incorrect API key provided: "+testKey, "invalid_request_error", `"invalid_api_key"`), backend.Unauthorized, []string{"HTTP 401", "OPENAI_API_KEY"}},
		{"401 without a body", 401, "", "", backend.Unauthorized, []string{"OPENAI_API_KEY"}},
		{"403 that says the key back", 403, "", nested("key "+testKey+" may not, sk-v***1234 neither", "forbidden", "403"), backend.Unauthorized, []string{"HTTP 403", "[secret]"}},
		{"404 model, vLLM", 404, "", nested("The model `nd` does not exist.", "NotFoundError", "404"), backend.NoModel, []string{`"nd"`, "--model"}},
		{"404 model, Ollama", 404, "", `{"error":{"message":"model 'nd' not found","type":"api_error","param":null,"code":null}}`, backend.NoModel, nil},
		{"404 endpoint, FastAPI", 404, "", `{"detail":"Not Found"}`, backend.NoEndpoint, []string{"/completions"}},
		{"404 endpoint, llama-server", 404, "", nested("File Not Found", "not_found_error", "404"), backend.NoEndpoint, nil},
		{"404 in plain text", 404, "", "404 page not found\n", backend.NoEndpoint, []string{"404 page not found"}},
		{"405", 405, "", `{"detail":"Method Not Allowed"}`, backend.NoEndpoint, nil},
		{"400 flat", 400, "", `{"object":"error","message":"temperature must be\nnon-negative","type":"BadRequestError","param":null,"code":400}`, backend.BadRequest, []string{"temperature must be non-negative"}},
		{"400 of a validator", 422, "", `{"detail":[{"loc":["body","prompt"],"msg":"field required"}]}`, backend.BadRequest, []string{"field required"}},
		{"too long, vLLM", 400, "", nested("This model's maximum context length is 4096 tokens. However, you requested 2048 output tokens and your prompt contains 4000 input tokens, for a total of 6048 tokens. Please reduce the length of the input prompt or the number of requested output tokens.", "BadRequestError", "400"), backend.TooLong, []string{"4096"}},
		{"too long, older vLLM", 400, "", `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 6048 tokens (4090 in the messages, 2048 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}`, backend.TooLong, nil},
		{"too long, llama-server", 400, "", `{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}`, backend.TooLong, nil},
		{"too long, SGLang", 400, "", `{"object":"error","message":"The input (5000 tokens) is longer than the model's context length (4096 tokens).","type":"BadRequestError","param":null,"code":400}`, backend.TooLong, nil},
		{"too long, OpenAI", 400, "", nested("too much", "invalid_request_error", `"context_length_exceeded"`), backend.TooLong, nil},
		{"429", 429, "Retry-After: 7", nested("slow down", "rate_limit", "429"), backend.RateLimited, []string{"slow down"}},
		{"429 without JSON", 429, "Retry-After: 7", "no", backend.RateLimited, nil},
		{"500", 500, "", nested("CUDA out of memory \\u001b[31m", "InternalServerError", "500"), backend.ServerFailed, []string{"HTTP 500", "CUDA out of memory"}},
		{"502 with a web page", 502, "", "<html><body>Bad Gateway</body></html>", backend.ServerFailed, []string{"HTTP 502", "web page"}},
		{"503 loading", 503, "", nested("Loading model", "unavailable_error", "503"), backend.ServerFailed, []string{"Loading model"}},
		{"200 with a web page", 200, "Content-Type: text/html", "<!doctype html><title>Hi</title>", backend.NoEndpoint, []string{"web page", "/completions"}},
		{"200 with nothing", 200, "", "", backend.ServerFailed, []string{"HTTP 200", "empty body"}},
		{"200 with an error", 200, "Content-Type: application/json", nested("no", "InternalServerError", "500"), backend.ServerFailed, nil},
		{"200 with half of JSON", 200, "Content-Type: application/json", `{"choices":`, backend.Cut, []string{"HTTP 200", "end is missing"}},
		{"redirect", 307, "Location: https://ann:pw@other.example/v1/completions", "", backend.NoEndpoint, []string{"https://other.example/v1/completions", "--base-url"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := server(t, func(w http.ResponseWriter, r *http.Request) {
				if got := r.Header.Get("Authorization"); got != "Bearer "+testKey {
					t.Errorf("authorization %q", got)
				}
				if name, value, ok := strings.Cut(tt.header, ": "); ok {
					w.Header().Set(name, value)
				}
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			p := predictor(t, s.URL+"/v1", func(c *Config) { c.Retries, c.Key = -1, testKey })
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			e := fails(t, err, tt.kind, tt.words...)
			if e.Status != tt.status && tt.status != 200 {
				t.Errorf("status %d", e.Status)
			}
			if tt.status == 429 && e.After != 7*time.Second {
				t.Errorf("after %v", e.After)
			}
			for err := err; err != nil; err = unwrap(err) {
				if strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), "pw@") {
					t.Errorf("a secret is in %q", err)
				}
			}
			t.Log(e.Message)
		})
	}
}

func unwrap(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return nil
}

func TestUnreachable(t *testing.T) {
	plain := httptest.NewServer(streams(whole()))
	t.Cleanup(plain.Close)
	encrypted := httptest.NewUnstartedServer(streams(whole()))
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0) // discard messages about failed handshakes
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	hangsUp := server(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	tests := []struct {
		name, base, words string
		again             bool // a retry may help
	}{
		// A port that was free a moment ago may belong to another test now.
		{"refused", "http://127.0.0.1:1/v1", "no server runs there", true},
		{"no such host", "http://npdb.invalid/v1", "cannot be found", false},
		{"TLS to a plain server", strings.Replace(plain.URL, "http:", "https:", 1) + "/v1", "does not speak TLS", false},
		{"unknown authority", encrypted.URL + "/v1", "certificate", false},
		{"hangs up", hangsUp.URL + "/v1", "closed the connection", true},
		{"no such socket", "unix://" + filepath.Join(t.TempDir(), "none.sock"), "does not exist", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(tt.base, "unix:") {
				t.Skip("Windows reports it in other words")
			}
			p := predictor(t, tt.base, func(c *Config) { c.Retries, c.Model = 1, "nd" })
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			e := fails(t, err, backend.Unreachable, tt.words)
			if again := strings.Contains(e.Message, "asked 2 times"); again != tt.again {
				t.Errorf("asked again: %v, want %v", again, tt.again)
			}
			t.Log(e.Message)
		})
	}
}

func TestRetries(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	type answer struct {
		status int
		after  string
	}
	tests := []struct {
		name    string
		answers []answer
		kind    backend.ErrorKind // 0: succeeds
		words   string
		waits   []time.Duration // between attempts; 0: the usual backoff
	}{
		{"at once", []answer{{200, ""}}, 0, "", nil},
		{"second attempt", []answer{{503, ""}, {200, ""}}, 0, "", []time.Duration{0}},
		{"seconds", []answer{{429, "12"}, {200, ""}}, 0, "", []time.Duration{12 * time.Second}},
		{"a date", []answer{{503, now.Add(9 * time.Second).Format(http.TimeFormat)}, {200, ""}}, 0, "", []time.Duration{9 * time.Second}},
		{"a date that is over", []answer{{503, now.Add(-time.Hour).Format(http.TimeFormat)}, {200, ""}}, 0, "", []time.Duration{0}},
		{"too long a wait", []answer{{429, "3600"}}, backend.RateLimited, "It asks to wait 1h0m0s", nil},
		{"given up", []answer{{500, ""}, {500, ""}, {500, ""}}, backend.ServerFailed, "asked 3 times", []time.Duration{0, 0}},
		{"not worth it", []answer{{400, ""}}, backend.BadRequest, "", nil},
		{"not implemented", []answer{{501, ""}}, backend.ServerFailed, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			s := server(t, func(w http.ResponseWriter, r *http.Request) {
				a := tt.answers[asked]
				asked++
				if a.status == 200 {
					streams(whole())(w, r)
					return
				}
				w.Header().Set("Retry-After", a.after)
				w.WriteHeader(a.status)
				io.WriteString(w, `{"error":{"message":"no"}}`)
			})
			var waits []time.Duration
			p := predictor(t, s.URL+"/v1", func(c *Config) {
				c.Now = func() time.Time { return now }
				c.Sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
			})
			restarts := 0
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, func(u backend.Update) {
				if u.Restarted {
					restarts++
				}
			})
			if tt.kind != 0 {
				fails(t, err, tt.kind, tt.words)
			} else if err != nil || got.Retries != len(tt.waits) {
				t.Fatalf("%+v, %v", got, err)
			}
			if asked != len(tt.answers) || restarts != len(tt.waits) || len(waits) != len(tt.waits) {
				t.Fatalf("asked %d times, %d restarts, waited %v", asked, restarts, waits)
			}
			for i, want := range tt.waits {
				low, high := want, want
				if want == 0 {
					low, high = firstWait<<i/2, firstWait<<i*3/2
				}
				if waits[i] < low || waits[i] > high {
					t.Errorf("waited %v, want %v to %v", waits[i], low, high)
				}
			}
		})
	}
}

// TestBrokenAnswers checks that errors of broken connections are explained in npdb's words, not
// net/http's.
func TestBrokenAnswers(t *testing.T) {
	for sent, words := range map[string]string{
		"":                                 "closed the connection before its answer was whole",
		"HTTP/1.1 200 OK\r\nContent-Ty":    "no HTTP",
		"SSH-2.0-OpenSSH_9.2p1 Debian\r\n": "no HTTP",
		"HTTP/1.1 200 OK\r\nRetry-After: soon\x1b\r\n\r\n":                                              "no HTTP",
		"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n":                                               "no HTTP",
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"choices\":[": "closed the connection before its answer was whole",
	} {
		s := server(t, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, sent)
			conn.Close()
		})
		p := predictor(t, s.URL+"/v1", func(c *Config) { c.Retries, c.Model = -1, "nd" })
		_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		e := fails(t, err, backend.Unreachable, words)
		for _, word := range []string{"EOF", "malformed", "net/http"} {
			if strings.Contains(e.Message, word) {
				t.Errorf("after %q: %s", sent, e.Message)
			}
		}
	}
}
