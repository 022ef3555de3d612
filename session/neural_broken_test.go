package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// A snippet that neither parses nor imports, with an unclosed bracket at its end.
const brokenSource = `import no_such_module
from .. import neither

class Cart(no_such_module.Base):
    def total(self, items, *, tax=0.2):
        """The sum of what is in it."""
        due = sum(items)
        return due * (1 + tax)

x = = 3
print "two"
due = Cart().total([1, 2]
`

// TestNeuralBrokenSource steps through code that Python would refuse.
func TestNeuralBrokenSource(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.py")
	if err := os.WriteFile(path, []byte(brokenSource), 0o600); err != nil {
		t.Fatal(err)
	}
	inTotal := `<|line_sep|>{"self": "..", "items": "..", "tax": ".."}<|action_sep|>7|        due = sum(items)` + "\n<|frame_sep|>"
	m := &scripted{replies: []string{inTotal}, filled: []string{"Cart()"}}
	s := neural(t, m, trace.Options{Script: path, Entry: "Cart.total(_, [1, 2], tax=0.5)"})
	a := s.First(context.Background())
	if a.State == nil || a.State.Event != dsl.Call || a.State.Line != 5 || len(a.State.Locals) != 3 || a.State.Locals[2].Value != "0.5" {
		t.Fatalf("the call of a method: %+v", a.State)
	}
	if a := do(s, "s"); a.Err != nil || a.State.Line != 7 {
		t.Fatalf("s: %+v %v", a.State, a.Err)
	}
	for _, test := range [][2]string{
		{"p sum(items) * (1 + tax)", "4.5 (from predicted text)"},
		{"b Cart.total", "Breakpoint 1 at " + path + ":7"},
		{"b 8, due > 2", "Breakpoint 2 at " + path + ":8"},
		{"b 6", "*** Blank or comment"},
		{"source Cart.total", "return due * (1 + tax)"},
		{"a", "items = [1, 2]"},
	} {
		if got := run(s, test[0]); !strings.Contains(got, test[1]) {
			t.Errorf("%s answers\n%s\nwithout %q", test[0], got, test[1])
		}
	}
	first := neural(t, &scripted{}, trace.Options{Script: path}).First(context.Background())
	if first.State == nil || first.State.Line != 1 || first.State.Function != "<module>" {
		t.Errorf("the first statement: %+v", first.State)
	}
}
