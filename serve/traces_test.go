package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// traced is a trace that is known to be correct (docs/cwm.md), frame by frame. The first frame
// includes the program.
var traced = []string{
	"<|begin_of_text|><|trace_context_start|>def f(x):  # << START_OF_TRACE\n    return x + 1\na = f(2)\n<|frame_sep|>" +
		"<|line_sep|>{}<|action_sep|>def f(x):\n<|frame_sep|>",
	"<|line_sep|>{\"f\": \"<function f>\"}<|action_sep|>a = f(2)\n<|frame_sep|>",
	"<|call_sep|>{\"x\": \"2\"}<|action_sep|>def f(x):\n<|frame_sep|>",
	"<|line_sep|>{\"x\": \"..\"}<|action_sep|>    return x + 1\n<|frame_sep|>",
	"<|return_sep|><|action_sep|>    return x + 1\n<|arg_sep|>\"3\"<|frame_sep|>",
	"<|return_sep|><|action_sep|>a = f(2)\n<|arg_sep|>\"None\"<|frame_sep|>",
}

// frames returns the frames of traced with indexes from `from` up to but not including to.
func frames(from, to int) string { return strings.Join(traced[from:to], "") }

// teller is a predictor that answers with the events of the program in traced, in order. If hold is
// not nil, it is called first.
type teller struct {
	hold func(context.Context) error

	mu    sync.Mutex
	asked int
}

func (m *teller) Predict(ctx context.Context, q backend.Question, _ func(backend.Update)) (*backend.Prediction, error) {
	m.mu.Lock()
	m.asked++
	m.mu.Unlock()
	if m.hold != nil {
		if err := m.hold(ctx); err != nil {
			return nil, err
		}
	}
	at := q.At.Current()
	var reply dsl.Reply
	switch {
	case at.Function == "f" && (q.Action.Move == dsl.StepReturn || at.Line == 2) && at.Event != dsl.Return:
		reply = landed(dsl.Return, 2, "f", "3")
	case at.Function == "f" && at.Event == dsl.Call:
		reply = landed(dsl.Line, 2, "f", "", dsl.Local{Name: "x", Value: "2"})
	case at.Function == "f":
		reply = landed(dsl.Return, 3, "<module>", "None")
	case at.Event == dsl.Return:
		reply = dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}
	case at.Line == 1:
		reply = landed(dsl.Line, 3, "<module>", "", dsl.Local{Name: "f", Value: "<function f>"})
	default:
		reply = landed(dsl.Call, 1, "f", "", dsl.Local{Name: "x", Value: "2"})
	}
	return &backend.Prediction{Step: dsl.Step{Action: q.Action, Reply: reply}}, nil
}

func (m *teller) Fill(context.Context, *dsl.Node, *dsl.Stop, []int, backend.Options) (*backend.Filled, error) {
	return nil, &backend.Error{Kind: backend.Unwritable}
}
func (m *teller) Model() backend.Model { return backend.Model{Name: "teller"} }
func (m *teller) Close() error         { return nil }

// questions returns the number of requests to the predictor since the last call.
func (m *teller) questions() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.asked
	m.asked = 0
	return n
}

// landed returns a reply with a state in the program of traced. value is "" except for a return.
func landed(e dsl.Event, line int, function, value string, locals ...dsl.Local) dsl.Reply {
	const file = "program.py"
	source := []string{"def f(x):", "    return x + 1", "a = f(2)"}[line-1]
	s := &dsl.Stop{State: dsl.State{Event: e, File: file, Line: line, Source: source, Function: function, Locals: locals}}
	if value != "" {
		s.Kind, s.Value = dsl.Returned, &value
	}
	if function == "f" {
		s.Depth = 1
		s.Stack = append(s.Stack, dsl.Frame{Function: "<module>", File: file, Line: 3})
	}
	s.Stack = append(s.Stack, dsl.Frame{Function: function, File: file, Line: line})
	return dsl.Reply{Outcome: dsl.Landed, Stop: s}
}

