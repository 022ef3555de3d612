package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/npdb/npdb/backend"
)

var update = flag.Bool("update", false, "rewrite the requests and outcomes in testdata")

// exchange is a request and its response. A file in testdata contains several, between the sections
// "config" and "outcome".
type exchange struct {
	request  *txtar.File // named "request METHOD PATH"
	response []byte      // as in HTTP/1.1, but with \n as line ends
}

// TestRecorded replays recorded exchanges with servers. It checks the body of each request and the
// outcome against the file, as JSON.
func TestRecorded(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recorded exchanges", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { playFile(t, path) })
	}
}

func playFile(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var (
		c         Config
		exchanges []exchange
		outcome   *txtar.File
	)
	for i := range archive.Files {
		f := &archive.Files[i]
		switch f.Name {
		case "config":
			c = recordedConfig(t, f.Data)
		case "outcome":
			outcome = f
		case "response":
			exchanges[len(exchanges)-1].response = f.Data
		default:
			exchanges = append(exchanges, exchange{request: f})
		}
	}
	played := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if played == len(exchanges) {
			t.Errorf("another request: %s %s", r.Method, r.URL.Path)
			return
		}
		e := exchanges[played]
		played++
		if want := "request " + r.Method + " " + r.URL.Path; e.request.Name != want {
			t.Errorf("%s, want %s", want, e.request.Name)
		}
		compare(t, "request", e.request, body)
		res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(e.response)), r)
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		for name, values := range res.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(res.StatusCode)
		io.Copy(w, res.Body)
	}))
	t.Cleanup(s.Close)
	p := predictor(t, s.URL+"/v1", func(with *Config) {
		c.BaseURL, c.Sleep = with.BaseURL, with.Sleep
		*with = c
	})
	got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	data, _ := json.Marshal(outcomeOf(got, err))
	compare(t, "outcome", outcome, bytes.ReplaceAll(data, []byte(s.URL), []byte("SERVER")))
	if played != len(exchanges) {
		t.Errorf("%d of %d exchanges were played", played, len(exchanges))
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func recordedConfig(t *testing.T, data []byte) Config {
	t.Helper()
	var f struct {
		Model     string
		Window    int
		StopIDs   []int `json:"stop_ids"`
		MaxTokens int   `json:"max_tokens"`
		Prompt    PromptMode
		Logprobs  bool
		Retries   int
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return Config{
		Model: f.Model, Window: f.Window, StopIDs: f.StopIDs, MaxTokens: f.MaxTokens,
		Prompt: f.Prompt, Logprobs: f.Logprobs, Retries: f.Retries,
	}
}

// compare compares JSON with a section of the file, or writes it there with -update.
func compare(t *testing.T, what string, f *txtar.File, got []byte) {
	t.Helper()
	var indented bytes.Buffer
	if len(bytes.TrimSpace(got)) == 0 {
		got = []byte("null") // no body
	}
	if err := json.Indent(&indented, bytes.TrimSpace(got), "", " "); err != nil {
		t.Errorf("%s is no JSON: %q", what, got)
		return
	}
	indented.WriteByte('\n')
	if *update {
		f.Data = indented.Bytes()
	} else if !bytes.Equal(f.Data, indented.Bytes()) {
		t.Errorf("%s\n%swant\n%s", what, &indented, f.Data)
	}
}

// outcomeOf returns the parts of an outcome that a file records.
func outcomeOf(p *backend.Prediction, err error) any {
	var e *backend.Error
	if errors.As(err, &e) {
		return map[string]any{"kind": e.Kind, "message": e.Message, "status": e.Status, "raw": e.Raw, "known": e.Known}
	}
	stop := p.Step.Reply.Stop
	return map[string]any{
		"raw": p.Raw, "line": stop.Line, "locals": stop.Locals, "usage": p.Usage,
		"confidence": p.Confidence, "warnings": p.Warnings,
	}
}
