// Package policy generates walks through recorded programs, similar to the way in which people debug,
// and writes them as training data for a model.
//
// A walk depends only on the random generator and the Settings. The State Tree determines where an
// action lands, and package dsl writes the text.
//
// The policy extends that of "Towards a Neural Debugger for Python" (arXiv 2603.09951), which chooses
// any action with a certain probability, and otherwise a single step. In addition there are walks that
// go backwards, texts that begin in the middle of a run, questions about the result of a call, and
// edits: values that the user changes.
package policy
