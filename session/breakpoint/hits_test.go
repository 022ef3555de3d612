package breakpoint

import "testing"

// TestHits checks that a count belongs to a position: passing an event again does not
// change it, in any order.
func TestHits(t *testing.T) {
	b := &Breakpoint{}
	for _, event := range []int{3, 7, 11, 7, 3, 11, 5} {
		b.Cross(event)
	}
	b.CrossUnrecorded(9, 4)
	for event, want := range map[int]int{0: 0, 3: 1, 4: 1, 5: 2, 7: 3, 8: 3, 9: 7, 11: 8, 20: 8} {
		if b.CountTo(event); b.Hits != want {
			t.Errorf("at event %d it was hit %d times, want %d", event, b.Hits, want)
		}
	}
	if b.CountAll(); b.Hits != 8 {
		t.Errorf("in all it was hit %d times", b.Hits)
	}
	b.ForgetHits()
	if b.CountAll(); b.Hits != 0 {
		t.Errorf("another run begins with %d", b.Hits)
	}
}
