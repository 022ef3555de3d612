//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// model is a server with a replaceable handler.
type model struct {
	address string
	socket  *os.File // bound to the address
	server  *httptest.Server
	does    atomic.Pointer[http.HandlerFunc]
}

// newModel returns a server with its own address. It refuses connections until it serves,
// and no other process can take the address.
func newModel(t *testing.T, serves bool) *model {
	t.Helper()
	syscall.ForkLock.RLock() // so that child processes of other tests do not inherit it
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	m := &model{socket: os.NewFile(uintptr(fd), "model")}
	t.Cleanup(func() { _ = m.socket.Close() })
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	m.address = fmt.Sprintf("127.0.0.1:%d", name.(*unix.SockaddrInet4).Port)
	if serves {
		m.serve(t)
	}
	return m
}

// serve starts listening.
func (m *model) serve(t *testing.T) {
	t.Helper()
	const backlog = 128
	if err := unix.Listen(int(m.socket.Fd()), backlog); err != nil {
		t.Fatal(err)
	}
	l, err := net.FileListener(m.socket)
	if err != nil {
		t.Fatal(err)
	}
	_ = m.socket.Close() // the listener has its own copy
	m.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*m.does.Load())(w, r) }))
	m.server.Listener.Close()
	m.server.Listener = l
	m.server.Start()
	t.Cleanup(m.server.Close)
}

func (m *model) set(does http.HandlerFunc) { m.does.Store(&does) }

// The predicted program, and its true values.
const (
	predictedProgram = "x = 1\ny = 2\n"
	nextState        = `<|line_sep|>{"x": "1"}<|action_sep|>2|y = 2` + "\n<|frame_sep|>"
)

// right predicts the second line for every request.
func right(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/models" {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"nd","object":"model","max_model_len":4096}]}`)
		return
	}
	says(nextState, "stop")(w, r)
}

// says streams a reply in small pieces.
func says(whole, finish string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		reply := whole
		w.Header().Set("Content-Type", "text/event-stream")
		for len(reply) > 0 {
			n := min(len(reply), 7)
			piece(w, reply[:n], "")
			reply = reply[n:]
		}
		piece(w, "", finish)
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

func piece(w http.ResponseWriter, text, finish string) {
	reason := "null"
	if finish != "" {
		reason = jsonString(finish)
	}
	fmt.Fprintf(w, `data: {"id":"c","object":"text_completion","model":"nd","choices":[{"index":0,"text":%s,"logprobs":null,"finish_reason":%s}]}`+"\n\n", jsonString(text), reason)
}

func jsonString(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // any text can be encoded
	}
	return string(quoted)
}

// refuses responds with a status, headers and a body.
func refuses(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// talk is a running npdb to which a test writes line by line.
type talk struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	said   bytes.Buffer // all of standard output
	stderr bytes.Buffer
	home   string
	marks  int
}

// startNeural runs npdb on predictedProgram in a new folder.
func startNeural(t *testing.T, env []string, args ...string) *talk {
	t.Helper()
	home := t.TempDir()
	program := filepath.Join(home, "prog.py")
	if err := os.WriteFile(program, []byte(predictedProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	return talkTo(t, home, npdbCommand(t, home, env, append(args, program)...))
}

// talkTo starts npdb.
func talkTo(t *testing.T, home string, cmd *exec.Cmd) *talk {
	t.Helper()
	s := &talk{cmd: cmd, home: home}
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.stdout = bufio.NewReader(io.TeeReader(out, &s.said))
	s.cmd.Stderr = &s.stderr
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // has usually ended already
	return s
}

// npdbCommand returns the command for npdb with its own home and only the given
// environment.
func npdbCommand(t *testing.T, home string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable() // TestMain runs npdb if it is called with this name
	if err != nil {
		t.Fatal(err)
	}
	npdb := filepath.Join(t.TempDir(), "npdb")
	if err := os.Symlink(self, npdb); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(npdb, args...)
	cmd.Dir = home
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + home, "GORACE=atexit_sleep_ms=0"}, env...)
	return cmd
}

// line reads one line of standard output.
func (s *talk) line(t *testing.T) string {
	t.Helper()
	line, err := s.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("npdb said %q, then %v\n%s", s.said.String(), err, s.stderr.String())
	}
	return line
}

func (s *talk) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(s.stdin, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

// plain returns the plain front end's answer to a line.
func (s *talk) plain(t *testing.T, line string) string {
	t.Helper()
	s.marks++
	mark := fmt.Sprintf("'mark %d'", s.marks)
	s.send(t, line)
	s.send(t, "p "+mark)
	var b strings.Builder
	for {
		got := s.line(t)
		if strings.HasPrefix(got, mark) {
			return b.String()
		}
		b.WriteString(got)
	}
}

// reply contains the fields of a JSON answer that tests read.
type reply struct {
	Origin string
	State  *struct{ Line int }
	Error  *struct{ Kind, Message string }
}

// json returns the JSON front end's answer to a line; "" reads the first answer.
func (s *talk) json(t *testing.T, line string) (r reply) {
	t.Helper()
	if line != "" {
		s.send(t, line)
	}
	text := s.line(t)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// quit quits npdb.
func (s *talk) quit(t *testing.T) {
	t.Helper()
	s.send(t, "q")
	if _, err := io.Copy(io.Discard, s.stdout); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, s.stderr.String())
	}
}

