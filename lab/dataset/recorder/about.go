package recorder

import "strings"

// About describes everything that determines recordings apart from the programs.
type About struct {
	Python string // the interpreter's version, "3.12.1"
	Maker  string // a digest of the code that makes and records programs
}

// About describes a worker.
func (w *Worker) About() About {
	version, _, _ := strings.Cut(w.version, " ")
	return About{version, makerHash()}
}
