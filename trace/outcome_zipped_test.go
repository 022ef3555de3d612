//go:build unix

package trace_test

import (
	"os/exec"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// zippedHome makes a folder for PYTHONHOME whose standard library is a zip file.
const zippedHome = `import os, sys, sysconfig, zipfile
home, library = sys.argv[1], sysconfig.get_path("stdlib")
version = "%d.%d" % sys.version_info[:2]
os.makedirs(os.path.join(home, "lib", "python" + version))
loaded = [p for p in sys.path if os.path.basename(p) == "lib-dynload"][0]
os.symlink(loaded, os.path.join(home, "lib", "python" + version, "lib-dynload"))
left = {"__pycache__", "test", "tests", "site-packages", "dist-packages", "idlelib", "lib2to3", "ensurepip", "tkinter"}
with zipfile.ZipFile(os.path.join(home, "lib", "python" + version.replace(".", "") + ".zip"), "w") as archive:
    for folder, inside, files in os.walk(library):
        inside[:] = set(inside) - left
        for file in files:
            if file.endswith(".py"):
                path = os.path.join(folder, file)
                archive.write(path, os.path.relpath(path, library))
`

// TestOutcomeZippedLibrary checks that npdb starts and records with a standard library in a zip file, which one
// loader loads, and that a module which npdb changes is imported there as elsewhere.
func TestOutcomeZippedLibrary(t *testing.T) {
	for _, python := range pythons.Between(t, 10, 99) {
		if python.Wasm {
			continue // its library is such a file: every test shows it
		}
		t.Run(python.String(), func(t *testing.T) {
			home := t.TempDir()
			if out, err := exec.CommandContext(t.Context(), python.Path, "-c", zippedHome, home).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			d := debug(t, python, "import tempfile, random\nzipped = '.zip/' in random.__file__\n", func(o *trace.Options) {
				o.Env, o.Repeat = environ("PYTHONHOME="+home), true
			})
			d.do(dsl.StepInto)
			d.wantHere("line 2 <module>", trace.Landed)
			d.do(dsl.StepInto)
			d.wantLocal("zipped", "True")
			d.finish()
			d.wantEnd(0, "")
		})
	}
}