// TestNeuralFailures lets each request fail in a different way. One line says why in both
// front ends, the session stays where it was, and retry continues once the server works
// again.
func TestNeuralFailures(t *testing.T) {
	for _, tt := range []struct {
		name  string
		does  http.HandlerFunc // nil: nothing listens
		kind  string
		words []string
	}{
		{"down", nil, "endpoint", []string{"refuses connections", "--base-url"}},
		{"401", refuses(401, `{"error":"Unauthorized"}`), "endpoint", []string{"key", "OPENAI_API_KEY"}},
		{"404 model", refuses(404, `{"error":{"message":"The model nd does not exist.","type":"NotFoundError","param":"model","code":404}}`), "endpoint", []string{`no model "nd"`, "--model"}},
		{"404 path", refuses(404, `{"detail":"Not Found"}`), "endpoint", []string{"no completions", "--base-url"}},
		{"429", refuses(429, `{"error":{"message":"Too many requests","type":"rate_limit"}}`, "Retry-After", "120"), "endpoint", []string{"too often", "2m0s"}},
		{"500", refuses(500, `{"error":{"message":"CUDA out of memory","type":"InternalServerError","code":500}}`), "endpoint", []string{"HTTP 500", "CUDA out of memory"}},
		{"502 page", refuses(502, "<html><body>Bad Gateway</body></html>", "Content-Type", "text/html"), "endpoint", []string{"HTTP 502", "a web page"}},
		{"HTML", refuses(200, "<!doctype html><title>Sign in</title>", "Content-Type", "text/html"), "endpoint", []string{"a web page", "--base-url"}},
		{"no state", says("Sure! The next line is 2.", "stop"), "prediction", []string{"does not speak nd/1", "npdb serve", "raw shows it"}},
		{"JSON cut off", says(`<|line_sep|>{"x": "1`, "stop"), "prediction", []string{"no state", "raw shows it"}},
		{"a line that is not there", says(`<|line_sep|>{}<|action_sep|>9|z = 2`+"\n<|frame_sep|>", "stop"), "prediction", []string{"no state", "line 9"}},
		{"declined", says("<|unknown_sep|><|frame_sep|>", "stop"), "prediction", []string{"does not tell"}},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			piece(w, `<|line_sep|>{"x": "`, "")
			for r.Context().Err() == nil {
				piece(w, "1", "")
			}
		}, "prediction", []string{"did not end", "64 tokens", "--max-tokens"}},
		{"length", says(`<|line_sep|>{"x": "1111`, "length"), "prediction", []string{"before it had its 64 tokens", "window", "as short as it can be"}},
		{"cut", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(200)
			piece(w, `<|line_sep|>{"x": "`, "")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "prediction", []string{"in the middle", "raw shows it"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, ui := range []string{"--plain", "--json"} {
				m := newModel(t, tt.does != nil)
				m.set(right)
				env := []string{"NPDB_BASE_URL=http://" + m.address + "/v1", "NPDB_MODEL=nd", "NPDB_RETRIES=0", "NPDB_LOGPROBS=false", "NPDB_MAX_TOKENS=64"}
				if tt.does != nil {
					m.set(tt.does)
				}
				s := startNeural(t, env, ui)
				mend := func() {
					if tt.does == nil {
						m.serve(t)
					}
					m.set(right)
				}
				if ui == "--plain" {
					s.playPlain(t, tt.words, mend)
				} else {
					s.playJSON(t, tt.kind, tt.words, mend)
				}
				s.quit(t)
			}
		})
	}
}

func (s *talk) playPlain(t *testing.T, words []string, mend func()) {
	t.Helper()
	s.plain(t, "")
	got := s.plain(t, "n")
	if !strings.HasPrefix(got, "*** ") || strings.Count(got, "\n") != 1 {
		t.Errorf("not one line of an error:\n%s", got)
	}
	for _, w := range words {
		if !strings.Contains(got, w) {
			t.Errorf("%q is not in %s", w, got)
		}
	}
	if got := s.plain(t, "w"); !strings.Contains(got, "prog.py(1)<module>()") {
		t.Errorf("it stands at %s", got)
	}
	mend()
	if got := s.plain(t, "retry"); !strings.Contains(got, "prog.py(2)<module>()") {
		t.Errorf("retry: %s", got)
	}
	if got := s.plain(t, "p x"); got != "1\n" {
		t.Errorf("x is %s", got)
	}
}

func (s *talk) playJSON(t *testing.T, kind string, words []string, mend func()) {
	t.Helper()
	s.json(t, "")
	got := s.json(t, "n")
	switch {
	case got.Error == nil || got.Error.Kind != kind || strings.Contains(got.Error.Message, "\n"):
		t.Errorf("the error is %+v", got.Error)
	case got.State == nil || got.State.Line != 1 || got.Origin != "given":
		t.Errorf("it stands at %+v", got.State)
	default:
		for _, w := range words {
			if !strings.Contains(got.Error.Message, w) {
				t.Errorf("%q is not in %s", w, got.Error.Message)
			}
		}
	}
	mend()
	if got := s.json(t, "retry"); got.Error != nil || got.State == nil || got.State.Line != 2 || got.Origin != "predicted" {
		t.Errorf("retry: %+v", got)
	}
}
