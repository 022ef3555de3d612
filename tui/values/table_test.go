package values

import "testing"

// TestIsTable checks that a text of several rows that is not a Python value may be a
// table.
func TestIsTable(t *testing.T) {
	for text, want := range map[string]bool{
		"   a  b\n0  1  2": true, "'a\nb'": false, "[1,\n2]": false, "Box(a=1,\nb=2)": false, "abc": false, "": false,
	} {
		if IsTable(text) != want {
			t.Errorf("%q", text)
		}
	}
}
