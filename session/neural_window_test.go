//go:build unix

package session_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// smallWindow is a server with a small window, whose model steps from line to line. A
// token is four bytes.
type smallWindow struct {
	lines   []string
	window  int
	refuses bool // 400 if prompt and max_tokens do not fit, like vLLM; otherwise the reply is cut, like llama-server
	silent  bool // reports neither its window nor token counts
	babbles bool // its replies never end
	asked   int
}

const tokenBytes = 4

var lineAsked = regexp.MustCompile(`<\|action_sep\|>(\d+)\|`)

func (s *smallWindow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/models" {
		window := fmt.Sprintf(`,"max_model_len":%d`, s.window)
		if s.silent {
			window = ""
		}
		fmt.Fprintf(w, `{"data":[{"id":"nd"%s}]}`, window)
		return
	}
	s.asked++
	var q struct {
		Prompt    string `json:"prompt"`
		MaxTokens int    `json:"max_tokens"`
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	prompt := (len(q.Prompt) + tokenBytes - 1) / tokenBytes
	room := min(q.MaxTokens, s.window-prompt)
	if s.refuses && prompt+q.MaxTokens > s.window || room <= 0 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":{"message":"This model's maximum context length is %d tokens. However, you requested %d output tokens and your prompt contains %d input tokens, for a total of %d tokens. Please reduce the length of the input prompt or the number of requested output tokens.","type":"BadRequestError","param":"input_tokens","code":400}}`,
			s.window, q.MaxTokens, prompt, prompt+q.MaxTokens)
		return
	}
	all := lineAsked.FindAllStringSubmatch(q.Prompt, -1)
	at, _ := strconv.Atoi(all[len(all)-1][1])
	reply := fmt.Sprintf("<|line_sep|>{}<|action_sep|>%d|%s\n<|frame_sep|>", at+1, s.lines[at])
	if s.babbles {
		reply = `<|line_sep|>{"x": "` + strings.Repeat("1", q.MaxTokens*tokenBytes)
	}
	finish, n := "stop", 0
	w.Header().Set("Content-Type", "text/event-stream")
	for ; reply != ""; n++ {
		if n == room {
			finish = "length"
			break
		}
		token := reply[:min(tokenBytes, len(reply))]
		reply = reply[len(token):]
		text, _ := json.Marshal(token)
		fmt.Fprintf(w, `data: {"choices":[{"index":0,"text":%s,"finish_reason":null}]}`+"\n\n", text)
	}
	usage := fmt.Sprintf(`,"usage":{"prompt_tokens":%d,"completion_tokens":%d}`, prompt, n)
	if s.silent {
		usage = ""
	}
	fmt.Fprintf(w, `data: {"choices":[{"index":0,"text":"","finish_reason":%q}]%s}`+"\n\n", finish, usage)
	io.WriteString(w, "data: [DONE]\n\n")
}

// walk makes n steps with the server.
func (s *smallWindow) walk(t *testing.T, n, maxTokens int) []answer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(strings.Join(s.lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	p, err := openai.New(openai.Config{BaseURL: server.URL + "/v1", Model: "nd", MaxTokens: maxTokens, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	w := walker{t: t, path: path}
	return w.walk(session.Config{
		Options: trace.Options{Script: path, Dir: filepath.Dir(path)},
		Neural:  &nav.Neural{Predictor: p},
	}, times("n", n))
}

func times(command string, n int) []string {
	commands := make([]string, n)
	for i := range commands {
		commands[i] = command
	}
	return commands
}

func sixtyLines() []string {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("x = %d", i))
	}
	return lines
}

// TestFullWindow checks that a session continues with a new text when the window is full,
// whatever the server does then. That the window is nearly full is reported once.
func TestFullWindow(t *testing.T) {
	for _, refuses := range []bool{true, false} {
		for _, silent := range []bool{true, false} {
			for _, maxTokens := range []int{30, 150, 2048} {
				t.Run(fmt.Sprintf("refuses=%v silent=%v max=%d", refuses, silent, maxTokens), func(t *testing.T) {
					const window, steps = 700, 50
					s := &smallWindow{lines: sixtyLines(), window: window, refuses: refuses, silent: silent}
					compacted, full := 0, 0
					for i, a := range s.walk(t, steps, maxTokens) {
						if a.Error != nil {
							t.Fatalf("answer %d: %s", i, a.line)
						}
						compacted += strings.Count(string(a.line), "was compacted")
						full += strings.Count(string(a.line), "nearly full")
					}
					// A step has some 22 tokens, the program 200.
					if compacted < 1 || compacted > 6 {
						t.Errorf("%d new texts in %d steps", compacted, steps)
					}
					if full > 1 {
						t.Errorf("that the window is nearly full is said %d times", full)
					}
					if s.asked > steps+4*compacted+2 {
						t.Errorf("%d questions for %d steps and %d new texts", s.asked, steps, compacted)
					}
				})
			}
		}
	}
}

// TestFullWindowForGood checks the message if a new text does not fit either.
func TestFullWindowForGood(t *testing.T) {
	for _, refuses := range []bool{true, false} {
		for _, silent := range []bool{true, false} {
			t.Run(fmt.Sprintf("refuses=%v silent=%v", refuses, silent), func(t *testing.T) {
				s := &smallWindow{lines: sixtyLines(), window: 196, refuses: refuses, silent: silent}
				last := s.walk(t, 8, 150)[8]
				why := "was compacted, which did not help" // after some steps
				if refuses {
					why = "is as short as it can be" // at the first step
				}
				if last.Error == nil || !regexp.MustCompile("window.* "+why+": serve").MatchString(last.Error.Message) {
					t.Fatalf("%s", last.line)
				}
				if strings.Contains(last.Error.Message, "--max-tokens") {
					t.Errorf("it blames the limit of a reply: %s", last.Error.Message)
				}
				if strings.Contains(string(last.line), "was compacted:") {
					t.Errorf("a text that nobody could use is announced: %s", last.line)
				}
			})
		}
	}
}

// TestEndlessIsNotFull checks that an endless reply with room left does not begin a new
// text.
func TestEndlessIsNotFull(t *testing.T) {
	for _, silent := range []bool{true, false} {
		s := &smallWindow{lines: sixtyLines(), window: 4096, silent: silent, babbles: true}
		a := s.walk(t, 1, 150)[1]
		if a.Error == nil || !strings.Contains(a.Error.Message, "--max-tokens") || strings.Contains(a.Error.Message, "compacted") || s.asked != 1 {
			t.Errorf("silent=%v: after %d questions: %s", silent, s.asked, a.line)
		}
	}
}
