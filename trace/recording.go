package trace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/trace/statetree"
)

// Recording is a run of a program under CPython: its State Tree, and the
// process that waits at the tree's live edge. Its methods may be called from
// any goroutine; moves and questions take turns.
type Recording struct {
	tree *statetree.Tree
	proc *process
	opts Options

	messages chan message // from the reader; closed when the tracer is gone
	said     atomic.Int64 // what the messages since the last question cost

	moving  sync.Mutex // held by the move or question under way
	pending bool       // a move stopped for input and is still under way
	from    Position   // where the move under way was asked
	wanted  dsl.Move   // the move under way
	over    bool       // the process is gone
	fatal   *string    // repr of what nothing caught
	orderly bool       // the program's code came to its end, before the process did
	gapsAt  int        // gaps the user was told of
	call    []string   // what the program said as it called the debugger

	unrecorded bool        // moves run unrecorded
	hole       atomic.Bool // the move under way does
	begun      bool        // the program was told to have, where Options.From is set
	placed     bool        // where the program died was made an event, once it had

	mu      sync.Mutex // guards what follows
	edge    Position
	exit    *dsl.Exit
	notices []string
	lost    bool   // see Lost
	limits  Limits // of this stretch of the recording
	outputs outputs
	decode  decoder
	readErr error
	chunk   int    // of the shared memory, that is read,
	at      int    // and how far
	copied  []byte // what was taken from it last
}

// Start runs the program up to its first state. The landing is that state, or
// the end when there is none; with Options.From it is Begun, as soon as the program is. A program that cannot be started (no Python, no
// file, a syntax error) is a *StartError.
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
	o.Limits = o.Limits.orDefault()
	if o.Reprs == "" {
		o.Reprs = ReprsAlways
	}
	r := &Recording{
		tree: statetree.New(), opts: o, limits: o.Limits, edge: Position{Event: -1},
		messages: make(chan message, 16),
	}
	r.tree.SetLimits(o.Limits.ValueBytes, o.Limits.Items)
	r.outputs.room = o.Limits.OutputBytes
	r.decode = decoder{tree: r.tree, name: o.ShownName, output: r.printed}
	stdin, _ := o.Stdin.(*os.File)
	if r.proc, err = spawn(python, o, stdin); err != nil {
		return nil, Landing{}, err
	}
	if err := r.introduce(ctx, python); err != nil {
		r.proc.free()
		_ = r.proc.memory.close()
		return nil, Landing{}, err
	}
	if o.Stdin != nil && stdin == nil {
		go feed(r.proc, o.Stdin)
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

// chunkSize lets a recording with a low limit stop near it: the tracer looks
// for npdb's wish to pause when a chunk is full.
func chunkSize(l Limits) int {
	const most, least = 256 << 10, 16 << 10
	if l.Events < 1<<20 {
		return least
	}
	return most
}

func (l Limits) orDefault() Limits {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.Events, 20_000_000)
	set(&l.ValueBytes, 16<<20)
	set(&l.Items, 100_000)
	if l.Bytes <= 0 {
		l.Bytes = 4 << 30
	}
	if l.Slowdown == 0 {
		l.Slowdown = 2
	}
	if l.OutputBytes <= 0 {
		l.OutputBytes = 64 << 20
	}
	if l.MessageBytes <= 0 {
		l.MessageBytes = 1 << 30
	}
	if l.ReprTime <= 0 {
		l.ReprTime = time.Second
	}
	if l.StartTime <= 0 {
		l.StartTime = time.Minute
	}
	return l
}

