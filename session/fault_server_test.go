package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend/openai"
)

// Secrets that may occur only in a request's headers, or in what the user typed.
const (
	faultKey      = "sk-faults-0123456789abcdef"
	headerSecret  = "team-4711-of-headers"
	proxyPassword = "pass-of-a-proxy-99"
	hiddenValue   = "tok-hidden-from-models"
)

// faultSource is the program that the model knows.
const faultSource = "a = 1\nb = a + 2\nc = b * 2\nd = c\n"

// server is a model's server that can be made to fail.
type server struct {
	t       *testing.T
	dialect openai.Dialect
	at      *network
	http    *http.Server
	served  chan struct{}

	mu     sync.Mutex
	fault  func(*question)
	asked  int // requests since the fault began
	bodies bytes.Buffer
	closes bool // it closes each connection after one response
}

// question is a request to it.
type question struct {
	*server
	http.ResponseWriter
	r     *http.Request
	body  []byte
	n     int // number of the request since the fault began, from 0
	right string
}

func serveFaults(t *testing.T, name string, dialect openai.Dialect) *server {
	s := &server{t: t, dialect: dialect, at: newNetwork(name), served: make(chan struct{})}
	s.http = &http.Server{Handler: s, ErrorLog: log.New(io.Discard, "", 0)} // errors of connections that tests break
	go func() {
		defer close(s.served)
		if err := s.http.Serve(s.at); err != http.ErrServerClosed {
			t.Error(err)
		}
	}()
	return s
}

func (s *server) close() {
	if err := s.http.Close(); err != nil {
		s.t.Error(err)
	}
	<-s.served
}

// begin makes it fail from now on; nil makes it work again.
func (s *server) begin(fault func(*question)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.asked = fault, 0
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect {
		s.tunnel(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has cancelled it
	}
	if r.Header.Get("Authorization") != "Bearer "+faultKey || r.Header.Get("X-Team") != headerSecret {
		s.t.Errorf("%s has the headers %v", r.URL, r.Header)
	}
	q := &question{server: s, ResponseWriter: w, r: r, body: body}
	s.mu.Lock()
	s.bodies.Write(body)
	fault := s.fault
	q.n = s.asked
	if strings.HasSuffix(r.URL.Path, "/completions") {
		s.asked++
	}
	closes := s.closes
	s.mu.Unlock()
	if closes {
		w.Header().Set("Connection", "close")
	}
	if fault != nil {
		q.right = state(s.dialect, 3, true, "3") // of requests meanwhile
		fault(q)
		return
	}
	q.right = q.reply()
	q.answer()
}

// tunnel connects a proxy's tunnel to this same server.
func (s *server) tunnel(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	fault := s.fault
	s.mu.Unlock()
	if fault != nil {
		fault(&question{server: s, ResponseWriter: w, r: r})
		return
	}
	client, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		s.t.Error(err)
		return
	}
	fmt.Fprint(client, "HTTP/1.1 200 Connection established\r\n\r\n")
	s.at.conns <- s.at.wrapped(client)
}

// answer is the response of a working server.
func (q *question) answer() {
	switch {
	case strings.HasSuffix(q.r.URL.Path, "/models"):
		q.json(200, `{"object":"list","data":[{"id":"nd","object":"model","max_model_len":32768}]}`)
	case strings.HasSuffix(q.r.URL.Path, "/completions"):
		q.stream(q.says(q.right), q.ends("stop"), done)
	default:
		q.json(404, `{"detail":"Not Found"}`)
	}
}

const done = "data: [DONE]\n\n"

var (
	lineOfText  = regexp.MustCompile(`<\|action_sep\|>(\d)\|`)
	lineOfChat  = regexp.MustCompile(`"line":(\d)`)
	lineOfTrace = regexp.MustCompile(`<\|action_sep\|>([a-d] = [^\n]*)\n`)
)

