//go:build unix

package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestLazyImports checks that p, display, watch and completion do not load a lazy import (Python 3.15). The
// program itself prints whether the module was loaded before the program read the name.
func TestLazyImports(t *testing.T) {
	const program = "import sys\nlazy import colorsys\nlazy from string import digits\nx = 1\n" +
		"print('loaded', 'colorsys' in sys.modules)\nprint(colorsys.ONE_THIRD > 0)\nz = 2\n"
	for _, interpreter := range pythons.Between(t, 15, 15) {
		t.Run(interpreter.String(), func(t *testing.T) {
			s := opened(t, programOf(t, interpreter.Path, program))
			run(s, "n 4")
			for typed, want := range map[string]string{
				"p colorsys":         "<lazy_import 'colorsys'>",
				"p digits":           "<lazy_import 'string.digits'>",
				"display colorsys":   "<lazy_import 'colorsys'>",
				"watch colorsys":     "Watchpoint 1: colorsys",
				"dis":                "",
				"blocks":             "",
				"p [*r for r in [x]": "SyntaxError",
			} {
				if got := run(s, typed); !strings.Contains(got, want) {
					t.Errorf("%s: %q, want %q", typed, got, want)
				}
			}
			if _, words := s.Complete(t.Context(), "p color"); !slices.Contains(words, "colorsys") {
				t.Errorf("p color is completed with %q", words)
			}
			s.Complete(t.Context(), "p colorsys.ON")
			if got := run(s, "n"); !strings.Contains(got, "loaded False\n") {
				t.Errorf("the lazy import was loaded: %q", got)
			}
			if got := run(s, "n", "p colorsys"); !strings.Contains(got, "<module 'colorsys'") {
				t.Errorf("after the program has read the name: %q", got)
			}
		})
	}
}
