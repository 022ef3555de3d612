// Package trace makes recordings: it runs a program under the user's CPython
// with a tracer of npdb's own, reads the tracer's protocol into a State Tree,
// and answers moves from the tree or by letting the program run on.
package trace
