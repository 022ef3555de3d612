package python

import (
	"slices"
	"strings"
	"testing"
)

func TestAbridged(t *testing.T) {
	source := `"""What it does,

at length.
"""



# Said once.
X = """
# not a comment


"""
class C:
    r'''Of a class,
    too.'''

    # About f.
    def f(self):  # kept
        "Short."
        g(1,
          # within brackets

          2)
        """one""" """
        two"""
        """three
        """; return 1
`
	want := `"""What it does,"""


X = """
# not a comment


"""
class C:
    r'''Of a class,'''

    def f(self):  # kept
        "Short."
        g(1,

          2)
        """one""" """
        two"""
        """three
        """; return 1
`
	s := Read([]byte(source))
	a := s.Abridged()
	if got := strings.Join(a.Lines, "\n") + "\n"; got != want {
		t.Errorf("got\n%s", got)
	}
	for i, n := range a.From {
		if line := s.Lines()[n-1]; line != a.Lines[i] && !strings.HasPrefix(a.Lines[i], line) {
			t.Errorf("line %d is %q, not %q", n, line, a.Lines[i])
		}
	}
	if from := a.From; !slices.IsSorted(from) || from[0] != 1 || from[1] != 5 {
		t.Errorf("from %v", from)
	}
	for _, n := range s.Outline().Executable {
		if !slices.Contains(a.From, n) {
			t.Errorf("line %d does something and is gone", n)
		}
	}
}

func FuzzAbridged(f *testing.F) {
	f.Add("\"\"\"a\nb")
	f.Add("def f(:\n  \"\"\"a\n  b\"\"\"\n# c\r\r\n x")
	f.Add("'''a\r\nb'''\n\f\n(\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := Read([]byte(text))
		a := s.Abridged()
		if len(a.Lines) != len(a.From) || !slices.IsSorted(a.From) {
			t.Fatalf("%d lines from %v", len(a.Lines), a.From)
		}
		for i, n := range a.From {
			if line := s.Lines()[n-1]; line != a.Lines[i] && !strings.HasPrefix(a.Lines[i], line) {
				t.Fatalf("line %d is %q, not %q", n, line, a.Lines[i])
			}
		}
	})
}
