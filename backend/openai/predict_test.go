package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

func TestPredictShowsTheReplyAsItComes(t *testing.T) {
	s := server(t, streams(whole()))
	p := predictor(t, s.URL+"/v1", nil)
	var known []dsl.Known
	got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, func(u backend.Update) {
		known = append(known, u.Known)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(known) != 2 || known[0] == known[1] {
		t.Errorf("updates with %v", known)
	}
	stop := got.Step.Reply.Stop
	if got.Raw != second || stop.Line != 2 || stop.Locals[0].Value != "1" || got.Step.Action.Move != dsl.StepOver {
		t.Errorf("raw %q, stop %+v", got.Raw, stop)
	}
	if want := (backend.Usage{Prompt: 30, Cached: 16, Completion: 12}); got.Usage != want {
		t.Errorf("usage %+v, want %+v", got.Usage, want)
	}
	if got.First <= 0 || got.Took < got.First || got.Retries != 0 || got.Confidence != nil {
		t.Errorf("%+v", got)
	}
	if m := p.Model(); m.Name != "nd" || m.Place != s.URL+"/v1" || m.Away {
		t.Errorf("model %+v", m)
	}
}

// TestReasonOfTheUnknown checks that the header with the reason is used if the reply is "unknown", and
// ignored otherwise.
func TestReasonOfTheUnknown(t *testing.T) {
	for _, test := range []struct {
		stream string
		want   []string
	}{
		{piece("<|unknown_sep|><|frame_sep|>", stopped) + done, []string{"Why it is unknown: the text does not tell"}},
		{whole(), nil},
	} {
		s := server(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Npdb-Reason", "the text does not tell")
			streams(test.stream)(w, r)
		})
		got, err := predictor(t, s.URL+"/v1", nil).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		if err != nil || !slices.Equal(got.Warnings, test.want) {
			t.Errorf("%v, warnings %q, want %q", err, got.Warnings, test.want)
		}
	}
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

// TestEndsOfReplies checks how a reply is judged by the end of its stream.
func TestEndsOfReplies(t *testing.T) {
	half := second[:len("<|line_sep|>{\"x\"")]
	withoutSep := strings.TrimSuffix(second, "<|frame_sep|>")
	tests := []struct {
		name, stream string
		kind         backend.ErrorKind
		words, raw   string
		known        dsl.Known
	}{
		{name: "whole", stream: whole()},
		{name: "the server keeps the stop to itself", stream: piece(withoutSep, stopped) + done},
		{name: "text after the end", stream: piece(second+"<|debug_sep|>", "") + done},
		{name: "the finish comes by itself", stream: piece(second, "") + piece("", stopped) + usageTold + done},
		{name: "comments, other fields, carriage returns", stream: ": ping\r\n\r\nevent: message\r\nid: 1\r\n" + piece(second, stopped) + ": bye\n\n" + done},
		{name: "carriage returns alone", stream: strings.ReplaceAll(": ping\n\n"+whole(), "\n", "\r")},
		{name: "a byte order mark", stream: "\ufeff" + whole()},
		{name: "a byte order mark and nothing else before", stream: "\ufeff" + piece(second, stopped)},
		{name: "an event of several lines", stream: "data: {\"choices\":[{\"index\":0,\ndata: \"text\":" + quoted(second) + ",\r\ndata:\"finish_reason\":\"stop\"}]}\n\n" + done},
		{name: "no empty lines between events", stream: strings.ReplaceAll(whole(), "\n\n", "\n")},
		{name: "null in between", stream: "data: null\n\n" + piece("<|line_sep|>", "") + "data: null\n\n" + piece(second[len("<|line_sep|>"):], stopped) + "data:null\n\n" + done},
		{name: "null for what is not there", stream: `data: {"choices":null,"usage":null,"error":null}` + "\n\n" + piece(second, stopped) + `data: {"choices":[{"index":0,"text":null,"logprobs":null,"finish_reason":null}],"usage":null}` + "\n\n" + done},
		{name: "a second event cut off", stream: piece(second, stopped) + "data: {\"choi\nda"},
		{name: "neither usage nor an end", stream: piece(second, "")},
		{name: "no newline at the end", stream: strings.TrimRight(piece(second, stopped), "\n")},
		{name: "no finish", stream: piece(half, "") + done, kind: backend.Cut, words: "broke its reply off", raw: half, known: dsl.KnownEvent | dsl.KnownStack},
		{name: "nothing at all", stream: done, kind: backend.ServerFailed, words: "no event in it"},
		{name: "cut within a chunk", stream: piece(half, "") + piece("rest", "")[:40], kind: backend.Cut, raw: half, known: dsl.KnownEvent | dsl.KnownStack},
		{name: "length", stream: piece(half, `,"finish_reason":"length"`) + usageTold + done, kind: backend.Endless, words: "max_tokens", raw: half, known: dsl.KnownEvent | dsl.KnownStack},
		{name: "stop in the middle", stream: piece(half, stopped) + done, kind: backend.NoState, words: "no state", raw: half, known: dsl.KnownEvent | dsl.KnownStack},
		{name: "nothing said", stream: piece("", stopped) + done, kind: backend.NoState, words: "said nothing"},
		{name: "aborted", stream: piece(half, `,"finish_reason":"abort"`) + done, kind: backend.ServerFailed, words: "abort"},
		{name: "special tokens hidden", stream: piece(`{"x": "1"}2|y=3`, stopped) + done, kind: backend.NoState, words: "npdb doctor", raw: `{"x": "1"}2|y=3`},
		{name: "prose", stream: piece("Sure! Here", "") + piece(" is more", "") + piece(".", stopped) + done, kind: backend.NoState, raw: "Sure! Here is more."},
		{name: "a line that is not there", stream: piece(`<|line_sep|>{}<|action_sep|>9|z`+"\n<|frame_sep|>", "") + piece("<|debug_sep|>", "") + done, kind: backend.NoState, words: "line", raw: `<|line_sep|>{}<|action_sep|>9|z` + "\n<|frame_sep|>", known: dsl.KnownEvent | dsl.KnownStack | dsl.KnownLocals},
		{name: "no JSON", stream: "data: hello\n\n" + done, kind: backend.ServerFailed, words: "no reply of this API"},
		{name: "a list", stream: "data: [1]\n\n" + done, kind: backend.ServerFailed},
		{name: "an error", stream: piece(half, "") + `data: {"error":{"message":"out of memory","type":"InternalServerError","param":null,"code":500}}` + "\n\n" + done, kind: backend.ServerFailed, words: "HTTP 500"},
		{name: "an error after a comment", stream: ": ping\n\n" + `data: {"error":{"message":"out of memory","type":"InternalServerError","code":500}}` + "\n\n" + done, kind: backend.ServerFailed, words: "out of memory"},
		{name: "a flat error", stream: `data: {"object":"error","message":"out of memory","type":"InternalServerError","param":null,"code":500}` + "\n\n" + done, kind: backend.ServerFailed, words: "out of memory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := predictor(t, server(t, streams(tt.stream)).URL+"/v1", func(c *Config) { c.Retries = -1 })
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if tt.kind == 0 {
				if err != nil {
					t.Fatal(err)
				}
				if strings.TrimSuffix(got.Raw, "<|frame_sep|>") != withoutSep || got.Step.Reply.Stop == nil {
					t.Errorf("%+v", got)
				}
				return
			}
			e := fails(t, err, tt.kind, tt.words)
			if tt.raw != "" && e.Raw != tt.raw {
				t.Errorf("raw %q, want %q", e.Raw, tt.raw)
			}
			if e.Known != tt.known && tt.raw != "" {
				t.Errorf("known %b, want %b", e.Known, tt.known)
			}
			var decode *dsl.DecodeError
			if (tt.kind == backend.NoState) != errors.As(err, &decode) {
				t.Errorf("caused by %T", e.Err)
			}
		})
	}
}

