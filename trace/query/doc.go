// Package query answers questions about the recorded past: the value of an expression at any
// recorded event, when it changed, and which line changed it. It reads a State Tree and runs no
// code of the program.
//
// Values are given as of an event: what a name or an object had when the event happened, even
// if the event belongs to another activation. A path is a name followed by steps, such as
// a.b[0]; a step is an attribute, an index or a key. A value is recorded either as an object
// with its content, or as an atom, of which only the text is known.
package query
