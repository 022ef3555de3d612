// Package policy draws walks through recorded programs, as people who debug make them,
// and writes them as trajectories that a model learns from.
//
// What is drawn follows from the random generator and the Settings alone. Where an action
// lands is asked of the State Tree, and package dsl writes the text: neither is known here
// a second time.
//
// The policy is that of "Towards a Neural Debugger for Python" (arXiv 2603.09951), made
// wider: of all actions with a certain probability, else single steps. Beside it there
// are walks that turn back into the past, texts that begin in the middle of a run,
// questions what a call comes to, and values that the user changes.
package policy
