package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/python/supported"
	"github.com/npdb/npdb/trace/statetree"
)

// Recording is a run of a program under CPython: its State Tree, and the process that waits at
// the tree's live edge. Its methods are safe for concurrent use; moves and requests run one at
// a time.
type Recording struct {
	tree *statetree.Tree
	proc *process
	opts Options

	messages chan message   // the reader sends them, and closes the channel when the tracer has exited
	said     atomic.Int64   // memory that the messages since the last request take
	fed      sync.WaitGroup // the goroutine that reads Options.Stdin, if it is not a file
	log      fileLog
	kept     *keeping // nil without Options.Keep; r.mu guards it

	children *children // nil without Options.Children

	moving  sync.Mutex // locked by the current move or request
	pending bool       // the current move stopped with NeedsInput or Begun, and Resume must continue it
	from    Position   // position where the current move began
	wanted  dsl.Move   // the current move
	over    bool       // the process has exited
	fatal   *string    // repr of the uncaught exception, if any
	orderly bool       // the program's code ended before the process did
	gapsAt  int        // number of gaps that were reported to the user
	others  []string   // names of threads that began while Options.Thread did not
	call    []string   // frame and commands of the program's call of the debugger; nil if there was none

	unrecorded bool        // set by Record(false)
	hole       atomic.Bool // the current move runs unrecorded
	unseen     atomic.Bool // the program reads input that must not be shown
	following  bool        // this run repeats another one
	chance     chance      // what the program took from chance
	stretches  []stretch   // the moves so far, with Options.Repeat
	typed      []typedInput
	edits      []edit      // what the user changed
	codes      map[int]int // in a run that repeats another: the code objects of that run by those of this one
	toldOnce   []string    // notices that are given once
	spending   spending
	addressed  bool    // a run that repeats another has recorded a text with an address
	leaving    Leaving // what becomes of a program that npdb did not start; "" if npdb started it, or for a part of one

	begun  bool // Start returned Begun
	placed bool // the tracer was asked to record the uncaught exception as an event

	mu      sync.Mutex // guards the fields below
	edge    Position
	exit    *dsl.Exit
	notices []string
	shown   int    // number of notices that were shown
	urgent  bool   // a notice that was not shown should not wait for the end of the move
	lost    bool   // the program closed its channels to npdb; see Lost
	stops   []Stop // those of the latest move that had some
	limits  Limits // limits of the current part of the recording
	outputs outputs
	decode  decoder
	readErr error
	chunk   int    // index of the chunk of shared memory that is being read
	at      int    // offset in this chunk up to which records were decoded
	copied  []byte // buffer for the latest copy of records
}

