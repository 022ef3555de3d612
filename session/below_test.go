//go:build unix

package session_test

import (
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
)

const raisingProgram = `import sys; sys.path.insert(0, 'site-packages')
import lib
def hook(pair):
    first = pair[0]
    try:
        raise KeyError(first)
    finally:
        first = None
def load(text):
    return lib.call(hook, text)
try:
    load('ab')
except KeyError:
    pass
load('')
`

const raisingLibrary = `def call(hook, text):
    size = len(text)
    if not size:
        raise ValueError(text)
    return hook(tuple(text))
other = 1
`

// TestFramesBelow checks that at an exception w, u and d reach the frames that it has
// left, at the live edge and before it. At the live edge frames of libraries can be
// selected too.
func TestFramesBelow(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			const top = "> prog.py(12)<module>()\n-> load('ab')"
			const outer = "prog.py(10)load()\n-> return lib.call(hook, text)"
			const inner = "prog.py(6)hook()\n-> raise KeyError(first)"
			const library = "site-packages/lib.py(5)call()\n-> return hook(tuple(text))"
			o := programOf(t, python.Path, raisingProgram, "site-packages/lib.py", raisingLibrary)
			wantSaid(t, o,
				"n 6", "KeyError: 'a'\n"+top,
				"w", top+"\n  "+outer+"\n  "+library+"\n  "+inner,
				"d 2", "> "+library,
				"p size, hook.__name__", "(2, 'hook')",
				"n", "> prog.py(13)<module>()\n-> except KeyError:",
				"rn", "KeyError: 'a'\n"+top,
				"w", top+"\n  "+outer+"\n  "+inner,
				"d", "> "+outer,
				"a", "text = 'ab'",
				"d", "> "+inner,
				"p pair", "('a', 'b')",
				"p first", "None",
				"l 5,8", "  5  \t    try:\n  6  >>\t        raise KeyError(first)\n  7  \t    finally:\n  8  ->\t        first = None",
				"d", "*** Newest frame",
				"u 9", top,
				"d -1", "> "+inner,
				"goto 100%", "…",
				"c", "…",
				"w", "  prog.py(15)<module>()\n-> load('')\n> "+outer+"\n  site-packages/lib.py(4)call()\n-> raise ValueError(text)",
				"d", "> site-packages/lib.py(4)call()\n-> raise ValueError(text)",
				"a", "hook = <function hook>\ntext = ''",
				"p size", "0",
				"l 3,4", "  3  \t    if not size:\n  4  ->\t        raise ValueError(text)",
				"ll", "  1  \tdef call(hook, text):\n  2  \t    size = len(text)\n  3  \t    if not size:\n  4  ->\t        raise ValueError(text)\n  5  \t    return hook(tuple(text))",
				"$_exception", "ValueError('')",
				"exceptions", ">   0 ValueError('')",
			)
		})
	}
}

// TestViewOfFramesBelow checks that a view also contains the frames below, with their
// locals.
func TestViewOfFramesBelow(t *testing.T) {
	o := programOf(t, pythons.Any(t), raisingProgram, "site-packages/lib.py", raisingLibrary)
	o.Python = pythons.Any(t)
	s := opened(t, o)
	s.Line(t.Context(), "c", func(*session.Answer) {})
	if v := s.View(); v.Selected != 1 || v.Files[v.Frames[2].File].Name != "site-packages/lib.py" {
		t.Errorf("before any look below, selected %d of %+v", v.Selected, v.Frames)
	}
	s.Line(t.Context(), "d", func(*session.Answer) {})
	v := s.View()
	if v.Here != 1 || v.Selected != 2 || len(v.Frames) != 3 || v.Frames[2].Function != "call" {
		t.Fatalf("here %d, selected %d of %+v", v.Here, v.Selected, v.Frames)
	}
	if f := v.Frames[2]; f.File < 0 || string(v.Files[f.File].Source) != raisingLibrary {
		t.Errorf("the frame's file is %d, its source is not the library's", f.File)
	}
	if len(v.Locals) != 3 || v.Locals[2].Name != "size" || v.Locals[2].Value != "0" {
		t.Errorf("its locals are %+v", v.Locals)
	}
}

// TestProgramLooksAtTraceback checks that pdb.post_mortem() and pm() stop npdb, and show
// only the frames of the traceback.
func TestProgramLooksAtTraceback(t *testing.T) {
	const source = `import pdb
def inner(n):
    return 1 / n
def outer(n):
    return inner(n)
try:
    outer(0)
except ZeroDivisionError as e:
    pdb.post_mortem(e.__traceback__)
print('went on')
`
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			wantSaid(t, programOf(t, python.Path, source),
				"c", "> prog.py(3)inner()\n-> return 1 / n",
				"w", "  prog.py(7)<module>()\n-> outer(0)\n  prog.py(5)outer()\n-> return inner(n)\n> prog.py(3)inner()\n-> return 1 / n",
				"p n", "0",
				"$_exception", "ZeroDivisionError('division by zero')",
				"exceptions", ">   0 ZeroDivisionError('division by zero')",
				"u 5", "> prog.py(7)<module>()\n-> outer(0)",
				"u", "*** Oldest frame",
				"n", "> prog.py(10)<module>()\n-> print('went on')",
				"w", "> prog.py(10)<module>()\n-> print('went on')",
			)
		})
	}
}
