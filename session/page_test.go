package session_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestExportPage checks what a page of a session has: the shown position, the marks with their notes, and the
// breakpoints without conditions.
func TestExportPage(t *testing.T) {
	var got session.Page
	var fails error
	s := open(t, newFake(t), func(cfg *session.Config) {
		cfg.WritePage = func(w io.Writer, p session.Page) error {
			got = p
			_, err := io.WriteString(w, "page")
			return errors.Join(err, fails)
		}
	})
	s.First(context.Background())
	path := filepath.Join(t.TempDir(), "a.html")
	for _, line := range []string{"b 2", "b 3, x > 1", "tbreak 7", "s", "mark begun the first call", "c", "mark inside"} {
		if a := do(s, line); a.Err != nil {
			t.Fatal(line, a.Err)
		}
	}
	if said := run(s, "export "+path); said != "Written: "+path+". Any browser shows it.\n" {
		t.Fatal(said)
	}
	if got.Shown != (trace.Position{Event: 4}) || got.Recording != s.Recording() {
		t.Errorf("shown: %+v", got.Shown)
	}
	if want := []dsl.Location{{Line: 2}}; !reflect.DeepEqual(got.Breakpoints, want) {
		t.Errorf("breakpoints: %v, want %v", got.Breakpoints, want)
	}
	want := []session.Bookmark{
		{Position: trace.Position{Event: 1}, Name: "begun", Note: "the first call"}, {Position: trace.Position{Event: 4}, Name: "inside"},
	}
	if !reflect.DeepEqual(got.Bookmarks, want) {
		t.Errorf("bookmarks: %+v, want %+v", got.Bookmarks, want)
	}
	if raw, err := os.ReadFile(path); err != nil || string(raw) != "page" {
		t.Errorf("%q %v", raw, err)
	}
	if a := do(s, "export "+path); a.Err == nil || !strings.Contains(a.Err.Error(), "exists already and is not overwritten") {
		t.Error(a.Err)
	}
	fails = errors.New("disk full")
	if a := do(s, "export "+path+".html"); a.Err == nil || !strings.Contains(a.Err.Error(), "The page cannot be written: disk full") {
		t.Error(a.Err)
	}
	if _, err := os.Stat(path + ".html"); err == nil {
		t.Error("a page that could not be written is there")
	}
}
