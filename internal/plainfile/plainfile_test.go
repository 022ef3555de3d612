//go:build unix

package plainfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/plainfile"
)

// TestRead checks that only plain files of limited size are read, and that Read never blocks.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.WriteFile(at("ten"), []byte("0123456789"), 0o600), os.Symlink(at("ten"), at("link")),
		syscall.Mkfifo(at("pipe"), 0o600), os.Symlink("/dev/zero", at("zero")),
	); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		limit int64
		says  string // part of the error; "" if the ten bytes are read
	}{
		{at("ten"), 10, ""},
		{at("link"), 10, ""},
		{at("ten"), 9, "larger than 9 B"},
		{at("pipe"), 10, "is a named pipe, not a file"},
		{at("zero"), 10, "is a device, not a file"},
		{"/dev/null", 10, "is a device, not a file"},
		{dir, 10, "is a folder, not a file"},
		{at("a\nb"), 10, "no such file"},
	} {
		raw, err := plainfile.Read(c.path, c.limit)
		if c.says == "" && (err != nil || string(raw) != "0123456789") || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %q, %v", c.path, raw, err)
		}
	}
	if _, err := plainfile.Read(at("none"), 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestReadOrWait checks that ReadOrWait reads a pipe, but not beyond its time limit.
func TestReadOrWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if _, err := plainfile.ReadOrWait(path, 10, time.Millisecond); err == nil || !strings.Contains(err.Error(), "did not end within 1ms") {
		t.Errorf("%v", err)
	}
	if _, err := plainfile.ReadOrWait("/dev/zero", 10, time.Millisecond); err == nil {
		t.Error("a device is read")
	}
	// The writer has begun: this end stays open until the reader exists.
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if _, err := writer.WriteString("key\n"); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		raw, err := plainfile.ReadOrWait(path, 10, time.Minute)
		if err != nil {
			t.Error(err)
		}
		read <- string(raw)
	}()
	_ = writer.Close()
	if got := <-read; got != "key\n" {
		t.Errorf("%q", got)
	}
}

// TestReplace checks that a file is either replaced completely, with its mode, or not at all, and
// that no temporary file is left.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		text string
		mode os.FileMode
	}{{"new", 0o600}, {"", 0o640}, {"another", 0o400}, {"and one", 0o600}} {
		if err := plainfile.Replace(at("file"), []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(at("file"))
		info, err2 := os.Stat(at("file"))
		if err := errors.Join(err, err2); err != nil || string(raw) != c.text || info.Mode() != c.mode {
			t.Errorf("%q of mode %v: %q, %v, %v", c.text, c.mode, raw, info.Mode(), err)
		}
	}
	if err := plainfile.Replace(filepath.Join(at("none"), "file"), nil, 0o600); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if err := errors.Join(os.Mkdir(at("folder"), 0o700), os.WriteFile(filepath.Join(at("folder"), "in it"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := plainfile.Replace(at("folder"), []byte("x"), 0o600); err == nil {
		t.Error("a folder is replaced")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("there are %v, %v", left, err)
	}
}

// TestReplacement checks that a file does not exist under its path until Commit, and that Abandon
// removes it.
func TestReplacement(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, commit := range []bool{false, true} {
		file, err := plainfile.NewReplacement(path, 0o640)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString("new"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("it is there before its time: %v", err)
		}
		end, want := file.Abandon, 0
		if commit {
			end, want = file.Commit, 1
		}
		if err := end(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != want {
			t.Errorf("there are %v, %v", left, err)
		}
	}
	raw, err := os.ReadFile(path)
	if info, err2 := os.Stat(path); errors.Join(err, err2) != nil || string(raw) != "new" || info.Mode() != 0o640 {
		t.Errorf("%q, %v, %v", raw, err, err2)
	}
}

// TestWriteNew checks that a new file has the content and belongs to its owner alone, that an existing
// file is kept, and that a failure leaves no file.
func TestWriteNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new")
	write := func(text string, err error) (int64, error) {
		return plainfile.WriteNew(path, func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return err
		})
	}
	failed := errors.New("no more")
	if _, err := write("half", failed); !errors.Is(err, failed) {
		t.Errorf("a failure: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after a failure the file is there: %v", err)
	}
	if size, err := write("first", nil); size != 5 || err != nil {
		t.Errorf("a new file: %d bytes, %v", size, err)
	}
	if _, err := write("second", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing file: %v", err)
	}
	text, err := os.ReadFile(path)
	info, statErr := os.Stat(path)
	if string(text) != "first" || err != nil || statErr != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%q, %v, %v", text, err, info.Mode())
	}
}
