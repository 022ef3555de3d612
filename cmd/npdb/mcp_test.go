package main

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/mcp"
	"github.com/npdb/npdb/trace/contain"
)

// agent is the program of an agent, which drives npdb mcp.
type agent struct {
	t *testing.T
	*sdk.ClientSession
	npdb *exec.Cmd
}

// startAgent starts npdb mcp in a folder, which is also its HOME.
func startAgent(t *testing.T, dir string, args ...string) *agent {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	npdb := filepath.Join(t.TempDir(), "npdb")
	if err := os.Symlink(self, npdb); err != nil { // TestMain runs npdb if it is called with this name
		t.Fatal(err)
	}
	cmd := exec.Command(npdb, append([]string{"mcp", "--python", pythons.Any(t)}, args...)...)
	cmd.Dir, cmd.Env = dir, homeIn(dir)
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // a test may have killed it
	return &agent{t, c, cmd}
}

// homeIn returns an environment in which npdb stores everything in a folder.
func homeIn(dir string) []string {
	return append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_RUNTIME_DIR="+filepath.Join(dir, "run"))
}

// call calls a tool and returns the text of its answer.
func (a *agent) call(name string, arguments map[string]any) string {
	a.t.Helper()
	r, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", name, err)
	}
	var text strings.Builder
	for _, part := range r.Content {
		if t, ok := part.(*sdk.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	return text.String()
}

// decode calls a tool that must succeed, and decodes its answer.
func (a *agent) decode(name string, arguments map[string]any, out any) {
	a.t.Helper()
	if said := a.call(name, arguments); json.Unmarshal([]byte(said), out) != nil {
		a.t.Fatalf("%s: %s", name, said)
	}
}

// TestMCP lets an agent debug through npdb mcp: a program, a recording of it, and a question to the
// model of the binary.
func TestMCP(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "p.py")
	if err := os.WriteFile(program, []byte("a = 6\nb = a - 6\nprint(a / b)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := startAgent(t, dir)
	record := exec.Command(a.npdb.Path, "record", "--python", pythons.Any(t), program)
	record.Dir, record.Env = dir, homeIn(dir)
	if said, err := record.CombinedOutput(); err == nil {
		t.Fatalf("the program did not fail: %s", said)
	}
	for _, file := range []string{"p.py", "p.npdb"} {
		var d mcp.Diagnosis
		a.decode("diagnose", map[string]any{"file": file}, &d)
		if !d.PostMortem || !strings.HasPrefix(d.Value, "ZeroDivisionError") || len(d.Suspects) != 2 || (d.Runs == "") != (file == "p.npdb") {
			t.Errorf("%s: %+v", file, d)
		}
	}
	var at mcp.Stop
	a.decode("predict", map[string]any{"file": "p.py", "line": 2, "locals": map[string]string{"a": "6"}, "action": "step_over"}, &at)
	if at.Place == nil || at.Place.Line != 3 || at.Origin == "real" {
		t.Errorf("predicted: %+v", at)
	}
}

// TestMCPListensHere checks that npdb mcp refuses addresses that other machines reach.
func TestMCPListensHere(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "example.com:80", "127.0.0.1"} {
		f := mcpFlags{http: address}
		if err := f.listen(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestMCPContains checks what a program of an agent can do with --contain: it sees its folder, and can
// neither change it nor see other files nor use the network.
func TestMCPContains(t *testing.T) {
	c, err := contain.New(t.Context(), pythons.Any(t), contain.Bubblewrap, contain.Limits{})
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	c.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"secret": "x", "project/helper.py": "six = 6\n",
		"project/p.py": `import os, socket, sys, helper
def tried(what):
    try:
        return what()
    except OSError as e:
        return type(e).__name__
kept = tried(lambda: open("kept", "w"))
secret = tried(lambda: open("../secret").read())
scratch = tried(lambda: open("/tmp/x", "w").write("abc"))
online = tried(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5))
if hasattr(online, "getpeername"):
    online = "connected"
helper.six / 0
`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	here, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	_, port, err := net.SplitHostPort(here.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	a := startAgent(t, filepath.Join(dir, "project"), "--contain")
	var d mcp.Diagnosis
	a.decode("diagnose", map[string]any{"file": "p.py", "args": []string{port}}, &d)
	got := map[string]string{}
	for _, n := range d.Locals {
		got[n.Name] = n.Value
	}
	for name, want := range map[string]string{"kept": "'OSError'", "secret": "'FileNotFoundError'", "scratch": "3"} {
		if got[name] != want {
			t.Errorf("%s is %s, not %s", name, got[name], want)
		}
	}
	if got["online"] == "'connected'" || got["online"] == "" {
		t.Errorf("the network: %s", got["online"])
	}
	if !d.PostMortem || !strings.HasPrefix(d.Runs, "in a sandbox: ") {
		t.Errorf("%+v", d)
	}
	var at mcp.Stop
	a.decode("move", map[string]any{"action": "inv_breakpoint", "location": "p.py:8"}, &at)
	if at.Place == nil || at.Place.Line != 8 {
		t.Errorf("backwards: %+v", at)
	}
}
