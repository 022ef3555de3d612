//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"

	"github.com/npdb/npdb/internal/pythons"
)

// TestDAPAttach checks that an editor attaches to a running program, that its breakpoints stop there, that steps
// back work, and that the program runs on as before when the editor leaves.
func TestDAPAttach(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			r := newEntering(t, p.Path).start(p, runningProgram)
			a := startAdapter(t, t.TempDir())
			a.ask("initialize", map[string]any{"adapterID": "npdb"})
			response := a.ask("attach", map[string]any{"processId": r.cmd.Process.Pid})
			if e, failed := response.(*protocol.ErrorResponse); failed {
				r.stop()
				if strings.Contains(e.Body.Error.Format, "the kernel does not allow it") {
					t.Skip("this machine lets no process into another: ", e.Body.Error.Format)
				}
				t.Fatal(e.Body.Error.Format)
			}
			path := filepath.Join(r.dir, "running.py")
			a.ask("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": []any{map[string]any{"line": 7}}})
			a.ask("configurationDone", nil)
			if s := a.until("stopped").(*protocol.StoppedEvent); s.Body.Reason != "breakpoint" {
				t.Errorf("it stops because of %s", s.Body.Reason)
			}
			at := func() int {
				return a.ask("stackTrace", map[string]any{"threadId": 1}).(*protocol.StackTraceResponse).Body.StackFrames[0].Line
			}
			if line := at(); line != 7 {
				t.Errorf("it stops at line %d", line)
			}
			for _, request := range []string{"next", "stepBack"} {
				a.ask(request, map[string]any{"threadId": 1})
				a.until("stopped")
			}
			if line := at(); line != 7 {
				t.Errorf("next and stepBack lead to line %d", line)
			}
			a.ask("disconnect", nil)
			if out, code := r.stop(); out != "as before None\n" || code != 5 || r.errs.String() != "" {
				t.Errorf("the program ended with %d and printed\n%s%s", code, out, r.errs.String())
			}
		})
	}
}
