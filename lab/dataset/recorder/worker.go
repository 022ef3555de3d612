package recorder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/python/supported"
	"github.com/npdb/npdb/trace"
)

// Worker records programs, one at a time. Its methods may be called from any goroutine.
type Worker struct {
	config Config
	python string
	// real is the content of Config.Real. It is read at the start, because later the sandbox may hide
	// the file, or a program may have changed it.
	real []byte

	contained containment
	warning   string

	// Facts about the interpreter, as the first process reported them.
	version string
	makes   bool   // it can generate programs
	library string // path of its standard library

	turn   chan struct{} // holds an entry while a job runs, so that only one job runs at a time
	proc   *process      // nil if no process is running
	closed bool
}

// DiedError reports that the process that records programs has ended or sent invalid data. The program
// of this job need not be the cause. The next call of Record starts another process.
type DiedError struct {
	Err  error
	Said string // standard error of the process
}

func (e *DiedError) Error() string {
	if said := lastLine(e.Said); said != "" {
		return fmt.Sprintf("the process that records programs is gone: %v: %s", e.Err, said)
	}
	return fmt.Sprintf("the process that records programs is gone: %v", e.Err)
}

func (e *DiedError) Unwrap() error { return e.Err }

// VersionError reports that an interpreter cannot record programs exactly, or, if Records is set, that
// it can record programs but not generate them.
type VersionError struct {
	Python, Version string
	Records         bool
}

func (e *VersionError) Error() string {
	version, _, _ := strings.Cut(e.Version, " ")
	if e.Records {
		return fmt.Sprintf("%s is Python %s, which records given programs alone; the generator takes CPython 3.12 to 3.%d", e.Python, version, supported.Newest)
	}
	return fmt.Sprintf("%s is Python %s: programs are recorded by %s", e.Python, version, supported.Tested())
}

// Start finds the interpreter, and starts a process that records programs.
func Start(ctx context.Context, c Config) (*Worker, error) {
	if runtime.GOOS == "windows" {
		return nil, fmt.Errorf("programs are recorded in forks of a process, which Windows has not: use Linux, WSL or macOS: %w", errors.ErrUnsupported)
	}
	c.Limits = c.Limits.orDefault()
	if c.together == 0 {
		c.together = together
	}
	python, err := trace.FindPython(c.Python, os.Environ())
	if err != nil {
		return nil, err
	}
	w := &Worker{config: c, python: python, turn: make(chan struct{}, 1)}
	if c.Real != "" {
		if w.real, err = os.ReadFile(c.Real); err != nil {
			return nil, fmt.Errorf("the real functions cannot be read: %w", err)
		}
	}
	if err := w.contain(ctx); err != nil {
		return nil, err
	}
	return w, nil
}

// Warning returns what the containment does not prevent, and why. In a sandbox it is "".
func (w *Worker) Warning() string { return w.warning }

// CanMake returns nil if the interpreter can generate programs, else a *VersionError.
func (w *Worker) CanMake() error {
	if w.makes {
		return nil
	}
	return w.cannotMake()
}

func (w *Worker) cannotMake() error {
	return &VersionError{Python: w.python, Version: w.version, Records: true}
}

// Record runs a program and returns the recording. The error is a *Failure if the program has none, a
// *DiedError if the process has ended, or os.ErrClosed after Close. If ctx ends during the job, the
// process is killed.
func (w *Worker) Record(ctx context.Context, j Job) (*Recording, error) {
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	defer w.done()
	name := "program.py"
	switch {
	case j.Program == nil && !w.makes:
		return nil, w.cannotMake()
	case j.Program != nil && !utf8.ValidString(j.Program.Source+j.Program.Entry+j.Program.Family):
		return nil, &Failure{"syntax error"}
	}
	if j.Program != nil && j.Program.Name != "" {
		name = j.Program.Name
	}
	said, err := w.ask(ctx, j.asked(w.config.Limits))
	if err != nil {
		return nil, err
	}
	if len(said) == 0 {
		return nil, &Failure{spoiled}
	}
	switch said[0] {
	case 'F':
		return nil, failure(said[1:])
	case 'R':
		limits := w.config.Limits
		if j.Events > 0 {
			limits.Events = j.Events
		}
		r, err := unpack(said[1:], name, limits)
		if err != nil || j.Program != nil && !r.Program.is(j.Program) {
			return nil, &Failure{spoiled}
		}
		return r, nil
	}
	return nil, &Failure{spoiled}
}

func (p *Program) is(other *Program) bool {
	return p.Source == other.Source && p.Entry == other.Entry && p.Family == other.Family
}

