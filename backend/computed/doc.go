// Package computed answers questions about a program by its text, as far as the text decides them,
// and leaves the others to another predictor. It runs nothing of the program: python.Interpreter
// computes the states.
package computed
