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
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
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

	moving  sync.Mutex // held by the move or question under way
	pending bool       // a move stopped for input and is still under way
	from    Position   // where the move under way was asked
	wanted  dsl.Move   // the move under way
	over    bool       // the process is gone
	fatal   *string    // repr of what nothing caught
	orderly bool       // the program's code came to its end, before the process did
	gapsAt  int        // gaps the user was told of

	mu      sync.Mutex // guards what follows
	edge    Position
	exit    *dsl.Exit
	notices []string
	limits  Limits // of this stretch of the recording
	outputs outputs
	decode  decoder
	readErr error
	chunk   int // of the shared memory, that is read,
	at      int // and how far
}

// Start runs the program up to its first state. The landing is that state, or
// the end when there is none. A program that cannot be started (no Python, no
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
	o.Limits = o.Limits.orDefault()
	r := &Recording{
		tree: statetree.New(), opts: o, limits: o.Limits, edge: Position{Event: -1},
		messages: make(chan message, 16),
	}
	r.outputs.room = o.Limits.OutputBytes
	r.decode = decoder{tree: r.tree, name: o.ShownName, output: r.outputs.add}
	stdin, _ := o.Stdin.(*os.File)
	if r.proc, err = spawn(python, o, stdin); err != nil {
		return nil, Landing{}, &StartError{Kind: StartFailed, Message: "cannot run " + python + ": " + err.Error()}
	}
	if o.Stdin != nil && stdin == nil {
		go feed(r.proc, o.Stdin)
	}
	if err := r.introduce(ctx, python); err != nil {
		r.proc.free()
		_ = r.proc.memory.close()
		return nil, Landing{}, err
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
	if l.OutputBytes <= 0 {
		l.OutputBytes = 64 << 20
	}
	if l.ReprTime <= 0 {
		l.ReprTime = time.Second
	}
	return l
}

// ShownName is how a file is shown: relative to the program's directory where
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

// introduce brings the tracer's code and the options over.
func (r *Recording) introduce(ctx context.Context, python string) error {
	stop := context.AfterFunc(ctx, r.proc.kill)
	defer stop()
	failed := func() error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		<-r.proc.exited
		said := strings.TrimSpace(string(r.proc.streams[2].take()))
		return &StartError{
			Kind: StartFailed, Traceback: said,
			Message: python + " did not start the program (" + versionOf(ctx, python) + "); npdb needs CPython 3.9 or later",
		}
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
		_, modules := tracerSource()
		if err := r.tell(modules...); err != nil {
			return failed()
		}
	}
	if err := r.tell(r.opts.fields()...); err != nil {
		return failed()
	}
	for {
		m, err := readMessage(r.proc.events)
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

func refusal(m message) error {
	return &StartError{Kind: StartKind(m.field(0)), Message: m.field(1), Traceback: m.field(2)}
}

// fields are the options as the tracer's loader takes them: the number of the
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
		"kind", kind, "target", target, "entry", o.Entry, "announce", announce,
		"user_code", strings.Join(o.UserCode, "\n"), "library_code", strings.Join(o.LibraryCode, "\n"),
		"value_bytes", strconv.Itoa(o.Limits.ValueBytes), "items", strconv.Itoa(o.Limits.Items),
		"signal", strconv.Itoa(int(tracerSignal)), "random_seed", seed,
	)
}

// tell sends the tracer a message.
func (r *Recording) tell(fields ...string) error {
	if _, err := r.proc.commands.Write(packMessage(fields...)); err != nil {
		return &GoneError{What: fields[0]}
	}
	return nil
}

// read takes what the tracer writes, until it is gone: records go into the
// tree, messages to whoever waits for them.
func (r *Recording) read() {
	defer close(r.messages)
	for {
		m, err := readMessage(r.proc.events)
		to := r.proc.memory.chunk
		switch {
		case m.tag == msgOutput:
			r.proc.memory.data[hdrNews] = 0 // before looking: what comes later says so itself
			fallthrough
		case err == nil && m.tag != msgFull:
			to = r.proc.memory.written(r.chunk)
		}
		if failed := r.drain(to); failed != nil || err != nil {
			break
		}
		if m.tag == msgOutput {
			continue
		}
		if m.tag != msgFull {
			r.messages <- m
			continue
		}
		r.nextChunk()
		_, _ = r.proc.credits.Write([]byte{1}) // fails when the tracer is gone, as the next read says
	}
	<-r.proc.exited
	_ = r.drain(r.proc.memory.chunk) // what was written before the process died
}

// drain reads the records up to a place in the chunk: what the tracer has
// published, or the end of a chunk that it has left.
func (r *Recording) drain(to int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	buf := r.proc.memory.of(r.chunk)
	return r.take(buf[r.at:max(r.at, min(to, len(buf)))])
}

// take reads records that lie where the last ones ended. r.mu is held.
func (r *Recording) take(records []byte) error {
	n, err := r.decode.consume(records)
	r.at += n
	if err != nil && r.readErr == nil {
		r.readErr = err
		r.proc.kill()
	}
	if r.tree.Len() >= r.limits.Events || r.tree.Bytes() >= r.limits.Bytes {
		r.proc.memory.data[hdrPause] = 1
	}
	return err
}

// nextChunk leaves a chunk, empty, for the tracer to fill again.
func (r *Recording) nextChunk() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.proc.memory.of(r.chunk)[:r.at])
	r.chunk, r.at = (r.chunk+1)%chunkCount, 0
}

// Tree is the recording's State Tree. It grows while a move runs.
func (r *Recording) Tree() *statetree.Tree { return r.tree }

// AddFile registers a file that may run later, so that a breakpoint can be set
// in it; path is absolute. A file that is known keeps its number.
func (r *Recording) AddFile(path string) (int, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("cannot read %s: %w", path, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var file int
	r.tree.Batch(func() { file = r.decode.file(path, asUTF8(source)) })
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

// LiveEdge is the position of the furthest event a move has asked for.
func (r *Recording) LiveEdge() Position {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.edge
}

// Exit is how the program ended, nil while it runs.
func (r *Recording) Exit() *dsl.Exit {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exit
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
	if r.proc.memory.data == nil {
		return nil
	}
	r.ended()
	return r.proc.memory.close()
}
