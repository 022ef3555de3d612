package session_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// withNumpy returns a Python that has numpy and pandas.
func withNumpy(t *testing.T) string {
	t.Helper()
	for _, p := range pythons.All(t) {
		if exec.Command(p.Path, "-c", "import numpy, pandas").Run() == nil {
			return p.Path
		}
	}
	const system = "/usr/bin/python3"
	if exec.Command(system, "-c", "import numpy, pandas").Run() != nil {
		t.Skip("no Python has numpy and pandas")
	}
	return system
}

// TestGrids checks that arrays and data frames are read completely from the program's
// memory, whatever their repr omits, without running the program's code.
func TestGrids(t *testing.T) {
	s := opened(t, trace.Options{Python: withNumpy(t), Script: scriptOf(t, `import numpy as np
import pandas as pd
class Mine(np.ndarray):
    def __array_finalize__(self, other):
        print("finalized")
    def __getitem__(self, key):
        print("asked")
class Holder:
    def __init__(self, inner):
        self.inner = inner
    @property
    def computed(self):
        print("computed")
a = np.arange(12).reshape(3, 4)
line = np.linspace(0, 1, 3)
large = np.zeros((2000, 300), dtype="float32")
words = np.array([["x, y", "a'b"]])
cube = np.arange(8).reshape(2, 2, 2)
alone = np.array(5)
empty = np.array([], dtype=int)
pairs = np.array([(1, 2.0)], dtype=[("a", int), ("b", float)])
days = np.array(["2020-01-01"], dtype="M8[D]")
things = np.array([None, Holder(1)])
mine = np.arange(4).view(Mine)
m = np.matrix([[1, 2], [3, 4]])
f = pd.DataFrame({"name": ["ann lee", "bob"], "n": [1, 2], "x": [1.5, float("nan")]}, index=["r1", "r2"])
serie = pd.Series([1, 2], name="s")
mixed = pd.DataFrame({"t": pd.to_datetime(["2020-01-01", "2021-01-01"]), "c": pd.Categorical(["u", None]), "o": [None, "q"], "i": pd.array([1, None], dtype="Int64")})
levels = pd.DataFrame({"v": [1, 2]}, index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]))
none = pd.DataFrame({"v": np.array([], dtype=float)})
h = Holder({"k": [a]})
print("ready")
pass
`)})
	run(s, "until 38")
	for _, c := range [][2]string{
		{"a", "(3, 4) int64 [0 1 2 3] [] [0 1 2] [[0 1 2 3] [4 5 6 7] [8 9 10 11]]"},
		{"line", "(3,) float64 [] [] [0 1 2] [[0.0] [0.5] [1.0]]"},
		{"words", `(1, 2) <U4 [0 1] [] [0] [['x, y' "a'b"]]`},
		{"cube", "(2, 2, 2) int64 [0 1] [] [0, 0 0, 1 1, 0 1, 1] [[0 1] [2 3] [4 5] [6 7]]"},
		{"alone", "() int64 [] [] [] [[5]]"},
		{"empty", "(0,) int64 [] [] [] []"},
		{"pairs", "(1,) structured [a b] [int64 float64] [0] [[1 2.0]]"},
		{"days", "(1,) datetime64[D] [] [] [0] [[2020-01-01]]"},
		{"things", "(2,) object [] [] [0 1] [[None] [Holder(inner=1)]]"},
		{"mine", "(4,) int64 [] [] [0 1 2 3] [[0] [1] [2] [3]]"},
		{"m", "(2, 2) int64 [0 1] [] [0 1] [[1 2] [3 4]]"},
		{"f", "(2, 3)  [name n x] [object int64 float64] [r1 r2] [['ann lee' 1 1.5] ['bob' 2 nan]]"},
		{"serie", "(2,) int64 [s] [] [0 1] [[1] [2]]"},
		{"mixed", "(2, 4)  [t c o i] [datetime64[ns] category object int64] [0 1] [[2020-01-01T00:00:00 u None 1] [2021-01-01T00:00:00 nan 'q' <NA>]]"},
		{"levels", "(2, 1)  [v] [int64] [a, 1 b, 2] [[1] [2]]"},
		{"none", "(0, 1)  [v] [float64] [] []"},
		{"h.inner['k'][0]", "(3, 4) int64 [0 1 2 3] [] [0 1 2] [[0 1 2 3] [4 5 6 7] [8 9 10 11]]"},
		{"h.computed", "refused"},
		{"h.inner", "refused"},
		{"h.inner['k'].pop()", "refused"},
	} {
		g, err := s.Grid(t.Context(), c[0])
		got := fmt.Sprint(g.Shape, " ", g.Kind, " ", g.Columns, " ", g.Kinds, " ", g.Labels, " ", g.Rows)
		if c[1] == "refused" {
			if err == nil {
				t.Errorf("%s is not refused: %s", c[0], got)
			}
		} else if err != nil || got != c[1] {
			t.Errorf("%s: %v\n%s, want\n%s", c[0], err, got, c[1])
		}
	}
	if g, err := s.Grid(t.Context(), "large"); err != nil || g.Shape != "(2000, 300)" || len(g.Rows) != 250 || len(g.Rows[0]) != 200 || g.Kind != "float32" {
		t.Errorf("%v, %s %s: %d rows", err, g.Shape, g.Kind, len(g.Rows))
	}
	if got := run(s, "output"); strings.Count(got, "finalized") > 1 || strings.Contains(got, "asked") || strings.Contains(got, "computed") {
		t.Errorf("the program's code was run: %q", got)
	}
	run(s, "rn")
	if _, err := s.Grid(t.Context(), "a"); err == nil {
		t.Error("a grid is read of a program that stands elsewhere")
	}
}
