package main

import (
	"bufio"
	"errors"
	"math"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/serve"
)

// ownPrograms lists the programs that the model in the binary steps through.
var ownPrograms = map[string]string{
	"calls":      "def f(x):\n    y = x + 1\n    return y\n\na = f(2)\nb = f(a)\nprint(a, b)\n",
	"a loop":     "words = ['ann', 'barbara']\nbest = ''\nfor word in words:\n    if len(word) > len(best):\n        best = word\nprint(best)\n",
	"exceptions": "def half(n):\n    if n % 2:\n        raise ValueError(n)\n    return n // 2\n\ntry:\n    half(3)\nexcept ValueError as e:\n    print('odd \"<|frame_sep|>\"', e)\n",
	"generators": "def count(n):\n    for i in range(n):\n        yield i * i\n\ntotal = 0\nfor c in count(3):\n    total += c\n",
}

// ownStart returns a program's first state.
func ownStart(t testing.TB, source string) *dsl.Node {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
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

// ownMoves returns all moves, forwards and backwards.
func ownMoves() (all []dsl.Action) {
	for m := range dsl.Moves() {
		a := dsl.Action{Move: m}
		if m == dsl.Breakpoint || m == dsl.InvBreakpoint {
			a.Lines = []dsl.Location{{Line: 2}}
		}
		all = append(all, a)
	}
	return all
}

// TestOwnModelServed checks that the model in the binary predicts the same states through
// npdb serve as directly, as text, token ids and chat, for every move. It refuses traces
// with a clear message.
func TestOwnModelServed(t *testing.T) {
	own, err := embedded.Shipped(embedded.Config{})
	if errors.Is(err, embedded.ErrNoModel) {
		t.Skip("this build carries no model")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	server, err := serve.New(serve.Config{Models: []serve.Model{{Name: own.Model().Name, Predictor: own, Guesses: true}}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(server.Handler())
	defer s.Close()
	ask := func(change func(*openai.Config)) *openai.Predictor {
		c := openai.Config{BaseURL: s.URL + "/v1", Logprobs: true, Retries: -1}
		change(&c)
		p, err := openai.New(c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	ways := map[string]*openai.Predictor{
		"texts": ask(func(*openai.Config) {}),
		"ids":   ask(func(c *openai.Config) { c.Prompt = openai.IDs }),
		"chat":  ask(func(c *openai.Config) { c.Dialect = openai.Chat }),
	}
	asked := 0
	for name, source := range ownPrograms {
		t.Run(name, func(t *testing.T) {
			at := ownStart(t, source)
			for range 4 {
				for _, a := range ownMoves() {
					if asked++; !longtest.In(t, asked, 6) {
						continue
					}
					q := backend.Question{At: at, Action: a}
					want, err := own.Predict(t.Context(), q, nil)
					if err != nil {
						t.Fatalf("%v: %v", a, err)
					}
					for way, p := range ways {
						got, err := p.Predict(t.Context(), q, nil)
						if err != nil {
							t.Fatalf("%s, %v: %v", way, a, err)
						}
						if !reflect.DeepEqual(got.Step, want.Step) {
							t.Errorf("%s, %v:\n%q\nwant\n%q", way, a, got.Written(), want.Written())
						}
						if told := got.Confidence != nil; told != (want.Pieces != nil && way != "chat") || told && math.Abs(*got.Confidence-*want.Confidence) > 1e-6 {
							t.Errorf("%s, %v: confidence %v, want %v", way, a, got.Confidence, *want.Confidence)
						}
					}
				}
				next, err := own.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepInto}}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if next.Step.Reply.Outcome != dsl.Landed {
					break
				}
				if at, err = at.Append(next.Step); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	program := &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"def f(x, by, z=2):", "    return x * by"}}}}
	at, err := dsl.ND1.Begin(program)
	if err != nil {
		t.Fatal(err)
	}
	call := &dsl.Stop{
		State: dsl.State{
			Event: dsl.Call, File: "p.py", Line: 1, Source: program.Files[0].Lines[0], Function: "f",
			Locals: []dsl.Local{{Name: "x"}, {Name: "by", Value: "3"}, {Name: "z"}},
		},
		Stack: []dsl.Frame{{Function: "f", File: "p.py", Line: 1}},
	}
	want, err := own.Fill(t.Context(), at, call, []int{0, 2}, backend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"texts", "ids"} {
		got, err := ways[way].Fill(t.Context(), at, call, []int{0, 2}, backend.Options{})
		if err != nil || !reflect.DeepEqual(got.First, want.First) {
			t.Errorf("%s fills in %+v, want %+v: %v", way, got, want.First, err)
		}
	}
	if _, err := ways["chat"].Fill(t.Context(), at, call, []int{0, 2}, backend.Options{}); err == nil || !strings.Contains(err.Error(), "makes up none by chat") {
		t.Errorf("values by chat: %v", err)
	}
	traces := ask(func(c *openai.Config) { c.Dialect = openai.CWM })
	_, err = traces.Predict(t.Context(), backend.Question{At: ownStart(t, ownPrograms["calls"]), Action: dsl.Action{Move: dsl.StepInto}}, nil)
	var failure *backend.Error
	if !errors.As(err, &failure) || failure.Kind != backend.BadRequest || !strings.Contains(failure.Message, "--dialect nd1") {
		t.Errorf("a trace: %v", err)
	}
}

// TestServeOwnModel checks that npdb serve --model npdb-30m starts no process and needs no
// Python, and that npdb shows the same through it as without a server.
func TestServeOwnModel(t *testing.T) {
	own, err := embedded.Shipped(embedded.Config{})
	if errors.Is(err, embedded.ErrNoModel) {
		t.Skip("this build carries no model")
	}
	if err != nil {
		t.Fatal(err)
	}
	model := own.Model().Name
	own.Close()
	home := t.TempDir()
	server := npdbCommand(t, home, nil, "serve", "--model", model, "--listen", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints strings.Builder
	server.Stderr = &complaints
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		if err := server.Wait(); err != nil || complaints.Len() > 0 {
			t.Errorf("%v: %s", err, complaints.String())
		}
	}()
	ready, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(ready, "npdb serves "+model+" at ") {
		t.Fatal(ready)
	}
	path := filepath.Join(home, "prog.py")
	if err := os.WriteFile(path, []byte(ownPrograms["calls"]), 0o600); err != nil {
		t.Fatal(err)
	}
	said := func(arguments ...string) string {
		t.Helper()
		cmd := npdbCommand(t, home, []string{"XDG_STATE_HOME=" + t.TempDir()}, append(arguments, "--mode", "neural", "--compute", "off", "--plain", path)...)
		cmd.Stdin = strings.NewReader("s\nn\ns\np x\nr\nrs\nrn\nb 7\nc\nrc\nq\n")
		text, err := cmd.Output()
		if err != nil {
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				t.Fatalf("%v: %s", err, exit.Stderr)
			}
			t.Fatal(err)
		}
		var shown []string
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "the server tells no log probabilities of some replies") { // for moves that take several steps
				continue
			}
			place, _, _ := strings.Cut(line, "[predicted")
			place, _, _ = strings.Cut(place, "[inferred")
			shown = append(shown, strings.TrimSpace(place))
		}
		return strings.Join(shown, "\n")
	}
	want := said()
	base := strings.TrimSpace(ready[strings.LastIndexByte(ready, ' ')+1:])
	if got := said("--base-url", base, "--model", model); got != want || !strings.Contains(want, "f()") {
		t.Errorf("by the server\n%s\nin the process\n%s", got, want)
	}
}

// TestServeModelNames checks that an unknown name is refused before anything starts.
func TestServeModelNames(t *testing.T) {
	out, err := npdbCommand(t, t.TempDir(), nil, "serve", "--model", "npdb-31m", "--listen", "127.0.0.1:0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--model npdb-31m: there is no such model; it is oracle or drift") {
		t.Errorf("%v: %s", err, out)
	}
}
