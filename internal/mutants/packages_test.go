package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// small returns a module of one package with one function.
func small(t *testing.T) *pkg {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module small\n\ngo 1.26\n",
		"max.go": "package small\n\nfunc Max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	packages, err := load([]string{"."})
	if err != nil || len(packages) != 1 {
		t.Fatalf("%d packages: %v", len(packages), err)
	}
	return packages[0]
}

// TestSample checks that a sample depends only on the seed, is not larger than the number of
// mutants, and compiles.
func TestSample(t *testing.T) {
	p := small(t)
	all := p.sample(1, 100)
	var kinds []string
	for _, m := range all {
		kinds = append(kinds, m.kind)
		if !p.builds(&m) {
			t.Errorf("%+v does not build", m)
		}
	}
	slices.Sort(kinds)
	if want := []string{"boundary", "branch removed", "negated", "zero returned", "zero returned"}; !slices.Equal(kinds, want) {
		t.Errorf("there are %q, want %q", kinds, want)
	}
	three := p.sample(7, 3)
	if len(three) != 3 || !slices.Equal(three, p.sample(7, 3)) {
		t.Errorf("three of seed 7 are %+v, and then %+v", three, p.sample(7, 3))
	}
	at := strings.Index(string(p.texts[all[0].file]), ">")
	if p.builds(&mutant{all[0].file, at, at + 1, "+", "a sum is no condition"}) {
		t.Error("what does not build builds")
	}
}

// TestWith checks that a mutant which a package's own tests do not run is tested with the tests of
// other packages.
func TestWith(t *testing.T) {
	small(t)
	for name, text := range map[string]string{
		"max_test.go":     "package small\n\nimport \"testing\"\n\nfunc TestNothing(*testing.T) {}\n",
		"use/use.go":      "package use\n\nimport \"small\"\n\nfunc Most(a, b int) int { return small.Max(a, b) }\n",
		"use/use_test.go": "package use\n\nimport \"testing\"\n\nfunc TestMost(t *testing.T) {\n\tif Most(1, 2) != 2 || Most(2, 1) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	packages, err := load([]string{".", "./use"})
	if err != nil || len(packages) != 2 {
		t.Fatalf("%d packages: %v", len(packages), err)
	}
	slices.SortFunc(packages, func(a, b *pkg) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	with, err := newBench(packages[0], packages, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(with.suites) != 2 { // the package itself is not tested a second time
		t.Fatalf("%d suites", len(with.suites))
	}
	alone := &bench{with.pkg, with.temp, with.suites[:1]}
	for _, m := range with.sample(1, 100) {
		want, ok := map[string]outcome{"negated": caught, "boundary": survived}[m.kind]
		if !ok {
			continue
		}
		if got, err := with.try(m); got != want || err != nil {
			t.Errorf("%s is %q, want %q: %v", m.kind, got, want, err)
		}
		if got, err := alone.try(m); got != untested || err != nil {
			t.Errorf("%s is %q by the package's own tests: %v", m.kind, got, err)
		}
	}
}

// TestDescribe checks that a mutant is described by its position and by the line before and after
// the change.
func TestDescribe(t *testing.T) {
	b := &bench{pkg: small(t)}
	m := b.sample(1, 100)[0]
	m.from, m.to, m.now, m.kind = strings.Index(string(b.texts[m.file]), ">"), strings.Index(string(b.texts[m.file]), ">")+1, ">=", "boundary"
	if got, want := b.describe(m, survived), "max.go:4: survived: boundary\n\tif a > b {\n\tif a >= b {"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for places, want := range map[string]bool{"max.go": true, "max.go:4": true, "a.go,max.go:4": true, "max.go:5": false, "x.go": false} {
		if b.isAt(m, places) != want {
			t.Errorf("it stands at %s: %v", places, !want)
		}
	}
	counts := map[outcome]int{caught: 5, timedOut: 1, survived: 1, untested: 2}
	if got := strings.Fields(row("small", counts)); !slices.Equal(got, []string{"small", "9", "5", "1", "3", "66%"}) {
		t.Errorf("a row is %q", got)
	}
}

// TestRan checks which lines count as run according to a coverage profile.
func TestRan(t *testing.T) {
	covered, err := blocks("mode: set\nsmall/max.go:3.25,4.11 1 1\nsmall/max.go:4.11,6.3 1 0\nsmall/max.go:7.2,7.10 1 1\n", "small", "/dir")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("/dir", "max.go")
	for line, want := range map[int]bool{2: true, 3: true, 4: true, 5: false, 6: false, 7: true, 8: true} {
		if got := ran(covered, file, line); got != want {
			t.Errorf("line %d was run: %v", line, got)
		}
	}
	if !ran(covered, filepath.Join("/dir", "other.go"), 5) {
		t.Error("a line of another file was not run")
	}
	if _, err := blocks("small/max.go:x", "small", "/dir"); err == nil {
		t.Error("what is no profile is read")
	}
}
