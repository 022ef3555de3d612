// Package dsl defines events, states, actions and the stack, under the names that the debugger, its
// predictors and its text formats share, and the text format nd/1 (docs/nd1.md).
//
// In this package a text is an nd/1 text: the context (the program's source), then states and
// actions in turn. A given state is one that no action led to, such as the first. Readers keep the
// stack while they read a text; a state in a text omits what follows from that stack. A compacted
// text begins anew with the latest state of each activation.
//
// It imports no package of npdb. Names follow "Towards a Neural Debugger for Python" (arXiv
// 2603.09951) and Python's trace function (sys.settrace).
package dsl
