package trace

import (
	"io"
	"time"
)

// Options says what to run and how. Exactly one of Script, Module and Code is
// set.
type Options struct {
	Python string // interpreter; "" looks for one: $VIRTUAL_ENV/bin/python, python3, python
	Script string // path of a program
	Module string // -m MODULE
	Code   string // -c CODE
	Entry  string // a call, such as "f(1, 2)", to debug in place of the module; "" for none

	// From is where recording begins, "" for the first state: FILE:LINE or a function,
	// as a breakpoint has it, FILE:FUNCTION, a pytest node id, or FirstTest. The program runs unrecorded up to there, and Resume waits
	// for it.
	From string

	Args []string // sys.argv[1:]
	Dir  string   // working directory; "" for the current one
	Env  []string // environment; nil for this process's

	// Stdin is the program's standard input. When it is nil the program reads
	// what Recording.Input is given, and a move that blocks on it stops with
	// NeedsInput.
	Stdin io.Reader

	// RandomSeed seeds the program's module random, if it is the standard library's,
	// before the program begins: random.seed(N). Nil leaves that to Python.
	RandomSeed *int64

	// Terminal gives the program a terminal of its own: its standard output and,
	// unless Stdin is set, its standard input; standard error stays a pipe. nil
	// means pipes. Whatever reads the terminal stops a move as Stdin says; on
	// other systems than Linux only what Python reads by sys.stdin and input()
	// does. TERM is the environment's, COLUMNS and LINES are when Env is given.
	Terminal *Terminal

	// UserCode and LibraryCode are globs over absolute paths ("**" spans
	// directories) that add files to user code, and take files from it.
	// One that does not begin at the root is for the end of a path, and one for a
	// folder for all that lies in it. Texts in LibraryCode stands for all code
	// compiled from a string.
	UserCode    []string
	LibraryCode []string
	// Named are files that are user code in any case: paths, no globs.
	Named []string

	// Wrap is a command that contains the interpreter, such as bwrap with its
	// options: the interpreter and its arguments are appended to it. It either
	// execs the interpreter or runs it as its only descendant without children,
	// hands on descriptors 0 to 7, and exits as the interpreter does, with 128
	// plus the number of a signal.
	Wrap []string

	// Audit is how often npdb looks at everything to see whether what lines change is
	// what their source says: at every Audit-th event, or AuditSampled or AuditOff. A line
	// that changed something else is told of in a notice.
	Audit int

	// Reprs selects when npdb calls the program's own __repr__; "" selects ReprsAlways.
	Reprs Reprs

	Limits Limits
}

// Texts is a pattern for Options.LibraryCode. It excludes code that was compiled from a string
// and whose source linecache has.
const Texts = "<**"

// FirstTest is a value of Options.From. It begins recording at the first line of the first test
// that pytest or unittest runs.
const FirstTest = ":test"

// Reprs selects when a recording calls the program's own __repr__.
type Reprs string

const (
	// ReprsAlways calls it whenever its text may have changed.
	ReprsAlways Reprs = "always"
	// ReprsAsked calls it only where Ask asks for a value. An object is recorded by its
	// attributes, or its elements, and nothing of the program's code runs for it.
	ReprsAsked Reprs = "asked"
	// ReprsStops does what ReprsAsked does, and also calls it at each stop at the live edge, for
	// the objects that the locals of the innermost frame reach, 200 at most.
	ReprsStops Reprs = "stops"
)

const (
	// AuditSampled has audits take 2% of the time that the program is recorded.
	AuditSampled = 0
	// AuditOff has none.
	AuditOff = -1
)

// Unbounded is for Limits.Slowdown.
const Unbounded = -1

// Terminal is the size of a program's terminal in character cells; 0 means 80
// columns, 24 rows.
type Terminal struct{ Columns, Rows int }

// Limits bound what a recording may hold. Zero means the default.
type Limits struct {
	Events      int   // states; 20,000,000
	Bytes       int64 // of memory for states and texts; 4 GiB
	ValueBytes  int   // of one value's text; 16 MiB. What is over is cut, and says so
	Items       int   // elements of one container that are rendered; 100,000. In a move that has rendered 50 million elements of large ones, the first 256
	OutputBytes int64 // of the program's output that is kept; 64 MiB
	// MessageBytes is how much the tracer may say outside the records while one
	// question is under way; 1 GiB. More, which the program has said in its place,
	// ends the recording with a ChannelError.
	MessageBytes int64
	ReprTime     time.Duration // a __repr__ may take; one second
	// Slowdown bounds the time for looking at very many objects, as a multiple of the time
	// for all else, the program and the rest of recording it; 2. What there is no time for
	// is recorded in part or late, and a notice says so. Unbounded is no bound.
	Slowdown  float64
	StartTime time.Duration // the interpreter may take before it looks at the program; one minute
}
