package recorder

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestShared checks that programs share a process until there is one that may not share, one without a
// recording, or the limit is reached.
func TestShared(t *testing.T) {
	w := begin(t, Config{Python: pythons.Any(t), Contain: ContainLimits, together: 4})
	child := func() string {
		pid := w.proc.cmd.Process.Pid
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		if err != nil {
			t.Skip("who is whose child is not told here: ", err)
		}
		return strings.TrimSpace(string(children))
	}
	after := func(source string) string {
		said(t, w, Job{Program: &Program{Source: source}})
		return child()
	}
	first := after("x = 1\n")
	if first == "" {
		t.Fatal("nothing is shared")
	}
	if next := after("x = 2\n"); next != first {
		t.Errorf("the second program has %q, and not %q", next, first)
	}
	if next := after("x = id(1)\n"); next != first {
		t.Errorf("a program of its own costs the others %q: they have %q", first, next)
	}
	if next := after("x = 3\n"); next != "" {
		t.Errorf("after as many as may share it %q is there", next)
	}
	if first = after("x = 1\n"); first == "" {
		t.Error("there is no other one")
	}
	if next := after("x = 1 / 0\ny = \n"); next != "" {
		t.Errorf("after one without a recording %q is there", next)
	}
	if first = after("x = 1\n"); first == "" {
		t.Error("there is no other one again")
	}
}