// TestEndlessReplies checks that npdb ends the connection to a server that streams without an end.
func TestEndlessReplies(t *testing.T) {
	tests := []struct {
		name, first, next string
		kind              backend.ErrorKind
	}{
		{"past the end of a reply", second, "more", 0},
		{"a value without an end", `<|line_sep|>{"x": "`, "1", backend.Endless},
		{"after a fault", "nonsense", "more", backend.NoState},
		{"long pieces", `<|line_sep|>{"x": "`, strings.Repeat("1", 100<<10), backend.Endless},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			gone := make(chan struct{})
			s := server(t, func(w http.ResponseWriter, r *http.Request) {
				defer close(gone)
				w.Header().Set("Content-Type", "text/event-stream")
				io.WriteString(w, piece(tt.first, ""))
				for r.Context().Err() == nil {
					if _, err := io.WriteString(w, piece(tt.next, "")); err != nil {
						return
					}
					w.(http.Flusher).Flush()
				}
			})
			p := predictor(t, s.URL+"/v1", func(c *Config) { c.MaxTokens = 100 })
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if tt.kind == 0 {
				if err != nil {
					t.Error(err)
				}
			} else if e := fails(t, err, tt.kind); len(e.Raw) > 200<<10 {
				t.Errorf("%d bytes were read", len(e.Raw))
			}
			<-gone
		})
	}
}

