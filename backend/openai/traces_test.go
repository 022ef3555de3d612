package openai

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
)

func TestTraces(t *testing.T) {
	into, over, back := dsl.Action{Move: dsl.StepInto}, dsl.Action{Move: dsl.StepOver}, dsl.Action{Move: dsl.StepReturn}
	breakpoint, end := dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 2}}}, dsl.Action{Move: dsl.Continue}
	for name, way := range traceWays {
		for _, c := range []struct {
			name     string
			actions  []dsl.Action
			lines    []int // the lines on which they land; 0 for the end
			requests int
		}{
			{"state by state", []dsl.Action{into, into, into, into, into, into, into}, []int{3, 1, 2, 2, 4, 4, 0}, 6},
			{"over a call", []dsl.Action{over, over, over, over}, []int{3, 4, 4, 0}, 5},
			{"out of it", []dsl.Action{into, into, back, back}, []int{3, 1, 2, 4}, 4},
			{"to a breakpoint", []dsl.Action{breakpoint, back, end}, []int{2, 2, 0}, 3},
			{"to the end", []dsl.Action{end}, []int{0}, 1},
		} {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				v := vocabulary(t)
				s := serveTraces(t, way, v)
				p := predictor(t, s.URL+way.prefix, func(c *Config) {
					c.Dialect, c.Model = CWM, ""
					if !way.tokenizes && way.numbers {
						c.Vocabulary = v
					}
				})
				at := tracedNode(t)
				var lines []int
				for _, a := range c.actions {
					var got *backend.Prediction
					at, got = step(t, p, at, a)
					line := 0
					if stop := got.Step.Reply.Stop; stop != nil {
						line = stop.Line
					}
					lines = append(lines, line)
				}
				if !slices.Equal(lines, c.lines) || len(s.requests) != c.requests {
					t.Errorf("lands at %v by %d requests, want %v by %d: %q", lines, len(s.requests), c.lines, c.requests, s.prompts)
				}
				for _, f := range s.requests {
					if _, text := f["prompt"].(string); text == (way.tokenizes || way.numbers) {
						t.Errorf("the prompt is %v", f["prompt"])
					}
				}
			})
		}
	}
}

// TestTraceOfAState checks a state from a trace, its text in nd/1, and the requests, which must have the
// form used in training.
func TestTraceOfAState(t *testing.T) {
	v := vocabulary(t)
	s := serveTraces(t, traceWays["vLLM"], v)
	p := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Model = CWM, "" })
	at, got := step(t, p, tracedNode(t), dsl.Action{Move: dsl.StepInto})
	if got.Raw != tracedLine || got.Wire != "<|line_sep|>{\"f\": \"<function f>\"}<|action_sep|>3|a = f(2)\n<|frame_sep|>" {
		t.Errorf("raw %q, wire %q", got.Raw, got.Wire)
	}
	if m := p.Model(); m.Name != "facebook/cwm" || !m.Forwards {
		t.Errorf("%+v", m)
	}
	f := s.requests[0]
	want := asked{
		"model": "facebook/cwm", "stop": "<|frame_sep|>", "stop_token_ids": []any{128100.0, 128001.0}, "max_tokens": 2048.0, "temperature": 0.0,
		"skip_special_tokens": false, "include_stop_str_in_output": true, "return_token_ids": true, "add_special_tokens": nil,
	}
	for name, value := range want {
		if !reflect.DeepEqual(f[name], value) {
			t.Errorf("%s is %v, want %v", name, f[name], value)
		}
	}
	if ids := f["prompt"].([]any); ids[0] != 128000.0 || ids[1] != 128107.0 || ids[len(ids)-1] != 128100.0 {
		t.Errorf("the prompt is %v", ids)
	}
	_, got = step(t, p, at, dsl.Action{Move: dsl.StepOver})
	if want := (backend.Usage{Prompt: 90, Cached: 48, Completion: 36}); got.Usage != want {
		t.Errorf("three requests cost %+v, want %+v", got.Usage, want)
	}
	if want := tracedCall + "<|return_sep|>" + tracedValue + tracedAfter; got.Raw != want {
		t.Errorf("raw %q, want %q", got.Raw, want)
	}
	// A return shows no locals; there is one warning about that.
	at, _ = step(t, p, at, dsl.Action{Move: dsl.StepInto})
	_, got = step(t, p, at, dsl.Action{Move: dsl.StepReturn})
	if stop := got.Step.Reply.Stop; len(stop.Locals) != 0 || *stop.Value != "3" || !slices.Contains(got.Warnings, untoldLocals) {
		t.Errorf("%+v, %q", stop, got.Warnings)
	}
}

