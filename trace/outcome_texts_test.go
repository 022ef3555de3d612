//go:build unix

package trace_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// lines lists the recorded line events, as "FILE:LINE SOURCE".
func (d *debuggee) lines() []string {
	var all []string
	tree := d.rec.Tree()
	for i := range tree.Len() {
		if s := tree.State(i); s.Event == dsl.Line {
			all = append(all, fmt.Sprintf("%s:%d %s", filepath.Base(tree.Files()[tree.At(i).File].Path), s.Line, strings.TrimSpace(s.Source)))
		}
	}
	return all
}

const keep = "import linecache\ndef keep(name, text):\n    linecache.cache[name] = len(text), None, text.splitlines(True), name\n    return compile(text, name, 'exec')\n"

// TestOutcomeTexts checks that code compiled from a string has states if linecache has the
// text and the code belongs to the program, not to a library.
func TestOutcomeTexts(t *testing.T) {
	const library = "from cells import keep\ndef method(cls):\n    made = {'__builtins__': __builtins__}\n" +
		"    exec(keep('<made init>', 'def __init__(self, x):\\n    self.x = x\\n'), made)\n" +
		"    cls.__init__ = made['__init__']\n    return cls\n" +
		"@method\nclass Own:\n    pass\n" +
		"exec(keep('<plain>', 'def plain(x):\\n    return x\\n'))\n" +
		"def use():\n    return plain(Own(1).x)\n"
	for _, c := range []struct {
		name, source string
		want         []string // line events in such code
	}{
		{
			"a cell in a namespace of its own", "names = {}\nexec(keep('<cell 1>', 'def k(z):\\n    w = z * 3\\n    return w\\n'), names)\nprint(names['k'](4))\n",
			[]string{"<cell 1>:1 def k(z):", "<cell 1>:2 w = z * 3", "<cell 1>:3 return w"},
		},
		{"a cell under a path of no file", "exec(keep('/tmp/ipykernel_9/1.py', 'a = 1\\nb = 2'))\n", []string{"1.py:1 a = 1", "1.py:2 b = 2"}},
		{
			"two texts of one name", "exec(keep('<c>', 'def f():\\n    return 1\\n'))\ng = f\nexec(keep('<c>', 'x = 2\\nx = 3\\n'))\ng()\nexec(keep('<c>', 'x = 2\\nx = 3\\n'))\n",
			[]string{"<c>:1 def f():", "<c> #2:1 x = 2", "<c> #2:2 x = 3", "<c>:2 return 1", "<c> #2:1 x = 2", "<c> #2:2 x = 3"},
		},
		{"no source", "exec(compile('a = 1', '<c>', 'exec'))\nexec('b = 2')\n", nil},
		{"a loader that is not called", "linecache.cache['<c>'] = (lambda: print('called'),)\nexec(compile('a = 1', '<c>', 'exec'))\n", nil},
		{"not the linecache of the library", "linecache.cache = None\nexec(compile('a = 1', '<c>', 'exec'))\ndel linecache.cache\nexec(compile('a = 1', '<d>', 'exec'))\n", nil},
		{"source that is no list of texts", "linecache.cache['<c>'] = 1, None, [1], '<c>'\nexec(compile('a = 1', '<c>', 'exec'))\n", nil},
		{
			"a method that a library writes for a class of the program's", "import library\n@library.method\nclass P:\n    pass\ndef by_library(): library.Own(2)\nP(1)\nby_library()\n",
			[]string{"<made init>:2 self.x = x"},
		},
		{"a library's own", "import library\nlibrary.plain(library.use())\n", nil},
		{
			"a doctest", "import doctest, sys\ndef f(x):\n    '''\n    >>> y = 1\n    >>> for i in [y]:\n    ...     print(i)\n    1\n    '''\ndoctest.testmod(sys.modules['__main__'])\n",
			[]string{"<doctest __main__.f[0]>:1 y = 1", "<doctest __main__.f[1]>:1 for i in [y]:", "<doctest __main__.f[1]>:2 print(i)", "<doctest __main__.f[1]>:1 for i in [y]:"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				script := scriptOf(t, "import sys\nsys.path.insert(0, sys.path[0] + '/site-packages')\nfrom cells import keep, linecache\n"+c.source)
				writeIn(t, filepath.Dir(script), "site-packages/cells.py", keep)
				writeIn(t, filepath.Dir(script), "site-packages/library.py", library)
				d := debugAs(t, python, trace.Options{Script: script, Stdin: strings.NewReader("")})
				d.finish()
				var got []string
				for _, line := range d.lines() {
					if !strings.HasPrefix(line, "prog.py:") {
						got = append(got, line)
					}
				}
				if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
					t.Errorf("line events of texts\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
				if strings.Contains(d.printed("stdout"), "called") {
					t.Error("the loader was called")
				}
			})
		})
	}
}

// TestOutcomeTextsLeftOut checks that Texts excludes such code.
func TestOutcomeTextsLeftOut(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, keep+"exec(keep('<cell/1>', 'x = 1\\n'))\n", func(o *trace.Options) { o.LibraryCode = []string{trace.Texts} })
		d.finish()
		if n := len(d.rec.Tree().Files()); n != 1 || d.at.Notice != "" {
			t.Errorf("%d files, %q", n, d.at.Notice)
		}
	})
}

// TestOutcomeTextBreakpoints checks that a breakpoint stops in such code, recorded and
// unrecorded.
func TestOutcomeTextBreakpoints(t *testing.T) {
	const source = keep + "exec(keep('<cell 1>', 'def k(z):\\n    w = z * 3\\n    return w\\n'))\nk(4)\nk(5)\nk(6)\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, fast := range []bool{false, true} {
			d := debug(t, python, source)
			d.upTo("k(4)")
			d.do(dsl.StepInto)
			d.wantHere("call 1 k", trace.Landed)
			if fast {
				d.fast()
			}
			for _, z := range []string{"4", "5", "6"} {
				d.advance(nil, trace.Stop{At: dsl.Location{File: d.rec.Tree().At(d.at.Event).File, Line: 3}})
				d.wantHere("line 3 k", trace.HitBreakpoint)
				d.wantLocal("z", z)
			}
			if a := d.ask(0, trace.VerbUserCode, "<cell 1>"); a.Text != "" {
				t.Errorf("the text is user code, and it says %q", a.Text)
			}
			d.finish()
		}
	})
}