// asNpdb returns a request for frames in the form in which npdb sends it to vLLM.
func asNpdb(prompt any, change object) object {
	q := object{
		"model": "oracle", "prompt": prompt, "max_tokens": 2048, "temperature": 0, "logprobs": 1,
		"stop":                cwm.StopOfTrace,
		"skip_special_tokens": false, "spaces_between_special_tokens": false,
		"include_stop_str_in_output": true, "no_stop_trim": true, "preserved_tokens": cwm.Tokens(),
	}
	maps.Copy(q, change)
	return q
}

// The ids of the tokens at which requests stop.
var (
	frameID = dsl.FrameSep.CWMID()
	traceID = endOfText
)

// TestTraces checks that the answer continues a trace with the next frames, up to a stop of the
// request. It tests text and token ids, with and without a stream.
func TestTraces(t *testing.T) {
	m := &teller{}
	server := served(t, func(c *Config) { c.Models[0].Predictor = m })
	tokens := newTokenizer(dsl.ND1)
	const end = "<|end_of_text|>"
	oneFrame := object{"stop": cwm.StopOfFrame}
	for _, c := range []struct {
		name   string
		prompt string
		change object
		want   string
		finish string
	}{
		{"the next line", frames(0, 1), oneFrame, traced[1], "stop"},
		{"the call", frames(0, 2), oneFrame, traced[2], "stop"},
		{"within the call", frames(0, 3), oneFrame, traced[3], "stop"},
		{"the return", frames(0, 4), oneFrame, traced[4], "stop"},
		{"a forced return", frames(0, 3) + cwm.ForcedReturn, oneFrame, strings.TrimPrefix(traced[4], cwm.ForcedReturn), "stop"},
		{"the module's return", frames(0, 5), oneFrame, traced[5], "stop"},
		{"after a forced return", frames(0, 3) + traced[4], oneFrame, traced[5], "stop"},
		{"after the last frame", frames(0, 6), oneFrame, end, "stop"},
		{"all the rest", frames(0, 1), nil, frames(1, 6) + end, "stop"},
		{"all the rest of a forced return", frames(0, 3) + cwm.ForcedReturn, nil, strings.TrimPrefix(frames(4, 6), cwm.ForcedReturn) + end, "stop"},
		{"one frame by its number", frames(0, 1), object{"stop": nil, "stop_token_ids": []int{frameID, traceID}}, traced[1], "stop"},
		{"the trace by its number", frames(0, 4), object{"stop": nil, "stop_token_ids": []int{traceID}}, frames(4, 6) + end, "stop"},
		{"without the text it stops at", frames(0, 1), object{"stop": cwm.StopOfFrame, "include_stop_str_in_output": false}, strings.TrimSuffix(traced[1], cwm.StopOfFrame), "stop"},
		{"without special tokens", frames(0, 1), object{"stop_token_ids": []int{frameID}, "skip_special_tokens": true}, "{\"f\": \"<function f>\"}a = f(2)\n", "stop"},
		{"few tokens", frames(0, 1), object{"max_tokens": 3}, "<|line_sep|>{\"", "length"},
		{"with no first token of its own", strings.TrimPrefix(frames(0, 1), cwm.Beginning), oneFrame, traced[1], "stop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for form, prompt := range map[string]any{"text": c.prompt, "numbers": tokens.encode(c.prompt, false)} {
				q := asNpdb(prompt, c.change)
				if form == "numbers" {
					q["return_token_ids"] = true
				} else {
					q["add_special_tokens"] = !strings.HasPrefix(c.prompt, cwm.Beginning)
				}
				whole, h := complete(t, server, q)
				one := whole.Choices[0]
				if one.Text != c.want || *one.Finish != c.finish || h.Get(reasonHeader) != "" {
					t.Fatalf("%s: %q, %s, because %q; want %q, %s", form, one.Text, *one.Finish, h.Get(reasonHeader), c.want, c.finish)
				}
				if len(one.Logprobs.Tokens) != whole.Usage.Completion || whole.Usage.Total != whole.Usage.Prompt+whole.Usage.Completion {
					t.Errorf("%s: %d probabilities, usage %+v", form, len(one.Logprobs.Tokens), whole.Usage)
				}
				if form == "numbers" && (!slices.Equal(one.PromptIDs, prompt.([]int)) || len(one.IDs) != whole.Usage.Completion) {
					t.Errorf("%d numbers of the prompt and %d of the answer come back, of %d and %d", len(one.PromptIDs), len(one.IDs), len(prompt.([]int)), whole.Usage.Completion)
				}
				q["stream"], q["stream_options"] = true, object{"include_usage": true}
				_, text, _ := post(t, server, "/v1/completions", q)
				pieces := events[completion](t, text)
				said, ids := "", []int(nil)
				for _, p := range pieces[:len(pieces)-1] {
					said += p.Choices[0].Text
					ids = append(ids, p.Choices[0].IDs...)
				}
				last := pieces[len(pieces)-2].Choices[0].Finish
				if said != c.want || last == nil || *last != c.finish || !slices.Equal(ids, one.IDs) || pieces[len(pieces)-1].Usage.Completion != whole.Usage.Completion {
					t.Errorf("%s: the stream says %q with %d numbers, ends by %v, and has %+v", form, said, len(ids), last, pieces[len(pieces)-1].Usage)
				}
			}
		})
	}
}

