package recorder

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestAddresses checks that results that depend on addresses are the same in each new worker.
func TestAddresses(t *testing.T) {
	if said, err := exec.Command("setarch", "-R", "true").CombinedOutput(); err != nil {
		t.Skip("no process has the same addresses here: ", err, string(said))
	}
	source := "class C:\n    def __init__(self, n):\n        self.n = n\nx = {C(n) for n in range(9)}\ny = [c.n for c in x]\nz = id(y), hash(C(1)), hash(object())\n"
	for _, python := range pythons.All(t) {
		for _, level := range []Containing{ContainAuto, ContainLimits} {
			t.Run(fmt.Sprint(python, level), func(t *testing.T) {
				t.Parallel()
				want := ""
				for range 3 {
					w := begin(t, Config{Python: python.Path, Contain: level})
					said := inWords(t, w, Job{Program: &Program{Source: source}})
					if want == "" {
						want = said
					}
					if said != want {
						t.Errorf("a worker says\n%s\nand the first\n%s", said, want)
					}
				}
			})
		}
	}
}