// Start runs the program up to its first state. The landing is that state, or the end if the
// program has none. With Options.From, Start returns as soon as the program runs, with the
// reason Begun. If the program cannot be started (no Python, no file, a syntax error), the
// error is a *StartError.
func Start(ctx context.Context, o Options) (*Recording, Landing, error) {
	if o.Env == nil {
		o.Env = os.Environ()
		if o.Terminal != nil {
			o.Env = slices.DeleteFunc(o.Env, isTerminalSize)
		}
	}
	if lookup(o.Env, "PYTHONHASHSEED") == "" {
		o.Env = append(o.Env[:len(o.Env):len(o.Env)], "PYTHONHASHSEED=0")
	}
	python, err := FindPython(o.Python, o.Env)
	if err != nil {
		return nil, Landing{}, err
	}
	if err := o.checkScript(); err != nil {
		return nil, Landing{}, err
	}
	if err := o.Begin.check(); err != nil {
		return nil, Landing{}, err
	}
	if o.Thread != "" { // a run with several threads cannot be repeated
		o.Repeat, o.Branches, o.Budget = false, false, Budget{}
	}
	if _, file := o.Stdin.(*os.File); o.noted() && o.Stdin != nil && !file {
		o.Stdin = &heard{from: o.Stdin}
	}
	o.Limits = o.Limits.orDefault()
	if o.Reprs == "" {
		o.Reprs = ReprsAlways
	}
	r := &Recording{
		tree: statetree.New(), opts: o, limits: o.Limits, edge: Position{Event: -1},
		messages: make(chan message, 16),
	}
	r.tree.SetLimits(o.Limits.ValueBytes, o.Limits.Items)
	r.outputs.room, r.outputs.log = o.Limits.OutputBytes, &r.log.Writer
	r.log.started, r.log.indexFrom = time.Now(), defaultIndexFrom
	r.decode = decoder{tree: r.tree, name: o.ShownName, output: r.printed}
	r.keep(o.Keep)
	if o.Children {
		if r.children, err = newChildren(); err != nil {
			return nil, Landing{}, fmt.Errorf("no socket for child processes: %w", err)
		}
		r.children.of = r
		o.joining = r.children.option()
		r.opts = o
	}
	stdin, _ := o.Stdin.(*os.File)
	if r.proc, err = spawn(python, o, stdin); err != nil {
		r.endChildren()
		return nil, Landing{}, err
	}
	if err := r.introduce(ctx, python); err != nil {
		r.endChildren()
		r.proc.free()
		_ = r.proc.memory.close()
		return nil, Landing{}, err
	}
	if r.children != nil {
		go r.children.accept()
	}
	if o.Stdin != nil && stdin == nil {
		r.fed.Go(func() { feed(r.proc, o.Stdin) })
	}
	go r.read()
	r.from = Position{Event: -1}
	stop := context.AfterFunc(ctx, r.proc.kill) // a module loaded for --entry may not return
	landing, err := r.await(ctx)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = r.Close()
		return nil, Landing{}, err
	}
	landing.Horizon = 0
	return r, landing, nil
}

// introduce sends the tracer's code and the options to the new interpreter. It ends an
// interpreter that does not respond in time.
func (r *Recording) introduce(ctx context.Context, python string) error {
	limit := r.opts.Limits.StartTime
	answering, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(answering, r.proc.abandon)
	defer stop()
	failed := func() error {
		<-r.proc.exited // ends at the latest at the time limit
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case answering.Err() != nil:
			return &StartError{
				Kind: StartFailed, Err: answering.Err(),
				Message: fmt.Sprintf("%s did not answer within %v and was ended: is it a Python, or does something that runs before every program wait? npdb needs %s", python, limit, supported.Needed()),
			}
		}
		said := strings.TrimSpace(string(r.proc.streams[2].take()))
		version := versionOf(ctx, python)
		var major, minor int
		if n, _ := fmt.Sscanf(version, "Python %d.%d", &major, &minor); n == 2 && supported.TooOld(major, minor) {
			return tooOld(python, version) // Python 2 ends before it can say so
		}
		message := python
		if version != "" {
			message += " (" + version + ")"
		}
		message += " ended before it could start the program"
		if said != "" {
			message += ": " + lastWords(said)
		}
		return &StartError{Kind: StartFailed, Traceback: said, Message: message + "; npdb needs " + supported.Needed()}
	}
	var first [1]byte
	if _, err := io.ReadFull(r.proc.events, first[:]); err != nil {
		return failed()
	}
	r.proc.settle()
	switch first[0] {
	case 'O':
		return tooOld(python, versionOf(ctx, python))
	case 'C': // the interpreter has no compiled tracer yet
		if err := r.bring(answering, python); err != nil {
			return failed()
		}
	}
	if err := r.tell(r.opts.fields()...); err != nil {
		return failed()
	}
	for {
		m, err := readMessage(r.proc.events, r.opts.Limits.MessageBytes)
		if err != nil {
			return failed()
		}
		switch m.tag {
		case msgHello:
			if m.field(1) != "cpython" {
				return &StartError{
					Kind:    OldPython,
					Message: python + " is " + m.field(1) + ", not CPython: name a " + supported.Needed() + " with --python",
				}
			}
			r.log.python = m.field(0)
			return nil
		case msgRefused:
			return refusal(m)
		}
	}
}

