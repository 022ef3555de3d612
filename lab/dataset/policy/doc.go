// Package policy draws walks through recorded programs, similar to how people debug, and
// writes them as training data for a model.
//
// A walk depends only on the random generator and the Settings. The State Tree says where
// an action lands, and package dsl writes the text; neither is implemented here again.
//
// The policy extends that of "Towards a Neural Debugger for Python" (arXiv 2603.09951):
// with a certain probability any action, otherwise single steps. In addition there are
// walks that go backwards, texts that begin in the middle of a run, questions about the
// result of a call, and values that the user changes.
package policy
