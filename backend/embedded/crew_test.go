package embedded

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

func TestEachPartIsDoneOnce(t *testing.T) {
	for _, helpers := range []int{0, 1, 3} {
		c := &crew{helpers: helpers}
		for range 3 {
			c.begin()
			for n := range 40 {
				done := make([]atomic.Int32, n)
				c.each(n, func(worker, part int) {
					if worker < 0 || worker > helpers {
						t.Errorf("worker %d of %d", worker, helpers)
					}
					done[part].Add(1)
				})
				for part := range done {
					if done[part].Load() != 1 {
						t.Fatalf("part %d of %d was done %d times", part, n, done[part].Load())
					}
				}
			}
			c.end()
		}
	}
}

// TestLateHelperIsDismissed checks that the crew waits for a helper that is suspended in its part, and
// then works without helpers.
func TestLateHelperIsDismissed(t *testing.T) {
	c := &crew{helpers: 1}
	c.begin()
	began, ready := make(chan struct{}), make(chan struct{})
	c.each(2, func(worker, _ int) {
		if worker == 0 {
			<-began // the helper has taken the other part
			close(ready)
			return
		}
		close(began)
		<-ready
		for since := time.Now(); c.work.Load() != over && time.Since(since) < 10*time.Second; {
			runtime.Gosched()
		}
	})
	if !c.alone || c.rests == 0 {
		t.Errorf("alone %v, rests %d", c.alone, c.rests)
	}
	c.end()
	rests := c.rests
	c.begin()
	if !c.alone || c.rests != rests-1 {
		t.Error("the helper is there the next time")
	}
	c.end()
	for range rests {
		c.begin()
		c.end()
	}
	if c.late != 0 {
		t.Error("after a text in which nobody was late, that is forgotten")
	}
}
