package recorder

import "strings"

// About identifies what determines recordings, apart from the programs themselves.
type About struct {
	Python string // version of the interpreter, such as "3.12.1"
	Maker  string // digest of the code that generates and records programs
}

// About returns the version of the worker's interpreter and the digest of the recording
// code.
func (w *Worker) About() About {
	version, _, _ := strings.Cut(w.version, " ")
	return About{version, makerHash()}
}
