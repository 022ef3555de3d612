// Package computed answers questions about a program by its text alone, as far as the text
// decides them.
package computed
