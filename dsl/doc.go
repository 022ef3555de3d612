// Package dsl is npdb's vocabulary: events, states, actions and the stack, as
// the debugger, its predictors and its wire formats all name them.
//
// It imports nothing of npdb's. The words follow "Towards a Neural Debugger for
// Python" (arXiv 2603.09951) and Python's own trace function (sys.settrace).
package dsl
