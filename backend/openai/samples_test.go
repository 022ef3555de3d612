package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// sampler is a server that returns samples.
type sampler struct {
	mu    sync.Mutex
	asked []asked
	most  int                   // the most answers per request; 0: as many as requested
	text  func(i int) string    // the i-th answer
	fails func(a asked) *answer // returns a failure for a request, or nil
	given int
}

// ServeHTTP answers a completion or a chat, streamed or not.
func (s *sampler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var a asked
	_ = json.NewDecoder(r.Body).Decode(&a) // an invalid body has no fields
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, a)
	if s.fails != nil {
		if no := s.fails(a); no != nil {
			w.Header().Set("Content-Type", no.kind)
			w.WriteHeader(no.status)
			io.WriteString(w, no.body)
			return
		}
	}
	inChat := strings.HasSuffix(r.URL.Path, "/chat/completions")
	next := func() string {
		s.given++
		return s.text(s.given - 1)
	}
	if a["stream"] == true {
		if inChat {
			says(w, 200, said(next()))
		} else {
			says(w, 200, piece(next(), stopped)+usageTold+done)
		}
		return
	}
	n := 1
	if told, ok := a["n"].(float64); ok {
		n = int(told)
	}
	if s.most > 0 {
		n = min(n, s.most)
	}
	choices := make([]string, n)
	for i := range choices {
		field := `"text":` + quoted(next())
		if inChat {
			field = `"message":{"role":"assistant","content":` + strings.TrimPrefix(field, `"text":`) + `}`
		}
		choices[i] = fmt.Sprintf(`{"index":%d,%s,"finish_reason":"stop"}`, i, field)
	}
	says(w, 200, fmt.Sprintf(`{"id":"1","choices":[%s],"usage":{"prompt_tokens":30,"completion_tokens":%d,"prompt_tokens_details":{"cached_tokens":16}}}`, strings.Join(choices, ","), 12*n))
}

