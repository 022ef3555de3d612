package dap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/session/command"
)

// mostWaiting is the maximum number of requests that wait for the one that runs.
const mostWaiting = 1000

// client is the server's side of one connection. The loop runs one request at a time in a goroutine, the
// job. Only jobs use the fields below debugger, so these need no lock.
type client struct {
	cfg Config
	*writer

	// Only the loop uses these fields.
	queue []*request
	job   *job
	over  bool // the client has disconnected, or is to be disconnected

	mu     sync.Mutex
	opened *Opened // nil before a successful launch and after the session's end
	input  *input  // nil unless the program waits for a line
	paced  bool    // the move reports its progress
	paces  int     // number of moves that have reported their progress

	moving    atomic.Bool // the job is a move, so the client believes that the program runs
	resumable atomic.Bool // the move can be interrupted and go on afterwards
	yields    atomic.Bool // the move is interrupted for a change of breakpoints, and goes on afterwards
	pausing   atomic.Bool // the user has interrupted the move
	killed    atomic.Bool // the client ends the session

	debugger
}

// debugger is the state of a session.
type debugger struct {
	ctx       context.Context
	about     dap.InitializeRequestArguments
	zeroLines bool // lines are counted from 0
	launched  Launch
	noDebug   bool // the program runs without stops
	i         *command.Interpreter
	begun     bool  // configurationDone was sent
	resumes   *move // the move that was interrupted for a change of breakpoints, nil for none
	exited    bool  // the event exited was sent
	died      bool  // an uncaught exception has ended the program
	finished  bool  // the event terminated was sent
	points    points
	handles   handles
	sources   int    // number of sources that the client knows
	visit     int    // the visit that the last answer showed
	after     *after // what the request changed besides its response, nil for nothing
}

// job is a request that runs.
type job struct {
	request *request
	stop    context.CancelFunc
	done    chan struct{}
}

func newClient(cfg Config, out interface{ Write([]byte) (int, error) }) *client {
	c := &client{cfg: cfg, writer: &writer{out: out}}
	c.handles.next = firstHandle
	c.points.uncaught = true // clients that set no filters want to see the failure
	return c
}

// loop serves the client until it disconnects, its messages end or ctx ends. Then it ends the session.
func (c *client) loop(ctx context.Context, messages <-chan incoming) error {
	for !c.over && ctx.Err() == nil {
		if c.job == nil {
			c.start(ctx)
		}
		var done chan struct{}
		if c.job != nil {
			done = c.job.done
		}
		select {
		case m, ok := <-messages:
			var header *HeaderError
			switch {
			case errors.As(m.err, &header):
				return errors.Join(m.err, c.end())
			case !ok:
				return c.end()
			case m.err != nil:
				c.unreadable(m.err)
			default:
				c.take(m.request)
			}
		case <-done:
			c.over = c.over || c.job.request != nil && c.job.request.Command == "disconnect"
			c.job = nil
		case <-ctx.Done():
		}
	}
	return c.end()
}

// unreadable answers a message that could not be read. The end of the input is no such message.
func (c *client) unreadable(err error) {
	var body *BodyError
	switch {
	case !errors.As(err, &body):
	case body.Seq > 0 && body.Command != "":
		c.answer(&request{Seq: body.Seq, Command: body.Command}, nil, err)
	default:
		c.console("npdb: " + err.Error())
	}
}

// start begins the next request of the queue, or if there is none the interrupted move.
func (c *client) start(ctx context.Context) {
	j := &job{done: make(chan struct{})}
	var run func()
	switch {
	case len(c.queue) > 0:
		j.request, c.queue = c.queue[0], c.queue[1:]
		run = func() { c.handle(j.request) }
	case c.resumes != nil:
		m := c.resumes
		c.resumes = nil
		run = func() {
			if c.pausing.Load() { // the user has paused it meanwhile
				c.stopped(dap.StoppedEventBody{Reason: "pause"})
				return
			}
			c.move(m)
		}
	default:
		return
	}
	ctx, stop := context.WithCancel(ctx)
	j.stop = stop
	c.job = j
	go func() {
		defer close(j.done)
		defer stop()
		c.ctx = ctx
		run()
	}()
}

