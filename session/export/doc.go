// Package export writes a session to files: its nd/1 texts as JSON Lines, with truth and
// predictions, for training; and a report in Markdown for people.
// It also writes the calls of a recording as chains of thought, for training.
package export
