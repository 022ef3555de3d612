package cpython

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// Config controls how programs are run. The zero value is valid.
type Config struct {
	// Python is the interpreter; "" looks for one (trace.FindPython).
	Python string
	// Limits limits one recording; zero means 2,000,000 events, 256 MiB, and 1 MiB of output. A question
	// that exceeds them fails.
	Limits trace.Limits
	// Timeout limits the time of one question; zero means 10 seconds.
	Timeout time.Duration
	// Recordings is the maximum number of recordings kept alive, each with its own process; zero
	// means 8. Beyond it, the least recently used one is closed. Checking whether a program is
	// deterministic takes up to four recordings.
	Recordings int
	// Drift makes the predictor believe the states that a question's text shows. See the package
	// documentation.
	Drift bool
	// Prepare, if not nil, changes the options of a run before it starts, for example to add a sandbox.
	// The field Dir of the options is the scratch directory. It contains the program's files; the
	// program needs no other folder to write to.
	Prepare func(*trace.Options)
}

func (c Config) orDefault() Config {
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Second
	}
	if c.Recordings <= 0 {
		c.Recordings = 8
	}
	if c.Limits.Events <= 0 {
		c.Limits.Events = 2_000_000
	}
	if c.Limits.Bytes <= 0 {
		c.Limits.Bytes = 256 << 20
	}
	if c.Limits.OutputBytes <= 0 {
		c.Limits.OutputBytes = 1 << 20
	}
	if c.Limits.MessageBytes <= 0 {
		c.Limits.MessageBytes = 16 << 20
	}
	return c
}

// Predictor answers questions with CPython. Its methods may be called from
// several goroutines.
type Predictor struct {
	config Config
	pool   *pool
	trails trails
	python func() (string, error)

	closing   context.Context
	close     context.CancelFunc
	mu        sync.Mutex // guards closed, so that no question starts after Close
	closed    bool
	questions sync.WaitGroup
}

var _ backend.Predictor = (*Predictor)(nil)

// New returns a predictor. It starts no program until the first question.
func New(c Config) *Predictor {
	c = c.orDefault()
	p := &Predictor{config: c, pool: newPool(c.Recordings), trails: trails{seed: maphash.MakeSeed()}}
	p.python = sync.OnceValues(p.findPython)
	p.closing, p.close = context.WithCancel(context.Background())
	return p
}

// findPython returns the path of the interpreter itself, because a launcher such as pyenv's takes
// longer to start than the program takes to run.
func (p *Predictor) findPython() (string, error) {
	python, err := trace.FindPython(p.config.Python, os.Environ())
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(p.closing, p.config.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-c", "import sys; print(sys.executable or '')")
	cmd.WaitDelay = time.Second // a child process of the launcher may keep stdout open
	out, err := cmd.Output()
	if found := strings.TrimSpace(string(out)); err == nil && found != "" {
		return found, nil
	}
	return python, nil // starting the recording reports this error
}

// Model returns the model's name: "oracle", or "drift" with Config.Drift.
func (p *Predictor) Model() backend.Model {
	if p.config.Drift {
		return backend.Model{Name: "drift"}
	}
	return backend.Model{Name: "oracle"}
}

// Fill always fails: running a program does not show the arguments with which a function is called.
func (p *Predictor) Fill(context.Context, *dsl.Node, *dsl.Stop, []int, backend.Options) (*backend.Filled, error) {
	return nil, &backend.Error{Kind: backend.NoState, Message: "CPython does not make up values: give the function its arguments"}
}

// Predict answers a question. It does not stream: show gets the whole reply in one call.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	start := time.Now()
	if !p.begin() {
		return nil, errClosed
	}
	defer p.questions.Done()
	asking, cancel := context.WithTimeout(ctx, p.config.Timeout)
	defer cancel()
	defer context.AfterFunc(p.closing, cancel)()

	reply, err := p.answer(asking, q)
	var why *undeterminedError
	if errors.As(programsFault(err), &why) {
		reply, err = dsl.Reply{Outcome: dsl.Unknown}, nil
	}
	if err != nil {
		return nil, p.failure(ctx, err)
	}
	text, err := q.At.Reply(q.Action, reply)
	if err != nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: err.Error(), Err: err}
	}
	if show != nil {
		known := dsl.KnownEvent
		if reply.Stop != nil {
			known |= dsl.KnownStack | dsl.KnownLocals | dsl.KnownLine | dsl.KnownValue
		}
		show(backend.Update{Reply: reply, Known: known, Raw: text})
	}
	took := time.Since(start)
	made := &backend.Prediction{
		Step: dsl.Step{Action: q.Action, Reply: reply}, Raw: text,
		Usage: backend.Usage{Prompt: -1, Cached: -1, Completion: -1}, Took: took, First: took,
	}
	if why != nil {
		made.Warnings = []string{why.why}
	}
	return made, nil
}

// Close ends all programs. Questions in progress fail.
func (p *Predictor) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.close()
	p.questions.Wait()
	p.pool.closeAll()
	return nil
}

func (p *Predictor) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.questions.Add(1)
	}
	return !p.closed
}

var errClosed = &backend.Error{Kind: backend.Unreachable, Message: "the predictor is closed"}

// errLimit reports that the answer lies beyond the limits of a recording.
var errLimit = errors.New("limit of the recording")

// failure converts an error to the one that Predict returns to its caller.
func (p *Predictor) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if p.closing.Err() != nil {
		return errClosed
	}
	e := &backend.Error{Kind: backend.ServerFailed, Message: "cannot run the program: " + err.Error(), Err: err}
	var start *trace.StartError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind = backend.TimedOut
		e.Message = fmt.Sprintf("the program did not get there within %v: ask for a nearer place, or give questions more time", p.config.Timeout)
	case errors.Is(err, errLimit):
		e.Kind = backend.TimedOut
		e.Message = fmt.Sprintf("the program did not get there within %d events or %d MiB: ask for a nearer place, or raise the limits",
			p.config.Limits.Events, p.config.Limits.Bytes>>20)
	case errors.As(err, &start) && (start.Kind == trace.NoPython || start.Kind == trace.OldPython):
		e.Kind, e.Message = backend.NoModel, start.Message
	}
	return e
}

// programsFault returns an undeterminedError if the program itself broke the recording, by writing to
// the tracer's channel or by killing its own process. It returns other errors unchanged.
func programsFault(err error) error {
	var channel *trace.ChannelError
	var gone *trace.GoneError
	if errors.As(err, &channel) || errors.As(err, &gone) {
		return undetermined("the recording of the program is broken off: %v", err)
	}
	return err
}

// undeterminedError reports that the text does not determine the answer to a question.
type undeterminedError struct {
	why       string
	otherEdit bool // if edits have the effect that this run assumes, the run contradicts the text
}

func (e *undeterminedError) Error() string { return e.why }

func undetermined(format string, a ...any) error {
	return &undeterminedError{why: fmt.Sprintf(format, a...)}
}
