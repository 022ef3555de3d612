// Package highlight splits lines of Python into tokens, for coloring and for finding variables,
// and finds matches of a search.
package highlight
