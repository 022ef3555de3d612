//go:build unix

package session_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/face"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/recorded"
)

// mark stands where a line was typed.
const mark = "\x1e"

// played debugs a program with CPython by the plain face; what it says at the start
// and to each line that is typed.
func played(t *testing.T, o trace.Options, set func(*session.Config), lines ...string) []string {
	t.Helper()
	out := &bytes.Buffer{}
	typed := &typist{lines: lines, out: out}
	shown := face.NewPlain(out, false)
	cfg := session.Config{Start: session.StartTrace, Evaluator: recorded.New(o.Python), Input: face.Input(typed, shown), StateDir: t.TempDir(), Options: o}
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
	if err := face.Serve(ctx, s, s.First(ctx), typed, shown); err != nil {
		t.Fatal(err)
	}
	return strings.Split(out.String(), mark)
}

// opened is a session of a program at its first stop.
func opened(t *testing.T, o trace.Options, more ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	cfg := session.Config{Start: session.StartTrace, Evaluator: recorded.New(o.Python), StateDir: t.TempDir(), Options: o}
	for _, set := range more {
		set(&cfg)
	}
	s, err := interpreted(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
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

// programOf is a program on disk, with other files beside it (name, text, …).
func programOf(t *testing.T, python, source string, files ...string) trace.Options {
	t.Helper()
	dir := t.TempDir()
	for files = append(files, "prog.py", source); len(files) > 0; files = files[2:] {
		path := filepath.Join(dir, files[0])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return trace.Options{Python: python, Script: "prog.py", Dir: dir}
}

// wantSaid wants the answers to lines that are typed one after another. A pair is a line
// and its answer; the folder of the program is left out of what is said.
func wantSaid(t *testing.T, o trace.Options, pairs ...string) {
	t.Helper()
	var lines []string
	for i := 0; i < len(pairs); i += 2 {
		lines = append(lines, pairs[i])
	}
	answers := played(t, o, nil, lines...)
	for i, line := range lines {
		got := "(nothing)"
		if i+1 < len(answers) {
			got = strings.TrimSuffix(strings.ReplaceAll(answers[i+1], o.Dir+string(filepath.Separator), ""), "\n")
		}
		if want := pairs[2*i+1]; got != want && want != "…" {
			t.Errorf("answer %d, to %s, is\n%s\nwant\n%s", i+1, line, got, want)
		}
	}
}

// written is a session of a program of one's own, under CPython.
func written(t *testing.T, source string, more ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return opened(t, trace.Options{Python: pythons.Any(t), Script: path}, more...)
}