// how lists, for each request for samples, the number of answers and the seed.
func (s *sampler) how() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, a := range s.asked[1:] {
		list = append(list, fmt.Sprintf("n=%v seed=%v", a["n"], a["seed"]))
		if a["temperature"] != 1.0 || a["logprobs"] != nil {
			list = append(list, fmt.Sprintf("temperature %v, logprobs %v", a["temperature"], a["logprobs"]))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// values returns the values of x in samples.
func values(s backend.Samples) string {
	var list []string
	for _, r := range s.Replies {
		switch {
		case r.Outcome != dsl.Landed:
			list = append(list, r.Outcome.String())
		default:
			list = append(list, r.Stop.Locals[0].Value)
		}
	}
	slices.Sort(list)
	return fmt.Sprintf("%s, %d none, %d tokens", strings.Join(list, " "), s.Invalid, s.Usage.Completion)
}

func TestSample(t *testing.T) {
	refused := func(a asked) *answer {
		if !a.has("n") {
			return nil
		}
		no := inJSON(400, `{"error":{"message":"Only one completion choice is allowed","type":"invalid_request_error"}}`)
		return &no
	}
	seed := int64(40)
	const singly = "n=<nil> seed=1, n=<nil> seed=2, n=<nil> seed=3"
	for _, c := range []struct {
		name  string
		by    *sampler
		seed  *int64
		how   string
		again string // the requests for a second question
		want  string
	}{
		{"several answers to a request", &sampler{}, nil, "n=3 seed=<nil>", "n=3 seed=<nil>", "1 1 2, 0 none, 36 tokens"},
		{"a server that gives one", &sampler{most: 1}, nil, "n=3 seed=<nil>, n=<nil> seed=1, n=<nil> seed=2", singly, "1 1 2, 0 none, 36 tokens"},
		{"a server that refuses", &sampler{fails: refused}, nil, "n=3 seed=<nil>, " + singly, singly, "1 1 2, 0 none, 36 tokens"},
		{"with a seed", &sampler{}, &seed, "n=<nil> seed=41, n=<nil> seed=42, n=<nil> seed=43", "n=<nil> seed=41, n=<nil> seed=42, n=<nil> seed=43", "1 1 2, 0 none, 36 tokens"},
	} {
		for _, d := range []Dialect{ND1, Chat} {
			t.Run(c.name+", "+string(d), func(t *testing.T) {
				s := &sampler{most: c.by.most, fails: c.by.fails}
				right := map[Dialect]string{ND1: second, Chat: secondInChat}[d]
				s.text = func(i int) string { // every fourth answer has another value
					if i%4 == 2 {
						return strings.Replace(right, `"1"`, `"2"`, 1)
					}
					return right
				}
				p := predictor(t, serves(t, s), func(c *Config) { c.Dialect, c.Retries, c.Logprobs = d, -1, true })
				for _, how := range []string{c.how, c.again} {
					s.asked, s.given = nil, 0
					heat := 1.0
					q := backend.Question{At: node(t), Action: stepOver}
					got, err := p.Predict(t.Context(), q, nil)
					landed(t, got, err)
					q.Options = backend.Options{Temperature: &heat, Seed: c.seed}
					samples, err := p.Sample(t.Context(), q, 3)
					if err != nil || values(samples) != c.want {
						t.Errorf("%s, %v; want %s", values(samples), err, c.want)
					}
					if s.how() != how {
						t.Errorf("it is asked %s; want %s", s.how(), how)
					}
				}
			})
		}
	}
}

// serves returns the address of a server that lists a model and answers with a sampler.
func serves(t *testing.T, s *sampler) string {
	t.Helper()
	at := chats(t, nil)
	mux := http.NewServeMux()
	mux.Handle("GET /v1/models", at.Config.Handler)
	mux.Handle("POST /v1/", s)
	at.Config.Handler = mux
	return at.URL + "/v1"
}

// TestSampleInvalid checks that invalid samples are counted and not repeated, and that a failure of the
// server is not a sample.
func TestSampleInvalid(t *testing.T) {
	for _, d := range []Dialect{ND1, Chat} {
		for _, most := range []int{0, 1} {
			t.Run(fmt.Sprint(d, most), func(t *testing.T) {
				right := map[Dialect]string{ND1: second, Chat: secondInChat}[d]
				s := &sampler{most: most, text: func(i int) string { return []string{right, "x is 1", right, "so"}[i] }}
				p := predictor(t, serves(t, s), func(c *Config) { c.Dialect, c.Retries = d, -1 })
				samples, err := p.Sample(t.Context(), backend.Question{At: node(t), Action: stepOver}, 4)
				if err != nil || values(samples) != "1 1, 2 none, 48 tokens" {
					t.Errorf("%s, %v", values(samples), err)
				}
			})
		}
	}
	s := &sampler{fails: func(asked) *answer {
		no := inJSON(503, `{"error":{"message":"busy"}}`)
		return &no
	}}
	p := predictor(t, serves(t, s), func(c *Config) { c.Retries = -1 })
	samples, err := p.Sample(t.Context(), backend.Question{At: node(t), Action: stepOver}, 40)
	if fails(t, err, backend.ServerFailed); samples.Len() != 0 || len(s.asked) > 2*samplesAtOnce {
		t.Errorf("%d answers, %d requests", samples.Len(), len(s.asked))
	}
}

// TestSamplesThatBreakOff checks that the tokens of truncated replies are counted. They are unknown if
// the server did not report them.
func TestSamplesThatBreakOff(t *testing.T) {
	for name, c := range map[string]struct {
		dialect Dialect
		replies []string
		fails   backend.ErrorKind // 0: the question succeeds
		want    int
	}{
		"and come again":       {ND1, []string{piece(second[:5], ""), second}, 0, -1},
		"of no use":            {ND1, []string{piece(second[:5], "") + usageTold}, backend.Cut, 12},
		"a trace on its way":   {CWM, []string{tracedCall, piece("<|action_sep|>", "") + usageTold}, backend.Cut, 24},
		"a trace, asked again": {CWM, []string{piece("<|line_sep|>", ""), tracedLine}, 0, -1},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			s := func(w http.ResponseWriter, r *http.Request) {
				text := c.replies[min(asked, len(c.replies)-1)]
				asked++
				if !strings.HasPrefix(text, "data:") {
					text = piece(text, stopped) + usageTold + done
				}
				says(w, 200, text)
			}
			p := predictor(t, both(t, s, http.NotFound), func(o *Config) {
				inAuto(o)
				o.Dialect, o.Window = c.dialect, 9000
				o.Retries = map[bool]int{true: 1, false: -1}[c.fails == 0]
			})
			at, seed := node(t), int64(1)
			if c.dialect == CWM {
				at = tracedNode(t)
			}
			samples, err := p.Sample(t.Context(), backend.Question{At: at, Action: stepOver, Options: backend.Options{Seed: &seed}}, 1)
			if c.fails != 0 {
				fails(t, err, c.fails)
			} else if err != nil || samples.Len() != 1 {
				t.Fatalf("%+v, %v", samples, err)
			}
			if samples.Usage.Completion != c.want {
				t.Errorf("they took %+v, want %d written", samples.Usage, c.want)
			}
		})
	}
}

// TestSampleTraces checks that sampled traces are not cached: the next question continues from the
// answer that is shown.
func TestSampleTraces(t *testing.T) {
	s := &sampler{text: func(i int) string {
		return []string{tracedLine, "so", strings.Replace(tracedLine, "a = f(2)", "b = a", 1), tracedLine}[i]
	}}
	p := predictor(t, serves(t, s), func(c *Config) { c.Dialect, c.Model, c.Retries = CWM, "cwm", -1 })
	q := backend.Question{At: tracedNode(t), Action: dsl.Action{Move: dsl.StepInto}}
	samples, err := p.Sample(t.Context(), q, 4)
	if err != nil || samples.Invalid != 1 || len(samples.Replies) != 3 {
		t.Fatalf("%+v, %v", samples, err)
	}
	if want := (backend.Usage{Prompt: 120, Cached: 64, Completion: 48}); samples.Usage != want { // includes the tokens of the invalid sample
		t.Errorf("they took %+v, want %+v", samples.Usage, want)
	}
	lines := map[int]int{}
	for _, r := range samples.Replies {
		lines[r.Stop.Line]++
		next, err := q.At.Append(dsl.Step{Action: q.Action, Reply: r})
		if err != nil || p.trails.Get(keyOf(next)) != nil {
			t.Errorf("a sample at line %d leaves a trail, %v", r.Stop.Line, err)
		}
	}
	if lines[3] != 2 || lines[4] != 1 {
		t.Errorf("they are at %v", lines)
	}
}
