// Package pasts searches for the arguments of a function, given the value that it returned or the
// exception that it raised. It proposes candidates, runs or computes each of them, and ranks those that
// lead to this wanted result by how likely a person would have written them.
//
// It is often easy to find some arguments, as a function maps many arguments to one result. So the
// search continues after the first success, and the ranking decides which candidate is shown first.
package pasts
