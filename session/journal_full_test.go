package session

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/npdb/npdb/trace"
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

// A journal that nothing could be written to stands in nobody's way: it is removed
// with its session, and where npdb was killed it is passed over, and takes no place
// of the ten that are kept.
func TestEmptyJournals(t *testing.T) {
	dir := t.TempDir()
	good := journalled(t, dir, "s 2")
	path := latest(t, dir)
	for range keptJournals + 2 {
		journalled(t, dir) // and killed
		if err := os.Truncate(latest(t, dir), 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the good journal: %v", err)
	}
	if s, a := resume(t, dir, newFake(t)); a.Err != nil || s.Position() != good.Position() {
		t.Errorf("at %+v, want %+v; %v", s.Position(), good.Position(), a.Err)
	}

	for room, stays := range map[int]bool{0: false, 1: true} {
		file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
		if err != nil {
			t.Fatal(err)
		}
		j := &journal{file: &fullDisk{file, room}, empty: file.Name()}
		j.command("s")
		j.close()
		if _, err := os.Stat(file.Name()); stays != (err == nil) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
	if _, err := FindJournal(t.TempDir(), trace.Options{}); !errors.Is(err, errNoJournal) {
		t.Errorf("%v", err)
	}
}
