//go:build unix

package session_test

import (
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestGlobalsOfAnImportedModule checks that the globals of a module are those of its code
// while that is on the stack. Only the program knows those of a module imported before.
func TestGlobalsOfAnImportedModule(t *testing.T) {
	o := programOf(t, pythons.Any(t), "import shapes\nprint(shapes.area(2))\n", "shapes.py", "unit = 3\ndef area(n):\n    side = n * unit\n    return side\n")
	s := opened(t, o)
	run(s, "b shapes.area", "c", "s")
	if v := s.View(); len(v.Globals) != 0 || v.GlobalsAt != 0 {
		t.Errorf("%+v at %d", v.Globals, v.GlobalsAt)
	}
	const none = "*** NameError: name 'unit' has no value here (from recorded text)"
	answers(t, s,
		"p unit", "3",
		"rs", "…",
		"p unit", none,
		"p n * unit", none,
		"p n", "2",
		"last unit", "*** unit has no value here, and had none before in area",
	)
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
