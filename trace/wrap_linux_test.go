package trace

import (
	"os"
	"os/exec"
	"testing"
)

// TestInnermost checks that the interpreter is the innermost descendant of a wrapping
// command, or the command itself if it has none. Nothing is returned for a process that
// has ended.
func TestInnermost(t *testing.T) {
	reads, writes, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", `echo; read -r x`)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = writes
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = writes.Close()
	if _, err := reads.Read(make([]byte, 1)); err != nil { // it runs
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	if got := innermost(pid); got != pid {
		t.Errorf("of %d, which has no child: %d", pid, got)
	}
	_ = stdin.Close()
	_ = cmd.Wait()
	if got := innermost(pid); got != pid {
		t.Errorf("of %d, which is gone: %d", pid, got)
	}
	if all := threads(pid); len(all) > 0 {
		t.Errorf("it has threads %v", all)
	}
	if _, _, in := systemCall(pid, pid); in || (&process{tracer: cmd.Process}).still() {
		t.Error("it is in a system call")
	}
	_ = reads.Close()
}
