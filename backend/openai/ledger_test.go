package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// inTurn replies with each handler once, then always with the last one.
func inTurn(handlers ...http.HandlerFunc) http.HandlerFunc {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		handlers[min(int(n.Add(1)), len(handlers))-1](w, r)
	}
}

// TestVain checks that unusable replies are reported with their tokens, whether the question succeeds or
// fails.
func TestVain(t *testing.T) {
	told, untold := backend.Usage{Prompt: 30, Cached: 16, Completion: 12}, backend.Usage{Prompt: -1, Cached: -1, Completion: -1}
	outside := strings.Replace(secondInChat, `"line":2`, `"line":99`, 1)
	ok, chatted := always(200, whole()), always(200, said(secondInChat))
	wrongLine := piece(`<|line_sep|>{"x": "1"}<|action_sep|>9|z`+"\n<|frame_sep|>", stopped) + usageTold + done
	invented := piece(`<|line_sep|>{"x": "1"}<|action_sep|>2|y = 4`+"\n<|frame_sep|>", stopped) + usageTold + done
	for _, tt := range []struct {
		name        string
		dialect     Dialect
		completions http.HandlerFunc
		chat        http.HandlerFunc
		fails       backend.ErrorKind // 0: the question succeeds
		want        []backend.Discarded
	}{
		{"an answer", ND1, ok, nil, 0, nil},
		{"a line that is not there", ND1, always(200, wrongLine), nil, backend.NoState, []backend.Discarded{{Usage: told, Invalid: true, Outside: true}}},
		{"a line that reads otherwise", ND1, always(200, invented), nil, backend.NoState, []backend.Discarded{{Usage: told, Invalid: true, Outside: true}}},
		{"no form", ND1, always(200, piece(`<|line_sep|>{"x": <|frame_sep|>`, stopped)+done), nil, backend.NoState, []backend.Discarded{{Usage: untold, Invalid: true}}},
		{"no end", ND1, always(200, piece(`<|line_sep|>{"x": "1`, `,"finish_reason":"length"`)+strings.Replace(usageTold, `"completion_tokens":12`, `"completion_tokens":2048`, 1)+done), nil, backend.Endless, []backend.Discarded{{Usage: backend.Usage{Prompt: 30, Cached: 16, Completion: 2048}, Invalid: true}}},
		{"nothing said", ND1, always(200, piece("", stopped)+usageTold+done), nil, backend.NoState, []backend.Discarded{{Usage: told, Invalid: true}}},
		{"broken off, then right", ND1, inTurn(always(200, piece(`<|line_sep|>{"x"`, "")), ok), nil, 0, []backend.Discarded{{Usage: untold}}},
		{"refused", ND1, always(401, `{"error":{"message":"no key"}}`), nil, backend.Unauthorized, nil},
		{"corrected", Chat, nil, inTurn(always(200, said(outside)), chatted), 0, []backend.Discarded{{Usage: told, Invalid: true, Outside: true}}},
		{"not corrected", Chat, nil, always(200, said("no")), backend.NoState, []backend.Discarded{{Usage: told, Invalid: true}, {Usage: told, Invalid: true}}},
		{"no correction taken", Chat, nil, inTurn(always(200, said("no")), always(400, `{"error":{"message":"roles, please"}}`)), backend.NoState, []backend.Discarded{{Usage: told, Invalid: true}}},
		{"another language", Auto, always(200, piece("x is one", stopped)+usageTold+done), chatted, 0, []backend.Discarded{{Usage: told}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			none := http.NotFound
			if tt.completions == nil {
				tt.completions = none
			}
			if tt.chat == nil {
				tt.chat = none
			}
			p := predictor(t, both(t, tt.completions, tt.chat), func(c *Config) { inAuto(c); c.Dialect, c.Retries = tt.dialect, 1 })
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if tt.fails != 0 {
				fails(t, err, tt.fails)
			} else {
				landed(t, got, err)
			}
			if discarded := backend.DiscardedBy(got, err); !slices.Equal(discarded, tt.want) {
				t.Errorf("in vain: %+v\nwant %+v", discarded, tt.want)
			}
		})
	}
}

