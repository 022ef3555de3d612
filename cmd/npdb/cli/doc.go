// Package cli holds what the commands of npdb share: signals, lines of standard input, the
// page that a command prints on with its tables, the progress bar, and texts for a terminal.
package cli
