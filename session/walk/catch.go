package walk

import (
	"regexp"
	"strings"

	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace/statetree"
)

// catches reports whether what is raised at an event is of a catchpoint's type, by
// name: that of the exception, or of a class that it is derived from as far as the
// program's text and Python's own exceptions tell.
func catches(states States, b *breakpoint.Breakpoint, event int) bool {
	if b.Catch == breakpoint.AnyException {
		return true
	}
	st := states.State(event)
	if st.Value == nil {
		return false
	}
	return derives(states.Files(), raisedType(states, event, *st.Value), b.Catch)
}

// raisedType is the type of what was raised at an event, whose repr is known.
func raisedType(states States, event int, repr string) string {
	words, ok := states.Words(event)
	if name, _, called := strings.Cut(repr, "("); !ok && called && strings.HasSuffix(repr, ")") {
		return name
	}
	if !ok {
		words = repr
	}
	kind, _, _ := strings.Cut(words, ":")
	return strings.TrimSpace(kind)
}

// bases is Python's own exceptions by the one they are derived from.
var bases = func() map[string]string {
	tree := `BaseException: Exception GeneratorExit KeyboardInterrupt SystemExit BaseExceptionGroup
		Exception: ArithmeticError AssertionError AttributeError BufferError EOFError ImportError LookupError MemoryError NameError OSError ReferenceError RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError TypeError ValueError Warning ExceptionGroup
		ArithmeticError: FloatingPointError OverflowError ZeroDivisionError
		ImportError: ModuleNotFoundError
		LookupError: IndexError KeyError
		NameError: UnboundLocalError
		OSError: BlockingIOError ChildProcessError ConnectionError FileExistsError FileNotFoundError InterruptedError IsADirectoryError NotADirectoryError PermissionError ProcessLookupError TimeoutError
		ConnectionError: BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError
		RuntimeError: NotImplementedError RecursionError PythonFinalizationError
		SyntaxError: IndentationError
		IndentationError: TabError
		ValueError: UnicodeError
		UnicodeError: UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError
		Warning: BytesWarning DeprecationWarning EncodingWarning FutureWarning ImportWarning PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning UnicodeWarning UserWarning`
	of := map[string]string{}
	for line := range strings.Lines(tree) {
		base, derived, _ := strings.Cut(strings.TrimSpace(line), ":")
		for name := range strings.FieldsSeq(derived) {
			of[name] = base
		}
	}
	return of
}()

// classLine is the head of a class with bases.
var classLine = regexp.MustCompile(`(?m)^[ \t]*class[ \t]+(\w+)[ \t]*\(([^)]*)\)`)

// derives reports whether a type is another one or derived from it. The classes of
// the program are known by their heads in its files.
func derives(files []statetree.File, kind, from string) bool {
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	if kind == from || last(kind) == last(from) {
		return true
	}
	classes := map[string][]string{}
	for _, f := range files {
		for _, m := range classLine.FindAllSubmatch(f.Source, -1) {
			for base := range strings.SplitSeq(string(m[2]), ",") {
				name := string(m[1])
				classes[name] = append(classes[name], last(strings.TrimSpace(base)))
			}
		}
	}
	seen := map[string]bool{}
	var reaches func(name string) bool
	reaches = func(name string) bool {
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
		if name == last(from) {
			return true
		}
		for _, base := range classes[name] {
			if reaches(base) {
				return true
			}
		}
		return reaches(bases[name])
	}
	return reaches(last(kind))
}
