package session_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

// mark marks where a line was typed.
const mark = "\x1e"

// needsRecording skips a test on systems where programs cannot be recorded.
func needsRecording(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs are recorded on Unix")
	}
}

// played debugs a program with CPython in the plain front end. It returns the output at
// the start and after each typed line.
func played(t *testing.T, o trace.Options, set func(*session.Config), lines ...string) []string {
	t.Helper()
	needsRecording(t)
	out := &bytes.Buffer{}
	typed := &typist{lines: lines, out: out}
	shown := frontend.NewPlain(out, false)
	cfg := session.Config{Start: session.StartTrace, Input: frontend.Input(typed, shown), StateDir: t.TempDir(), Options: o}
	if set != nil {
		set(&cfg)
	}
	ctx := context.Background()
	s, err := interpreted(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := frontend.Serve(ctx, s, s.First(ctx), typed, shown); err != nil {
		t.Fatal(err)
	}
	return strings.Split(out.String(), mark)
}

// opened returns a session on a program at its first stop.
func opened(t *testing.T, o trace.Options, more ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	needsRecording(t)
	cfg := session.Config{Start: session.StartTrace, StateDir: t.TempDir(), Options: o}
	for _, set := range more {
		set(&cfg)
	}
	s := started(t, cfg)
	s.First(t.Context())
	return s
}

// typist types lines and puts a mark before the answer of each.
type typist struct {
	lines []string
	out   io.Writer
}

func (l *typist) Next(context.Context) (string, error) {
	if len(l.lines) == 0 {
		return "", io.EOF
	}
	line := l.lines[0]
	l.lines = l.lines[1:]
	_, err := io.WriteString(l.out, mark)
	return line, err
}

// programOf writes a program, with other files beside it (name, text, …).
func programOf(t *testing.T, python, source string, files ...string) trace.Options {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, append(files, "prog.py", source)...)
	return trace.Options{Python: python, Script: "prog.py", Dir: dir}
}

// writeFiles writes files below a folder (name, text, …).
func writeFiles(t *testing.T, dir string, files ...string) {
	t.Helper()
	if len(files)%2 != 0 {
		t.Fatalf("a file without a text: %q", files)
	}
	for ; len(files) > 0; files = files[2:] {
		path := filepath.Join(dir, files[0])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// written returns a session on the given source, under CPython.
func written(t *testing.T, source string, more ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	return opened(t, trace.Options{Python: pythons.Any(t), Script: scriptOf(t, source)}, more...)
}

// scriptOf writes a program to a file.
func scriptOf(t *testing.T, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
