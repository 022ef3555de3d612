package recorder

import (
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// Program is a program to run. Its source is UTF-8 and ends with a line end. Entry is a call, such as
// "f('ab', 3)", that is recorded after the module has run unrecorded; it is "" if the module's own code
// is recorded. Family is the name of the generator that wrote the program, or "".
type Program struct{ Name, Source, Entry, Family string }

// Job is a program to record: either Program, or the one that the generators write for Seed and Number
// (from 0) with a Difficulty from 0 to 1.
//
// The same job leads to the same recording or Failure, with three exceptions: values that depend on
// addresses (an id, the order of a set of objects), values of an undetected clock (datetime.now), and
// programs that need almost all of their time limit. On Linux a new worker always has the same
// addresses, if the system allows that. They may depend on the worker's earlier recordings, and on the
// system.
type Job struct {
	Program    *Program
	Seed       string
	Number     int
	Difficulty float64
	Edit       *Edit
	Events     int // maximum number of events; 0 for Limits.Events
}

// Edit changes a variable during a run. At event At, before the program continues, the
// local Name of the event's frame gets the value of a Python literal. The recording shows
// the run with the edit: at event At the local has the new value.
type Edit struct {
	At            int
	Name, Literal string
}

// Recording is a run of a program: its states, with values as texts.
type Recording struct {
	Program Program
	Tree    *statetree.Tree
	Exit    dsl.Exit
	Fatal   int // exception event at which a debugger stops after an uncaught exception; -1 for none
}

// Text returns the program's source in the form that a trajectory needs.
func (r *Recording) Text() *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: r.Program.Name, Lines: dsl.SplitLines(r.Program.Source)}}}
}

// Config describes how to run programs.
type Config struct {
	Python  string // the interpreter, named as in trace.Options
	Real    string // file of functions that Harvest wrote, for the generators; "" for none
	Contain Containing
	Limits  Limits

	// together is the largest number of programs that share a process; 0 means the constant together.
	// Only tests set it.
	together int
}

// together is the default for the largest number of programs that share a process. It is large enough
// that the cost of a fork per program is small.
const together = 64

// Containing is the way in which programs are kept from affecting the rest of the system.
type Containing uint8

const (
	// ContainAuto uses bubblewrap if it works. Otherwise it uses resource limits and, as root, a
	// separate user; Worker.Warning then says what is not prevented.
	ContainAuto Containing = iota
	// ContainBubblewrap uses bubblewrap. Start fails if it does not work.
	ContainBubblewrap
	// ContainLimits uses resource limits only.
	ContainLimits
)

// Limits limits the resources of one program. A field that is zero means its default.
type Limits struct {
	Events int           // number of states; default 400
	Wall   time.Duration // time from the start of the program's process; default 10 seconds
	CPU    time.Duration // CPU time, in whole seconds; default 2 seconds
	Memory int64         // bytes of address space; default 1 GiB
	Text   int           // characters of a value; default 300
	Bytes  int           // bytes of a recording as the process sends it; default 16 MiB
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
