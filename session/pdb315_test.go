//go:build unix

package session_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// pdb315 lists scenarios for what is new in Python 3.15's pdb, and for programs with new syntax of 3.15.
var pdb315 = []struct {
	name, program string
	commands      []string
}{
	{
		"commands of the last breakpoint that exists", "x = 1\ny = 2\nz = 3\n",
		[]string{"commands", "b 2", "b 3", "cl 2", "commands", "p x", "end", "c", "b", "cl 1", "commands"},
	},
	{
		"functions with async before they are defined",
		"import sys\n\nasync def work(n):\n    return n + 1\n\nasync   def  spaced (n):\n    return n\n\nfirst = work(1)\ntry:\n    first.send(None)\nexcept StopIteration as e:\n    print(e.value)\n",
		[]string{"b work", "b spaced", "b", "c", "p n", "cl 1", "b work", "tbreak absent"},
	},
	{
		"statements of several lines", "x = 1\ny = 2\nz = 3\n",
		[]string{"n", "for i in range(2):", "    print(i + x)", "", "def f(a):", "    return a + 1", "", "n", "p f(x)", "!x = [", "7]", "p x"},
	},
	{
		"unpacking in comprehensions", "rows = [[1, 2], [], [3]]\nflat = [*r for r in rows]\nsome = {**d for d in ({'a': 1}, {'b': 2})}\nprint(flat, some)\n",
		// c, because npdb's n stops at each round of a comprehension, as sys.settrace does, and pdb's from 3.14 on does not.
		[]string{"n", "p [*r for r in rows]", "p {*r for r in rows}", "tbreak 4", "c", "p flat", "p {**some, 'c': 3}", "pp sorted((*r for r in rows))", "whatis some", "n"},
	},
	{
		"frozendict", "d = frozendict(a=1, b=[2])\ne = frozendict({'c': d})\nprint(e['c']['a'])\n",
		[]string{"n", "p d", "n", "p e", "p e['c']['b']", "pp d | {'z': 1}", "p len(d), list(d)", "whatis d", "n"},
	},
	{
		"lazy imports", "lazy import json\nlazy from string import digits, hexdigits as h\nx = 1\nprint(digits)\ny = json.dumps([x])\nz = 2\n",
		[]string{"n", "n", "n", "p x", "n", "p digits", "n", "p y", "p json.__name__"},
	},
}

// TestLikePdb315 plays scenarios in Python 3.15's pdb and in npdb's plain front end: the answers must be the
// same.
func TestLikePdb315(t *testing.T) {
	for _, interpreter := range pythons.Between(t, 15, 15) {
		for _, tt := range pdb315 {
			t.Run(tt.name, func(t *testing.T) {
				folder := t.TempDir()
				if err := os.WriteFile(filepath.Join(folder, "prog.py"), []byte(tt.program), 0o600); err != nil {
					t.Fatal(err)
				}
				env := append(os.Environ(), "HOME="+folder, "PYTHONHASHSEED=0", "PYTHON_COLORS=0")
				cmd := exec.CommandContext(t.Context(), interpreter.Path, "-m", "pdb", "prog.py")
				cmd.Dir, cmd.Env, cmd.Stdin = folder, env, strings.NewReader(strings.Join(tt.commands, "\n")+"\n")
				out, err := cmd.Output()
				if err != nil && len(out) == 0 {
					t.Fatal(err)
				}
				said, _, _ := strings.Cut(string(out), "(Pdb) \n") // the end of the input
				want := normal([]string{strings.NewReplacer("(Pdb) ", "", "(com) ", "", "...   ", "").Replace(said)}, folder)[0]
				o := trace.Options{Python: interpreter.Path, Script: "prog.py", Dir: folder, Env: env}
				got := normal([]string{strings.Join(played(t, o, nil, tt.commands...), "")}, folder)[0]
				if got != want {
					t.Errorf("npdb answers\n%s\npdb answers\n%s", got, want)
				}
			})
		}
	}
}
