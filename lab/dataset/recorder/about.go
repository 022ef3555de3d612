package recorder

import "strings"

// About is what recordings follow from besides the programs.
type About struct {
	Python string // the interpreter's version, "3.12.1"
	Maker  string // names the version of what makes and records programs
}

// About describes a worker.
func (w *Worker) About() About {
	version, _, _ := strings.Cut(w.version, " ")
	return About{version, makerHash()}
}
