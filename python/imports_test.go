package python

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

func TestImports(t *testing.T) {
	const source = `import a, b.c as d
from e import (f as g,
               h,)
from . import i; from ...j.k import *
if TYPE_CHECKING:
    import never
else:
    import l
def f():
    import m
    class C:
        import n
class C:
    try: import o
    except ImportError: o = None
importlib.import_module("p")
`
	want := []Import{
		{Module: "a", Line: 1},
		{Module: "b.c", Line: 1},
		{Module: "e", Names: []string{"f", "h"}, Line: 2},
		{Level: 1, Names: []string{"i"}, Line: 4},
		{Module: "j.k", Level: 3, Names: []string{"*"}, Line: 4},
		{Module: "never", Line: 6, TypeChecking: true},
		{Module: "l", Line: 8},
		{Module: "m", Line: 10, InFunction: true},
		{Module: "n", Line: 12, InFunction: true},
		{Module: "o", Line: 14},
	}
	if got := Read([]byte(source)).Imports(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// folder provides files in memory for Files.
type folder map[string]string

func (f folder) read(path string) ([]byte, error) {
	if text, ok := f[filepath.ToSlash(path)]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func names(files []File) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

func TestFiles(t *testing.T) {
	tests := []struct {
		name, main string
		files      folder
		want       []string
	}{
		{"alone", "x = 1\nimport json\n", folder{}, []string{"main.py"}},
		{
			"in the order of execution", "def f():\n    import last\nimport b\nimport a\n",
			folder{"p/a.py": "", "p/b.py": "import c", "p/c.py": "import a", "p/last.py": ""},
			[]string{"main.py", "b.py", "c.py", "a.py", "last.py"},
		},
		{
			"packages", "from store.shelf import Shelf\nimport store.box.inner\n",
			folder{"p/store/__init__.py": "from .base import *", "p/store/base.py": "", "p/store/shelf.py": "from . import box\nfrom .. import beyond", "p/store/box/__init__.py": "", "p/store/box/inner.py": "from ..base import y", "p/beyond.py": ""},
			[]string{"main.py", "store/__init__.py", "store/base.py", "store/shelf.py", "store/box/__init__.py", "beyond.py", "store/box/inner.py"},
		},
		{"a package before a module", "import a", folder{"p/a.py": "", "p/a/__init__.py": ""}, []string{"main.py", "a/__init__.py"}},
		{"a namespace package", "import space.a, space.b\nfrom space import c", folder{"p/space/a.py": "", "p/space/c.py": ""}, []string{"main.py", "space/a.py", "space/c.py"}},
		{"a module is no package", "import a.b", folder{"p/a.py": "", "p/a/b.py": ""}, []string{"main.py", "a.py"}},
		{"a circle, and main itself", "import a", folder{"p/a.py": "import b, main", "p/b.py": "import a"}, []string{"main.py", "a.py", "b.py"}},
		{"modules of the interpreter", "import sys, time, os.path\nimport random", folder{"p/sys.py": "", "p/time.py": "", "p/os.py": "", "p/random.py": ""}, []string{"main.py", "random.py"}},
		{"not beyond the folder", "from .. import a\nfrom ..b import c", folder{"a.py": "", "b/c.py": "", "b.py": ""}, []string{"main.py"}},
		{"what does not parse", "import a", folder{"p/a.py": "x = (\nimport b\n", "p/b.py": ""}, []string{"main.py", "a.py", "b.py"}},
	}
	for _, test := range tests {
		got := Files("p", "p/main.py", []byte(test.main), test.files.read)
		if !slices.Equal(names(got), test.want) {
			t.Errorf("%s: got %v, want %v", test.name, names(got), test.want)
		}
		if filepath.ToSlash(got[0].Path) != "p/main.py" || string(got[0].Source) != test.main {
			t.Errorf("%s: got %+v, want main first", test.name, got[0])
		}
	}
}

// TestFilesOfAModule checks the files of a module of a package, as python -m runs it.
func TestFilesOfAModule(t *testing.T) {
	files := folder{
		"top/shop/__init__.py": "import first", "top/first.py": "", "top/shop/store/__init__.py": "", "top/shop/store/goods.py": "",
		"top/shop/near.py": "", "top/near.py": "", "top/other.py": "",
	}
	const main = "from . import near\nfrom shop.store import goods\nimport other\n"
	want := []string{"shop/main.py", "shop/__init__.py", "first.py", "shop/near.py", "shop/store/__init__.py", "shop/store/goods.py", "other.py"}
	if got := Files("top", "top/shop/main.py", []byte(main), files.read); !slices.Equal(names(got), want) {
		t.Errorf("got %v, want %v", names(got), want)
	}
}

func TestFilesAreBounded(t *testing.T) {
	reads := 0
	next := func(path string) ([]byte, error) {
		reads++
		if strings.HasSuffix(path, "__init__.py") {
			return nil, errors.New("none")
		}
		return fmt.Appendf(nil, "import m%d, n%d\n", reads, reads), nil
	}
	if got := Files(".", "main.py", []byte("import m"), next); len(got) != MaxFiles {
		t.Errorf("got %d files, want %d", len(got), MaxFiles)
	}
	large := func(path string) ([]byte, error) {
		if strings.HasSuffix(path, "__init__.py") {
			return nil, errors.New("none")
		}
		return make([]byte, MaxFilesBytes/2), nil
	}
	if got := Files(".", "main.py", []byte("import a, b, c, d"), large); len(got) != 3 {
		t.Errorf("got %v, want two that fit", names(got))
	}
	reads = 0
	none := func(string) ([]byte, error) { reads++; return nil, errors.New("none") }
	var many strings.Builder
	for i := range 2 * maxReads {
		fmt.Fprintf(&many, "import m%d\n", i)
	}
	if Files(".", "main.py", []byte(many.String()), none); reads > maxReads {
		t.Errorf("%d reads, want no more than %d", reads, maxReads)
	}
}

// loadedScript is a Python program. It runs a program and prints the program's files that ran, in
// the order in which they began.
const loadedScript = `
import os, runpy, sys
main = os.path.abspath(sys.argv[1])
root, seen = os.path.dirname(main) + os.sep, []
def trace(frame, event, arg):
    file = frame.f_code.co_filename
    if file.startswith(root) and file not in seen:
        seen.append(file)
sys.path[0] = os.path.dirname(main)
real, sys.stdout = sys.stdout, open(os.devnull, "w")
sys.argv = [main]
sys.settrace(trace)
try:
    runpy.run_path(main, run_name="__main__")
except BaseException:
    pass
sys.settrace(None)
print(*[os.path.relpath(f, root) for f in seen], sep="\n", file=real)
`

func TestFilesAgreeWithARun(t *testing.T) {
	interpreter := pythons.Between(t, 10, 14)[0].Path
	mains, err := filepath.Glob("../trace/testdata/programs/*/main.py")
	if err != nil || len(mains) < 2 {
		t.Fatalf("%v, %v", mains, err)
	}
	for _, main := range mains {
		out, err := exec.Command(interpreter, "-c", loadedScript, main).Output()
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(main)
		if err != nil {
			t.Fatal(err)
		}
		ran := strings.Fields(string(out))
		got := names(Files(filepath.Dir(main), main, source, os.ReadFile))
		// Files returns this file, which Python could not compile and so did not run.
		got = slices.DeleteFunc(got, func(name string) bool { return name == "unparsable.py" })
		if !slices.Equal(got, ran) {
			t.Errorf("%s: got %v, ran %v", main, got, ran)
		}
	}
}
