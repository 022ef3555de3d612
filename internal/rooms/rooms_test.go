// Package rooms checks that the imports of npdb's packages follow the order in
// docs/architecture.md, and that no program is among the files of the repository.
package rooms

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what each package imports into the page")

const (
	page   = "../../docs/architecture.md"
	begin  = "<!-- packages: made by go test ./internal/rooms -update -->\n```\n"
	end    = "```\n<!-- end -->"
	module = "github.com/npdb/npdb/"
)

// TestArrowsPointDown checks that each package imports only packages that are below it on the page,
// and that the page lists exactly these imports.
func TestArrowsPointDown(t *testing.T) {
	imports := read(t, false)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	table, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("the page has no list of packages")
	}
	var order []string
	for line := range strings.Lines(table) {
		name := strings.Fields(line)[0]
		if slices.Contains(order, name) {
			t.Errorf("%s stands twice in the list", name)
			continue
		}
		order = append(order, name)
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		at := slices.Index(order, name)
		if at < 0 {
			t.Errorf("%s has no place in the list", name)
			continue
		}
		for _, other := range imports[name] {
			if slices.Index(order, other) < at {
				t.Errorf("%s imports %s, which stands above it", name, other)
			}
		}
	}
	var made strings.Builder
	for _, name := range order {
		if others, ok := imports[name]; ok {
			fmt.Fprintf(&made, "%s\n", strings.TrimSpace(fmt.Sprintf("%-22s%s", name, strings.Join(others, " "))))
		} else {
			t.Errorf("%s is no package", name)
		}
	}
	switch {
	case *update:
		if err := os.WriteFile(page, []byte(before+begin+made.String()+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	case made.String() != table:
		t.Error("the page says something else of the imports; go test ./internal/rooms -update writes them")
	}
}

// lab is the folder of the code that trains and measures models.
const lab = "lab/"

// knowLab lists the packages outside lab that import packages of lab, with the reason.
var knowLab = map[string]string{
	"cmd/npdb/lab":    "the commands of the laboratory",
	"cmd/npdb":        "its tests run these commands",
	"backend/rollout": "a test: the recorder of datasets records a hundred programs in one Python, in seconds",
}

// TestDebuggerKnowsNoLab checks that the debugger and its tests do not import packages of lab.
func TestDebuggerKnowsNoLab(t *testing.T) {
	for name, others := range read(t, true) {
		imports := slices.ContainsFunc(others, func(other string) bool { return strings.HasPrefix(other, lab) })
		if _, known := knowLab[name]; imports != known && !strings.HasPrefix(name, lab) {
			t.Errorf("%s imports packages of lab: %v; listed here: %v", name, imports, known)
		}
	}
}

// read returns the packages of npdb that each package imports. If tests is true, it includes the
// imports of the package's tests.
func read(t *testing.T, tests bool) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || !tests && strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		name := filepath.ToSlash(folder)
		imports[name] = append([]string(nil), imports[name]...) // even if it imports no package of npdb
		for _, one := range file.Imports {
			what, err := strconv.Unquote(one.Path.Value)
			if err != nil {
				return err
			}
			if other, ours := strings.CutPrefix(what, module); ours && !slices.Contains(imports[name], other) {
				imports[name] = append(imports[name], other)
			}
		}
		slices.Sort(imports[name])
		return err
	})
	if err != nil || len(imports) < 10 {
		t.Fatal(len(imports), " packages were read: ", err)
	}
	return imports
}