// TestTracesAreKnown checks that events in the prompt are requested from the predictor only once,
// so that a further step costs only that step.
func TestTracesAreKnown(t *testing.T) {
	m := &teller{}
	server := served(t, func(c *Config) { c.Models[0].Predictor = m })
	for n := 1; n < 6; n++ {
		complete(t, server, asNpdb(frames(0, n), object{"stop": cwm.StopOfFrame}))
		if got := m.questions(); got != 1 {
			t.Errorf("frame %d took %d questions", n, got)
		}
	}
	fresh := served(t, func(c *Config) { c.Models[0].Predictor = m })
	complete(t, fresh, asNpdb(frames(0, 5), object{"stop": cwm.StopOfFrame}))
	if got := m.questions(); got != 5 {
		t.Errorf("a trace that is not known took %d questions", got)
	}
}

// TestTracesDeclined checks that the answer is empty, with a reason, if the prompt is not a trace
// or contains events that do not happen in the program.
func TestTracesDeclined(t *testing.T) {
	server := served(t, func(c *Config) { c.Models[0].Predictor = &teller{} })
	program, _, _ := strings.Cut(traced[0], "<|line_sep|>")
	for _, c := range []struct{ name, prompt, why string }{
		{"a program alone", program, "the prompt is not a valid trace: "},
		{"half a frame", frames(0, 1) + "<|line_sep|>{\"f\": ", "the prompt is not a valid trace: cut off"},
		{"no frame", frames(0, 1) + "and so on<|frame_sep|>", "the prompt is not a valid trace: malformed"},
		{"a line that is not there", frames(0, 1) + "<|line_sep|>{}<|action_sep|>b = 1\n<|frame_sep|>", "the prompt is not a valid trace: impossible"},
		{"two marks", strings.Replace(frames(0, 1), "a = f(2)", "a = f(2)  # << START_OF_TRACE", 1), "the prompt is not a valid trace: impossible"},
		{"two lines at once", frames(0, 1) + traced[1] + traced[1], "the trace contains an event that does not happen: \"a = f(2)\""},
		{"another value", frames(0, 2) + strings.Replace(traced[2], `"2"`, `"7"`, 1), "the trace contains an event that does not happen: \"def f(x):\""},
		{"after the end", frames(0, 6) + traced[1], "the prompt is not a valid trace: impossible"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, stream := range []bool{false, true} {
				status, text, h := post(t, server, "/v1/completions", asNpdb(c.prompt, object{"stop": cwm.StopOfFrame, "stream": stream, "add_special_tokens": false}))
				why := h.Get(reasonHeader)
				if status != http.StatusOK || why == "" || !strings.HasPrefix(why, c.why) {
					t.Errorf("streamed %v: status %d, because %q: %s", stream, status, why, text)
				}
				if strings.Contains(text, "sep|>") {
					t.Errorf("streamed %v: it says %s", stream, text)
				}
			}
		})
	}
}