// reply returns the program's next state in the dialect, or "" if none is requested.
func (q *question) reply() string {
	var asked struct {
		Prompt   string
		Messages []struct{ Content string }
	}
	if json.Unmarshal(q.body, &asked) != nil {
		return ""
	}
	text := asked.Prompt
	for _, m := range asked.Messages {
		text += m.Content + "\n"
	}
	line := 0
	last := func(r *regexp.Regexp) string {
		if found := r.FindAllStringSubmatch(text, -1); found != nil {
			return found[len(found)-1][1]
		}
		return ""
	}
	switch q.dialect {
	case openai.CWM:
		line = slices.Index(strings.Split(faultSource, "\n"), last(lineOfTrace)) + 1
	case openai.Chat:
		line, _ = strconv.Atoi(last(lineOfChat))
	default:
		line, _ = strconv.Atoi(last(lineOfText))
	}
	if line < 1 || line > 3 {
		return ""
	}
	return state(q.dialect, line+1, strings.Contains(text, "note"), []string{"1", "3", "6"}[line-1])
}

// state returns a line of the program, with the value that was assigned last.
func state(dialect openai.Dialect, line int, edited bool, value string) string {
	names := []string{"a", "b", "c"}[:line-1]
	if edited {
		names = slices.Insert(slices.Clone(names), 1, "note")
	}
	source := strings.Split(faultSource, "\n")[line-1]
	newest, quoted := names[len(names)-1], inJSON(value)
	if dialect == openai.Chat {
		return fmt.Sprintf(`{"outcome":"state","event":"line","line":%d,"function":null,"stack":null,"locals":[{"name":%q,"value":%s}],"names":%s,"kind":null,"value":null,"exit_code":null}`,
			line, newest, quoted, `["`+strings.Join(names, `","`)+`"]`)
	}
	locals := ""
	for _, name := range names[:len(names)-1] {
		locals += fmt.Sprintf(`%q: "..", `, name)
	}
	if dialect == openai.CWM {
		return fmt.Sprintf("<|line_sep|>{%s%q: %s}<|action_sep|>%s\n<|frame_sep|>", locals, newest, quoted, source)
	}
	return fmt.Sprintf("<|line_sep|>{%s%q: %s}<|action_sep|>%d|%s\n<|frame_sep|>", locals, newest, quoted, line, source)
}

func inJSON(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // any text can be encoded
	}
	return string(quoted)
}

// chunk returns a chunk of a stream with additional fields.
func (q *question) chunk(text, fields string) string {
	said := `"text":` + text
	if q.dialect == openai.Chat {
		said = `"delta":{"content":` + text + `}`
	}
	return `data: {"id":"1","model":"nd","choices":[{"index":0,` + said + fields + "}]}\n\n"
}

// says returns a chunk of a stream with a text, ends one with its end.
func (q *question) says(text string) string { return q.chunk(inJSON(text), "") }

func (q *question) ends(finish string) string { return q.chunk(`""`, `,"finish_reason":"`+finish+`"`) }

// stream responds with these events unchanged.
func (q *question) stream(events ...string) {
	q.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		if _, err := io.WriteString(q, e); err != nil {
			return // nobody reads any more
		}
		if http.NewResponseController(q.ResponseWriter).Flush() != nil {
			return
		}
	}
}

func (q *question) json(status int, body string) {
	q.with(status, "application/json", body)
}

func (q *question) with(status int, kind, body string) {
	q.Header().Set("Content-Type", kind)
	q.WriteHeader(status)
	_, _ = io.WriteString(q, body) // fails if nobody reads any more, which does not matter
}

// floods writes a beginning, and repeats the rest as long as the client reads.
func (q *question) floods(first, more string) {
	_, err := io.WriteString(q, first)
	for err == nil {
		_, err = io.WriteString(q, more)
	}
}

// wait delays the response until the client gives up.
func (q *question) wait() { <-q.r.Context().Done() }

// breaks takes over the connection, writes a text and breaks it off.
func (q *question) breaks(reset bool, text string) {
	conn, _, err := http.NewResponseController(q.ResponseWriter).Hijack()
	if err != nil {
		q.t.Error(err)
		return
	}
	_, _ = io.WriteString(conn, text) // fails if nobody reads any more, which does not matter
	if w, ok := conn.(*wire); ok && reset {
		w.Reset()
		return
	}
	conn.Close()
}
