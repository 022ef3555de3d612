package recorded

import "fmt"

// WorkerError is a Python that could not be started, is too old, or died.
type WorkerError struct {
	Python string // the interpreter, as New was given it
	Reason string
	Err    error
}

func (e *WorkerError) Error() string {
	return fmt.Sprintf("the Python that evaluates recorded text, %s, %s", e.Python, e.Reason)
}

func (e *WorkerError) Unwrap() error { return e.Err }
