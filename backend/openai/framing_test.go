package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
)

// sending is a way in which a server can send the same reply.
type sending struct {
	kind    string // Content-Type
	framing string
	finish  string // the JSON of finish_reason; "" if it is missing
	numbers string
	ends    bool // the text contains the mark that ends it
	damage  string
}

// The variants of each part of a sending. The first is the usual one.
var (
	sentKinds    = []string{"text/event-stream; charset=utf-8", "text/plain", "application/json", "", "application/octet-stream"}
	sentFramings = []string{"events", "events with CRLF", "events without an end", "one event", "comments first", "an object", "an indented object", "objects in lines"}
	sentFinishes = []string{`"stop"`, "", "null", `""`, `"eos"`, `"STOP"`, `"done"`, `"null"`, "7"}
	sentNumbers  = []string{"plain", "Python's", "huge"}
	sentDamages  = []string{"half", "broken off", "empty", "bytes", "packed", "words", "a page"}
)

// way is one way in which npdb asks a question.
type way struct {
	name   string
	inChat bool
	text   string // the text of the reply, without the mark that ends it
	mark   string
	config func(*Config)
	ask    func(*testing.T, *Predictor) (*backend.Prediction, error) // returns a nil prediction if the reply is not a state
}

func ways() []way {
	predict := func(at func(testing.TB) *dsl.Node, a dsl.Action) func(*testing.T, *Predictor) (*backend.Prediction, error) {
		return func(t *testing.T, p *Predictor) (*backend.Prediction, error) {
			got, err := p.Predict(t.Context(), backend.Question{At: at(t), Action: a}, nil)
			if err == nil && (got.Step.Reply.Stop == nil || len(got.Step.Reply.Stop.Locals) != 1) {
				t.Errorf("another state: %+v", got.Step)
			}
			return got, err
		}
	}
	fill := func(t *testing.T, p *Predictor) (*backend.Prediction, error) {
		at, first := call(t)
		got, err := p.Fill(t.Context(), at, first, []int{0, 2}, backend.Options{})
		if err == nil && (got.First.Locals[0].Value != "7" || got.First.Locals[2].Value != "7") {
			t.Errorf("other values: %+v", got.First.Locals)
		}
		return nil, err
	}
	sample := func(t *testing.T, p *Predictor) (*backend.Prediction, error) {
		got, err := p.Sample(t.Context(), backend.Question{At: node(t), Action: stepOver}, 2)
		if err == nil && len(got.Replies) != 2 {
			t.Errorf("%d samples: %+v", len(got.Replies), got)
		}
		return nil, err
	}
	none := func(*Config) {}
	chatting := func(c *Config) { c.Dialect = Chat }
	const mark = "<|frame_sep|>"
	text := strings.TrimSuffix(second, mark)
	return []way{
		{"texts", false, text, mark, none, predict(node, stepOver)},
		{"ids", false, text, mark, func(c *Config) { c.Prompt = IDs }, predict(node, stepOver)},
		{"chat", true, secondInChat, "", chatting, predict(node, stepOver)},
		{"several states by chat", true, `{"states":[` + secondInChat + `]}`, "", func(c *Config) { c.Dialect, c.Stops = Chat, 8 }, predict(node, stepOver)},
		{"values", false, `7", `, mark, none, fill},
		{"values by chat", true, `{"values":[{"name":"x","value":"7"},{"name":"z","value":"7"}]}`, "", chatting, fill},
		{"samples", false, text, mark, none, sample},
		{"samples by chat", true, secondInChat, "", chatting, sample},
		{"traces", false, strings.TrimSuffix(tracedLine, mark), mark, func(c *Config) { c.Dialect = CWM }, predict(tracedNode, dsl.Action{Move: dsl.StepInto})},
	}
}

// RoundTrip replies like a server, without a connection.
func (s *sent) RoundTrip(r *http.Request) (*http.Response, error) {
	defer r.Body.Close()
	res := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, ContentLength: -1}
	var body io.Reader
	switch {
	case strings.HasSuffix(r.URL.Path, "/tokenize"):
		if s.way.name != "ids" {
			res.StatusCode = http.StatusNotFound
			body = strings.NewReader(`{"detail":"Not Found"}`)
			break
		}
		body = strings.NewReader(`{"tokens":[1,2,3]}`)
	case r.Method == http.MethodGet:
		body = strings.NewReader(`{"data":[{"id":"nd"}]}`)
	default:
		var a asked
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			return nil, err
		}
		if s.kind != "" {
			res.Header.Set("Content-Type", s.kind)
		}
		text := s.body(a)
		at := strings.Index(text, `"index"`) + len(`"index":0,"te`)
		body = strings.NewReader(text)
		switch s.damage {
		case "half":
			body = strings.NewReader(text[:at])
		case "broken off":
			body = io.MultiReader(strings.NewReader(text[:at]), iotestErr{io.ErrUnexpectedEOF})
		case "empty":
			body = strings.NewReader(" \n")
		case "bytes":
			body = strings.NewReader("\x1f\x8b\x08\x00\xff\xfe\x00{")
		case "packed":
			res.Header.Set("Content-Encoding", "gzip")
		case "words":
			body = strings.NewReader("The model is being loaded.\n")
		case "a page":
			body = strings.NewReader("<!doctype html><title>Sign in</title>")
		}
	}
	res.Body = io.NopCloser(body)
	return res, nil
}

