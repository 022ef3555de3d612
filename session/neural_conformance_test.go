//go:build unix

package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// Programs of the tracer's own conformance test that the walks leave out, with the
// reasons.
var leftOut = map[string]string{
	"input_":         "what a program reads is no part of a text",
	"threads_":       "what other threads do is chance",
	"signal_":        "so is when a signal comes",
	"async_timeout":  "and what a clock says",
	"fork_":          "children are not what is compared",
	"multiprocess_":  "as above",
	"subprocess_":    "as above",
	"breakpoint_":    "the program's own breakpoint() stops a session and no wire's action",
	"settrace_":      "the program takes the tracer away",
	"setprofile_":    "as above",
	"recursion_":     "how deep it may go depends on npdb's own frames",
	"infinite_loop":  "has no end to go to",
	"gettrace_":      "asks for the tracer",
	"segfault":       "how it dies is not what is compared",
	"repr_hangs":     "takes a second for each value",
	"several_":       "is a folder",
	"large_":         "takes long",
	"long_values":    "takes long",
	"exec_same_file": "lines that the text lacks",

	"async_cancel":  "values with the program's own path or with addresses in them",
	"dunder_main":   "as above",
	"one_liners":    "as above",
	"unpickle_copy": "as above",
	"weakrefs":      "as above",
}

const walkLength = 40

// realWays are the ways in which a perfect model is asked for the walks of TestNeuralIsReal:
// in a dialect, for so many states at most in a reply, over one program in so many.
var realWays = []struct {
	name    string
	dialect openai.Dialect
	stops   int
	share   int
}{
	{"nd1", openai.ND1, 1, 3},
	{"chat", openai.Chat, 1, 6},
	{"chat of stops", openai.Chat, 8, 6},
}

// TestNeuralIsReal walks over programs with the same commands: over a recording, and in
// neural mode against a perfect model on a server, in each way. The states must be the same,
// byte for byte. A third of the programs and a sixth by chat, or all. The ways of a program
// follow each other, while the server still has its recordings.
func TestNeuralIsReal(t *testing.T) {
	if pythons.Usual(t).Minor < 10 {
		t.Skip("3.9 has events on other lines than those that a text is read to have")
	}
	interpreter, url := serveOracle(t, serve.Config{})
	programs, err := filepath.Glob(filepath.Join("..", "trace", "testdata", "programs", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	walkables := 0
	walked, same := make([]int, len(realWays)), make([]atomic.Int64, len(realWays))
	t.Run("programs", func(t *testing.T) {
		for _, path := range programs {
			name := filepath.Base(path)
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !walkable(t, name, source) {
				continue
			}
			walkables++
			var ways []int
			for i, way := range realWays {
				if longtest.In(t, walkables, longtest.Rarer(way.share)) {
					ways = append(ways, i)
					walked[i]++
				}
			}
			if len(ways) == 0 {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), name)
				if err := os.WriteFile(path, source, 0o600); err != nil {
					t.Fatal(err)
				}
				w := walker{t: t, interpreter: interpreter, url: url, path: path, source: source}
				commands := w.commands()
				real := w.walk(w.real(), commands)
				for _, i := range ways {
					t.Run(realWays[i].name, func(t *testing.T) {
						w := w
						w.t, w.dialect, w.stops = t, realWays[i].dialect, realWays[i].stops
						same[i].Add(int64(w.isReal(real, commands)))
					})
				}
			})
		}
	})
	if walkables < 30 {
		t.Errorf("only %d programs can be walked over", walkables)
	}
	for i, way := range realWays {
		states := int(same[i].Load())
		t.Logf("%s: %d states of %d programs, of %d", way.name, states, walked[i], walkables)
		if walked[i] < walkables/longtest.Rarer(way.share) || longtest.Asked(t) && walked[i] < walkables || states < walked[i]*walkLength*3/4 {
			t.Errorf("%s: only %d programs of %d were walked over, and %d states compared", way.name, walked[i], walkables, states)
		}
	}
}

// isReal walks in neural mode and compares the answers with those of a recording. It returns
// how many are the same.
func (w *walker) isReal(real []answer, commands []string) (same int) {
	w.t.Helper()
	predicted := w.walk(w.neural(), commands)
	for i := range real {
		if i > 0 && real[i].passed() && !predicted[i].passed() && predicted[i-1].callerUnknown() {
			break // a model was not asked: which call it is the text does not tell
		}
		if why := differ(real[i], predicted[i]); why != "" {
			w.t.Fatalf("%s after %q\nreal:      %s\npredicted: %s\n%s", why, commands[:i], real[i].line, predicted[i].line, w.source)
		}
		same++
	}
	return same
}

// serveOracle serves a perfect model until the test ends: the interpreter it runs
// programs under, and its address. c says how it is served.
func serveOracle(t *testing.T, c serve.Config) (interpreter, url string) {
	t.Helper()
	interpreter = pythons.Any(t)
	oracle := cpython.New(cpython.Config{Python: interpreter, Timeout: time.Minute})
	t.Cleanup(func() {
		if err := oracle.Close(); err != nil {
			t.Error(err)
		}
	})
	c.Models = []serve.Model{{Name: "oracle", Predictor: oracle}}
	server, err := serve.New(c)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return interpreter, "http://" + listener.Addr().String() + "/v1"
}

