package python_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// TestUnfollowed checks that a program is refused because of a name in its code, but not because of
// the same word in a comment or string.
func TestUnfollowed(t *testing.T) {
	for _, c := range []struct{ source, refused string }{
		{"x = 1  # an async call, weakref, __del__, import threading\n", ""},
		{"'''async or import gc: see settrace'''\nprint('no __del__ here', f'async {1}')\n", ""},
		{"import gcd, os.gc\nfrom . import gc\nfrom .signal import x\n", ""},
		{"asyncs = 1\n", ""},
		{"async def f(): pass\n", "async"},
		{"async  \\\n def f(): pass\n", "async"},
		{"x = [i async for i in y]\n", "async"},
		{"class C:\n    def __del__(self): pass\n", "__del__"},
		{"setattr(C, '__del__', f)\n", "__del__"},
		{"f'{setattr(C, \"__del__\", f)}'\n", "__del__"},
		{"import weakref\n", "weakref"},
		{"import os, gc\n", "import gc"},
		{"def f():\n    if 1:\n        pass\n    else:\n        from signal import alarm\n", "import signal"},
		{"try:\n    pass\nfinally:\n    import threading.x as y\n", "import threading"},
		{"sys.settrace(f)\n", "settrace"},
	} {
		var in *python.Interpreter
		p, err := python.ReadProgram(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: dsl.SplitLines(c.source)}}}, python.Version{Major: 3, Minor: 12})
		if err == nil {
			in, err = python.NewInterpreter(p, "p.py")
		}
		var refused *python.RefusedError
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%q: %v", c.source, err)
		case c.refused != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%q: %v, want a refusal for %s", c.source, err, c.refused)
		}
		if err == nil {
			in.Close()
		}
	}
}