// handle runs a request and sends its response. A panic becomes an error response, so that a fault in one
// request does not end the session.
func (c *client) handle(r *request) {
	defer func() {
		if fault := recover(); fault != nil {
			c.moving.Store(false)
			c.answer(r, nil, fmt.Errorf("%s: npdb failed: %v; please report this", r.Command, fault))
		}
	}()
	h := handlers[r.Command]
	if h.live && c.i == nil {
		c.answer(r, nil, fmt.Errorf("%s: no program is open: send a launch request first", r.Command))
		return
	}
	if h.moves != nil {
		m, err := h.moves(c, r)
		if err == nil {
			c.moving.Store(true)
			c.resumable.Store(m.free)
			c.pausing.Store(false)
		}
		c.answer(r, h.body, err)
		if err == nil {
			c.move(m)
		}
		return
	}
	body, err := h.answers(c, r)
	c.answer(r, body, err)
	if h.then != nil && err == nil {
		h.then(c)
	}
}

// take decides what to do with a request: answer it at once, refuse it, or let it wait for its turn.
func (c *client) take(r *request) {
	if c.immediate(r) {
		return
	}
	running := c.job != nil && c.moving.Load()
	h, known := handlers[r.Command]
	switch {
	case running && c.asks(r):
	case !known:
		c.answer(r, nil, fmt.Errorf("npdb has no request %q", r.Command))
	case running && !h.whileRunning:
		c.answer(r, nil, fmt.Errorf("%s: the program is running: pause it first", r.Command))
	case len(c.queue) >= mostWaiting:
		c.answer(r, nil, fmt.Errorf("%s: %d requests are waiting already", r.Command, mostWaiting))
	default:
		c.queue = append(c.queue, r)
		if running && c.resumable.Load() {
			c.yields.Store(true)
			c.interrupt()
		}
	}
}

// immediate handles the requests that need no turn. It returns false for other requests.
func (c *client) immediate(r *request) bool {
	switch r.Command {
	case "threads":
		c.answer(r, dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: theThread, Name: "MainThread"}}}, nil)
	case "cancel":
		c.answer(r, nil, c.cancel(r))
	case "pause":
		c.answer(r, nil, nil)
		if c.job != nil {
			c.pausing.Store(true)
			c.interrupt()
		}
	case "terminate", "disconnect":
		for _, waiting := range c.queue {
			c.answer(waiting, nil, fmt.Errorf("%s: the session ends", waiting.Command))
		}
		c.queue = []*request{r}
		c.kill()
	default:
		return false
	}
	return true
}

// cancel stops or removes a request, or stops the move with a progress.
func (c *client) cancel(r *request) error {
	var in dap.CancelArguments
	if err := r.into(&in); err != nil {
		return err
	}
	running := c.job != nil && c.job.request != nil
	if in.ProgressId != "" || running && c.job.request.Seq == in.RequestId {
		c.pausing.Store(true)
		c.interrupt()
		return nil
	}
	if k := slices.IndexFunc(c.queue, func(q *request) bool { return q.Seq == in.RequestId }); k >= 0 {
		c.answer(c.queue[k], nil, errors.New("cancelled"))
		c.queue = slices.Delete(c.queue, k, k+1)
	}
	return nil
}

// interrupt stops the command of the job. A session forgets an interrupt that comes before its command has
// begun, so interrupt repeats it until the job has ended.
func (c *client) interrupt() {
	if c.job == nil {
		return
	}
	done := c.job.done
	once := func() {
		c.mu.Lock()
		opened, in := c.opened, c.input
		c.mu.Unlock()
		if in != nil {
			in.stop()
		}
		if opened != nil {
			opened.Session.Interrupt()
		}
	}
	once()
	go func() {
		again := time.NewTicker(50 * time.Millisecond)
		defer again.Stop()
		for {
			select {
			case <-done:
				return
			case <-again.C:
				once()
			}
		}
	}()
}

// kill ends the program, so that the job ends.
func (c *client) kill() {
	c.killed.Store(true)
	if c.job == nil {
		return
	}
	c.mu.Lock()
	opened := c.opened
	c.mu.Unlock()
	if opened != nil {
		opened.Session.Kill()
	} else {
		c.job.stop() // the program is still starting
	}
	c.interrupt()
}

// end waits for the job and ends the session.
func (c *client) end() error {
	c.kill()
	if c.job != nil {
		<-c.job.done
		c.job = nil
	}
	return c.close()
}

// close ends the session, if there is one.
func (c *client) close() error {
	c.mu.Lock()
	opened := c.opened
	c.opened = nil
	c.mu.Unlock()
	c.i = nil
	if opened == nil {
		return nil
	}
	return opened.Close()
}
