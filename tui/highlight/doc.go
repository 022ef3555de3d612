// Package highlight says what the parts of a line of Python are, for coloring
// it and for finding the variables on it, and where a search matches.
package highlight
