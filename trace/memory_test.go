//go:build unix

package trace

import (
	"bytes"
	"os"
	"testing"
)

// TestChunks checks that chunks are consecutive, and that no more is read of one than it
// has.
func TestChunks(t *testing.T) {
	m := memoryOf(t, headerOf(2, 100), bytes.Repeat([]byte("abcd"), testChunk))
	defer func() { _ = m.close() }()
	copy(m.of(m.data, 1), "first")
	copy(m.of(m.data, chunkCount-1)[testChunk-4:], "last")
	for _, c := range []struct {
		chunk, from, to int
		want            string
	}{
		{1, 0, 5, "first"},
		{1, 2, 5, "rst"},
		{1, 5, 5, ""},
		{1, 5, 2, ""},
		{chunkCount - 1, testChunk - 4, testChunk, "last"},
		{chunkCount - 1, testChunk - 4, testChunk + 9, "last"},
	} {
		if got := m.copyOf([]byte("> "), c.chunk, c.from, c.to); string(got) != "> "+c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if m.written(2) != 100 || m.written(1) != 0 || m.written(0) != 0 {
		t.Errorf("written are %d, %d and %d", m.written(2), m.written(1), m.written(0))
	}
	if !m.begun(1) {
		t.Error("chunk 1 is not begun")
	}
	m.wipe(1, 4)
	if got := m.copyOf(nil, 1, 0, 6); m.begun(1) || string(got) != "\x00\x00\x00\x00tb" {
		t.Errorf("wiped: %q, begun %v", got, m.begun(1))
	}
	if !m.begun(0) || !m.begun(2) {
		t.Error("the chunks beside it are wiped too")
	}
}

// TestPanicsOfOthers checks that a panic without a memory fault is passed on.
func TestPanicsOfOthers(t *testing.T) {
	m := memoryOf(t, nil, nil)
	defer func() {
		if fault := recover(); fault != "mine" || m.lost() != nil {
			t.Errorf("recovered %v, lost %v", fault, m.lost())
		}
		_ = m.close()
	}()
	m.access(func([]byte) { panic("mine") })
}

// TestInterruptAfterClose checks an interrupt after everything was closed.
func TestInterruptAfterClose(t *testing.T) {
	m := memoryOf(t, nil, nil)
	if !m.interrupt() || m.flag(hdrInterrupt) != 1 {
		t.Error("nobody is told")
	}
	for range 2 {
		if err := m.close(); err != nil {
			t.Fatal(err)
		}
	}
	if m.interrupt() {
		t.Error("somebody is told")
	}
}

// TestNoTemporaryFile checks that without room for files there is no memory, and that no
// file is left.
func TestNoTemporaryFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	file, err := temporaryFile()
	if err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if _, err := mapShared(file, 1, testChunk); err == nil {
		t.Error("a closed file became memory")
	}
	t.Setenv("TMPDIR", dir+"/gone")
	if file, err := temporaryFile(); err == nil {
		_ = file.Close()
		t.Error("a file in no folder")
	}
}
