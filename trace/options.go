package trace

import (
	"io"
	"time"
)

// Options says what to run and how. Exactly one of Script, Module and Code is set.
type Options struct {
	Python string // interpreter; "" searches $VIRTUAL_ENV/bin/python, python3, python
	Script string // path of a program
	Module string // -m MODULE
	Code   string // -c CODE
	Entry  string // a call, such as "f(1, 2)", to debug in place of the module; "" for none

	// From is the place where recording begins; "" for the first state. It is FILE:LINE or
	// a function (as for a breakpoint), FILE:FUNCTION, a pytest node id, or FirstTest. The
	// program runs unrecorded up to this place, and Resume waits for it.
	From string

	Args []string // sys.argv[1:]
	Dir  string   // working directory; "" for the current one
	Env  []string // environment; nil for this process's

	// Stdin is the program's standard input. If it is nil, the program reads the text given
	// to Recording.Input, and a move that blocks on it stops with NeedsInput.
	Stdin io.Reader

	// RandomSeed seeds the module random, if it is the standard library's, before the
	// program begins: random.seed(N). If it is nil, Python seeds it.
	RandomSeed *int64

	// Terminal gives the program a terminal of its own; see the type. nil means pipes.
	Terminal *Terminal

	// UserCode and LibraryCode are globs over absolute paths ("**" spans directories) that
	// add files to user code or remove them. A glob that does not start at the root matches
	// the end of a path, and a glob for a folder matches all files in it. Texts in
	// LibraryCode stands for all code compiled from a string.
	UserCode    []string
	LibraryCode []string
	// Named are paths of files that are always user code. They are not globs.
	Named []string

	// Wrap is a command that runs the interpreter in a sandbox, such as bwrap with its
	// options. The interpreter and its arguments are appended. The command must either exec
	// the interpreter or run it as its only descendant without children, pass descriptors 0
	// to 7 on, and exit with the interpreter's status, or with 128 plus the number of a
	// signal.
	Wrap []string

	// Audit sets how often npdb compares all values to find changes that the source of a
	// line does not explain: at every Audit-th event, or AuditSampled or AuditOff. A
	// notice reports a line with such a change.
	Audit int

	// Reprs selects when npdb calls the program's own __repr__; "" selects ReprsAlways.
	Reprs Reprs

	Limits Limits
}

// Texts is a pattern for Options.LibraryCode. It matches code that was compiled from a
// string, if linecache has its source.
const Texts = "<**"

// FirstTest is a value of Options.From. It begins recording at the first line of the first test
// that pytest or unittest runs.
const FirstTest = ":test"

// Reprs selects when a recording calls the program's own __repr__.
type Reprs string

const (
	// ReprsAlways calls it whenever its result may have changed.
	ReprsAlways Reprs = "always"
	// ReprsAsked calls it only when Ask evaluates an expression. Objects are recorded by
	// their attributes or elements, without running the program's code.
	ReprsAsked Reprs = "asked"
	// ReprsStops is like ReprsAsked, but also calls it at each stop at the live edge, for
	// at most 200 objects that can be reached from the locals of the innermost frame.
	ReprsStops Reprs = "stops"
)

const (
	// AuditSampled spends 2% of the recording time on audits.
	AuditSampled = 0
	// AuditOff does no audits.
	AuditOff = -1
)

// Unbounded is a value of Limits.Slowdown.
const Unbounded = -1

// Terminal gives the program its own terminal: its standard output and, unless Stdin is
// set, its standard input. Standard error stays a pipe. Any read of the terminal stops a
// move as described for Stdin; on systems other than Linux only reads by sys.stdin and
// input() do. TERM comes from the environment, and so do COLUMNS and LINES if Env is set.
type Terminal struct{ Columns, Rows int }

// Limits bound the size of a recording. Zero means the default, which is given for each
// field.
type Limits struct {
	Events      int   // states; 20,000,000
	Bytes       int64 // of memory for states and texts; 4 GiB
	ValueBytes  int   // of one value's text; 16 MiB. Longer texts are cut and marked
	Items       int   // elements rendered of one container; 100,000, or 256 after a move has rendered 50 million elements of large containers
	OutputBytes int64 // of the program's output that is kept; 64 MiB
	// MessageBytes bounds the memory of the tracer's messages outside the records during
	// one request; 1 GiB. Only the program itself can have written more. The recording
	// then ends with a ChannelError.
	MessageBytes int64
	ReprTime     time.Duration // time limit of a __repr__; one second
	// Slowdown bounds the time for examining very many objects, as a multiple of the time
	// for everything else (the program and the rest of the recording); 2. Objects for
	// which no time is left are recorded in part or late, and a notice says so. Unbounded
	// means no bound.
	Slowdown  float64
	StartTime time.Duration // time limit for starting the interpreter; one minute
}