// TestTracesRefused checks that an invalid request with a trace is refused like one with any other
// prompt.
func TestTracesRefused(t *testing.T) {
	server := served(t, func(c *Config) { c.Models[0].Predictor = &teller{}; c.Window = 256 })
	for _, c := range []struct {
		name   string
		change object
		words  string
	}{
		{"numbers of no token", object{"prompt": []int{128000, 999999}}, "out of vocabulary"},
		{"no numbers", object{"prompt": []int{}}, "prompt"},
		{"two prompts", object{"prompt": []string{frames(0, 1), frames(0, 2)}}, "one prompt a request"},
		{"an empty stop", object{"stop": ""}, "stop cannot contain an empty string"},
		{"stops that are none", object{"stop_token_ids": []string{"<|frame_sep|>"}}, "no JSON that can be read"},
		{"no room", object{"max_tokens": 200}, "maximum context length is 256"},
		{"no such model", object{"model": "cwm"}, "cwm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := asNpdb(frames(0, 1), object{"max_tokens": 16})
			maps.Copy(q, c.change)
			status, text, _ := post(t, server, "/v1/completions", q)
			var said struct {
				Error apiError `json:"error"`
			}
			if err := json.Unmarshal([]byte(text), &said); err != nil || status < 400 || status >= 500 || !strings.Contains(said.Error.Message, c.words) {
				t.Errorf("status %d, %v: %s", status, err, text)
			}
		})
	}
}

// TestTracesGivenUp checks that a client that disconnects cancels its request at any time: while
// the prompt's events are checked, at the next frame, or at a later one. The frames found until
// then are cached.
func TestTracesGivenUp(t *testing.T) {
	for at, name := range []string{"the prompt's first frame", "the prompt's second frame", "the next frame", "one that follows"} {
		t.Run(name, func(t *testing.T) {
			m := &teller{}
			begun, ended := make(chan struct{}), make(chan error, 1)
			n := 0
			m.hold = func(ctx context.Context) error {
				if n++; n != at+1 {
					return nil
				}
				close(begun)
				<-ctx.Done()
				ended <- ctx.Err()
				return ctx.Err()
			}
			server := served(t, func(c *Config) { c.Models[0].Predictor, c.AtOnce = m, 1 })
			ctx, leave := context.WithCancel(t.Context())
			told := make(chan error, 1)
			go func() {
				body, _ := json.Marshal(asNpdb(frames(0, 3), nil))
				request, _ := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/completions", strings.NewReader(string(body)))
				request.Header.Set("Content-Type", "application/json")
				answer, err := server.Client().Do(request)
				if err == nil {
					err = fmt.Errorf("status %s", answer.Status)
					answer.Body.Close()
				}
				told <- err
			}()
			<-begun
			leave()
			if err := <-told; !errors.Is(err, context.Canceled) {
				t.Errorf("the client is told %v", err)
			}
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the question ended with %v", err)
			}
			m.questions()
			// AtOnce is 1, so the answer to this request shows that the cancelled one has ended.
			c, _ := complete(t, server, asNpdb(frames(0, 3), nil))
			if got := c.Choices[0].Text; got != frames(3, 6)+cwm.StopOfTrace {
				t.Errorf("then it says %q", got)
			}
			if got, want := m.questions(), 5-min(at, 2); got != want {
				t.Errorf("then %d questions are asked, want %d", got, want)
			}
		})
	}
}

// TestTracesTakeLong checks that a request that takes too long gets an empty answer with this
// reason, wherever the time ends.
func TestTracesTakeLong(t *testing.T) {
	for at, name := range []string{"the prompt's frame", "the next frame"} {
		t.Run(name, func(t *testing.T) {
			n := 0
			m := &teller{hold: func(ctx context.Context) error {
				if n++; n != at+1 {
					return nil
				}
				<-ctx.Done()
				return ctx.Err()
			}}
			server := served(t, func(c *Config) { c.Models[0].Predictor, c.Timeout = m, 20*time.Millisecond })
			c, h := complete(t, server, asNpdb(frames(0, 2), object{"stop": cwm.StopOfFrame}))
			if c.Choices[0].Text != cwm.StopOfTrace || h.Get(reasonHeader) != "it took longer than 20ms" {
				t.Errorf("it says %q because %q", c.Choices[0].Text, h.Get(reasonHeader))
			}
		})
	}
}
