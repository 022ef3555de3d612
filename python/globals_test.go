package python

import (
	"strings"
	"testing"
)

func TestGlobals(t *testing.T) {
	const source = `
import os.path, re as regex
from a import b as c, d
CACHE, [LIMIT, *rest] = {}, [3]
for i in rest:
    with open(i) as file: pass
if (n := 3):
    def f(x):
        global total, deep
        y = x
        import local
        class K: global deeper
else:
    class C:
        attribute = 1
        def method(self): pass
try: pass
except E as e: pass
`
	g := ReadGlobals([]byte(source))
	const hidden = "os regex c d f C"
	for _, name := range strings.Fields("CACHE LIMIT rest i file n total deep deeper e " + hidden) {
		if !g.Has(name) || g.Hides(name) != strings.Contains(" "+hidden+" ", " "+name+" ") {
			t.Errorf("%s: bound %v, hidden %v", name, g.Has(name), g.Hides(name))
		}
	}
	for _, name := range strings.Fields("x y a b re path local K attribute method self E open len") {
		if g.Has(name) || g.Hides(name) {
			t.Errorf("%s: bound %v, hidden %v, and is no global", name, g.Has(name), g.Hides(name))
		}
	}
	if all := ReadGlobals([]byte("if 1:\n    from os import *\n")); !all.Has("len") || !all.Hides("len") {
		t.Error("from os import * may bind any name")
	}
}
