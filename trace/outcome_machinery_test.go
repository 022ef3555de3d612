//go:build unix

package trace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeModuleMachinery checks that changes to the texts of a module's spec, functions and classes
// are recorded, although npdb does not make these texts again at each event.
func TestOutcomeModuleMachinery(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "pkg"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			"pkg/__init__.py": "def f(): pass\nclass C: pass\n",
			"prog.py": "import pkg\nexec('')\npkg.__spec__.origin = 'elsewhere'\nexec('')\npkg.__path__.append('there')\nexec('')\n" +
				"pkg.f.__qualname__ = 'g'\nexec('')\npkg.C.__qualname__ = 'D'\nexec('')\npkg.C.__module__ = 'm'\nexec('')\n" +
				"pkg.__loader__.path = 'moved'\nexec('')\nend = 1\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d := debugAs(t, python, trace.Options{Python: python.Path, Dir: dir, Script: filepath.Join(dir, "prog.py")})
		d.do(dsl.Continue)
		tree := d.rec.Tree()
		for act := range uint32(tree.Activations()) {
			code := tree.Code(tree.CodeOf(act))
			if !code.IsModule() || !strings.HasSuffix(tree.Files()[code.File].Path, "__init__.py") {
				continue
			}
			text := func(name string, line int) string {
				event, ok := tree.PrevLine(tree.Len(), []dsl.Location{{File: 0, Line: line}})
				v, held := tree.Held(act, event, name)
				if !ok || !held {
					t.Fatalf("line %d: no %s", line, name)
				}
				return tree.Text(v, event)
			}
			for _, c := range []struct {
				name       string
				line       int // the first line with the new text
				old, later string
			}{
				{"__spec__", 5, "pkg/__init__.py'", "elsewhere"},
				{"__spec__", 7, "pkg']", "'there']"},
				{"f", 9, "<function f>", "<function g>"},
				{"C", 11, "<class 'pkg.C'>", "<class 'pkg.D'>"},
				{"C", 13, "<class 'pkg.D'>", "<class 'm.D'>"},
			} {
				if got := text(c.name, c.line-2); !strings.Contains(got, c.old) || strings.Contains(got, c.later) {
					t.Errorf("%s at line %d is %s", c.name, c.line-2, got)
				}
				if got := text(c.name, c.line); !strings.Contains(got, c.later) {
					t.Errorf("%s at line %d is %s, want %s", c.name, c.line, got, c.later)
				}
			}
			return
		}
		t.Error("the package is not recorded")
	})
}