// failure returns the Failure for a reason that a program's process sent. If the reason is unknown, the
// recording counts as invalid.
func failure(reason []byte) *Failure {
	if slices.Contains(Reasons, string(reason)) {
		return &Failure{string(reason)}
	}
	return &Failure{spoiled}
}

// begin waits until no other job runs. The caller must end the job with done.
func (w *Worker) begin(ctx context.Context) error {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := ctx.Err() // ctx may have ended at the same time
	if err == nil && w.closed {
		err = fmt.Errorf("the process that records programs: %w", os.ErrClosed)
	}
	if err != nil {
		w.done()
	}
	return err
}

func (w *Worker) done() { <-w.turn }

// Close ends the process after the current job. Later jobs return os.ErrClosed.
func (w *Worker) Close() error {
	w.turn <- struct{}{}
	defer w.done()
	w.closed = true
	if w.proc != nil {
		w.proc.leave()
		w.proc.end()
		w.proc = nil
	}
	return nil
}

// asked is a job in the format of worker.py.
type asked struct {
	Source     *string `json:"source,omitempty"`
	Entry      *string `json:"entry,omitempty"`
	Family     string  `json:"family,omitempty"`
	Seed       *string `json:"seed,omitempty"`
	Number     int     `json:"number"`
	Difficulty float64 `json:"difficulty"`
	Edit       []any   `json:"edit,omitempty"`
	Events     int     `json:"events"`
}

func (j Job) asked(l Limits) asked {
	a := asked{Number: j.Number, Difficulty: j.Difficulty, Events: j.Events}
	if j.Program == nil {
		a.Seed = &j.Seed
	} else {
		a.Source, a.Family = &j.Program.Source, j.Program.Family
		if j.Program.Entry != "" {
			a.Entry = &j.Program.Entry
		}
	}
	if j.Edit != nil {
		a.Edit = []any{j.Edit.At, j.Edit.Name, j.Edit.Literal}
	}
	if a.Events <= 0 {
		a.Events = l.Events
	}
	return a
}

// ask sends a job to the process and returns the child's output. If the process has ended, ask starts a
// new one first.
func (w *Worker) ask(ctx context.Context, job any) ([]byte, error) {
	if w.proc == nil {
		if err := w.start(ctx); err != nil {
			return nil, err
		}
	}
	p := w.proc
	stop := context.AfterFunc(ctx, p.kill)
	kind, said, err := p.exchange(job, w.config.Limits.Bytes)
	if !stop() && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		w.proc = nil
		died := &DiedError{Err: err, Said: p.end()}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, died
	}
	switch kind {
	case 'C', 'P':
		return said, nil
	case 'F':
		return nil, failure(said)
	}
	return nil, fmt.Errorf("the process that records programs cannot: %s", said)
}

// start starts the process and waits until it is ready for jobs.
func (w *Worker) start(ctx context.Context) error {
	const code = "\nderandomized()\ncommands = imported()\nfrom maker.worker import main\nmain(commands)\n"
	p := &process{}
	argv := w.contained.command("-s", "-c", carry+code)
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Env = []string{"PYTHONHASHSEED=0", "LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin"}
	setApart(p.cmd)
	p.cmd.Stderr = &limited{buffer: &p.said, room: 1 << 16}
	p.cmd.WaitDelay = time.Second
	var err error
	if p.commands, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	answers, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.answers = answers
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("%s does not start: %w", w.python, err)
	}
	stop := context.AfterFunc(ctx, p.kill)
	err = w.introduce(p)
	if !stop() && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		said := p.end()
		if version := (*VersionError)(nil); errors.As(err, &version) || ctx.Err() != nil {
			return err
		}
		return &DiedError{Err: err, Said: said}
	}
	w.proc = p
	return nil
}

// introduce sends the package maker and the limits to a new process, and reads the facts
// about its interpreter.
func (w *Worker) introduce(p *process) error {
	l := w.config.Limits
	if err := p.send(w.contained.maker); err != nil {
		return err
	}
	kind, said, err := p.exchange(map[string]any{"real": string(w.real), "filter": filter(), "together": w.config.together, "limits": map[string]any{
		"cpu": int((l.CPU + time.Second - 1) / time.Second), "seconds": l.Wall.Seconds(), "memory": l.Memory,
		"files": 64, "bytes": l.Bytes, "text": l.Text,
	}}, 1<<16)
	if err != nil {
		return err
	}
	var hello struct {
		Version string
		Exact   bool
		Makes   bool
		Library string
	}
	if err := json.Unmarshal(said, &hello); kind != 'H' || err != nil {
		return errors.New("it does not introduce itself")
	}
	if !hello.Exact {
		return &VersionError{Python: w.python, Version: hello.Version}
	}
	if w.version == "" {
		w.version, w.makes, w.library = hello.Version, hello.Makes, hello.Library
	}
	return nil
}