// ShownName returns how a file is shown: relative to the program's directory where
// it lies below it.
func (o Options) ShownName(path string) string {
	root := o.Dir
	if o.Script != "" {
		root = filepath.Dir(o.Script)
		if !filepath.IsAbs(root) {
			root = filepath.Join(o.Dir, root)
		}
	}
	root, err := filepath.Abs(root)
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	for _, base := range []string{root, resolved(root)} {
		if rel, err := filepath.Rel(base, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return rel
		}
	}
	return path
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// introduce brings the tracer's code and the options over. An interpreter that
// does not answer in time is ended.
func (r *Recording) introduce(ctx context.Context, python string) error {
	limit := r.opts.Limits.StartTime
	answering, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(answering, r.proc.abandon)
	defer stop()
	failed := func() error {
		<-r.proc.exited // at the latest when its time is over
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case answering.Err() != nil:
			return &StartError{
				Kind: StartFailed, Err: answering.Err(),
				Message: fmt.Sprintf("%s did not answer within %v and was ended: is it a Python, or does something that runs before every program wait? npdb needs CPython 3.9 or later", python, limit),
			}
		}
		said := strings.TrimSpace(string(r.proc.streams[2].take()))
		message := python + " (" + versionOf(ctx, python) + ") ended before it could start the program"
		if said != "" {
			message += ": " + said[strings.LastIndexByte(said, '\n')+1:]
		}
		return &StartError{Kind: StartFailed, Traceback: said, Message: message + "; npdb needs CPython 3.9 or later"}
	}
	var first [1]byte
	if _, err := io.ReadFull(r.proc.events, first[:]); err != nil {
		return failed()
	}
	r.proc.settle()
	switch first[0] {
	case 'O':
		return &StartError{
			Kind:    OldPython,
			Message: python + " is " + versionOf(ctx, python) + "; npdb needs CPython 3.9 or later: name one with --python",
		}
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
					Message: python + " is " + m.field(1) + ", not CPython: name a CPython 3.9 or later with --python",
				}
			}
			return nil
		case msgRefused:
			return refusal(m)
		}
	}
}

// refusal returns that of a program that has not begun; only the tracer's own kinds
// are believed.
func refusal(m message) error {
	kind, words := StartKind(m.field(0)), m.field(1)
	switch kind {
	case NoProgram, IsDirectory, SyntaxError: // which name a file: it stays on its line
		words = strings.ReplaceAll(words, "\n", `\x0a`)
	case EntryInvalid, FromInvalid, StartFailed:
	default:
		return &ChannelError{fmt.Errorf("the tracer refuses the program for no reason that there is: %q", m.field(0))}
	}
	return &StartError{Kind: kind, Message: words, Traceback: m.field(2)}
}

// fields returns the options as the tracer's loader takes them: the number of the
// program's arguments, these, then name and value of each option.
func (o Options) fields() []string {
	kind, target := "script", o.Script
	switch {
	case o.Module != "":
		kind, target = "module", o.Module
	case o.Code != "":
		kind, target = "code", o.Code
	}
	announce := "0"
	if o.Stdin == nil {
		announce = "1"
	}
	seed := ""
	if o.RandomSeed != nil {
		seed = strconv.FormatInt(*o.RandomSeed, 10)
	}
	fields := append([]string{strconv.Itoa(len(o.Args))}, o.Args...)
	return append(fields,
		"kind", kind, "target", target, "entry", o.Entry, "from", o.From, "announce", announce,
		"user_code", strings.Join(o.UserCode, "\n"), "library_code", strings.Join(o.LibraryCode, "\n"), "named", strings.Join(o.Named, "\n"),
		"value_bytes", strconv.Itoa(o.Limits.ValueBytes), "items", strconv.Itoa(o.Limits.Items),
		"slowdown", strconv.FormatFloat(o.Limits.Slowdown, 'g', -1, 64), "audit", strconv.Itoa(o.Audit), "reprs", string(o.Reprs),
		"signal", strconv.Itoa(int(tracerSignal)), "random_seed", seed,
	)
}

// tell sends the tracer a message.
func (r *Recording) tell(fields ...string) error {
	r.said.Store(0)
	if _, err := r.proc.commands.Write(packMessage(fields...)); err != nil {
		return &GoneError{What: fields[0]}
	}
	return nil
}

// Tree returns the recording's State Tree. It grows while a move runs.
func (r *Recording) Tree() *statetree.Tree { return r.tree }

// AddFile registers a file that may run later, so that a breakpoint can be set
// in it; path is absolute. A file that is known, by this path or by another one that
// symbolic links lead to, keeps its number.
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

// asUTF8 takes source that is no UTF-8 for Latin-1, as most of it is.
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

// LiveEdge returns the position of the furthest event a move has asked for.
func (r *Recording) LiveEdge() Position {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.edge
}

// Exit returns how the program ended, nil while it runs.
func (r *Recording) Exit() *dsl.Exit {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exit
}

// Lost reports whether the program closed the channels to npdb before it ended: how it
// ended is known, and not what it did from there on.
func (r *Recording) Lost() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// Interrupt stops a running move at the next event or signal check.
func (r *Recording) Interrupt() {
	r.proc.interrupt()
}

// Kill ends the program at once.
func (r *Recording) Kill() { r.proc.kill() }

// Close ends the program and everything it started and frees what the
// recording holds outside its tree.
func (r *Recording) Close() error {
	r.proc.free()
	for range r.messages { // until the reader is done
		continue
	}
	r.moving.Lock()
	defer r.moving.Unlock()
	r.ended()
	return r.proc.memory.close()
}