// iotestErr is a reader whose Read always fails with err.
type iotestErr struct{ err error }

func (r iotestErr) Read([]byte) (int, error) { return 0, r.err }

// sent is a server that replies to one way of asking in one way of sending.
type sent struct {
	sending
	way way
}

// choice returns a choice of a reply as JSON. pieces are its tokens.
func (s *sent) choice(index int, field, finish string, pieces ...string) string {
	odds := map[string]string{"plain": "-0.25", "Python's": "-Infinity", "huge": "-1e999"}[s.numbers]
	text := quoted(strings.Join(pieces, ""))
	tokens, numbers := make([]string, len(pieces)), make([]string, len(pieces))
	for i, piece := range pieces {
		tokens[i], numbers[i] = quoted(piece), odds
	}
	logprobs := fmt.Sprintf(`{"tokens":[%s],"token_logprobs":[%s]}`, strings.Join(tokens, ","), strings.Join(numbers, ","))
	said := `"text":` + text
	if s.way.inChat {
		for i := range tokens {
			tokens[i] = fmt.Sprintf(`{"token":%s,"logprob":%s,"bytes":null}`, tokens[i], odds)
		}
		logprobs = `{"content":[` + strings.Join(tokens, ",") + `]}`
		said = fmt.Sprintf(`%q:{"content":%s}`, field, text)
	}
	if finish != "" {
		finish = `,"finish_reason":` + finish
	}
	return fmt.Sprintf(`{"index":%d,%s,"logprobs":%s%s}`, index, said, logprobs, finish)
}

// object returns an object of a reply as JSON.
func (s *sent) object(usage bool, choices ...string) string {
	numbers := map[string][2]string{"plain": {"30", "12"}, "Python's": {"30.0", "NaN"}, "huge": {"3e1", "1e999"}}[s.numbers]
	more := ""
	if s.numbers != "plain" {
		more = `,"took":[NaN,-Infinity,Infinity,"NaN \" -Infinity"]`
	}
	if usage {
		more += fmt.Sprintf(`,"usage":{"prompt_tokens":%s,"completion_tokens":%s}`, numbers[0], numbers[1])
	}
	return `{"id":"1","model":"nd","choices":[` + strings.Join(choices, ",") + `]` + more + `}`
}

// body returns the whole body of a reply to a request.
func (s *sent) body(a asked) string {
	text := s.way.text
	if s.ends {
		text += s.way.mark
	}
	half := len(text) / 2
	if n, ok := a["n"].(float64); ok || a["stream"] != true {
		var choices []string
		for i := range max(int(n), 1) {
			choices = append(choices, s.choice(i, "message", s.finish, text[:half], text[half:]))
		}
		return s.object(true, choices...)
	}
	running := s.finish // the finish_reason of each piece before the last
	if !slices.Contains([]string{"", `""`, "null", `"null"`, "7"}, running) {
		running = "null"
	}
	objects := []string{
		s.object(false, s.choice(0, "delta", running, text[:half])), s.object(false, s.choice(0, "delta", running, text[half:])),
		s.object(false, s.choice(0, "delta", s.finish)), s.object(true),
	}
	whole := s.object(true, s.choice(0, "message", s.finish, text[:half], text[half:]))
	end := "\n"
	switch s.framing {
	case "an object":
		return whole
	case "an indented object":
		var out bytes.Buffer
		if json.Indent(&out, []byte(whole), "", "  ") != nil { // it contains numbers that are not JSON
			return strings.ReplaceAll(whole, `,"usage"`, ",\n  \"usage\"")
		}
		return out.String()
	case "objects in lines":
		return strings.Join(objects, "\n") + "\n"
	case "one event":
		objects = []string{whole}
	case "events with CRLF":
		end = "\r\n"
	case "comments first":
		objects[0] = ": waiting" + end + end + "event: message" + end + "data: " + objects[0]
	}
	var b strings.Builder
	for _, o := range objects {
		if !strings.HasPrefix(o, ":") {
			o = "data: " + o
		}
		b.WriteString(o + end + end)
	}
	if s.framing != "events without an end" {
		b.WriteString("data: [DONE]" + end + end)
	}
	return b.String()
}