func TestCancellationReachesTheServer(t *testing.T) {
	asked, gone := make(chan struct{}), make(chan struct{})
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, piece("<|line_sep|>", ""))
		w.(http.Flusher).Flush()
		close(asked)
		<-r.Context().Done()
		close(gone)
	})
	p := predictor(t, s.URL+"/v1", nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	_, err := p.Predict(ctx, backend.Question{At: node(t), Action: stepOver}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	<-gone
}

func TestCloseFailsQuestionsUnderWay(t *testing.T) {
	asked := make(chan struct{})
	s := server(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		close(asked)
		<-r.Context().Done()
	})
	p := predictor(t, s.URL+"/v1", nil)
	go func() {
		<-asked
		p.Close()
	}()
	_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.Unreachable, "closed")
	_, err = p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.Unreachable, "closed")
}

func TestTimeouts(t *testing.T) {
	tests := []struct {
		name   string
		first  string
		change func(*Config)
		words  string
	}{
		{"no answer", "", func(c *Config) { c.Timeout = 30 * time.Millisecond }, "within 30ms"},
		{"stalled", piece("<|line_sep|>", ""), func(c *Config) { c.IdleTimeout = 30 * time.Millisecond }, "stalled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := server(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if tt.first != "" {
					w.Header().Set("Content-Type", "text/event-stream")
					io.WriteString(w, tt.first)
					w.(http.Flusher).Flush()
				}
				<-r.Context().Done()
			})
			p := predictor(t, s.URL+"/v1", tt.change)
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			fails(t, err, backend.TimedOut, tt.words)
		})
	}
}

// TestReplyDoesNotWaitForTheStreamsEnd checks that a complete reply is returned soon, even if the server
// does not end the stream.
func TestReplyDoesNotWaitForTheStreamsEnd(t *testing.T) {
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, piece(second, ""))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	p := predictor(t, s.URL+"/v1", nil)
	if _, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil); err != nil {
		t.Error(err)
	}
}

func TestConnectionIsUsedAgain(t *testing.T) {
	var from []string
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		from = append(from, r.RemoteAddr)
		streams(whole())(w, r)
	})
	p := predictor(t, s.URL+"/v1", nil)
	for range 3 {
		if _, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(slices.Compact(from)) != 1 {
		t.Errorf("connections from %v", from)
	}
}

func TestQuestionsAtOnce(t *testing.T) {
	p := predictor(t, server(t, streams(whole())).URL+"/v1", func(c *Config) { c.Logprobs = true })
	at := node(t)
	var all sync.WaitGroup
	var warnings atomic.Int32
	for range 8 {
		all.Go(func() {
			got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
			if err != nil || got.Raw != second {
				t.Errorf("%+v, %v", got, err)
				return
			}
			warnings.Add(int32(len(got.Warnings)))
			p.Model()
		})
	}
	all.Wait()
	if warnings.Load() != 1 {
		t.Errorf("%d warnings of the same thing", warnings.Load())
	}
}

