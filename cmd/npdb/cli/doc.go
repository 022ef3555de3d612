// Package cli contains code that npdb's commands share: signals, lines of standard input,
// the page on which a command prints tables, the progress bar, and texts for a terminal.
package cli
