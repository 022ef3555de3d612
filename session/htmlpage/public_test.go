package htmlpage

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestPublicScripts compares the states and moves of pages with the State Tree's, at some events of each script
// in the folder that NPDB_PUBLIC_SCRIPTS names.
func TestPublicScripts(t *testing.T) {
	folder := os.Getenv("NPDB_PUBLIC_SCRIPTS")
	if folder == "" {
		t.Skip("NPDB_PUBLIC_SCRIPTS names no folder of scripts")
	}
	scripts, events := 0, 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".py") {
			return err
		}
		if rec := recordFor(t, path); rec != nil && rec.Tree().Len() > 0 {
			t.Run(filepath.Base(path), func(t *testing.T) { events += compareSome(t, rec) })
			scripts++
		}
		return nil
	})
	if err != nil || scripts == 0 {
		t.Fatal(scripts, " scripts: ", err)
	}
	t.Logf("%d states of %d scripts", events, scripts)
}

// recordFor records the first events of a script. It returns nil if the script does not start.
func recordFor(t *testing.T, path string) *trace.Recording {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	rec, l, err := trace.Start(ctx, trace.Options{
		Python: pythons.Any(t), Script: path, Dir: t.TempDir(), Reprs: trace.ReprsAsked,
		Stdin: strings.NewReader("3\n4\n"), Limits: trace.Limits{Events: 60_000},
	})
	if err != nil {
		var start *trace.StartError
		if !errors.As(err, &start) {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	}
	stopped := context.AfterFunc(ctx, rec.Kill)
	for !l.End && l.Reason != trace.LimitReached && err == nil {
		l, err = rec.Advance(ctx, nil, nil)
	}
	stopped()
	if err := errors.Join(err, rec.Close()); err != nil {
		t.Logf("%s: %v", path, err)
	}
	return rec
}

// compareSome compares about forty states of a page, and all moves from them.
func compareSome(t *testing.T, rec *trace.Recording) (compared int) {
	tree := rec.Tree()
	d := collect(rec, Options{Last: true})
	ask := shown(t, d)
	for k := 0; k < len(d.Kinds); k += 1 + len(d.Kinds)/40 {
		compared++
		if got, want := ask("state", k), stateText(rec, d.First+k); got != want {
			t.Fatalf("event %d:\n%s\nwant\n%s", k, got, want)
		}
		if d.First > 0 { // the State Tree's moves are not cut
			continue
		}
		for _, m := range moves {
			for back, move := range m.to {
				got := ask("lead", k, false, false, m.name, back == 1, []string{})
				if want := landing(tree, k, false, dsl.Action{Move: move}); got != want && !strings.HasPrefix(want, "end") {
					t.Fatalf("%v from %d leads to %q, want %q", move, k, got, want)
				}
			}
		}
	}
	return compared
}
