package recorder

import (
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// Program is what is run. Its source is UTF-8 and ends with a line end. Entry, such as
// "f('ab', 3)", is a call that is made after the module ran unrecorded; "" where the
// module's code is the program. Family names the generator that made it, "" for none.
type Program struct{ Name, Source, Entry, Family string }

// Job is a program to record: a given one, or the one that the generators make of Seed and
// Number, 0 and up, at a Difficulty from 0 to 1. The same job gives the same recording or
// Failure, but for what a program makes of addresses (an id, the order of a set of objects),
// or of a clock that is not noticed (datetime.now), and but for one that takes just about as
// long as it may. As to addresses: on Linux, where the system lets it, a worker that begins
// always gives the same ones, but what it recorded before may move them, as may another
// system.
type Job struct {
	Program    *Program
	Seed       string
	Number     int
	Difficulty float64
	Edit       *Edit
	Events     int // that the recording may have; 0 for those of Limits
}

// Edit sets a name of the frame at an event to the value of a literal of Python's, before
// the program goes on. The recording is that of the run with it: event At has the new value.
type Edit struct {
	At            int
	Name, Literal string
}

// Recording is a run of a program: its states with their values as texts.
type Recording struct {
	Program Program
	Tree    *statetree.Tree
	Exit    dsl.Exit
	Fatal   int // the exception event that a debugger stops at where nothing caught the exception; -1
}

// Text returns the program as the context of a trajectory.
func (r *Recording) Text() *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: r.Program.Name, Lines: dsl.SplitLines(r.Program.Source)}}}
}

// Config is how programs are run.
type Config struct {
	Python  string // an interpreter, as trace.Options names it
	Real    string // the file of real functions that Harvest wrote, for the generators; "" for none
	Contain Containing
	Limits  Limits

	together int // programs that share a process at most; 0 for the usual, which tests change
}

// together is so many that a fork's cost is little for each of them.
const together = 64

// Containing is how programs are kept from the machine.
type Containing uint8

const (
	// ContainAuto is bubblewrap where it works, else limits and, for root, another user,
	// which Worker.Warning tells.
	ContainAuto Containing = iota
	// ContainBubblewrap is bubblewrap, or an error.
	ContainBubblewrap
	// ContainLimits is limits alone.
	ContainLimits
)

// Limits bound what one program may take. Zero means the default.
type Limits struct {
	Events int           // states; 400
	Wall   time.Duration // from the start of its process; 10 seconds
	CPU    time.Duration // in whole seconds; 2 seconds
	Memory int64         // bytes of address space; 1 GiB
	Text   int           // characters of a value; 300
	Bytes  int           // of a recording as it comes from the program; 16 MiB
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
