package session

import (
	"context"
	"io"
	"strings"
	"syscall"
	"testing"
)

// fullDisk is a file that takes so many bytes more.
type fullDisk struct {
	io.WriteCloser
	room int
}

func (f *fullDisk) Write(p []byte) (int, error) {
	n := min(f.room, len(p))
	f.room -= n
	written, err := f.WriteCloser.Write(p[:n])
	if err == nil && written < len(p) {
		err = syscall.ENOSPC
	}
	return written, err
}

// A full disk is said once; with room again the journal is completed, and nothing of
// the session is lost.
func TestJournalOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	s := open(t, newFake(t), func(c *Config) { c.StateDir = dir })
	s.First(context.Background())
	disk := &fullDisk{s.journal.file, 10}
	s.journal.file = disk
	said := func(line, what string) bool {
		t.Helper()
		return strings.Contains(run(s, line), what)
	}
	const full, again = "no space left on device", "is written again"
	if !said("s", full) {
		t.Error("it is not said that the journal cannot be written")
	}
	if said("s 2", full) {
		t.Error("it is said twice")
	}
	disk.room = 1 << 20
	if !said("s", again) {
		t.Error("it is not said that the journal is complete")
	}
	if said("p 1", again) {
		t.Error("that is said twice")
	}
	if resumed, _ := resume(t, dir, newFake(t)); resumed.Position() != s.Position() {
		t.Errorf("resumed at %+v, not %+v", resumed.Position(), s.Position())
	}
}