func TestTracesFail(t *testing.T) {
	v := vocabulary(t)
	s := serveTraces(t, traceWays["vLLM"], v)
	p := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Model = CWM, "" })
	for m := dsl.InvStepInto; m <= dsl.InvStepFunction; m++ {
		_, err := p.Predict(t.Context(), backend.Question{At: tracedNode(t), Action: dsl.Action{Move: m}}, nil)
		var backward *rollout.BackwardError
		if failure := fails(t, err, backend.Unwritable, "forwards alone", m.String()); !errors.As(failure, &backward) {
			t.Errorf("%v", failure.Err)
		}
	}
	if len(s.requests) != 0 {
		t.Errorf("it was asked %d times", len(s.requests))
	}
	first := *tracedNode(t).Current()
	_, err := p.Fill(t.Context(), tracedNode(t), &first, []int{0}, backend.Options{})
	fails(t, err, backend.Unwritable, "--entry")

	for name, c := range map[string]struct {
		reply string
		kind  backend.ErrorKind
		words string
	}{
		"prose":           {piece("The next line is", stopped) + done, backend.NoState, "no Code World Model"},
		"no such line":    {piece("<|line_sep|>{}<|action_sep|>c = 1\n<|frame_sep|>", stopped) + done, backend.NoState, "no line"},
		"half a frame":    {piece("<|line_sep|>{", stopped) + done, backend.NoState, "no frame"},
		"nothing":         {piece("", stopped) + done, backend.NoState, "no Code World Model"},
		"cut off":         {piece("<|line_sep|>{", "") + done, backend.Cut, "broke its reply off"},
		"without an end":  {piece("<|line_sep|>{", `,"finish_reason":"length"`) + done, backend.Endless, "max_tokens"},
		"dots of nothing": {piece(`<|line_sep|>{"x": ".."}<|action_sep|>a = f(2)`+"\n<|frame_sep|>", stopped) + done, backend.NoState, "unchanged"},
	} {
		t.Run(name, func(t *testing.T) {
			s := server(t, streams(c.reply))
			p := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Retries = CWM, -1 })
			_, err := p.Predict(t.Context(), backend.Question{At: tracedNode(t), Action: dsl.Action{Move: dsl.StepInto}}, nil)
			fails(t, err, c.kind, c.words)
		})
	}
}

// TestAutoFindsTraces checks that a model named cwm is asked with traces, and that this dialect is kept
// if it answers.
func TestAutoFindsTraces(t *testing.T) {
	v := vocabulary(t)
	s := serveTraces(t, traceWays["vLLM"], v)
	p := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Model = Auto, "" })
	_, got := step(t, p, tracedNode(t), dsl.Action{Move: dsl.StepInto})
	if got.Step.Reply.Stop.Line != 3 || !p.Model().Forwards || !strings.Contains(strings.Join(got.Warnings, " "), "--dialect cwm") {
		t.Errorf("%+v, %q", got.Step.Reply.Stop, got.Warnings)
	}
	for name, want := range map[string]bool{
		"facebook/cwm": true, "cyankiwi/cwm-AWQ-4bit": true, "CWM": true, "cwm-sft": true, "my_cwm.gguf": true, "acwm": false, "cwmx": false, "nd-32b": false, "": false,
	} {
		if namedCWM.MatchString(name) != want {
			t.Errorf("%q is called so: want %v", name, want)
		}
	}
}

