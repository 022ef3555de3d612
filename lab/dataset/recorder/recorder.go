package recorder

import (
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// Program is a program to run. Its source is UTF-8 and ends with a line end. Entry, such
// as "f('ab', 3)", is a call that is made after the module ran unrecorded; it is "" if the
// module's code is the program. Family is the name of the generator that made it, or "".
type Program struct{ Name, Source, Entry, Family string }

// Job is a program to record: a given one, or the one that the generators make from Seed
// and Number (from 0), at a Difficulty from 0 to 1. The same job gives the same recording
// or Failure, with three exceptions: values that depend on addresses (an id, the order of
// a set of objects), values of an undetected clock (datetime.now), and a program that
// needs just about as long as it may. On Linux a new worker always gives the same
// addresses, if the system allows it, but earlier recordings of the worker may change
// them, and so may another system.
type Job struct {
	Program    *Program
	Seed       string
	Number     int
	Difficulty float64
	Edit       *Edit
	Events     int // maximum number in the recording; 0 for that of Limits
}

// Edit sets a name of the frame at an event to the value of a Python literal, before the
// program continues. The recording is that of the run with the edit: event At has the new
// value.
type Edit struct {
	At            int
	Name, Literal string
}

// Recording is a run of a program: its states with values as texts.
type Recording struct {
	Program Program
	Tree    *statetree.Tree
	Exit    dsl.Exit
	Fatal   int // the exception event at which a debugger stops for an uncaught exception; -1 for none
}

// Text returns the program as the context of a trajectory.
func (r *Recording) Text() *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: r.Program.Name, Lines: dsl.SplitLines(r.Program.Source)}}}
}

// Config says how to run programs.
type Config struct {
	Python  string // an interpreter, named as in trace.Options
	Real    string // the file of real functions that Harvest wrote, for the generators; "" for none
	Contain Containing
	Limits  Limits

	together int // maximum number of programs that share a process; 0 for the default; set by tests
}

// together is large enough to make the cost of a fork small for each of them.
const together = 64

// Containing selects the containment of programs.
type Containing uint8

const (
	// ContainAuto is bubblewrap if it works, otherwise limits and, for root, a separate
	// user, which Worker.Warning reports.
	ContainAuto Containing = iota
	// ContainBubblewrap requires bubblewrap.
	ContainBubblewrap
	// ContainLimits is limits only.
	ContainLimits
)

// Limits limit the resources of one program. Zero means the default.
type Limits struct {
	Events int           // states; 400
	Wall   time.Duration // from the start of its process; 10 seconds
	CPU    time.Duration // in whole seconds; 2 seconds
	Memory int64         // bytes of address space; 1 GiB
	Text   int           // characters of a value; 300
	Bytes  int           // of a recording as the program's process sends it; 16 MiB
}

func (l Limits) orDefault() Limits {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.Events, 400)
	set(&l.Text, 300)
	set(&l.Bytes, 16<<20)
	if l.Wall <= 0 {
		l.Wall = 10 * time.Second
	}
	if l.CPU <= 0 {
		l.CPU = 2 * time.Second
	}
	if l.Memory <= 0 {
		l.Memory = 1 << 30
	}
	return l
}
