package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/saved"
	"github.com/npdb/npdb/trace/statetree"
)

// damagedFile writes a recording file of many events. Its index is damaged, but not its checksums:
// the pages for which damaged is true have no content.
func damagedFile(t *testing.T, damaged func(page int) bool) (path string) {
	t.Helper()
	const events = 10_000
	tree := statetree.New()
	tree.AddFile(statetree.File{Path: "/f.py", Real: "/f.py", Name: "f.py", Source: []byte("x = 1\n")})
	tree.AddCode(statetree.Code{Name: "<module>", Names: []string{"x"}, FirstLine: 1, LastLine: 1})
	tree.Enter(0)
	for k := range events {
		tree.Set(0, fmt.Append(nil, k), false)
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	tree.Finish()
	path = filepath.Join(t.TempDir(), "f.npdb")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var w saved.Writer
	err = errors.Join(w.Begin(file, saved.Header{Format: saved.Version}), w.Finish(saved.End{}))
	if err != nil {
		t.Fatal(err)
	}
	page := -1
	err = w.Index(func(put func([]byte) (uint64, error)) ([]byte, error) {
		return tree.Save(func(b []byte) (uint64, error) {
			if page++; damaged(page) {
				b = nil
			}
			return put(b)
		})
	})
	if err = errors.Join(err, file.Close()); err != nil || page < 0 {
		t.Fatalf("%v after %d pages", err, page)
	}
	return path
}

// TestDamagedIndex checks that no state is shown once a page of a recording file could not be read.
func TestDamagedIndex(t *testing.T) {
	for name, c := range map[string]struct {
		damaged func(page int) bool
		command string // that is answered by an error; "" for the first stop
	}{
		"none":  {func(int) bool { return false }, "none"},
		"all":   {func(int) bool { return true }, ""},
		"third": {func(k int) bool { return k == 2 }, "goto 9000"}, // events from 8192 on
	} {
		t.Run(name, func(t *testing.T) {
			path := damagedFile(t, c.damaged)
			s := started(t, session.Config{File: path, Start: func(_ context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
				return trace.OpenFile(path, o.Limits)
			}})
			commands := []string{"", "s", "goto 9000", "rs"}
			met := false
			for _, command := range commands {
				var a *session.Answer
				if command == "" {
					a = s.First(t.Context())
				} else {
					a = do(s, command)
				}
				met = met || command == c.command
				if !met && (a.Err != nil || a.State == nil) {
					t.Errorf("%q: %v before the damage", command, a.Err)
				}
				if met && (a.State != nil || a.Err == nil || !strings.Contains(a.Err.Message, "damaged: page ") || !strings.Contains(a.Err.Message, "--no-index")) {
					t.Errorf("%q: %+v, %v", command, a.State, a.Err)
				}
			}
		})
	}
}
