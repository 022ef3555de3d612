package python

import (
	"fmt"
	"testing"
)

func TestReadExits(t *testing.T) {
	source := []byte(`class C:
    @cached
    def f(self, n):
        if n > 3:
            return (
                n)
        def inner():
            return 7
        try:
            raise ValueError("x")
        except errors.Bad as e:
            raise errors.Bad
        raise

def g(n):
    while n:
        n -= 1
    else:
        print(n)

def broken(:
`)
	for _, c := range []struct {
		line            int
		returns, raised string
	}{{2, "[5]", "[10]"}, {7, "[8]", "[]"}, {15, "[19]", "[]"}, {3, "[]", "[]"}, {99, "[]", "[]"}} {
		e := ReadExits(source, c.line)
		if got := fmt.Sprint(e.Returns); got != c.returns {
			t.Errorf("line %d returns at %s, want %s", c.line, got, c.returns)
		}
		if got := fmt.Sprint(e.RaisesOf("ValueError('a')")); got != c.raised {
			t.Errorf("line %d raises ValueError at %s, want %s", c.line, got, c.raised)
		}
	}
	if got := fmt.Sprint(ReadExits(source, 2).RaisesOf("errors.Bad()")); got != "[12]" {
		t.Errorf("Bad is raised at %s", got)
	}
}

// FuzzReadExits checks that ReadExits terminates for any source.
func FuzzReadExits(f *testing.F) {
	for _, s := range []string{"def f():\n  return (", "def f(:\n raise", "def f(): pass", "def f():\n class A: return"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, source string) { ReadExits([]byte(source), 1).RaisesOf("E()") })
}
