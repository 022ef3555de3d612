package session_test

import (
	"context"
	"testing"
)

// TestBothTimeline checks that the timeline marks divergences, and the first one
// differently, also if others share its cell.
func TestBothTimeline(t *testing.T) {
	s, _ := bothModes(t, &scripted{replies: []string{saysLoop, saysOne, saysInF1}})
	s.First(context.Background())
	do(s, "s 3")
	for _, c := range []struct{ columns, first int }{{10, 2}, {2, 1}, {1, 0}} {
		for i, span := range s.Timeline(c.columns) {
			if span.FirstDiverged != (i == c.first) || span.Diverged != (i >= c.first) {
				t.Errorf("%d columns, span %d: %+v", c.columns, i, span)
			}
		}
	}
}

// TestBothTimelineEnd checks that a divergence at the end is marked at the last event.
func TestBothTimelineEnd(t *testing.T) {
	s, f := bothModes(t, &scripted{replies: []string{`<|end_sep|>{"code": 3}<|frame_sep|>`}})
	s.First(context.Background())
	do(s, "c")
	spans := s.Timeline(1000)
	for i, span := range spans {
		if last := i == f.tree.Len()-1; span.FirstDiverged != last || span.Diverged != last {
			t.Errorf("span %d of %d: %+v", i, len(spans), span)
		}
	}
}
