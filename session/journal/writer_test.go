package journal

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/npdb/npdb/trace"
)

// fullDisk is a file that accepts a limited number of bytes.
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

// TestWriterOnAFullDisk checks that a full disk is reported once, and that the journal is
// completed when there is room again.
func TestWriterOnAFullDisk(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
	if err != nil {
		t.Fatal(err)
	}
	disk := &fullDisk{file, 10}
	w := &Writer{file: disk}
	w.Do(json.RawMessage(`{"step":1}`))
	if news := w.News(); !strings.Contains(news, "no space left on device") {
		t.Errorf("it is not said that the journal cannot be written: %q", news)
	}
	w.Landing(Landing{Event: 1})
	if news := w.News(); news != "" {
		t.Errorf("it is said twice: %q", news)
	}
	disk.room = 1 << 20
	w.Line("alias a s")
	if news := w.News(); !strings.Contains(news, "is written again") {
		t.Errorf("it is not said that the journal is complete: %q", news)
	}
	w.Landing(Landing{Event: 1})
	if news := w.News(); news != "" {
		t.Errorf("that is said twice: %q", news)
	}
	w.Close()
	raw, err := os.ReadFile(file.Name())
	want := `{"do":{"step":1}}` + "\n" + `{"landing":{"event":1}}` + "\n" + `{"line":"alias a s"}` + "\n" + `{"landing":{"event":1}}` + "\n"
	if err != nil || string(raw) != want {
		t.Errorf("written: %s, %v", raw, err)
	}
}

// TestEmptyWriter checks that a journal to which nothing could be written is removed when
// it is closed.
func TestEmptyWriter(t *testing.T) {
	for room, stays := range map[int]bool{0: false, 1: true} {
		file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
		if err != nil {
			t.Fatal(err)
		}
		j := &Writer{file: &fullDisk{file, room}, empty: file.Name()}
		j.Line("s")
		j.Close()
		if _, err := os.Stat(file.Name()); stays != (err == nil) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
	if _, err := Find(t.TempDir(), trace.Options{}); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
}

func TestJournalsArePruned(t *testing.T) {
	dir := t.TempDir()
	for range kept + 3 {
		w, unremoved, err := Create(dir, Header{Program: program})
		if err != nil || unremoved != nil {
			t.Fatal(err, unremoved)
		}
		w.Close()
	}
	found := names(filepath.Join(dir, "journal"), program)
	if len(found) != kept {
		t.Errorf("%d journals are kept, want %d", len(found), kept)
	}
	info, err := os.Stat(filepath.Join(dir, "journal", found[0]))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("{\"header\":{\"v\":2}}\n{\"line\":\"n\"}\n{\"landing\":{\"event\":1}}\n"))
	f.Add([]byte("{\"header\":{\"v\":2,\"breakpoints\":[null]}}\n"))
	f.Add([]byte("{\"line\":\"n\"}\n"))
	f.Add([]byte("{}\n{"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		j, err := Decode(raw)
		if err == nil && j.Header.V != version {
			t.Fatalf("%q is a journal without a header", raw)
		}
	})
}
