// Package statetree is the State Tree: every recorded state of one run of a
// program, in columns, with the moves of the debugger defined over it.
//
// A tree is appended to by one goroutine (the reader of the tracer's protocol)
// and read by others; Tree serialises both with one read-write lock.
package statetree
