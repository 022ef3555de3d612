// Package export writes a session to files: its texts in nd/1 as JSON Lines, with truth beside
// prediction, for training; and a report in Markdown.
package export
