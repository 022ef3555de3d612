// Package query answers questions about the recorded past: the value of an expression at
// any recorded event, when it changed, and which line changed it. It reads a State Tree and
// runs no code of the program.
package query
