// Package dsl defines events, states, actions and the stack, under the names that the debugger, its
// predictors and its text formats share, and the text format nd/1 (docs/nd1.md).
//
// In this package a text is an nd/1 text: the context (the program's source), followed by states
// and actions in turn. A reader of a text keeps track of the stack, so a state omits what follows
// from that stack. Writer and decoder use the same rules. A given state is one without an action
// before it, such as the first state. A compacted text is a new, shorter text that begins with the
// latest state of each activation.
//
// Forward moves go in the direction of execution, inverse moves go back. An action lands on an
// event: it ends there.
//
// The package imports no package of npdb. Names follow "Towards a Neural Debugger for Python"
// (arXiv 2603.09951) and Python's trace function (sys.settrace).
package dsl
