// Package python is what can be known of Python source without running it: where
// a tracer can stop in it and which functions it has, how a call's arguments bind
// to a function's parameters, which files of a program it imports, and what an
// expression is over values of which only the text is there. A Program is all files
// of a program, parsed; an Interpreter follows it from module to module (interp.go,
// interp_module.go).
//
// One lexer and one parser make one tree of all Python, of files and of what is
// typed (lexer.go, parser.go, node.go). They go on after every error, which stays in
// the tree as a node; who must have Python and nothing else (an expression to
// evaluate, a call, an assignment) fails at the first one. The analyses of a file
// (lines.go, outgoing.go, varying.go, imports.go, abridge.go) and the evaluation of
// expressions (eval.go, condition.go) walk that tree.
//
// It works on text alone: no interpreter is started and nothing is imported, so
// that it serves for programs that are predicted and never executed, and for
// snippets that do not even parse.
package python
