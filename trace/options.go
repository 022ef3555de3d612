package trace

import (
	"cmp"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Options says what to run and how. Exactly one of Script, Module and Code is set.
type Options struct {
	Python string // interpreter; "" searches $VIRTUAL_ENV/bin/python, python3, python
	Script string // path of the program
	Module string // name of the module to run, as for python -m
	Code   string // code to run, as for python -c
	Entry  string // a call, such as "f(1, 2)", to debug in place of the module; "" for none

	// From is the place where recording begins; "" for the first state. It is FILE:LINE or a
	// function (as for a breakpoint), FILE:FUNCTION, a pytest node id, or FirstTest. The
	// program runs unrecorded up to this place. Start returns before that; Recording.Resume
	// waits until the program gets there.
	From string

	// Thread is the name of the thread to record, or a glob that matches the whole name; "" is the
	// main thread. The program runs unrecorded until the first such thread begins, as with From, which
	// must not be set too. The other threads are never recorded.
	Thread string

	// Children makes the child processes of the program that are Pythons join npdb, each with a recording
	// of its own: see Recording.Children.
	Children bool

	// Begin is the state at which a session begins, nil for the program's first state.
	Begin *Beginning

	Args []string // the program's arguments: sys.argv[1:]
	Dir  string   // working directory; "" for the current one
	Env  []string // environment; nil for this process's

	// Stdin is the program's standard input. If it is nil, the program reads the text given to
	// Recording.Input. A move during which the program has to wait for this text stops with the
	// reason NeedsInput. Close waits until a Stdin that is not an *os.File is no longer read, so
	// its Read must not block for long.
	Stdin io.Reader

	// Stdout and Stderr, if not nil, receive a copy of what the program prints, immediately and
	// without a limit. With Terminal, Stdout is what the program writes to its terminal.
	Stdout, Stderr io.Writer

	// RandomSeed, if not nil, is passed to random.seed before the program begins. It has no
	// effect if the program has its own module random in place of the standard library's.
	RandomSeed *int64

	// Terminal gives the program a terminal of its own. nil connects it by pipes instead.
	Terminal *Terminal

	// UserCode and LibraryCode are globs over absolute paths ("**" spans directories). The code
	// of files that match UserCode is recorded, that of files that match LibraryCode is not. A
	// glob that does not start at the root matches the end of a path, and a glob for a folder
	// matches all files in it. Texts in LibraryCode stands for all code compiled from a string.
	UserCode    []string
	LibraryCode []string
	// Named are paths, not globs, of files whose code is always recorded.
	Named []string

	// Wrap is a command that runs the interpreter in a sandbox, such as bwrap with its
	// options. The interpreter and its arguments are appended. The command must either exec
	// the interpreter or run it as its only descendant without children, pass descriptors 0
	// to 7 on, and exit with the interpreter's status, or with 128 plus the number of a
	// signal.
	Wrap []string

	// Audit sets how often npdb compares all values with the recorded ones, to find changes
	// that the source of a line does not explain: at every Audit-th event, or AuditSampled or
	// AuditOff. If it finds such a change, a notice reports the line.
	Audit int

	// Reprs selects when npdb calls the program's own __repr__; "" selects ReprsAlways.
	Reprs Reprs

	// Repeat notes what the program takes from chance and what it does to its surroundings, so that
	// MakePast can run it again. The program then has a fixed address layout where the system allows.
	Repeat bool

	// Branches notes what Branch needs. That is less than for Repeat, which includes it: what the
	// program does to its surroundings is seen, but not what else its results depend on.
	Branches bool

	// Budget bounds how much one move records, with Repeat.
	Budget Budget

	// Redact replaces secrets in files; nil for none. A file is then written at the end only.
	Redact Redactor

	// Keep is the number of the newest events to keep, with a few more; 0 keeps all. The State Tree then
	// holds only some of them, and its events are counted from a later one again and again, so that
	// only Save and Dump show what is recorded.
	Keep int

	Limits Limits

	joining    string      // what the tracer must know with Children
	again      *repetition // set for a run that repeats another
	forgetFrom int         // with Keep, the number of objects from which on the tracer forgets some; for tests
}

// noted reports whether the program's chance is noted.
func (o Options) noted() bool { return o.Repeat || o.Branches }

// Texts is a pattern for Options.LibraryCode. It matches code that was compiled from a
// string, if linecache has its source.
const Texts = "<**"

// begins reports whether the program runs unrecorded at first.
func (o Options) begins() bool { return o.From != "" || o.Thread != "" }

// FirstTest is a value of Options.From. It begins recording at the first line of the first test
// that pytest or unittest runs.
const FirstTest = ":test"

// Reprs selects when a recording calls the program's own __repr__.
type Reprs string

const (
	// ReprsAlways calls an object's __repr__ whenever its result may have changed.
	ReprsAlways Reprs = "always"
	// ReprsAsked calls __repr__ only when Ask evaluates an expression. Objects are recorded by
	// their attributes or elements, without running the program's code.
	ReprsAsked Reprs = "asked"
	// ReprsStops is like ReprsAsked, but also calls __repr__ at each stop at the live edge, for
	// at most 200 objects that can be reached from the locals of the innermost frame.
	ReprsStops Reprs = "stops"
)

const (
	// AuditSampled makes audits take 2% of the recording time.
	AuditSampled = 0
	// AuditOff turns audits off.
	AuditOff = -1
)

// Unbounded removes the bound of Limits.Slowdown.
const Unbounded = -1

// Terminal is the size of a pseudoterminal, in character cells. It becomes the program's
// standard output and, unless Options.Stdin is set, its standard input. Standard error stays a
// pipe. A move stops with NeedsInput when the program reads the terminal, on systems other than
// Linux only when it reads with sys.stdin or input(). The variable TERM comes from the
// environment, and so do COLUMNS and LINES if Options.Env is set.
type Terminal struct{ Columns, Rows int }

// Limits bound the size of a recording. Zero means the default, which each field's comment
// gives.
type Limits struct {
	Events     int   // maximum number of events; default 20,000,000
	Bytes      int64 // memory for states and texts; default 4 GiB
	ValueBytes int   // size of one value's text; default 16 MiB. Longer texts are cut and marked
	// Items is the maximum number of elements that are recorded of one container; default
	// 100,000. In a move that has recorded 50 million elements of large containers, it is 256.
	Items       int
	OutputBytes int64 // size of the program's output that is kept; default 64 MiB
	// MessageBytes bounds the memory of the messages that the tracer sends on its pipe during
	// one request; default 1 GiB. The tracer never sends that much: if the limit is exceeded,
	// the program itself has written to the pipe, and the recording ends with a ChannelError.
	MessageBytes int64
	ReprTime     time.Duration // time limit of one call of __repr__; default one second
	// Slowdown bounds the time that the tracer spends on examining very many objects, as a
	// multiple of the time for everything else (the program and the rest of the recording);
	// default 2. Objects for which no time is left are recorded in part or late, and a notice
	// says so. Unbounded means no bound.
	Slowdown  float64
	StartTime time.Duration // time limit for starting the interpreter; default one minute
}

// chunkSize returns the size of a chunk of shared memory. It is smaller for recordings with a
// low limit or budget, so that they stop near it: the tracer checks for npdb's request to pause when a
// chunk is full.
func chunkSize(o Options) int {
	const most, least = 256 << 10, 16 << 10
	if o.Limits.Events < 1<<20 || 0 < o.Budget.Events && o.Budget.Events < 1<<20 {
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

// ShownName returns the displayed name of a file: relative to the program's directory if
// the file is below it.
func (o Options) ShownName(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	for _, base := range o.roots() {
		if rel, err := filepath.Rel(base, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return rel
		}
	}
	return path
}

// roots returns the folders of the program's own code.
func (o Options) roots() []string {
	root := o.Dir
	if o.Script != "" {
		root = filepath.Dir(o.Script)
		if !filepath.IsAbs(root) {
			root = filepath.Join(o.Dir, root)
		}
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return nil
	}
	return []string{root, resolved(root)}
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// fields encodes the options for the tracer: the number of the program's arguments, the
// arguments, then the name and value of each option.
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
	seed, keep := "", ""
	if o.Keep > 0 {
		keep = strconv.Itoa(cmp.Or(o.forgetFrom, defaultForgetFrom))
	}
	if o.RandomSeed != nil {
		seed = strconv.FormatInt(*o.RandomSeed, 10)
	}
	fields := append([]string{strconv.Itoa(len(o.Args))}, o.Args...)
	return append(append(fields,
		"kind", kind, "target", target, "entry", o.Entry, "from", o.From, "begin", o.Begin.text(), "announce", announce,
		"user_code", strings.Join(o.UserCode, "\n"), "library_code", strings.Join(o.LibraryCode, "\n"), "named", strings.Join(o.Named, "\n"),
		"value_bytes", strconv.Itoa(o.Limits.ValueBytes), "items", strconv.Itoa(o.Limits.Items),
		"slowdown", strconv.FormatFloat(o.Limits.Slowdown, 'g', -1, 64), "audit", strconv.Itoa(o.Audit), "reprs", string(o.Reprs),
		"signal", strconv.Itoa(int(tracerSignal)), "random_seed", seed, "keep", keep, "thread", o.Thread, "children", o.joining,
	), o.again.fields(o)...)
}
