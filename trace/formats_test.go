package trace_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/trace"
)

// told returns all states and the output of a recording as text.
func told(rec *trace.Recording) string {
	var b strings.Builder
	tree := rec.Tree()
	for i := range tree.Len() {
		s := tree.State(i)
		fmt.Fprintf(&b, "%d %v %s:%d %s", i, s.Event, s.File, s.Line, s.Function)
		for _, l := range s.Locals {
			if !l.Hidden {
				fmt.Fprintf(&b, " %s=%s", l.Name, l.Value)
			}
		}
		fmt.Fprintln(&b)
	}
	for _, o := range rec.Output(-1, -1) {
		fmt.Fprintf(&b, "%d %s %q\n", o.Event, o.Stream, o.Text)
	}
	return b.String()
}

// TestFormats checks that the files of each format, and of each version of the index, give the
// states of shop.py, which they record.
func TestFormats(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "saved", "states.txt"))
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "saved", "*.npdb"))
	if err != nil || len(paths) < 2 {
		t.Fatalf("%q, %v", paths, err)
	}
	for _, path := range paths {
		for name, open := range map[string]func(string, trace.Limits) (*trace.Recording, trace.Landing, error){
			"log": trace.OpenLog, "index": trace.OpenFile,
		} {
			rec, landing, err := open(path, trace.Limits{})
			if err != nil {
				t.Errorf("%s by its %s: %v", path, name, err)
				continue
			}
			if got := told(rec); got != string(want) || landing.Event != 65 || !landing.PostMortem || landing.Notice != "" {
				t.Errorf("%s by its %s begins at %+v:\n%s\nwant\n%s", path, name, landing, got, want)
			}
			if indexed := name == "index" && strings.Contains(path, "index1"); rec.Indexed() != indexed {
				t.Errorf("%s by its %s: indexed %v", path, name, rec.Indexed())
			}
			if err := errors.Join(rec.Tree().Err(), rec.Close()); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
