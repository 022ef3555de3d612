// Package dsl defines events, states, actions and the stack, under the names that the debugger,
// its predictors and its text formats share, and the text format nd/1.
//
// It imports no package of npdb. The words follow "Towards a Neural Debugger for Python" (arXiv
// 2603.09951) and Python's trace function (sys.settrace).
package dsl
