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

// TestOutcomeModuleOfTheLibrary checks that a library module given as the program is
// debugged from its first line on, together with its package.
func TestOutcomeModuleOfTheLibrary(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		o := trace.Options{Python: python.Path, Dir: t.TempDir(), Module: "json.tool", Stdin: strings.NewReader("[1]")}
		d := debugAs(t, python, o)
		if d.at.End || d.at.Notice != "" || !strings.HasSuffix(d.file(), "/json/tool.py") {
			t.Fatalf("the first landing is %+v of %s", d.at, d.file())
		}
		for range 500 {
			if d.do(dsl.StepInto); d.at.End || strings.HasSuffix(d.file(), "/json/__init__.py") || strings.HasSuffix(d.file(), "/json/decoder.py") {
				break
			}
		}
		if d.at.End {
			t.Error("no step leads into the rest of the package")
		}
		d.finish()
	})
}

// TestOutcomeModuleInNoPackage checks that of a module without a package only its file is
// debugged.
func TestOutcomeModuleInNoPackage(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debugAs(t, python, trace.Options{Python: python.Path, Dir: t.TempDir(), Module: "calendar", Args: []string{"2024", "2"}})
		files := map[string]bool{}
		for range 300 {
			files[filepath.Base(d.file())] = true
			d.do(dsl.StepInto)
		}
		if len(files) != 1 || !files["calendar.py"] {
			t.Errorf("stopped in %v", files)
		}
		d.finish()
	})
}

// TestOutcomeModuleThatRunsOthers checks that for a module that runs other code, that code
// is debugged.
func TestOutcomeModuleThatRunsOthers(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		const text = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        pass\n"
		if err := os.WriteFile(filepath.Join(dir, "test_it.py"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d := debugAs(t, python, trace.Options{Python: python.Path, Dir: dir, Module: "unittest", Args: []string{"test_it"}})
		if d.wantHere("line 1 <module>", trace.Landed); filepath.Base(d.file()) != "test_it.py" {
			t.Errorf("stopped in %s", d.file())
		}
		d.finish()
	})
}

// TestOutcomeModulePassedOver checks that npdb says why if a program would end at once
// because none of it is user code.
func TestOutcomeModulePassedOver(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, c := range []struct {
			o    trace.Options
			want string
		}{
			{trace.Options{Module: "unittest", Args: []string{"--help"}}, "unittest runs other code, and is passed over itself ("},
			{trace.Options{Module: "json.tool", LibraryCode: []string{"**/json"}}, "json.tool is passed over ("},
			{trace.Options{Module: "__hello__"}, "__hello__ is built into the interpreter (a frozen module)"},
		} {
			c.o.Python, c.o.Dir, c.o.Stdin = python.Path, t.TempDir(), strings.NewReader("[]")
			d := debugAs(t, python, c.o)
			if !d.at.End || !strings.HasPrefix(d.at.Notice, "nothing that ran is user code: "+c.want) {
				t.Errorf("the first landing is %+v, not %s", d.at, c.want)
			}
			d.finish()
		}
	})
}
