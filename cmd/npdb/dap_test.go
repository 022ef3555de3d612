package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"

	"github.com/npdb/npdb/internal/pythons"
)

// adapter is npdb dap, driven by an editor.
type adapter struct {
	t    *testing.T
	in   interface{ Write([]byte) (int, error) }
	out  *bufio.Reader
	seq  int
	seen []protocol.EventMessage // events, in order
}

// startAdapter starts npdb dap in a folder, which is also its HOME.
func startAdapter(t *testing.T, dir string) *adapter {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	npdb := filepath.Join(t.TempDir(), "npdb")
	if err := os.Symlink(self, npdb); err != nil { // TestMain runs npdb if it is called with this name
		t.Fatal(err)
	}
	cmd := exec.Command(npdb, "dap", "--python", pythons.Any(t))
	temporary := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(homeIn(dir), "TMPDIR="+temporary), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("npdb dap: %v", err)
		}
	})
	return &adapter{t: t, in: in, out: bufio.NewReader(out)}
}

func (a *adapter) next() protocol.Message {
	a.t.Helper()
	m, err := protocol.ReadProtocolMessage(a.out)
	if err != nil {
		a.t.Fatal(err)
	}
	if e, ok := m.(protocol.EventMessage); ok {
		a.seen = append(a.seen, e)
	}
	return m
}

// ask sends a request and returns its response.
func (a *adapter) ask(command string, arguments map[string]any) protocol.Message {
	a.t.Helper()
	a.seq++
	text, err := json.Marshal(map[string]any{"seq": a.seq, "type": "request", "command": command, "arguments": arguments})
	if err == nil {
		err = protocol.WriteBaseMessage(a.in, text)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	for {
		if r, ok := a.next().(protocol.ResponseMessage); ok && r.GetResponse().RequestSeq == a.seq {
			return r
		}
	}
}

// until waits for an event.
func (a *adapter) until(name string) protocol.EventMessage {
	a.t.Helper()
	for {
		if at := slices.IndexFunc(a.seen, func(e protocol.EventMessage) bool { return e.GetEvent().Event == name }); at >= 0 {
			e := a.seen[at]
			a.seen = slices.Delete(a.seen, at, at+1)
			return e
		}
		a.next()
	}
}

// output returns what the program has printed up to its end.
func (a *adapter) output() string {
	a.t.Helper()
	a.until("terminated")
	var all strings.Builder
	for _, e := range a.seen {
		if o, ok := e.(*protocol.OutputEvent); ok && o.Body.Category == "stdout" {
			all.WriteString(o.Body.Output)
		}
	}
	return all.String()
}

// TestDAP checks the surroundings of an editor's program, and that nothing of the session is left in the folder
// of the user's sessions.
func TestDAP(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("NPDB_TEST_GONE", "x")
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "p.py")
	source := "import os, sys\nprint(os.path.basename(os.getcwd()), sys.argv[1:], os.environ['NEW'], os.environ.get('NPDB_TEST_GONE'), 'HOME' in os.environ)\n"
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	a := startAdapter(t, dir)
	a.ask("initialize", map[string]any{"adapterID": "npdb"})
	a.ask("launch", map[string]any{
		"program": path, "args": []string{"a"}, "cwd": filepath.Join(dir, "sub"), "env": map[string]any{"NEW": "here", "NPDB_TEST_GONE": nil},
	})
	a.ask("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": []any{map[string]any{"line": 2}}})
	a.ask("configurationDone", nil)
	a.until("stopped")
	a.ask("continue", map[string]any{"threadId": 1})
	if got := a.output(); got != "sub ['a'] here None True\n" {
		t.Errorf("the program prints %q", got)
	}
	a.ask("disconnect", nil)
	for _, pattern := range []string{"npdb/*", "tmp/*"} {
		left, err := filepath.Glob(filepath.Join(dir, pattern))
		left = slices.DeleteFunc(left, func(path string) bool { return strings.HasPrefix(filepath.Base(path), "tracer-") })
		if err != nil || len(left) > 0 {
			t.Errorf("the session leaves %v (%v)", left, err)
		}
	}
}

// TestDAPPredicted checks a session in neural mode: its capabilities, its scopes and a step back.
func TestDAPPredicted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "p.py")
	if err := os.WriteFile(path, []byte("def f(a):\n    b = a + 1\n    return b\nf(3)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, wants := range map[string][]string{"neural": {"Predicted", "Divergent"}, "both": {"Predicted", "Divergent"}, "real": nil} {
		a := startAdapter(t, dir)
		a.ask("initialize", map[string]any{"adapterID": "npdb", "linesStartAt1": true})
		a.ask("launch", map[string]any{"program": path, "mode": mode})
		a.ask("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": []any{map[string]any{"line": 3}}})
		a.ask("configurationDone", nil)
		a.until("stopped")
		lacks := slices.ContainsFunc(a.seen, func(e protocol.EventMessage) bool { return e.GetEvent().Event == "capabilities" })
		if lacks != (mode == "neural") {
			t.Errorf("%s: capabilities are changed: %v", mode, lacks)
		}
		frame := func() protocol.StackFrame {
			return a.ask("stackTrace", map[string]any{"threadId": 1}).(*protocol.StackTraceResponse).Body.StackFrames[0]
		}
		var scopes []string
		for _, s := range a.ask("scopes", map[string]any{"frameId": frame().Id}).(*protocol.ScopesResponse).Body.Scopes {
			scopes = append(scopes, s.Name)
			if s.Name != "Predicted" {
				continue
			}
			list := a.ask("variables", map[string]any{"variablesReference": s.VariablesReference}).(*protocol.VariablesResponse).Body.Variables
			if !slices.ContainsFunc(list, func(v protocol.Variable) bool { return strings.HasPrefix(v.Name, "b") && v.Value == "4" }) {
				t.Errorf("%s: predicted is %+v", mode, list)
			}
		}
		if want := append([]string{"Locals", "Globals"}, wants...); !slices.Equal(scopes, want) {
			t.Errorf("%s: the scopes are %v, want %v", mode, scopes, want)
		}
		a.ask("stepBack", map[string]any{"threadId": 1})
		a.until("stopped")
		if f := frame(); f.Line != 2 {
			t.Errorf("%s: a step back leads to line %d", mode, f.Line)
		}
		a.ask("disconnect", nil)
	}
}

// TestDAPListensHere checks that npdb dap refuses addresses that other machines reach.
func TestDAPListensHere(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "example.com:80", "127.0.0.1"} {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		npdb := filepath.Join(t.TempDir(), "npdb")
		if err := os.Symlink(self, npdb); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(npdb, "dap", "--listen", address).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "127.0.0.1") {
			t.Errorf("%s: %v, %s", address, err, out)
		}
	}
}
