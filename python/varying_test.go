package python

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVarying(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		// by "line name", or by "line" for the statement: the call that makes the value vary
		want map[[2]any]string
	}{
		{"calls", "import time, random as r\nfrom datetime import datetime\nfrom os import urandom as noise\nimport os.path\na = time.time()\nb = r.randint(1, 6)\nc = datetime.now()\nd = noise(3)\ne = os.getpid()\nf = id(a)\ng = hash('x')\nh = len('x')\n", map[[2]any]string{
			{5, "a"}: "time.time()", {6, "b"}: "random.randint()", {7, "c"}: "datetime.datetime.now()", {8, "d"}: "os.urandom()", {9, "e"}: "os.getpid()",
			{10, "f"}: "id()", {11, "g"}: "hash()", {12, "h"}: "", {5, ""}: "time.time()", {12, ""}: "",
		}},
		{"input", "import sys\nname = input('name? ')\nn = int(input())\nrest = sys.stdin.readline()\nm = n + 1\n", map[[2]any]string{
			{2, "name"}: "input()", {3, "n"}: "input()", {4, "rest"}: "sys.stdin.readline()", {5, "m"}: "input()", {2, ""}: "input()",
		}},
		{"transitively", "import time\ndef f(n):\n    t = time.time()\n    u = [t, 1]\n    v = str(u)\n    w = n + 1\n    x = y = w\n    return v\ns = f(1)\nt = 3\n", map[[2]any]string{
			{4, "u"}: "time.time()", {5, "v"}: "time.time()", {6, "w"}: "", {7, "y"}: "", {8, ""}: "time.time()", {9, "s"}: "time.time()", {10, "t"}: "", {3, "n"}: "",
		}},
		{"what decides", "import random\ndef f():\n    a = 0\n    b = 0\n    if random.random() < 0.5:\n        a = 1\n    else:\n        c = 2\n    while random.random() < 0.5:\n        d = 1\n    return b\n", map[[2]any]string{
			{6, "a"}: "random.random()", {8, "c"}: "random.random()", {10, "d"}: "random.random()", {11, "b"}: "", {5, ""}: "random.random()", {9, ""}: "random.random()", {11, ""}: "",
		}},
		{"targets", "import time\na, (b, *c) = time.time(), (1, 2)\nd = {}\nd['k'] = time.time()\ne = []\ne.append(time.time())\nfor f in [time.time()]: pass\nwith open(str(time.time())) as g: pass\nif (h := time.time()): pass\ni: float = time.time()\nj = 1\nj += time.time()\nk = [time.time() for z in ()]\nl = 1\n", map[[2]any]string{
			{2, "a"}: "time.time()", {2, "c"}: "time.time()", {4, "d"}: "time.time()", {6, "e"}: "time.time()", {7, "f"}: "time.time()", {8, "g"}: "time.time()",
			{9, "h"}: "time.time()", {10, "i"}: "time.time()", {12, "j"}: "time.time()", {13, "k"}: "time.time()", {14, "l"}: "",
		}},
		{"scopes", "import time\nx = time.time()\ndef f(x, y):\n    return x\ndef g():\n    return x\ndef h():\n    global z\n    z = time.time()\nz = 0\na = f(1, 2)\nb = g()\n", map[[2]any]string{
			{4, "x"}: "", {4, ""}: "", {6, "x"}: "time.time()", {6, ""}: "time.time()", {11, "a"}: "", {12, "b"}: "time.time()", {10, "z"}: "time.time()",
		}},
		{"objects", "import time\nclass A:\n    def __init__(self, n):\n        self.t = time.time()\n        self.n = n\n    def age(self):\n        d = self.t + 1\n        return d\n    def size(self):\n        return self.n\n    def old(self):\n        return self.age() > 3\na = A(1)\nclass B:\n    def m(self):\n        return 1\nb = B()\n", map[[2]any]string{
			{4, "self"}: "time.time()", {7, "d"}: "time.time()", {10, ""}: "", {12, ""}: "time.time()", {13, "a"}: "time.time()", {17, "b"}: "",
		}},
		{"steady", "import time, random\na = time.sleep(1)\nb = random.Random(7)\nc = b.random()\nd = random.Random()\ne = d.random()\nf = time.gmtime(0)\ng = time.gmtime()\nh = x.time()\n", map[[2]any]string{
			{2, "a"}: "", {3, "b"}: "", {4, "c"}: "", {6, "e"}: "random.Random()", {7, "f"}: "", {8, "g"}: "time.gmtime()", {9, "h"}: "",
		}},
		{"shuffle", "import random\ndeck = [1, 2]\nrest = [3]\nrandom.shuffle(deck)\n", map[[2]any]string{{2, "deck"}: "random.shuffle()", {3, "rest"}: ""}},
		{"broken", "import time\na = time.time()\nb = (\nc = 1\n", map[[2]any]string{{2, "a"}: "time.time()"}},
		{"nothing", "", map[[2]any]string{{1, "a"}: "", {99, ""}: ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := ReadVarying([]byte(tt.source))
			for asked, want := range tt.want {
				line, name := asked[0].(int), asked[1].(string)
				got := v.Line(line)
				if name != "" {
					got = v.Name(line, name)
				}
				if got != want {
					t.Errorf("line %d %s: %q, want %q", line, name, got, want)
				}
			}
		})
	}
}

// FuzzReadVarying checks that any text can be read, in linear time.
func FuzzReadVarying(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("..", "examples", "*.py"))
	if err != nil || len(names) == 0 {
		f.Fatal("no examples", err)
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(source)
	}
	f.Add([]byte("import a.b as c, d\nfrom . import e\nfrom .f import *\nclass A(B): x: int\n"))
	f.Add([]byte("def f(*, a=1):\n  nonlocal x\n  (f := 1)(2).x[3] = lambda: time.time()\n"))
	f.Fuzz(func(t *testing.T, source []byte) {
		v := ReadVarying(source)
		for line := range strings.Count(string(source), "\n") + 2 {
			_, _ = v.Line(line), v.Name(line, "a")
		}
	})
}
