// Package traceback reads the text of a Python traceback: its frames, the values that it shows, the
// exception and what led to it. It reads the forms of Python, pytest, rich, IPython and
// faulthandler (docs/tracebacks.md). The text may be hostile or cut; the package opens no file.
package traceback

import "iter"

// Style names the program that printed a traceback.
type Style uint8

// Python: the interpreter, and everything that formats a traceback as it does (logging, unittest,
// doctest, asyncio, loguru).
const (
	Python Style = iota
	Pytest
	Rich
	IPython
	Faulthandler
)

var styleNames = [...]string{Python: "python", Pytest: "pytest", Rich: "rich", IPython: "ipython", Faulthandler: "faulthandler"}

func (s Style) String() string { return styleNames[s] }

// Trace is one exception with its traceback. Parse returns the exception that was raised last.
type Trace struct {
	Style Style
	// Type and Message are the parts of the exception's line, as printed: "ValueError" and "bad" of
	// "ValueError: bad". Type is "" if the text ends before that line. Python does not quote the
	// message, so it does not determine the exception's arguments.
	Type, Message string
	// Notes are the lines right below the exception's line. Python prints further lines of the
	// message, notes (add_note) and the program's next output alike.
	Notes  []string
	Frames []Frame // the outermost first

	// Cause is the exception in "raise … from", Context the one that was being handled. At most one
	// of them is printed.
	Cause, Context *Trace
	// Remote reports that another process raised the exception, and that its text was passed on.
	Remote bool
	// Leaves are the exceptions of an exception group. LeavesOmitted counts those that Python left
	// out of the text.
	Leaves        []*Trace
	LeavesOmitted int

	// NoStart reports that the text begins inside the traceback, so that outer frames may be missing;
	// NoEnd that it ends before the exception's line, so that inner frames may be missing.
	NoStart, NoEnd bool
	// Found counts the tracebacks of the text, a chain as one. Parse sets it on its result and
	// returns the last one that is complete.
	Found int
}

// Frame is one frame of the stack, as printed.
type Frame struct {
	File     string // a path, or a name such as "<string>" or "Cell In[3]"; "" if the text ends before it
	Line     int    // 0 if unknown
	Function string // "" if unknown
	Source   string // the frame's line without its indentation; "" if the text does not show it
	// SourceCut reports that Source may lack its end, since rich cuts lines at its box.
	SourceCut bool
	// Marked is the part of Source that the carets mark: the expression that failed.
	Marked string
	Locals []Local // in the order of the text
	// Repeated counts the further frames of the same line that Python left out after this one.
	Repeated int
	// Syntax reports that the frame did not run: it is the place of a SyntaxError.
	Syntax bool

	names map[string]int // the index of each name in Locals, once set has added one
}

// Local is a name with its value.
type Local struct {
	Name, Repr string
	Cut        bool // Repr is shortened, or where it was wrapped is not known exactly
}

// Earlier returns the exception that led to this one, or nil.
func (t *Trace) Earlier() *Trace {
	if t.Cause != nil {
		return t.Cause
	}
	return t.Context
}

// Chain yields this exception, the one that led to it, and so on to the one that was raised first.
func (t *Trace) Chain() iter.Seq[*Trace] {
	return func(yield func(*Trace) bool) {
		for one := t; one != nil && yield(one); {
			one = one.Earlier()
		}
	}
}

// First returns the exception that began the chain; t itself if no other led to it.
func (t *Trace) First() *Trace {
	first := t
	for one := range t.Chain() {
		first = one
	}
	return first
}

// All yields the exceptions of the chain, and those of groups, each after the one that holds it.
func (t *Trace) All() iter.Seq[*Trace] {
	return func(yield func(*Trace) bool) { t.all(yield) }
}

func (t *Trace) all(yield func(*Trace) bool) bool {
	for one := range t.Chain() {
		if !yield(one) {
			return false
		}
		for _, leaf := range one.Leaves {
			if !leaf.all(yield) {
				return false
			}
		}
	}
	return true
}

// complete reports whether the text holds the whole traceback.
func (t *Trace) complete() bool { return !t.NoStart && !t.NoEnd }

// last returns the innermost frame, or nil.
func (t *Trace) last() *Frame {
	if len(t.Frames) == 0 {
		return nil
	}
	return &t.Frames[len(t.Frames)-1]
}

// Problem classifies why a text was refused.
type Problem uint8

// Empty: the text is blank. TooLarge: it is larger than MaxSize. NoTraceback: no traceback was
// found. NoPlace: the text names an exception, but no line of code. PythonTwo: Python 2 ran the
// program.
const (
	Empty Problem = iota
	TooLarge
	NoTraceback
	NoPlace
	PythonTwo
)

// Error reports a text that is no traceback. Its sentence says what to paste instead.
type Error struct {
	Problem  Problem
	sentence string
}

func (e *Error) Error() string { return e.sentence }
