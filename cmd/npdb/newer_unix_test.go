//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/mcp"
)

// newerThan begins the notice about a Python that calls itself 3.99.
const newerThan = "Python 3.99.0a1 is newer than those npdb is tested with: "

// newer returns a folder that makes a Python call itself 3.99 if it is in PYTHONPATH.
func newer(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	text := "import sys\nsys.version = '3.99.0a1 ' + sys.version\n"
	if err := os.WriteFile(filepath.Join(dir, "sitecustomize.py"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestNewerPythonDAP checks that an editor gets the notice about a newer Python once.
func TestNewerPythonDAP(t *testing.T) {
	t.Setenv("PYTHONPATH", newer(t))
	dir := t.TempDir()
	path := filepath.Join(dir, "p.py")
	if err := os.WriteFile(path, []byte("x = 1\nprint(x)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := startAdapter(t, dir)
	a.ask("initialize", map[string]any{"adapterID": "npdb"})
	a.ask("launch", map[string]any{"program": path, "stopOnEntry": true})
	a.ask("configurationDone", nil)
	a.until("stopped")
	a.ask("continue", map[string]any{"threadId": 1})
	if got := a.output(); got != "1\n" {
		t.Errorf("the program prints %q", got)
	}
	notices := 0
	for _, e := range a.seen {
		if o, ok := e.(*protocol.OutputEvent); ok && o.Body.Category == "console" {
			notices += strings.Count(o.Body.Output, newerThan)
		}
	}
	if notices != 1 {
		t.Errorf("the editor gets the notice %d times", notices)
	}
	a.ask("disconnect", nil)
}

// TestNewerPythonMCP checks that an agent gets the notice once in each session.
func TestNewerPythonMCP(t *testing.T) {
	t.Setenv("PYTHONPATH", newer(t))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.py"), []byte("x = 1\nprint(x)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := startAgent(t, dir)
	for _, name := range []string{"s1", "s2"} {
		if said := a.call("sessions", map[string]any{"op": "open", "program": map[string]any{"file": "p.py"}}); strings.Count(said, newerThan) != 1 {
			t.Errorf("an opened session says %s", said)
		}
		var at mcp.Stop
		a.decode("move", map[string]any{"action": "step_over"}, &at)
		if at.Place == nil || at.Place.Line != 2 || len(at.Notices) > 0 {
			t.Errorf("after a move: %+v", at)
		}
		a.call("sessions", map[string]any{"op": "end", "session": name})
	}
}

// TestNewerPythonAttach checks that each session in a running program shows the notice once.
func TestNewerPythonAttach(t *testing.T) {
	t.Parallel()
	p := pythons.Usual(t)
	e := newEntering(t, p.Path)
	for i, text := range e.env {
		if folders, found := strings.CutPrefix(text, "PYTHONPATH="); found {
			e.env[i] = "PYTHONPATH=" + newer(t) + string(os.PathListSeparator) + folders
		}
	}
	r := e.start(p, runningProgram)
	for range 2 {
		out, errs, err := r.attach(strings.NewReader("n\nn\ndetach\n"))
		if err != nil || strings.Count(out+errs, newerThan) != 1 {
			t.Errorf("%v, output\n%s%s", err, out, errs)
		}
	}
	if out, code := r.stop(); out != "as before None\n" || code != 5 {
		t.Errorf("the program ended with %d and printed\n%s", code, out)
	}
}

// TestNewerPythonInATerminal checks that the screen shows the notice.
func TestNewerPythonInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 100, 30)
	m.write("walk.py", walkProgram)
	m.keys("PYTHONPATH='"+newer(t)+"' npdb walk.py", "Enter")
	m.until("Python 3.99.0a1 is newer than", "<module>:1 ")
	m.keys("n")
	m.until("<module>:6 ")
	m.keys("q")
	m.whole()
}
