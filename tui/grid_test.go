package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
)

const tables = `import numpy as np
import pandas as pd
a = np.arange(12).reshape(3, 4)
big = np.arange(200000.0).reshape(2000, 100)
f = pd.DataFrame({"name": ["ann lee", "bob"], "n": [1, 2]}, index=["r1", "r2"])
l = [[1, 2], [3, 4]]
print("ready")
print("end")
`

// withTables returns a program with arrays and data frames.
func withTables(t *testing.T) session.Config {
	t.Helper()
	interpreter := ""
	for _, p := range append(pythons.All(t), pythons.Python{Path: "/usr/bin/python3"}) {
		if exec.Command(p.Path, "-c", "import numpy, pandas").Run() == nil {
			interpreter = p.Path
			break
		}
	}
	if interpreter == "" {
		t.Skip("no Python has numpy and pandas")
	}
	path := filepath.Join(t.TempDir(), "tables.py")
	if err := os.WriteFile(path, []byte(tables), 0o600); err != nil {
		t.Fatal(err)
	}
	c := cpythonOf(t, path)
	c.Options.Python = interpreter
	return c
}

// toName moves the cursor of the locals to a name.
func (d *driver) toName(name string) {
	d.t.Helper()
	d.press("2", "g")
	for range 20 {
		if n, text := d.m.panes[localsPane].Texts(); n > 0 && strings.HasPrefix(text(d.m.panes[localsPane].At()), name+" ") {
			return
		}
		d.press("j")
	}
	d.t.Fatalf("there is no %s:\n%s", name, d.text())
}

// TestGridsOpen checks that the key that opens a value shows arrays and data frames as
// rows and columns. At the live edge it shows all of them; in the history it shows what
// was recorded.
func TestGridsOpen(t *testing.T) {
	d := drive(t, 120, 36, withTables(t))
	d.command("until 8")
	d.toName("a")
	d.press("enter")
	d.shows(" a (3, 4) int64")
	for _, row := range []string{"0  1   2   3", "8  9  10  11"} {
		d.shows(row)
	}
	d.press("esc")
	d.toName("big")
	d.press("enter")
	d.shows(" big (2000, 100) float64 the first 500 rows of 2000 ")
	d.shows("rows 1–33 of 500, columns 1–")
	for _, size := range sizes {
		d.resize(size[0], size[1])
		d.legibleInBoth(t)
	}
	d.resize(120, 36)
	d.press("G")
	d.shows("49900.0")
	for range 99 {
		d.press("l")
	}
	d.shows("49999.0")
	d.shows("of 100 ")
	d.press("q")
	d.toName("f")
	d.shows("▸ f ")
	d.press("enter")
	d.shows(" f (2, 2)")
	d.shows("object")
	d.shows("r1  'ann lee'")
	d.press("enter")
	d.toName("a")
	d.press("o")
	d.shows("[ 0,  1,  2,  3]")
	d.press("o")
	d.toName("l")
	d.press("enter")
	d.shows("[3, 4]")
	d.press("enter", "o")
	d.shows(" l (2, 2)")
	d.shows("1  3  4")
	d.press("esc", "N")
	d.toName("big")
	d.press("enter")
	d.shows("elements in place of … are not recorded")
	d.shows("-3")
	d.showsNot("(2000")
	d.press("esc")
	d.toName("f")
	d.press("enter")
	d.shows("only its text was recorded")
	d.shows("r1  ann lee  1")
	if got := fmt.Sprint(d.m.screen.View.State.Line); got != "7" {
		t.Errorf("the program stands at line %s", got)
	}
}
