package python_test

import (
	"testing"

	"github.com/npdb/npdb/python"
)

// TestWordedOtherwise checks which versions of Python print another message than the given one.
func TestWordedOtherwise(t *testing.T) {
	for _, c := range []struct {
		repr      string
		otherwise []int // minor versions
	}{
		{`ValueError('max() arg is an empty sequence')`, []int{12, 13, 14, 15}},
		{`ValueError('max() iterable argument is empty')`, []int{9, 10, 11}},
		{`UnboundLocalError("local variable 'x' referenced before assignment")`, []int{11, 12, 13, 14, 15}},
		{`UnboundLocalError("cannot access local variable 'x' where it is not associated with a value")`, []int{9, 10}},
		{`ZeroDivisionError('division by zero')`, nil},
		{`ZeroDivisionError('float division by zero')`, []int{14, 15}},
		{`KeyError('a')`, nil},
		{`ValueError()`, nil},
		{`ValueError('max() arg is an empty sequence', 1)`, nil},
		{`ValueError`, nil},
	} {
		message, _ := python.ExceptionMessage(c.repr)
		var got []int
		for minor := 9; minor <= 15; minor++ {
			if python.WordedOtherwise(message, python.Version{Major: 3, Minor: minor}) {
				got = append(got, minor)
			}
		}
		if len(got) != len(c.otherwise) || len(got) > 0 && (got[0] != c.otherwise[0] || got[len(got)-1] != c.otherwise[len(got)-1]) {
			t.Errorf("%s is worded otherwise by the minor versions %v, want %v", c.repr, got, c.otherwise)
		}
	}
}
