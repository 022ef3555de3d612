// Package query answers about what was: what an expression's value was as of any
// recorded event, when it changed, and by which line. It reads a State Tree and
// runs nothing.
package query
