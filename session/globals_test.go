//go:build unix

package session_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
)

// TestGlobalsOfAnImportedModule checks that the globals of a module keep their values after its
// code has ended, for every command that reads them.
func TestGlobalsOfAnImportedModule(t *testing.T) {
	o := programOf(t, pythons.Any(t), "import shapes\nprint(shapes.area(2))\nshapes.unit = 5\nprint(shapes.area(2))\n",
		"shapes.py", "unit = 3\nlen = 4\ndef area(n):\n    side = n * unit\n    return side\n")
	s := opened(t, o)
	run(s, "b shapes.area", "c", "s")
	answers(t, s,
		"p unit", "3",
		"rs", "…",
		"p unit", "3 (from recorded text of <module>)",
		"p n * unit", "6 (from recorded text)",
		"pp [unit]", "[3] (from recorded text)",
		"whatis unit", "<class 'int'> (from recorded text)",
		"p [len, unit][:1]", "[4] (from recorded text)",
		"p max(n, unit)", "3 (from recorded text)",
		"display unit", "display unit: 3",
		"find unit == 5", "…",
		"watch unit", "Watchpoint 2: unit, 5 now",
	)
	for command, want := range map[string]string{ // before 3.10, an import has an event more
		"last unit":    `^unit: 3 -> 5\n> .*prog.py\(3\)<module>\(\)\n-> shapes.unit = 5\ngoto 1[01] goes to that line, goto 1[12] after it$`,
		"history unit": `^unit has had 2 values\n   [23]  3  by shapes.py:1\n> 1[12]  5  by prog.py:3$`,
	} {
		if got := run(s, command); !regexp.MustCompile(want).MatchString(strings.TrimSpace(got)) {
			t.Errorf("%s answers %q, want %s", command, got, want)
		}
	}
	if got := run(s, "rc"); !strings.Contains(got, "prog.py(3)") {
		t.Errorf("rc stops at %q, want the line that sets unit", got)
	}
	run(s, "cl 2", "tbreak shapes.area, unit == 3")
	if got := run(s, "rc"); !strings.Contains(got, "shapes.py(4)area()") {
		t.Errorf("rc stops at %q, want the first line of area", got)
	}
	if v := s.View(); len(v.Globals) != 1 || v.Globals[0].Name != "unit" || v.Globals[0].Value != "3" || v.GlobalsAt != 0 {
		t.Errorf("the globals are %+v at %d, want unit, 3", v.Globals, v.GlobalsAt)
	}
}

// TestWatchOfAnEndedModule checks that a watchpoint on a global stops at the live edge after the
// module's code has ended, with no function of the module on the stack.
func TestWatchOfAnEndedModule(t *testing.T) {
	o := programOf(t, pythons.Any(t), "import shapes\nshapes.area(2)\nx = 1\nshapes.unit = 5\ny = 2\nshapes.unit = 6\nz = 3\n",
		"shapes.py", "unit = 3\ndef area(n):\n    return n * unit\n")
	s := opened(t, o)
	run(s, "b shapes.area", "c", "cl 1", "watch unit, unit > 5", "r", "n")
	if got := run(s, "c"); !strings.Contains(got, "prog.py(7)") {
		t.Errorf("c stops at %q, want the line after unit = 6", got)
	}
}

// TestGlobalsUnderEntry checks that the globals of a module that was not recorded are known, and
// hide builtins.
func TestGlobalsUnderEntry(t *testing.T) {
	o := programOf(t, pythons.Any(t), "limit = 3\nlen = 7\ntable = {}\ndef more():\n    global limit\n    limit += 1\n    table['n'] = limit\n"+
		"def f(n):\n    more()\n    x = n + limit\n    return x\n")
	o.Entry = "f(2)"
	s := opened(t, o)
	run(s, "c")
	answers(t, s,
		"goto 0", "…",
		"p limit, len, table", "(3, 7, {}) (from recorded text)",
		"goto 100%", "…",
		"rn", "…",
		"p limit", "4 (from recorded text of <module>)",
		"p table['n']", "4",
		"p len", "7 (from recorded text of <module>)",
		"last limit", "limit: 3 -> 4\n> PROG(6)more()\n-> limit += 1\ngoto 3 goes to that line, goto 4 after it",
		"p nothing", "*** NameError: name 'nothing' has no value here (from recorded text)",
	)
}

