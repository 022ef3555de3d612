package openai

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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

// What a Code World Model says of this program, from its first line on, and what instead
// where the return of the call is forced.
const (
	tracedContext = "<|begin_of_text|><|trace_context_start|>def f(x):  # << START_OF_TRACE\n    return x + 1\na = f(2)\nb = a\n<|frame_sep|>" +
		"<|line_sep|>{}<|action_sep|>def f(x):\n<|frame_sep|>"
	tracedLine  = "<|line_sep|>{\"f\": \"<function f>\"}<|action_sep|>a = f(2)\n<|frame_sep|>"
	tracedCall  = "<|call_sep|>{\"x\": \"2\"}<|action_sep|>def f(x):\n<|frame_sep|>"
	tracedBody  = "<|line_sep|>{\"x\": \"..\"}<|action_sep|>    return x + 1\n<|frame_sep|>"
	tracedValue = "<|action_sep|>    return x + 1\n<|arg_sep|>\"3\"<|frame_sep|>"
	tracedAfter = "<|line_sep|>{\"f\": \"..\", \"a\": \"3\"}<|action_sep|>b = a\n<|frame_sep|>"
	tracedEnd   = "<|return_sep|><|action_sep|>b = a\n<|arg_sep|>\"None\"<|frame_sep|><|end_of_text|>"
)

// tracedNode stands at the program's first line.
func tracedNode(t testing.TB) *dsl.Node {
	t.Helper()
	lines := []string{"def f(x):", "    return x + 1", "a = f(2)", "b = a"}
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: lines}}})
	if err != nil {
		t.Fatal(err)
	}
	first := &dsl.Stop{
		State: dsl.State{Event: dsl.Line, File: "p.py", Line: 1, Source: lines[0], Function: "<module>"},
		Stack: []dsl.Frame{{Function: "<module>", File: "p.py", Line: 1}},
	}
	if at, err = at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}}); err != nil {
		t.Fatal(err)
	}
	return at
}

// continued is what the model goes on with after a prompt, "" for none that it knows.
func continued(prompt string) string {
	prompt = "<|begin_of_text|>" + strings.TrimPrefix(prompt, "<|begin_of_text|>")
	for _, whole := range []string{
		tracedContext + tracedLine + tracedCall + tracedBody + "<|return_sep|>" + tracedValue + tracedAfter + tracedEnd,
		tracedContext + tracedLine + tracedCall + "<|return_sep|>" + tracedValue + tracedAfter + tracedEnd,
	} {
		if rest, ok := strings.CutPrefix(whole, prompt); ok {
			return rest
		}
	}
	return ""
}

// traceServer imitates a server of the model's.
type traceServer struct {
	*httptest.Server
	requests []asked
	prompts  []string
}

// traceWay is in what servers differ.
type traceWay struct {
	numbers   bool // prompts have to be token numbers
	tokenizes bool
	lists     bool
	keepsStop bool // the text at which it stops is told
	length    bool // it says of each reply that it is one of full length
	idsAlone  bool // what it writes comes as token numbers
	prefix    string
}

var traceWays = map[string]traceWay{
	"vLLM":           {tokenizes: true, lists: true, keepsStop: true, prefix: "/v1"},
	"llama-server":   {tokenizes: true, lists: true, prefix: "/v1"},
	"one of texts":   {lists: true, keepsStop: true, prefix: "/v1"},
	"fgserve":        {numbers: true, length: true, keepsStop: true, idsAlone: true},
	"one of numbers": {numbers: true, tokenizes: true, lists: true, keepsStop: true, prefix: "/v1"},
}

func serveTraces(t *testing.T, way traceWay, v *Vocabulary) *traceServer {
	s := &traceServer{}
	mux := http.NewServeMux()
	if way.lists {
		mux.HandleFunc("GET "+way.prefix+"/models", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"data":[{"id":"facebook/cwm","max_model_len":131072}]}`)
		})
	}
	if way.tokenizes {
		mux.HandleFunc("POST /tokenize", func(w http.ResponseWriter, r *http.Request) {
			json.NewEncoder(w).Encode(map[string]any{"tokens": v.IDs(fields(t, r)["prompt"].(string))})
		})
	}
	mux.HandleFunc("POST "+way.prefix+"/completions", func(w http.ResponseWriter, r *http.Request) {
		f := asked(fields(t, r))
		s.requests = append(s.requests, f)
		var prompt string
		switch given := f["prompt"].(type) {
		case string:
			prompt = given
			if way.numbers {
				prompt = "" // never becomes a trace
			}
		case []any:
			var ids []int
			for _, id := range given {
				ids = append(ids, int(id.(float64)))
			}
			prompt = v.Text(ids)
		}
		s.prompts = append(s.prompts, prompt)
		says := continued(prompt)
		stop, _ := f["stop"].(string)
		said, _, _ := strings.Cut(says, stop)
		if whole := said + stop; strings.HasPrefix(says, whole) && (way.keepsStop || way.idsAlone) {
			said = whole
		}
		finish := "stop"
		if way.length {
			finish = "length"
		}
		if way.idsAlone {
			ids, _ := json.Marshal(v.IDs(said))
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"choices":[{"text":%s,"tokens":%s,"finish_reason":%q}]}`, quoted(mark.ReplaceAllString(said, "")), ids, finish)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for said != "" {
			n := min(7, len(said))
			io.WriteString(w, piece(said[:n], ""))
			said = said[n:]
		}
		io.WriteString(w, piece("", fmt.Sprintf(`,"finish_reason":%q`, finish))+usageTold+done)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// vocabulary is one of bytes, and of some longer tokens.
func vocabulary(t testing.TB) *Vocabulary {
	t.Helper()
	var b strings.Builder
	for i := range 256 {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte{byte(i)}), i)
	}
	for i, token := range []string{"re", "tu", "retu", "rn", "return", " x", "é"} {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), 256+i)
	}
	path := filepath.Join(t.TempDir(), "tokenizer.model")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := ReadVocabulary(path)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// step asks, and goes on from the answer.
func step(t testing.TB, p *Predictor, at *dsl.Node, a dsl.Action) (*dsl.Node, *backend.Prediction) {
	t.Helper()
	got, err := p.Predict(t.Context(), backend.Question{At: at, Action: a}, nil)
	if err != nil {
		t.Fatal(err)
	}
	next, err := at.Append(got.Step)
	if err != nil {
		t.Fatal(err)
	}
	return next, got
}

func TestTraces(t *testing.T) {
	into, over, back := dsl.Action{Move: dsl.StepInto}, dsl.Action{Move: dsl.StepOver}, dsl.Action{Move: dsl.StepReturn}
	breakpoint, end := dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 2}}}, dsl.Action{Move: dsl.Continue}
	for name, way := range traceWays {
		for _, c := range []struct {
			name     string
			actions  []dsl.Action
			lines    []int // where they land, 0 for the end
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

// A state is what the model told of it, its journal is nd/1, and the requests are those that
// the model was trained with.
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
	// A return shows no locals, which is told once.
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
	for m := dsl.InvStepInto; m <= dsl.InvContinue; m++ {
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

// Who is called cwm is asked by traces, and what answers them is asked so from then on.
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

// What there is of a server is found out by a step, and by no text or chat where that does.
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

// What was shown of a reply is void where the question is asked anew: of the server, or of
// the model in another dialect.
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