func TestVocabulary(t *testing.T) {
	v := vocabulary(t)
	for text, want := range map[string][]int{
		"":                              nil,
		"return xé":                     {260, 261, 262},
		"<|frame_sep|>a<|call_sep|>":    {128100, 'a', 128103},
		"<|no_such|><|end_of_text|>":    append(v.bpe.EncodeOrdinary("<|no_such|>"), 128001),
		"<|begin_of_text|><|arg_sep|>é": {128000, 128106, 262},
	} {
		got := v.IDs(text)
		if !slices.Equal(got, want) || v.Text(got) != text {
			t.Errorf("%q is %v, and again %q; want %v", text, got, v.Text(got), want)
		}
	}
	for text, want := range map[string]string{"": "byte 0", "YQ== x\n": "line 1", "YQ==\n": "line 1", "?? 3\n": "line 1"} {
		path := filepath.Join(t.TempDir(), "tokenizer.model")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadVocabulary(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := ReadVocabulary(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestProbeOfTraces checks that a probe tests a step by a trace, and sends no nd/1 text or chat if that
// works.
func TestProbeOfTraces(t *testing.T) {
	const says = "<|line_sep|>{\"x\": \"1\"}<|action_sep|>y = x + 1\n<|frame_sep|>"
	const ndSays = "<|line_sep|>{\"x\": \"1\"}<|action_sep|>2|y = x + 1\n<|frame_sep|>"
	for _, c := range []struct {
		dialect       Dialect
		name, reply   string
		usable        bool
		trace, spoken Verdict
	}{
		{CWM, "nd", says, true, Yes, Undecided},
		{Auto, "facebook/cwm", says, true, Yes, Undecided},
		{CWM, "facebook/cwm", "Certainly!", false, No, Undecided},
		{Auto, "facebook/cwm", ndSays, true, No, Yes},
		{ND1, "facebook/cwm", ndSays, true, Undecided, Yes},
	} {
		s := server(t, streams(piece(c.reply, stopped)+usageTold+done))
		p := predictor(t, s.URL+"/v1", func(o *Config) { o.Dialect, o.Model, o.Window = c.dialect, c.name, 1000 })
		found, err := p.Probe(t.Context())
		if err != nil {
			t.Errorf("%s of %s: %v", c.dialect, c.name, err)
			continue
		}
		if found.Usable() != c.usable || found.verdict(canTrace) != c.trace || found.verdict(canSpeak) != c.spoken {
			t.Errorf("%s of %s: %+v", c.dialect, c.name, found.Items)
		}
		if c.trace == Yes && (found.verdict(canTellUsage) != Yes || found.verdict(canTellCached) != Yes || found.verdict(canTakeIDs) != No || found.verdict(canChat) != Undecided) {
			t.Errorf("%s of %s: %+v", c.dialect, c.name, found.Items)
		}
	}
}

// TestTracesRestart checks that shown text is declared void if the question is repeated, to the same
// server or in another dialect.
func TestTracesRestart(t *testing.T) {
	const ndSays = "<|line_sep|>{\"f\": \"<function f>\"}<|action_sep|>3|a = f(2)\n<|frame_sep|>"
	for name, c := range map[string]struct {
		dialect Dialect
		replies []string
	}{
		"broken off":         {CWM, []string{piece(tracedLine[:20], "") + done, piece(tracedLine, stopped) + done}},
		"in another dialect": {Auto, []string{piece("<|line_sep|>{} no", stopped) + done, piece(ndSays, stopped) + done}},
	} {
		asked := 0
		s := server(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/completions") {
				streams(c.replies[min(asked, 1)])(w, r)
				asked++
				return
			}
			http.NotFound(w, r)
		})
		p := predictor(t, s.URL+"/v1", func(o *Config) { o.Dialect, o.Model, o.Window = c.dialect, "facebook/cwm", 9000 })
		var seen []string
		got, err := p.Predict(t.Context(), backend.Question{At: tracedNode(t), Action: dsl.Action{Move: dsl.StepInto}}, func(u backend.Update) {
			word := "shown"
			if u.Restarted {
				word = "void"
			}
			if len(seen) == 0 || seen[len(seen)-1] != word {
				seen = append(seen, word)
			}
		})
		if err != nil || got.Step.Reply.Stop.Line != 3 || !slices.Equal(seen, []string{"shown", "void", "shown"}) {
			t.Errorf("%s: %v, %v", name, seen, err)
		}
	}
}
