// Package python analyses Python source without running it: at which lines a tracer can stop, which
// functions a file defines, how a call's arguments bind to a function's parameters, which files of
// a program it imports, and what an expression evaluates to. A Program is all files of a program,
// parsed. An Interpreter executes a Program in Go, from module to module, and reports the events
// that CPython's tracer would report (interp.go, interp_module.go).
//
// Values come as texts: a value's text is its repr, as CPython recorded it, a model predicted it or
// the user typed it. A text that is not a literal is opaque: the evaluation can pass it on, but not
// look into it. What a text does not determine is refused: the caller gets a *RefusedError with the
// reason, never a guess.
//
// One lexer and one parser produce the syntax tree for files and for typed expressions (lexer.go,
// parser.go, node.go). They continue after an error, which becomes a node of the tree. A strict
// parser, for expressions, calls and assignments, stops at the first error. The analyses of a file
// (lines.go, outgoing.go, varying.go, imports.go, abridge.go) and the evaluation of expressions
// (eval.go, condition.go) walk that tree.
//
// No interpreter is started and nothing is imported. So the package also works for programs that
// are predicted and never executed, and for snippets that do not parse.
package python
