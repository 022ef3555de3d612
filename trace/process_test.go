//go:build unix

package trace

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// TestExitCode checks that the exit status is the program's, negative for a signal. A
// wrapping command reports a signal as 128 and more, unless the program itself ended with
// that status.
func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		ends             string
		wrapped, orderly bool
		want             int
	}{
		{"exit 0", false, false, 0},
		{"exit 3", false, true, 3},
		{"exit 139", false, false, 139},
		{"exit 139", true, false, -11},
		{"exit 139", true, true, 139},
		{"exit 128", true, false, 128},
		{"exit 129", true, false, -1},
		{"exit 192", true, false, -64},
		{"exit 193", true, false, 193},
		{"kill -9 $$", false, false, -9},
		{"kill -9 $$", true, true, -9},
	} {
		p := process{wrapped: c.wrapped, status: exec.Command("/bin/sh", "-c", c.ends).Run()}
		if got := p.code(c.orderly); got != c.want {
			t.Errorf("%s, wrapped %v, orderly %v: %d, want %d", c.ends, c.wrapped, c.orderly, got, c.want)
		}
	}
	if got := (&process{status: errors.New("no child")}).code(true); got != -1 {
		t.Errorf("an exit that is not known: %d", got)
	}
}

// TestInputOfAPipe checks that input on a pipe stays until the program has read it, and
// that the end is sent once, with nothing after it.
func TestInputOfAPipe(t *testing.T) {
	reads, writes, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reads.Close() }()
	p := &process{stdin: writes, exited: make(chan struct{}), memory: memoryOf(t, nil, nil)}
	defer func() { _ = p.memory.close() }()
	p.memory.setFlag(hdrReading, 7)
	if p.hasInput() || !p.waits("7") || p.waits("6") {
		t.Error("an empty pipe has input, or nobody waits for it")
	}
	if err := p.input("ab\n", false); err != nil || !p.hasInput() || p.waits("7") {
		t.Errorf("a line: %v, or it is not there", err)
	}
	var got [9]byte
	if n, err := reads.Read(got[:]); err != nil || string(got[:n]) != "ab\n" || p.hasInput() {
		t.Errorf("read %q, %v", got[:n], err)
	}
	if err := p.input("c", true); err != nil || !p.hasInput() {
		t.Errorf("the end: %v, or nothing is there", err)
	}
	if n, err := reads.Read(got[:]); err != nil || string(got[:n]) != "c" {
		t.Errorf("read %q, %v", got[:n], err)
	}
	if err := p.input("d", false); err == nil {
		t.Error("after the end there is more")
	}
	none := &process{exited: make(chan struct{})}
	if err := none.input("x", false); !errors.Is(err, os.ErrClosed) || !none.hasInput() {
		t.Errorf("input of its own: %v", err)
	}
	none.resize(Terminal{}) // it has no terminal
	close(p.exited)
	if err := p.input("x", false); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after its end: %v", err)
	}
}

// TestNothingToKill checks that a program that was never started can be ended.
func TestNothingToKill(t *testing.T) {
	for _, p := range []*process{{}, {cmd: exec.Command("true")}} {
		p.kill()
		p.free()
		p.free()
	}
	if err := (*sharedMemory)(nil).close(); err != nil {
		t.Error(err)
	}
}
