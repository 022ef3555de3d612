package trace

import (
	"strings"
	"testing"
)

// TestCutAlike checks that a message about two long values shows where they differ.
func TestCutAlike(t *testing.T) {
	same := strings.Repeat("x", 100)
	for _, c := range [][4]string{
		{"1", "2", "1", "2"},
		{same + "one", same + "two", "…" + same[:20] + "one", "…" + same[:20] + "two"},
		{same, same + "two", "…" + same[:20], "…" + same[:20] + "two"},
		{"a" + same, "b" + same, "a" + same[:59], "b" + same[:59]},
	} {
		if a, b := cutAlike(c[0], c[1]); a != c[2] || b != c[3] {
			t.Errorf("%q and %q are cut to %q and %q", c[0], c[1], a, b)
		}
	}
}
