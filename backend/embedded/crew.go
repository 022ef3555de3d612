package embedded

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// crew shares work out among goroutines that stand by while a text is computed: there
// are sixty pieces of work to a token, too many to wake anybody for each.
//
// Where other programs have the processors, a helper may be stopped in the middle of
// its part, and all wait for it. Then the others go on alone for a while.
type crew struct {
	helpers int
	work    atomic.Pointer[work]
	gone    sync.WaitGroup
	alone   bool // until end
	rests   int  // how many more times nobody helps
	late    int  // how often in a row a helper was late
}

// work is n parts, each done once by whoever comes first.
type work struct {
	do         func(worker, part int)
	n          int32
	next, done atomic.Int32
}

// finish does parts as long as there are any, and says how many it did.
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

// over is work that ends a helper's day.
var over = &work{}

const (
	// patience is how often one looks for work, or for the end of it, before others have
	// the processor for a moment.
	patience = 400
	// tooLate is a wait for a helper, beyond what a few parts take, that nothing explains
	// but that it was stopped.
	tooLate = 300 * time.Microsecond
	// mostRests bounds for how many texts nobody helps.
	mostRests = 16
)

// begin makes the helpers look for work until end. They look for work all the time.
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

// each does parts 0 up to n, each once, and returns when all are done. worker tells
// those apart who do parts at the same time: 0 is who calls, the helpers follow.
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

// dismiss stops all help, now and for the next few times.
func (c *crew) dismiss() {
	c.alone = true
	c.work.Store(over)
	c.late = min(c.late+1, 8)
	c.rests = min(1<<c.late, mostRests)
}
