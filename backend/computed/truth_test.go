//go:build unix

package computed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

func record(t *testing.T, p pythons.Python, path string) []*dsl.Stop {
	t.Helper()
	cache := filepath.Join("/tmp/truth", fmt.Sprint(p.Minor), filepath.Base(path)+".json")
	if data, err := os.ReadFile(cache); err == nil {
		var stops []*dsl.Stop
		if json.Unmarshal(data, &stops) == nil {
			return stops
		}
	}
	if os.Getenv("NPDB_CACHED") != "" {
		return nil
	}
	var stops []*dsl.Stop
	defer func() {
		os.MkdirAll(filepath.Dir(cache), 0o755)
		data, _ := json.Marshal(stops)
		os.WriteFile(cache, data, 0o644)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	rec, landing, err := trace.Start(ctx, trace.Options{
		Python: p.Path, Script: path, Reprs: trace.ReprsAlways, LibraryCode: []string{trace.Texts},
		Env: append(os.Environ(), "PYTHONHASHSEED=0"), Dir: filepath.Dir(path), Stdin: strings.NewReader(""),
	})
	if err != nil {
		t.Skipf("start: %v", err)
	}
	defer rec.Close()
	for !landing.End {
		landing, err = rec.Move(ctx, landing.Position, dsl.Action{Move: dsl.Continue})
		if err != nil {
			t.Skipf("%v", err)
		}
	}
	tree := rec.Tree()
	for i := range min(tree.Len(), 3000) {
		s := &dsl.Stop{State: *tree.State(i)}
		s.Locals = slices.DeleteFunc(slices.Clone(s.Locals), func(l dsl.Local) bool { return l.Hidden })
		for _, f := range tree.Stack(i) {
			s.Stack = append(s.Stack, f.Frame)
		}
		stops = append(stops, s)
	}
	return stops
}

func same(a, b *dsl.Stop) string {
	switch {
	case a.Event != b.Event || a.Line != b.Line || a.Kind != b.Kind || a.Function != b.Function || a.Depth != b.Depth:
		if a.Value != nil {
			return fmt.Sprintf("%v %v line %d in %s at %d (%.100s); truth %v %v line %d in %s at %d", a.Event, a.Kind, a.Line, a.Function, a.Depth, *a.Value, b.Event, b.Kind, b.Line, b.Function, b.Depth)
		}
		return fmt.Sprintf("%v %v line %d in %s at %d; truth %v %v line %d in %s at %d", a.Event, a.Kind, a.Line, a.Function, a.Depth, b.Event, b.Kind, b.Line, b.Function, b.Depth)
	case (a.Value == nil) != (b.Value == nil) || a.Value != nil && *a.Value != *b.Value:
		x, y := "nil", "nil"
		if a.Value != nil {
			x = *a.Value
		}
		if b.Value != nil {
			y = *b.Value
		}
		return fmt.Sprintf("%v value %.200s; truth %.200s", b.Event, x, y)
	case !slices.Equal(a.Locals, b.Locals):
		for i := range b.Locals {
			if i >= len(a.Locals) || a.Locals[i] != b.Locals[i] {
				return fmt.Sprintf("locals %.300v; truth %.300v", a.Locals[min(i, len(a.Locals)):], b.Locals[i:])
			}
		}
		return fmt.Sprintf("locals %.300v; truth %.300v", a.Locals, b.Locals)
	}
	return ""
}

func TestAgrees(t *testing.T) {
	folder := os.Getenv("NPDB_COMPUTED")
	if folder == "" {
		t.Skip("no folder")
	}
	paths, _ := filepath.Glob(filepath.Join(folder, "*.py"))
	p := pythons.All(t)[0]
	total, spoken, right := 0, 0, 0
	why := map[string]int{}
	whole, firstSix := 0, 0
	for _, path := range paths {
		name := filepath.Base(path)
		source, _ := os.ReadFile(path)
		var stops []*dsl.Stop
		t.Run(name, func(t *testing.T) { stops = record(t, p, path) })
		if len(stops) == 0 {
			continue
		}
		in, err := python.NewInterpreter(source, stops[0].File, python.Version{Major: 3, Minor: p.Minor})
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		wrong, undecided := 0, 0
		for i, truth := range stops[:min(len(stops), 3000)] {
			total++
			got, exit, err := in.Next(t.Context())
			switch {
			case err != nil:
				undecided++
				why[err.Error()]++
				if os.Getenv("NPDB_WHY") != "" {
					fmt.Printf("%s: %d before line %d: %v\n", name, i, truth.Line, err)
				}
				in.Show(truth)
				continue
			case exit != nil:
				wrong++
				spoken++
				if wrong <= 3 {
					fmt.Printf("WRONG %s: event %d: exit %v; truth %v line %d\n", name, i, exit, truth.Event, truth.Line)
				}
				break
			}
			if exit != nil {
				break
			}
			spoken++
			if d := same(got, truth); d != "" {
				wrong++
				if wrong <= 3 {
					fmt.Printf("WRONG %s: event %d: %s  | %s\n", name, i, d, strings.TrimSpace(truth.Source))
				}
				in.Show(truth)
				continue
			}
			right++
		}
		in.Close()
		if wrong+undecided == 0 {
			whole++
		}
	}
	fmt.Printf("states %d, computed %d (%.1f%%), right there %.2f%%; whole programs %d of %d (%d)\n", total, spoken, 100*float64(spoken)/float64(total), 100*float64(right)/float64(spoken), whole, len(paths), firstSix)
	for w, n := range why {
		if n > 5 {
			fmt.Printf("%6d %s\n", n, w)
		}
	}
}