// lastWords returns the line of a failed interpreter's error output that says why: its fatal error, or
// the last line.
func lastWords(said string) string {
	lines := strings.Split(said, "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "Fatal Python error: ") {
			return line
		}
	}
	return lines[len(lines)-1]
}

// tooOld returns the error of an interpreter that npdb does not support.
func tooOld(python, version string) error {
	return &StartError{Kind: OldPython, Message: python + " is " + version + "; npdb needs " + supported.Needed() + ": name one with --python"}
}

// refusal returns the error of a program that was not started. It accepts only the error
// kinds that the tracer sends.
func refusal(m message) error {
	kind, words := StartKind(m.field(0)), m.field(1)
	switch kind {
	case NoProgram, IsDirectory, SyntaxError: // the message names a file and must stay on one line
		words = strings.ReplaceAll(words, "\n", `\x0a`)
	case EntryInvalid, FromInvalid, StartFailed, BeginRefused, LocalsRefused:
	default:
		return &ChannelError{fmt.Errorf("the tracer refuses the program for an unknown reason: %q", m.field(0))}
	}
	return &StartError{Kind: kind, Message: words, Traceback: m.field(2)}
}

// tell sends a message to the tracer.
func (r *Recording) tell(fields ...string) error {
	r.said.Store(0)
	if _, err := r.proc.commands.Write(packMessage(fields...)); err != nil {
		return &GoneError{What: fields[0]}
	}
	return nil
}

// Tree returns the recording's State Tree. It grows while a move runs.
func (r *Recording) Tree() *statetree.Tree { return r.tree }

// AddFile registers a file that may run later, so that a breakpoint can be set in it. path
// is absolute. A file that is already registered under this path, or under another one
// through symbolic links, keeps its number.
func (r *Recording) AddFile(path string) (int, error) {
	real := resolved(path)
	r.mu.Lock()
	n, known := r.decode.paths[real]
	r.mu.Unlock()
	if known {
		return n, nil
	}
	source, err := plainfile.ReadSource(path)
	if err != nil {
		return 0, fmt.Errorf("cannot read %q: %w", path, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var file int
	r.tree.Batch(func() { file = r.decode.file(path, real, asUTF8(source)) })
	return file, nil
}

// asUTF8 converts source that is not UTF-8 from Latin-1, its most likely encoding.
func asUTF8(source []byte) []byte {
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	if utf8.Valid(source) {
		return source
	}
	text := make([]byte, 0, 2*len(source))
	for _, b := range source {
		text = utf8.AppendRune(text, rune(b))
	}
	return text
}

// LiveEdge returns the position of the furthest event that a move has reached.
func (r *Recording) LiveEdge() Position {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.edge
}

// Exit returns how the program ended, or nil while it runs.
func (r *Recording) Exit() *dsl.Exit {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exit
}

// Lost reports whether the program closed its channels to npdb before it ended. Then npdb
// knows its exit status, but not the events after the channels were closed.
func (r *Recording) Lost() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// Interrupt stops a running move at the next event or signal check.
func (r *Recording) Interrupt() {
	r.proc.interrupt()
}

// Signal sends the program a signal.
func (r *Recording) Signal(s os.Signal) { r.proc.send(s) }

// Pid returns the id of the program's process.
func (r *Recording) Pid() int { return r.proc.pid() }

// Kill ends the program at once.
func (r *Recording) Kill() { r.proc.kill() }

// Close ends the program and its process group and frees all resources. The tree stays
// readable. The errors are those of freeing, and of writing to the file of Save.
func (r *Recording) Close() error {
	running := !r.moving.TryLock() // a move holds the lock until the program has ended
	var left error
	if running {
		left = r.leave(false)
	} else {
		if running = !r.over; running {
			left = r.leave(true)
		}
		r.moving.Unlock()
	}
	r.endChildren()
	r.proc.free()
	for range r.messages { // wait until the reader has finished
		continue
	}
	r.log.stopped = r.log.stopped || running // the reader of a process that ended sets it too
	r.fed.Wait()
	r.moving.Lock()
	defer r.moving.Unlock()
	r.ended()
	return errors.Join(left, r.finish(), r.proc.forget())
}
