// Package score counts how often predictions are right: by action, by horizon (the number of events
// that a move passes) and by measure (the whole state or a part of it). It also compares stated
// confidence with accuracy, and sums up what the answers cost. It does no I/O; its input is the
// verdicts of package compare.
package score