// TestGlobalsThatAreNoModules checks that the globals of code that ran in a dict of its own are
// refused after it has ended, and that no builtin is taken for one.
func TestGlobalsThatAreNoModules(t *testing.T) {
	s := written(t, "text = 'unit = 3\\nlen = 4\\ndef area(n):\\n    return n * unit\\n'\nspace = {}\nexec(compile(text, __file__, 'exec'), space)\nspace['area'](2)\n")
	run(s, "c")
	for range 20 {
		if run(s, "rs"); s.View().State.Function == "area" {
			break
		}
	}
	const refused = "the globals of this frame are not recorded, because they are no module's; the program is over, so only what was recorded is left (restart runs it again)"
	answers(t, s,
		"p n", "2",
		"p unit", "*** unit: "+refused,
		"p len", "*** len: "+refused,
		"p n + unit", "*** n + unit: unit: "+refused,
		"p [unit for i in range(2)]", "*** [unit for i in range(2)]: range: "+refused,
		"last unit", "*** unit: unit: the globals of this frame are not recorded, because they are no module's",
		"watch unit", "*** Cannot watch unit: unit: the globals of this frame are not recorded, because they are no module's",
	)
}

// witnessed changes the globals of a module in many ways. The function look returns what it sees.
const witnessed = `import importlib, unittest.mock
import state
def drop(x):
    x.clear()
def main():
    counter = state.Counter()
    counter.more()
    setattr(state, 'n', 100)
    state.look()
    vars(state)['n'] = 200
    state.look()
    state.__dict__.update(n=300)
    state.look()
    with unittest.mock.patch('state.n', 400):
        state.look()
    state.look()
    with unittest.mock.patch.object(state, 'n', 500):
        state.look()
    state.look()
    patch = unittest.mock.patch('state.seen', [5])
    patch.start()
    state.look()
    patch.stop()
    state.look()
    drop(state.seen)
    state.look()
    exec('n = 7', vars(state))
    state.look()
    exec('def set():\n    global n\n    n = 9\nset()', vars(state))
    state.look()
    for _ in state.each():
        state.look()
    importlib.reload(state)
    state.look()
    counter.more()
    counter.more()
main()
`

const witnessedModule = `n = 1
seen = [1]
class Counter:
    def more(self):
        global n
        n += 10
        seen.append(n)
        return look()
def look():
    return (n, seen[:])
def each():
    global n
    for n in range(2):
        yield n
`

// TestGlobalsAreThoseOfThePast compares the recorded globals of a module whose code has ended with
// what the program itself saw.
func TestGlobalsAreThoseOfThePast(t *testing.T) {
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			s := opened(t, programOf(t, p.Path, witnessed, "state.py", witnessedModule))
			run(s, "c")
			compared := 0
			for e := range s.View().Place.Events {
				run(s, "goto "+strconv.Itoa(e))
				st := s.View().State
				if st.Event != dsl.Return || st.Function != "look" {
					continue
				}
				compared++
				got, _, _ := strings.Cut(strings.TrimSpace(run(s, "p (n, seen)")), " (from")
				if got != *st.Value {
					t.Errorf("at event %d n and seen are %s, the program saw %s", e, got, *st.Value)
				}
			}
			if compared != 18 {
				t.Errorf("%d calls of look were compared, want 18", compared)
			}
		})
	}
}

// TestGlobalsThatAreNotBound checks that of the globals that a function names only bound
// ones have a value.
func TestGlobalsThatAreNotBound(t *testing.T) {
	s := written(t, "def f():\n    return limit + missing if later else limit\nlimit = 3\nf.ready = 1\ntry:\n    f()\nexcept NameError:\n    pass\n")
	run(s, "b f", "c")
	var names []string
	for _, g := range s.View().Globals {
		names = append(names, g.Name)
	}
	if len(names) != 1 || names[0] != "limit" {
		t.Errorf("the globals of f are %q, want limit", names)
	}
}
