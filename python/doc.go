// Package python is what can be known of Python source without running it: where
// a tracer can stop in it and which functions it has, how a call's arguments bind
// to a function's parameters, which files of a program it imports, and what an
// expression is over values of which only the text is there.
//
// It works on text alone: no interpreter is started and nothing is imported, so
// that it serves for programs that are predicted and never executed, and for
// snippets that do not even parse. Package trace/recorded answers the same
// questions by asking an interpreter; both share the vocabulary of this package.
package python
