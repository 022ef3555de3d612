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
	UserCode    []string
	LibraryCode []string

	// Wrap is a command that contains the interpreter, such as bwrap with its
	// options: the interpreter and its arguments are appended to it. It either
	// execs the interpreter or runs it as its only descendant without children,
	// hands on descriptors 0 to 6, and exits as the interpreter does, with 128
	// plus the number of a signal.
	Wrap []string

	Limits Limits
}

// Terminal is the size of a program's terminal in character cells; 0 means 80
// columns, 24 rows.
type Terminal struct{ Columns, Rows int }

// Limits bound what a recording may hold. Zero means the default.
type Limits struct {
	Events      int           // states; 20,000,000
	Bytes       int64         // of memory for states and texts; 4 GiB
	ValueBytes  int           // of one value's text; 16 MiB. What is over is cut, and says so
	Items       int           // elements of one container that are rendered; 100,000. In a move that has rendered 50 million elements of large ones, the first 256
	OutputBytes int64         // of the program's output that is kept; 64 MiB
	ReprTime    time.Duration // a __repr__ may take; one second
}