// wants returns the kinds of error that the reply should cause, none for success, and words that the
// message must contain.
func (s *sent) wants() (kinds []backend.ErrorKind, words string) {
	inJSON := strings.Contains(s.framing, "object")
	switch s.damage {
	case "":
		if s.way.name == "traces" && !s.ends && finishNamed(strings.Trim(s.finish, `"7`)) == "" && s.finish != `"done"` || s.way.name == "traces" && !s.ends && s.finish == "null" {
			return []backend.ErrorKind{backend.Cut}, "broke its reply off"
		}
		return nil, ""
	case "half":
		return []backend.ErrorKind{backend.Cut}, "broke its reply off"
	case "broken off":
		if inJSON {
			return []backend.ErrorKind{backend.Unreachable}, "before its answer was whole"
		}
		return []backend.ErrorKind{backend.Cut}, "broke its reply off"
	case "empty":
		return []backend.ErrorKind{backend.ServerFailed}, "an empty body"
	case "packed":
		return []backend.ErrorKind{backend.ServerFailed}, "compressed"
	case "bytes", "words":
		if strings.HasPrefix(s.kind, "text/event-stream") {
			return []backend.ErrorKind{backend.ServerFailed}, "no event in it"
		}
		return []backend.ErrorKind{backend.ServerFailed}, map[string]string{"bytes": "cannot be decoded", "words": `"The model is being loaded."`}[s.damage]
	}
	return []backend.ErrorKind{backend.NoEndpoint}, "a web page"
}

// ask sends the question and checks the outcome.
func (s *sent) ask(t *testing.T) {
	t.Helper()
	p := predictor(t, "http://127.0.0.1:1/v1", func(c *Config) {
		c.Model, c.Retries, c.Logprobs = "nd", -1, true
		s.way.config(c)
	})
	p.http.Transport = s
	got, err := s.way.ask(t, p)
	kinds, words := s.wants()
	var failure *backend.Error
	switch {
	case len(kinds) == 0 && err != nil:
		t.Fatalf("%+v: %v", s.sending, err)
	case len(kinds) == 0:
	case !errors.As(err, &failure) || failure.Kind != kinds[0] || !strings.Contains(failure.Message, words):
		t.Fatalf("%+v: %v (%+v), want the kind %d: %s", s.sending, err, got, kinds[0], words)
	case kinds[0] != backend.NoEndpoint && strings.Contains(failure.Message, "/completions"):
		t.Fatalf("%+v: %v", s.sending, err)
	default:
		return
	}
	if got == nil {
		return
	}
	if got.Usage.Prompt != 30 || got.Usage.Completion != map[string]int{"plain": 12, "Python's": -1, "huge": -1}[s.numbers] {
		t.Errorf("%+v: usage %+v", s.sending, got.Usage)
	}
	if told := got.Confidence != nil; told != (s.numbers == "plain") || told && math.Abs(*got.Confidence-math.Exp(-0.5)) > 1e-9 {
		t.Errorf("%+v: confidence %v", s.sending, got.Confidence)
	}
}

// TestFraming checks that a reply with complete text is understood, for all combinations of header,
// framing, end and numbers and for every way of asking.
func TestFraming(t *testing.T) {
	i := 0
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			for _, kind := range sentKinds {
				for _, framing := range sentFramings {
					for _, finish := range sentFinishes {
						for _, numbers := range sentNumbers {
							for _, ends := range []bool{true, false} {
								if i++; !longtest.In(t, i, 23) {
									continue
								}
								(&sent{sending{kind, framing, finish, numbers, ends, ""}, w}).ask(t)
							}
						}
					}
				}
			}
		})
	}
}

// TestDamagedReplies checks the errors for damaged replies with a success status, for every way of
// asking.
func TestDamagedReplies(t *testing.T) {
	i := 0
	for _, w := range ways() {
		for _, damage := range sentDamages {
			t.Run(w.name+", "+damage, func(t *testing.T) {
				for _, kind := range sentKinds {
					for _, framing := range sentFramings {
						if i++; !longtest.In(t, i, 7) {
							continue
						}
						(&sent{sending{kind, framing, `"stop"`, "plain", true, damage}, w}).ask(t)
					}
				}
			})
		}
	}
}
