// Package trace makes recordings. It runs a program under the user's CPython with npdb's
// own tracer, reads the tracer's protocol into a State Tree, and answers moves from the
// tree or by running the program further.
package trace
