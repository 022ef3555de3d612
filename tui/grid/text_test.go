package grid

import (
	"fmt"
	"testing"
)

// TestRead checks that an array's repr is read as rows and columns. Omitted elements are
// marked, and the indices after them count from the end.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		text  string
		whole bool
		want  string // "" if the text is not an array
	}{
		{"array([[ 0,  1],\n       [ 4,  5]])", true, "(2, 2) int64 [0 1] [0 1] [[0 1] [4 5]]"},
		{"array([0.  , 0.25])", true, "(2,) float64 [] [0 1] [[0.] [0.25]]"},
		{"array([1, 2], dtype=int8)", true, "(2,) int8 [] [0 1] [[1] [2]]"},
		{"array([[0., ..., 2.],\n       ...,\n       [3., ..., 5.]], dtype=float32)", false, "() float32 [0 … -1] [0 … -1] [[0. … 2.] […] [3. … 5.]]"},
		{"array([0, 1, 2, ..., 8, 9], shape=(2000,))", false, "(2000,) int64 [] [0 1 2 … -2 -1] [[0] [1] [2] […] [8] [9]]"},
		{"array([['x, y', \"a'b\"],\n       ['[z]', '']], dtype='<U4')", true, `(2, 2) <U4 [0 1] [0 1] [['x, y' "a'b"] ['[z]' '']]`},
		{"array([[[0, 1],\n        [2, 3]],\n\n       [[4, 5],\n        [6, 7]]])", true, "(2, 2, 2) int64 [0 1] [0, 0 0, 1 1, 0 1, 1] [[0 1] [2 3] [4 5] [6 7]]"},
		{"array([], dtype=float64)", true, "(0,) float64 [] [] []"},
		{"array([True, False])", true, "(2,) bool [] [0 1] [[True] [False]]"},
		{"array([1.+2.j])", true, "(1,) complex128 [] [0] [[1.+2.j]]"},
		{"array([nan, 1.])", true, "(2,) float64 [] [0 1] [[nan] [1.]]"},
		{"matrix([[1, 2]])", true, "(1, 2) int64 [0 1] [0] [[1 2]]"},
		{"array([], shape=(0, 3), dtype=float64)", true, "(0, 3) float64 [] [] []"},
		{"array([0., ..., 1.], shape=(2000,), dtype=float32)", false, "(2000,) float32 [] [0 … -1] [[0.] […] [1.]]"},
		{"array([(1, 2.)], dtype=[('a', '<i8'), ('b', '<f8')])", true, "(1,) [('a', '<i8'), ('b', '<f8')] [] [0] [[(1, 2.)]]"},
		{"array(['], dtype=x)'], dtype='<U9')", true, "(1,) <U9 [] [0] [['], dtype=x)']]"},
		{"array('i', [1, 2])", false, ""},
		{"array(5)", false, ""},
		{"[[1, 2], [3, 4]]", false, ""},
		{"'array([1])'", false, ""},
		{"array([1, 2… +1,234 chars not stored", false, ""},
		{"", false, ""},
	} {
		g, whole, ok := Read(c.text)
		got := fmt.Sprint(g.Shape, " ", g.Kind, " ", g.Columns, " ", g.Labels, " ", g.Rows)
		if g.Shape == "" {
			got = "()" + got
		}
		if ok != (c.want != "") || whole != c.whole || ok && got != c.want {
			t.Errorf("%q: %v %v\n%s, want\n%s", c.text, ok, whole, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"[[1, 2], [3, 4]]": "(2, 2) [0 1] [0 1] [[1 2] [3 4]]", "[(1, 'a,b'), [3, {}]]": "(2, 2) [0 1] [0 1] [[1 'a,b'] [3 {}]]",
		"[[1, 2], [3]]": "", "[1, 2]": "", "[]": "", "": "", "[[], []]": "", "{1: [1]}": "", "[[1, 2], [3, 4], … +98 more]": "",
	} {
		g, ok := Lists(text)
		if got := fmt.Sprint(g.Shape, " ", g.Columns, " ", g.Labels, " ", g.Rows); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %v %s, want %s", text, ok, got, want)
		}
	}
}
