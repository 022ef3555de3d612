package session

import "testing"

// TestRunMomentNames checks how the state of another run is named.
func TestRunMomentNames(t *testing.T) {
	for _, c := range []struct {
		d    Difference
		want string
	}{
		{Difference{Run: &RunMoment{Name: "b.npdb", Event: -1}}, "b.npdb before its first event"},
		{Difference{Run: &RunMoment{Name: "b.npdb", Event: 5}}, "b.npdb at its end"},
	} {
		if got := c.d.Called(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
