// Package traceback parses the text of a Python traceback: its frames, the values that it shows,
// the exception, and the exceptions that led to it. It supports the formats of Python, pytest,
// rich, IPython and faulthandler (docs/tracebacks.md); each format is called a form. The text may
// be malicious or incomplete. The package opens no file.
package traceback

import "iter"

// Style is the program that printed a traceback.
type Style uint8

// Python is the style of the interpreter, and of everything that formats tracebacks like it
// (logging, unittest, doctest, asyncio, loguru).
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
	// Type and Message are the parts of the exception's line, as printed: "ValueError" and "bad"
	// for "ValueError: bad". Type is "" if the text ends before that line. The exception's
	// arguments are not known, because Python does not quote the message.
	Type, Message string
	// Notes are the lines directly below the exception's line: further lines of the message, notes
	// (add_note), or the program's next output. Python prints them all in the same way.
	Notes  []string
	Frames []Frame // outermost first

	// Cause is the exception in "raise … from". Context is the exception that was being handled. At
	// most one of them is printed.
	Cause, Context *Trace
	// Remote reports that the exception was raised in another process, which passed its traceback
	// on as text.
	Remote bool
	// Leaves are the exceptions of an exception group. LeavesOmitted is the number of those that
	// Python did not print.
	Leaves        []*Trace
	LeavesOmitted int

	// NoStart reports that the text begins inside the traceback, so outer frames may be missing.
	// NoEnd reports that it ends before the exception's line, so inner frames may be missing.
	NoStart, NoEnd bool
	// Found is the number of tracebacks in the text; a chain counts as one. Parse sets it on its
	// result.
	Found int
}

// Frame is one frame of the stack, as printed.
type Frame struct {
	File     string // a path, or a name such as "<string>" or "Cell In[3]"; "" if the text ends before it
	Line     int    // 0 if unknown
	Function string // "" if unknown
	Source   string // the frame's line without its indentation; "" if the text does not show it
	// SourceCut reports that the end of Source may be missing, because rich shortens lines to the
	// width of its box.
	SourceCut bool
	// Marked is the part of Source above the carets: the expression that failed.
	Marked string
	Locals []Local // in the order of the text
	// Repeated is the number of further frames at the same line that Python did not print after
	// this one.
	Repeated int
	// Syntax reports that the frame did not run: it is the location of a SyntaxError.
	Syntax bool

	names map[string]int // index in Locals by name; nil until set adds a name
}

// Local is a name and its value.
type Local struct {
	Name, Repr string
	Cut        bool // Repr is shortened, or it is not known exactly where it was wrapped
}

// Earlier returns the exception that led to this one, or nil.
func (t *Trace) Earlier() *Trace {
	if t.Cause != nil {
		return t.Cause
	}
	return t.Context
}

// Chain yields this exception, then the one that led to it, and so on. The last one is the
// exception that was raised first.
func (t *Trace) Chain() iter.Seq[*Trace] {
	return func(yield func(*Trace) bool) {
		for one := t; one != nil && yield(one); {
			one = one.Earlier()
		}
	}
}

// First returns the exception that was raised first in the chain.
func (t *Trace) First() *Trace {
	first := t
	for one := range t.Chain() {
		first = one
	}
	return first
}

// All yields the exceptions of the chain and of groups. Each comes after the group that contains
// it.
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

// complete reports whether the text contains the whole traceback.
func (t *Trace) complete() bool { return !t.NoStart && !t.NoEnd }

// last returns the innermost frame, or nil.
func (t *Trace) last() *Frame {
	if len(t.Frames) == 0 {
		return nil
	}
	return &t.Frames[len(t.Frames)-1]
}

// Problem is the reason why a text was rejected.
type Problem uint8

// Empty: the text is blank. TooLarge: it is larger than MaxSize. NoTraceback: it contains no
// traceback. NoPlace: it contains an exception, but no line of code. PythonTwo: Python 2 ran the
// program.
const (
	Empty Problem = iota
	TooLarge
	NoTraceback
	NoPlace
	PythonTwo
)

// Error reports a text without a usable traceback. Its sentence says what to paste instead.
type Error struct {
	Problem  Problem
	sentence string
}

func (e *Error) Error() string { return e.sentence }
