// Package export writes a session down for others: its texts of nd/1 as JSON
// Lines, truth beside prediction, for training; and a report in Markdown for
// people.
package export
