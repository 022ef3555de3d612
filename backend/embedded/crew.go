package embedded

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// crew distributes work among goroutines, the helpers. They spin while a reply is written, because
// a token takes sixty pieces of work, too many to wake goroutines for each.
//
// If other programs use the processors, a helper may be suspended in the middle of its part, and
// all others wait for it. Then the crew works without helpers for a while.
type crew struct {
	helpers int
	work    atomic.Pointer[work]
	gone    sync.WaitGroup
	alone   bool // no helpers work until end is called
	rests   int  // number of replies still to write without helpers
	late    int  // number of successive replies with a late helper
}

// work consists of n parts. The workers take them one by one.
type work struct {
	do         func(worker, part int)
	n          int32
	next, done atomic.Int32
}

// finish does parts until none is left, and returns the number of parts that this worker did.
func (w *work) finish(worker int) (did int) {
	for {
		part := w.next.Add(1) - 1
		if part >= w.n {
			return did
		}
		w.do(worker, int(part))
		w.done.Add(1)
		did++
	}
}

// over is the work that tells helpers to exit.
var over = &work{}

const (
	// patience is the number of checks, for new work or for the end of work, between two calls of
	// runtime.Gosched.
	patience = 400
	// tooLate is how long, beyond the time of a few parts, the crew waits for a helper before it is
	// taken to be suspended.
	tooLate = 300 * time.Microsecond
	// mostRests is the maximum number of successive replies written without helpers.
	mostRests = 16
)

// begin starts the helpers. They spin until end is called.
func (c *crew) begin() {
	c.alone = c.helpers == 0 || c.rests > 0
	if c.alone {
		c.rests = max(c.rests-1, 0)
		return
	}
	c.work.Store(nil)
	for i := range c.helpers {
		c.gone.Add(1)
		go c.help(i + 1)
	}
}

func (c *crew) end() {
	if !c.alone {
		c.late = 0
	}
	c.alone = true
	c.work.Store(over)
	c.gone.Wait()
}

func (c *crew) help(worker int) {
	defer c.gone.Done()
	var last *work
	for looked := 0; ; looked++ {
		switch w := c.work.Load(); w {
		case over:
			return
		case last:
			if looked > patience {
				looked = 0
				runtime.Gosched()
			}
		default:
			w.finish(worker)
			last, looked = w, 0
		}
	}
}

// each does the parts 0 to n-1 and returns when all are done. worker is a number that distinguishes
// concurrent workers: 0 for the caller, 1 and up for the helpers.
func (c *crew) each(n int, do func(worker, part int)) {
	if c.alone || n < 2 {
		for part := range n {
			do(0, part)
		}
		return
	}
	w := &work{do: do, n: int32(n)}
	c.work.Store(w)
	began := time.Now()
	did := w.finish(0)
	if w.done.Load() == w.n {
		return
	}
	ready := time.Now()
	limit := tooLate + 4*ready.Sub(began)/time.Duration(max(did, 1))
	for looked := 1; w.done.Load() < w.n; looked++ {
		if looked%patience > 0 {
			continue
		}
		if runtime.Gosched(); !c.alone && time.Since(ready) > limit {
			c.dismiss()
		}
	}
}

// dismiss stops all helpers, for the current reply and the next few.
func (c *crew) dismiss() {
	c.alone = true
	c.work.Store(over)
	c.late = min(c.late+1, 8)
	c.rests = min(1<<c.late, mostRests)
}
