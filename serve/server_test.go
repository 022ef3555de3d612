package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"
	"go.uber.org/goleak"

	"github.com/npdb/npdb/dsl"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestErrors(t *testing.T) {
	server := served(t, func(c *Config) { c.Key, c.Body = "sesame", 1<<16 })
	long := strings.Repeat("x", fakeWindow)
	for _, c := range []struct {
		name, method, path, key, body string
		status                        int
		kind, message                 string
	}{
		{"no key", "POST", "/v1/completions", "", `{}`, 401, "", "Unauthorized"},
		{"a wrong key", "GET", "/v1/models", "sesam", ``, 401, "", "Unauthorized"},
		{"no such page", "GET", "/v1/responses", "sesame", ``, 404, "Not Found", "Not Found"},
		{"another method", "GET", "/v1/completions", "sesame", ``, 405, "Method Not Allowed", "Method Not Allowed"},
		{"no such model", "POST", "/v1/completions", "sesame", `{"model": "gpt-9", "prompt": "x"}`, 404, "NotFoundError", "The model `gpt-9` does not exist."},
		{"no JSON", "POST", "/v1/completions", "sesame", `{`, 400, "BadRequestError", "no JSON"},
		{"no prompt", "POST", "/v1/completions", "sesame", `{}`, 400, "BadRequestError", "prompt must be"},
		{"two prompts", "POST", "/v1/completions", "sesame", `{"prompt": ["a", "b"]}`, 400, "BadRequestError", "one prompt"},
		{"an id that is none", "POST", "/v1/completions", "sesame", `{"prompt": [128256]}`, 400, "BadRequestError", "out of vocabulary"},
		{"an empty prompt", "POST", "/v1/completions", "sesame", `{"prompt": "", "add_special_tokens": false}`, 400, "BadRequestError", "cannot be empty"},
		{"echo", "POST", "/v1/completions", "sesame", `{"prompt": "x", "echo": true}`, 400, "BadRequestError", "echo"},
		{"no choice", "POST", "/v1/completions", "sesame", `{"prompt": "x", "n": 0}`, 400, "BadRequestError", "n must be at least 1"},
		{"an empty stop", "POST", "/v1/completions", "sesame", `{"prompt": "x", "stop": [""]}`, 400, "BadRequestError", "empty string"},
		{"no tokens", "POST", "/v1/completions", "sesame", `{"prompt": "x", "max_tokens": 0}`, 400, "BadRequestError", "max_tokens must be at least 1, got 0."},
		{"a long prompt", "POST", "/v1/completions", "sesame", `{"prompt": "` + long + `"}`, 400, "BadRequestError", "maximum context length is 4096 tokens. However, your request has 4097 input tokens"},
		{"a long answer", "POST", "/v1/completions", "sesame", `{"prompt": "x", "max_tokens": 4095}`, 400, "BadRequestError", "(4095 > 4096 - 2)"},
		{"a large body", "POST", "/v1/completions", "sesame", `{"prompt": "` + strings.Repeat("x", 1<<16) + `"}`, 413, "Request Entity Too Large", "Too Large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			if c.key != "" {
				request.Header.Set("Authorization", "Bearer "+c.key)
			}
			answer, err := server.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			text, _ := io.ReadAll(answer.Body)
			if answer.StatusCode != c.status || !strings.Contains(string(text), c.message) {
				t.Fatalf("status %d, %s; want %d, %s", answer.StatusCode, text, c.status, c.message)
			}
			if c.kind == "" {
				return
			}
			var said struct{ Error *apiError }
			if err := json.Unmarshal(text, &said); err != nil || said.Error == nil || said.Error.Type != c.kind || said.Error.Code != c.status {
				t.Errorf("%s is no error of the kind %s", text, c.kind)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	server := served(t, func(c *Config) { c.Version = "1.2.3" })
	for path, want := range map[string]string{"/health": "", "/version": `{"version":"1.2.3"}`, "/v1/models": `"max_model_len":4096`} {
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		answer, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK || !strings.Contains(string(text), want) {
			t.Errorf("%s: status %d, %s", path, answer.StatusCode, text)
		}
	}
	_, text, _ := post(t, server, "/tokenize", object{"prompt": "é<|frame_sep|>", "return_token_strs": true})
	if want := `{"count":4,"max_model_len":4096,"tokens":[128000,195,169,128100],"token_strs":["<|begin_of_text|>","` + "�" + `","` + "�" + `","<|frame_sep|>"]}`; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	_, text, _ = post(t, server, "/detokenize", object{"tokens": []int{195, 169, 128100}})
	if want := `{"prompt":"é<|frame_sep|>"}`; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// heard returns the joined text of a stream's chunks.
func heard[T any](t *testing.T, receive func() (T, error), text func(T) string) (said string) {
	t.Helper()
	for {
		piece, err := receive()
		if errors.Is(err, io.EOF) {
			return said
		}
		if err != nil {
			t.Fatal(err)
		}
		said += text(piece)
	}
}

// TestOpenAIClient checks that the go-openai client works with /v1/completions, with and without a
// stream.
func TestOpenAIClient(t *testing.T) {
	server := served(t, func(c *Config) { c.Key = "sesame" })
	asked, _ := prompts(t)
	config := openai.DefaultConfig("sesame")
	config.BaseURL, config.HTTPClient = server.URL+"/v1", server.Client()
	client := openai.NewClientWithConfig(config)
	q := openai.CompletionRequest{Model: "oracle", Prompt: asked[0], MaxTokens: 100}
	answer, err := client.CreateCompletion(t.Context(), q)
	if err != nil || answer.Choices[0].Text != "{}3|a = f(2)\n" || answer.Choices[0].FinishReason != "stop" {
		t.Fatalf("%+v, %v", answer, err)
	}
	stream, err := client.CreateCompletionStream(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	said := heard(t, stream.Recv, func(piece openai.CompletionResponse) string { return piece.Choices[0].Text })
	if said != "{}3|a = f(2)\n" {
		t.Errorf("the stream says %q", said)
	}
	q.Model = "nobody"
	_, err = client.CreateCompletion(t.Context(), q)
	var refused *openai.APIError
	if !errors.As(err, &refused) || refused.HTTPStatusCode != http.StatusNotFound || refused.Type != "NotFoundError" {
		t.Errorf("an unknown model: %v", err)
	}
}

// TestQuestionsEnd checks three limits: a client that disconnects cancels its request; a request
// that takes too long gets an unknown answer; a request beyond Waiting is refused and told to retry
// later.
func TestQuestionsEnd(t *testing.T) {
	asked, _ := prompts(t)
	f := newFake(t)
	begun, ended := make(chan struct{}), make(chan error, 1)
	f.hold = func(ctx context.Context) error {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}
	server := served(t, func(c *Config) {
		c.Models[0].Predictor, c.AtOnce, c.Waiting = f, 1, 1
	})
	ask := func() (give context.CancelFunc, told chan error) {
		ctx, cancel := context.WithCancel(t.Context())
		told = make(chan error, 1)
		go func() {
			body, _ := json.Marshal(object{"prompt": asked[0]})
			request, _ := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/completions", strings.NewReader(string(body)))
			request.Header.Set("Content-Type", "application/json")
			answer, err := server.Client().Do(request)
			if err == nil {
				err = errors.New(answer.Status + " " + answer.Header.Get("Retry-After"))
				answer.Body.Close()
			}
			told <- err
		}()
		return cancel, told
	}
	first, gaveUp := ask()
	<-begun
	// Of two more requests, one waits and the other is refused.
	second, a := ask()
	third, b := ask()
	defer second()
	defer third()
	var told error
	left := a
	select {
	case told = <-a:
		left = b
	case told = <-b:
	}
	if told.Error() != "503 Service Unavailable 1" {
		t.Errorf("the question that is too much: %v", told)
	}
	first()
	if err := <-gaveUp; !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the first question ended with %v", err)
	}
	<-begun // the waiting request has its turn
	second()
	third()
	<-ended
	<-left

	f.hold = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	server = served(t, func(c *Config) { c.Models[0].Predictor, c.Timeout = f, time.Millisecond })
	c, h := complete(t, server, object{"prompt": asked[0], "skip_special_tokens": false})
	if c.Choices[0].Text != "<|unknown_sep|><|frame_sep|>" || h.Get(reasonHeader) != "it took longer than 1ms" {
		t.Errorf("a question that takes long: %q, because %q", c.Choices[0].Text, h.Get(reasonHeader))
	}
}

func TestServeEndsGracefully(t *testing.T) {
	asked, _ := prompts(t)
	f := newFake(t)
	begun, goOn := make(chan struct{}), make(chan struct{})
	f.hold = func(context.Context) error { close(begun); <-goOn; return nil }
	s, err := New(Config{Models: []Model{{Name: "oracle", Predictor: f}}, Grace: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	l, warning, err := Listen(t.Context(), "127.0.0.1:0", false)
	if err != nil || warning != "" {
		t.Fatal(warning, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended, answered := make(chan error, 1), make(chan int, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	go func() {
		body, _ := json.Marshal(object{"prompt": asked[0]})
		request, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://"+l.Addr().String()+"/v1/completions", strings.NewReader(string(body)))
		request.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(request)
		if err != nil {
			answered <- 0
			return
		}
		answer.Body.Close()
		answered <- answer.StatusCode
	}()
	<-begun
	cancel()
	close(goOn)
	if status := <-answered; status != http.StatusOK {
		t.Errorf("the request under way has status %d", status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("it still listens: %v", err)
	}
}

func TestListen(t *testing.T) {
	for _, c := range []struct {
		address        string
		anywhere       bool
		refused, warns string
	}{
		{"127.0.0.1:0", false, "", ""},
		{"localhost:0", false, "", ""},
		{":0", false, "", ""},
		{"0.0.0.0:0", false, "can be reached from other machines", ""},
		{"192.0.2.1:0", false, "can be reached from other machines", ""},
		{"0.0.0.0:0", true, "", "whoever can reach"},
		{"127.0.0.1:0", true, "", ""},
		{"8000", false, "not an address to listen on", ""},
	} {
		l, warning, err := Listen(t.Context(), c.address, c.anywhere)
		if err == nil {
			l.Close()
		}
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) || (warning != "") != (c.warns != "") || !strings.Contains(warning, c.warns) {
			t.Errorf("%s, anywhere %v: warning %q, error %v", c.address, c.anywhere, warning, err)
		}
		if c.address == ":0" && err == nil && !strings.HasPrefix(l.Addr().String(), "127.0.0.1:") {
			t.Errorf("without a host it listens on %v", l.Addr())
		}
	}
}

// TestListenTwice checks that the error for a port in use explains how to choose another port.
func TestListenTwice(t *testing.T) {
	first, _, err := Listen(t.Context(), "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if second, _, err := Listen(t.Context(), first.Addr().String(), false); err == nil {
		second.Close()
		t.Error("two servers listen on ", first.Addr())
	} else if !strings.Contains(err.Error(), "--listen 127.0.0.1:0 takes a free port") {
		t.Error(err)
	}
}

func TestPrefixCacheIsBounded(t *testing.T) {
	c := newPrefixCache(4)
	ids := func(first, n int) []int {
		list := make([]int, n)
		for i := range list {
			list[i] = first
		}
		return list
	}
	c.add("m", ids(1, 40))
	for _, w := range []struct{ prompt, want int }{{40, 32}, {33, 32}, {32, 16}, {16, 0}, {0, 0}} {
		if got := c.known("m", ids(1, w.prompt)); got != w.want {
			t.Errorf("of %d tokens %d are known, want %d", w.prompt, got, w.want)
		}
	}
	if c.known("other", ids(1, 40)) != 0 {
		t.Error("another model knows them")
	}
	c.add("m", ids(2, 500))
	if len(c.blocks) != 4 || c.recent.Len() != 4 || c.known("m", ids(1, 40)) != 0 || c.known("m", ids(2, 500)) != 64 {
		t.Errorf("%d blocks, %d of the new text", len(c.blocks), c.known("m", ids(2, 500)))
	}
}

func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"prompt": "x"}`, `{"prompt": [1, 128100], "n": 2}`, `{"prompt": ["x"], "stop": ["a"], "stream": true}`, `{"prompt": [[1]]}`, `{"prompt": []}`, `{`,
	} {
		f.Add([]byte(seed))
	}
	tokens := newTokenizer(dsl.ND1)
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := parseRequest(body, tokens)
		if err != nil {
			var known *apiError
			if !errors.As(err, &known) || known.Code != http.StatusBadRequest {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if len(r.prompt) == 0 || slices.Contains(r.stops, "") {
			t.Fatalf("%+v", r)
		}
		got := generate(tokens, append(r.prompt, endOfText), r, 64)
		if len(got.tokens) > 64 || got.finish == "" {
			t.Fatalf("%+v", got)
		}
	})
}

func FuzzTokenizer(f *testing.F) {
	f.Add(walk)
	f.Add("<|frame_sep|")
	f.Add("<<|x|><|frame_sep|>\xff")
	tokens := newTokenizer(dsl.ND1)
	f.Fuzz(func(t *testing.T, text string) {
		if got := tokens.decode(tokens.encode(text, false)); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