// walkable reports whether a program begins with an import, a def or an assignment of one
// line, can run on python3, and is not left out.
func walkable(t *testing.T, name string, source []byte) bool {
	t.Helper()
	if needs := needsPython.FindSubmatch(source); needs != nil {
		if minor, err := strconv.Atoi(string(needs[1])); err != nil || pythons.Usual(t).Minor < minor {
			return false
		}
	}
	for prefix := range leftOut {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	text := python.Read(source)
	first := text.First()
	if first == 0 {
		return false
	}
	line := text.Lines()[first-1]
	begins := regexp.MustCompile(`^(import |from \S+ import [^(]*$|def .*:|@|\w+ = [^(\[{"']*$)`)
	return begins.MatchString(line)
}

// needsPython matches the line of a program's header with its Python version.
var needsPython = regexp.MustCompile(`(?m)^# python: >=3\.(\d+)$`)

type walker struct {
	t                      *testing.T
	interpreter, url, path string
	dialect                openai.Dialect
	stops                  int // in a reply; 0 means 1
	source                 []byte
}

// suspends matches code that makes generators and coroutines.
var suspends = regexp.MustCompile(`\b(yield|async)\b|\(.* for .* in `)

// commands returns a random walk, the same each time: every move, breakpoints now and
// then, and back from the end. With generators, it combines no breakpoints with moves that
// pass over code, because npdb does not ask a model what happens while a generator is
// suspended.
func (w *walker) commands() []string {
	random := rand.New(rand.NewPCG(uint64(len(w.source)), 7))
	lines := python.Read(w.source).Outline().Executable
	commands := []string{"s", "n", "s", "rs", "rn", "r", "rf", fmt.Sprintf("b %d", lines[random.IntN(len(lines))])}
	moves := []string{"s", "s", "s", "n", "n", "r", "rs", "rs", "rn", "rn", "rf", "c", "rc", "back"}
	if suspends.Match(w.source) {
		moves = []string{"s", "s", "s", "rs", "rs", "c", "rc", "back"}
	}
	for len(commands) < walkLength {
		if random.IntN(12) == 0 {
			commands = append(commands, fmt.Sprintf("b %d", lines[random.IntN(len(lines))]))
			continue
		}
		commands = append(commands, moves[random.IntN(len(moves))])
	}
	return append(commands, "clear", "y", "c", "c", "rs", "rn", "rf", "rc", "rewind", "s", "n")
}

func (w *walker) real() session.Config {
	return session.Config{
		Options: trace.Options{Script: w.path, Python: w.interpreter, Dir: filepath.Dir(w.path), Stdin: strings.NewReader(""), Reprs: trace.ReprsAlways},
		Start:   session.StartTrace,
	}
}

func (w *walker) neural() session.Config {
	return session.Config{
		Options: trace.Options{Script: w.path, Dir: filepath.Dir(w.path)},
		Neural:  &nav.Neural{Predictor: predictor(w.t, w.url, w.dialect, w.stops, 1<<16)},
	}
}

// predictor requests the oracle at an address in a dialect, with limits on the states and
// tokens of a reply.
func predictor(t *testing.T, url string, dialect openai.Dialect, stops, maxTokens int) *openai.Predictor {
	t.Helper()
	p, err := openai.New(openai.Config{BaseURL: url, Model: "oracle", Dialect: dialect, Stops: stops, MaxTokens: maxTokens})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// answer contains the compared fields of a line of the JSON front end.
type answer struct {
	line  []byte
	State json.RawMessage
	Stack []struct {
		Function, File string
		Line           *int
	}
	Action   *string
	Done     bool
	Boundary *string
	Exit     json.RawMessage
	Error    *struct{ Kind, Message string }
}

// passed reports whether the answer says that a breakpoint stopped the move.
func (a answer) passed() bool { return a.Action != nil && strings.Contains(*a.Action, "breakpoint ") }

// callerUnknown reports whether the caller's line is unknown.
func (a answer) callerUnknown() bool {
	return len(a.Stack) > 1 && a.Stack[len(a.Stack)-2].Line == nil
}

func (w *walker) walk(c session.Config, commands []string) []answer {
	w.t.Helper()
	s, err := interpreted(w.t.Context(), c)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	}()
	var out bytes.Buffer
	shown := frontend.NewJSON(&out)
	if err := frontend.Serve(w.t.Context(), s, s.First(w.t.Context()), &script{lines: commands}, shown); err != nil {
		w.t.Fatal(err)
	}
	var answers []answer
	for line := range bytes.Lines(out.Bytes()) {
		a := answer{line: line}
		if err := json.Unmarshal(line, &a); err != nil {
			w.t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(commands)+2 {
		w.t.Fatalf("%d answers to %d commands and q", len(answers), len(commands))
	}
	return answers
}

type script struct{ lines []string }

func (s *script) Next(context.Context) (string, error) {
	if len(s.lines) == 0 {
		return "q", nil
	}
	line := s.lines[0]
	s.lines = s.lines[1:]
	return line, nil
}

// differ describes the difference of two answers, or returns "". Lines of the stack are
// compared where a text contains them.
func differ(real, predicted answer) string {
	switch {
	case predicted.Error != nil && (real.Error == nil || real.Error.Kind != predicted.Error.Kind):
		return "an error"
	case !bytes.Equal(real.State, predicted.State):
		return "the state"
	case real.Done != predicted.Done || !bytes.Equal(real.Exit, predicted.Exit):
		return "the end"
	case len(real.Stack) != len(predicted.Stack):
		return "the stack's depth"
	}
	for i, f := range real.Stack {
		p := predicted.Stack[i]
		if f.Function != p.Function || p.File != "" && f.File != p.File || p.Line != nil && *p.Line != *f.Line {
			return "the stack"
		}
	}
	return ""
}