func TestConfidence(t *testing.T) {
	tokens := []string{"<|line_sep|>", `{"x": "1"}<|action_sep|>2|y=3` + "\n", "<|frame_sep|>", "more"}
	var lists, objects []string
	for i, token := range tokens {
		lists = append(lists, fmt.Sprintf("%q", token))
		objects = append(objects, fmt.Sprintf(`{"id":%d,"token":%q,"bytes":[],"logprob":%v,"top_logprobs":[]}`, i, token, []float64{-0.5, -0.25, 0, -9}[i]))
	}
	vllm := fmt.Sprintf(`,"logprobs":{"text_offset":[0,1,2,3],"token_logprobs":[-0.5,-0.25,0.0,-9.0],"tokens":[%s],"top_logprobs":[{},{},{},{}]}`, strings.Join(lists, ","))
	llama := fmt.Sprintf(`,"logprobs":{"content":[%s]}`, strings.Join(objects, ","))
	tests := []struct {
		name, fields string
		want         float64 // product over the three tokens of the reply; -1: none
	}{
		{"vLLM", vllm, math.Exp(-0.75)},
		{"llama-server", llama, math.Exp(-0.75)},
		{"one is not known", strings.Replace(vllm, "-0.25", "null", 1), -1},
		{"lists that do not fit", strings.Replace(vllm, "-0.25,", "", 1), -1},
		{"another shape", `,"logprobs":[1]`, -1},
		{"null", `,"logprobs":null`, -1},
		{"the floor", strings.Replace(vllm, "-0.25", "-9999.0", 1), -1},
		{"a float's own floor", strings.Replace(llama, "-0.25", "-3.4028234663852886e+38", 1), -1},
		{"a token too few", strings.Replace(strings.Replace(vllm, "-0.25,", "", 1), lists[1]+",", "", 1), -1},
		{"a token without its probability", strings.Replace(llama, `"logprob":-0.25,`, "", 1), -1},
		{"the end is not among them", strings.Replace(llama, objects[2]+","+objects[3], "{}", 1), -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := predictor(t, server(t, streams(piece(second+"more", tt.fields)+done)).URL+"/v1", func(c *Config) { c.Logprobs = true })
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case tt.want < 0 && (got.Confidence != nil || len(got.Warnings) != 1):
				t.Errorf("confidence %v, warnings %q", got.Confidence, got.Warnings)
			case tt.want >= 0 && (got.Confidence == nil || math.Abs(*got.Confidence-tt.want) > 1e-12):
				t.Errorf("confidence %v, want %v", got.Confidence, tt.want)
			}
		})
	}
}

// TestConfidenceOfPieces checks that the probability of a part of a reply is not reported as the
// confidence of the reply.
func TestConfidenceOfPieces(t *testing.T) {
	told := func(text string) string {
		return piece(text, `,"logprobs":{"content":[{"token":`+quoted(text)+`,"logprob":-0.05}]}`)
	}
	first, rest := "<|line_sep|>", strings.TrimSuffix(second[len("<|line_sep|>"):], "<|frame_sep|>")
	umlaut := strings.Replace(rest, `"1"`, `"'ä'"`, 1)
	before, after, _ := strings.Cut(umlaut, "ä")
	parts := func(a, b string) string {
		return piece("", `,"logprobs":{"content":[`+a+`]}`) + piece("ä", `,"logprobs":{"content":[`+b+`]}`)
	}
	for _, tt := range []struct {
		name, stream string
		tokens       int // 0: no confidence
	}{
		{"each piece", told(first) + told(rest) + told("<|frame_sep|>"), 3},
		{"the first alone", told(first) + piece(rest, "") + piece("<|frame_sep|>", ""), 0},
		{"all but the first", piece(first, "") + told(rest) + told("<|frame_sep|>"), 0},
		{"all but the end", told(first) + told(rest) + piece("<|frame_sep|>", ""), 2},
		{"the end kept by the server", told(first) + told(rest) + piece("", stopped), 2},
		{"parts of a character, as bytes", told(first) + told(before) + parts(`{"token":"","bytes":[195],"logprob":-0.05}`, `{"token":"","bytes":[164],"logprob":-0.05}`) + told(after) + told("<|frame_sep|>"), 6},
		{"parts of a character, as vLLM has them", told(first) + told(before) + parts(`{"token":"bytes:\\xc3","logprob":-0.05}`, `{"token":"bytes:\\xa4","logprob":-0.05}`) + told(after) + told("<|frame_sep|>"), 6},
		{"parts of a character, one not told", told(first) + told(before) + piece("ä", "") + told(after) + told("<|frame_sep|>"), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := predictor(t, server(t, streams(tt.stream+piece("", stopped)+done)).URL+"/v1", func(c *Config) { c.Logprobs = true })
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := math.Exp(-0.05 * float64(tt.tokens))
			if (got.Confidence != nil) != (tt.tokens > 0) || got.Confidence != nil && math.Abs(*got.Confidence-want) > 1e-9 {
				t.Errorf("confidence %v, want %v", got.Confidence, want)
			}
		})
	}
}
