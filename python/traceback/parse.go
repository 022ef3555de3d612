package traceback

import (
	"strings"
)

// MaxSize is the maximal size of a text for Parse, in bytes.
const MaxSize = 32 << 20

// relation describes how an exception led to the next one in a chain.
type relation uint8

const (
	noRelation relation = iota
	cause
	context
)

var relations = map[string]relation{
	"The above exception was the direct cause of the following exception:": cause,
	"During handling of the above exception, another exception occurred:":  context,
}

// block is one traceback of the text, in the lines from start up to but not including end.
type block struct {
	trace      *Trace
	start, end int
	view       view
}

// mark is a line between two exceptions that states how the first one led to the second.
type mark struct {
	relation relation
	line     int
}

// scanner finds the tracebacks in a text.
type scanner struct {
	lines  []string
	steps  int // bytes of lines that were read
	blocks []block
	marks  []mark
	taken  int // the line after the last block
	native int // line at which another form of traceback began inside pytest's last failure
	depth  int // nesting of boxes around the text, for an exception group of rich
}

// line returns a line of the text and counts its bytes.
func (s *scanner) line(i int) string {
	s.steps += len(s.lines[i]) + 1
	return s.lines[i]
}

// Parse parses the last complete traceback in the text, or the last one if none is complete. The
// error is an *Error.
func Parse(text string) (*Trace, error) {
	_, t, err := parse(text)
	return t, err
}

// parse is like Parse, and also returns the scanner, for tests.
func parse(text string) (*scanner, *Trace, error) {
	s := &scanner{}
	switch {
	case len(text) > MaxSize:
		return s, nil, &Error{TooLarge, "The text is larger than 32 MiB. Paste only the traceback, from its first line to the exception's line."}
	case blank(text):
		return s, nil, &Error{Empty, "The text is empty. Paste a traceback, from \"Traceback (most recent call last):\" to the exception's line."}
	}
	s.lines = split(text)
	s.scan()
	if literal, ok := escaped(text); ok && len(s.blocks) == 0 {
		s.lines = split(literal)
		s.scan()
	}
	if len(s.blocks) == 0 {
		err := s.refusal()
		return s, nil, err
	}
	t, err := s.result()
	return s, t, err
}

// scan scans the text from top to bottom.
func (s *scanner) scan() {
	for i := 0; i < len(s.lines); {
		next := s.recognize(i)
		if next <= i {
			next = i + 1
		}
		i = next
	}
}

// readers returns the parsers of all forms of tracebacks. Each returns the line after the traceback
// that begins at line i, or i if none begins there.
func (s *scanner) readers() [8]func(i int) int {
	return [...]func(i int) int{s.mark, s.cgitb, s.rich, s.ipython, s.plain, s.fatal, s.pytest, s.headless}
}

// recognize parses the traceback that begins at line i, if there is one, and returns the line after
// it.
func (s *scanner) recognize(i int) int {
	line := s.line(i)
	if !strings.ContainsAny(line, "_(:,E") { // the first line of each form contains one of these
		return i
	}
	for _, read := range s.readers() {
		if next := read(i); next > i {
			return next
		}
	}
	return i
}

// add appends a traceback to the blocks, unless it is empty, and returns its end.
func (s *scanner) add(b block) int {
	t := b.trace
	if len(t.Frames) == 0 && len(t.Leaves) == 0 {
		return b.end
	}
	for k := range t.Frames {
		f := &t.Frames[k]
		perhapsSyntax := f.Syntax || t.NoEnd && k == len(t.Frames)-1
		if t.Style == IPython && f.Function == "" && !perhapsSyntax {
			f.Function = "<module>" // IPython prints no function name there
		}
	}
	s.blocks = append(s.blocks, b)
	s.taken = b.end
	return b.end
}

// mark parses the sentence between two exceptions of a chain.
func (s *scanner) mark(i int) int {
	line := s.line(i)
	if !strings.Contains(line, "of the above exception") && !strings.Contains(line, "The above exception") {
		return i
	}
	r := relationIn(line)
	if r == noRelation {
		return i
	}
	s.marks = append(s.marks, mark{r, i})
	return i + 1
}

// relationIn returns the relation that a line states, or noRelation.
func relationIn(line string) relation {
	for sentence, r := range relations {
		if _, after, found := strings.Cut(line, sentence); found && blank(after) {
			return r
		}
	}
	return noRelation
}

// result returns the last complete traceback, or else the last one.
func (s *scanner) result() (*Trace, error) {
	ends := s.chains()
	t := ends[len(ends)-1]
	for i := len(ends) - 1; i >= 0; i-- {
		if ends[i].complete() {
			t = ends[i]
			break
		}
	}
	t.Found = len(ends)
	for one := range t.All() {
		for _, f := range one.Frames {
			if pythonTwo.MatchString(f.File) {
				return nil, &Error{PythonTwo, "Python 2 printed this traceback (" + f.File + "). npdb reads programs of Python 3.9 and later."}
			}
		}
	}
	return t, nil
}

// pythonTwo matches paths in Python 2's library.
var pythonTwo = newForm(`(?i)[/\\]python2\.?[0-7][/\\]`)

// refusal returns an error that explains why the text contains no traceback.
func (s *scanner) refusal() *Error {
	for i := range s.lines {
		line := s.line(i)
		if strings.Contains(line, "short test summary info") || strings.HasPrefix(line, "FAILED ") && strings.Contains(line, "::") {
			return &Error{NoPlace, "pytest's summary names no line of code. Run pytest without --tb=no and paste what it prints below FAILURES."}
		}
	}
	for i := range s.lines {
		if (&Trace{}).exception(strings.TrimSpace(s.line(i))) && strings.Contains(s.lines[i], "Error") {
			return &Error{NoPlace, "The text names an exception, but no line of code. Paste the lines above it too, from \"Traceback (most recent call last):\" on."}
		}
	}
	return &Error{NoTraceback, "No traceback found. Paste one as Python, pytest, rich, IPython or faulthandler prints it, from its first line to the exception's line."}
}