// TestVainTraces checks that replies to a trace whose action did not land are reported with their
// tokens. A truncated reply of which some frames are used is not reported.
func TestVainTraces(t *testing.T) {
	for _, tt := range []struct {
		name  string
		last  string
		fails backend.ErrorKind
		want  []backend.Discarded
	}{
		{"a line that is not there", piece("<|line_sep|>{}<|action_sep|>c = b\n<|frame_sep|>", stopped) + usageTold + done, backend.NoState, []backend.Discarded{
			{Usage: backend.Usage{Prompt: 30, Cached: 16, Completion: 12}, Invalid: true, Outside: true},
			{Usage: backend.Usage{Prompt: 60, Cached: 32, Completion: 24}},
		}},
		{"unfinished, and of use", piece(tracedAfter+"<|line_sep|>{", `,"finish_reason":"length"`) + usageTold + done, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url := both(t, inTurn(
				always(200, piece(tracedLine, stopped)+usageTold+done),
				always(200, piece(tracedCall, stopped)+usageTold+done),
				always(200, piece(tracedValue, stopped)+usageTold+done),
				always(200, tt.last),
			), http.NotFound)
			p := predictor(t, url, func(c *Config) { inAuto(c); c.Dialect = CWM })
			at := tracedNode(t)
			first, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
			if err != nil || len(first.Discarded) > 0 {
				t.Fatalf("%+v, %v", first, err)
			}
			next, err := at.Append(first.Step)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Predict(t.Context(), backend.Question{At: next, Action: dsl.Action{Move: dsl.StepOver}}, nil)
			if tt.fails != 0 {
				fails(t, err, tt.fails)
			} else if err != nil {
				t.Fatal(err)
			}
			if discarded := backend.DiscardedBy(got, err); !slices.Equal(discarded, tt.want) {
				t.Errorf("in vain: %+v\nwant %+v", discarded, tt.want)
			}
		})
	}
}

// TestVainGivenUp checks that replies before the cancellation of a question are reported with their
// tokens.
func TestVainGivenUp(t *testing.T) {
	told, untold := backend.Usage{Prompt: 30, Cached: 16, Completion: 12}, backend.Usage{Prompt: -1, Cached: -1, Completion: -1}
	for _, tt := range []struct {
		name    string
		dialect Dialect
		before  []string // complete replies
		begun   string   // the received part of the next reply
		action  dsl.Move
		want    []backend.Discarded
	}{
		{"before anything came", ND1, nil, "", dsl.StepOver, nil},
		{"in the middle of a reply", ND1, nil, piece("<|line_sep|>", ""), dsl.StepOver, []backend.Discarded{{Usage: untold}}},
		{"while it is corrected", Chat, []string{said("no")}, "", dsl.StepOver, []backend.Discarded{{Usage: told, Invalid: true}}},
		{"while it is asked again", ND1, []string{piece("<|line_sep|>", "")}, "", dsl.StepOver, []backend.Discarded{{Usage: untold}}},
		{"on the way of a trace", CWM, []string{piece(tracedCall, stopped) + usageTold + done}, "", dsl.StepOver, []backend.Discarded{{Usage: told}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			asked := 0
			answers := func(w http.ResponseWriter, r *http.Request) {
				if asked++; asked <= len(tt.before) {
					says(w, 200, tt.before[asked-1])
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, tt.begun)
				w.(http.Flusher).Flush()
				if tt.begun == "" {
					cancel()
				}
				<-r.Context().Done()
			}
			p := predictor(t, both(t, answers, answers), func(c *Config) { inAuto(c); c.Dialect, c.Retries, c.Window = tt.dialect, 1, 9000 })
			at := node(t)
			if tt.dialect == CWM {
				at = tracedNode(t)
			}
			got, err := p.Predict(ctx, backend.Question{At: at, Action: dsl.Action{Move: tt.action}}, func(u backend.Update) {
				if tt.begun != "" && u.Raw != "" {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%+v, %v", got, err)
			}
			if discarded := backend.DiscardedBy(got, err); !slices.Equal(discarded, tt.want) {
				t.Errorf("in vain: %+v\nwant %+v", discarded, tt.want)
			}
		})
	}
}
