// Package align compares two recorded runs of a program, or of two versions of it. It pairs the events
// of one run with those of the other and lists the divergences: the events at which the runs leave
// different lines, or hold different values.
//
// # Lines and functions
//
// The sources may differ. A line diff pairs the lines of two versions of a file; a line that was edited
// in place is paired with what replaced it. Functions are paired by name and first line, or by qualified
// name (sources.go).
//
// # The walk
//
// Both runs are walked in lockstep from their first event. Two events are aligned if they are of the
// same kind, on paired lines of paired functions, in activations whose calls were aligned. Where they
// are not, the runs part: the walk records a divergence and resumes at the nearest events of the
// innermost common activation that agree in line and in the iteration of each loop around it or, if
// there are none, at the return of that activation (part.go). Lines that only one version of the source
// has are passed over.
//
// Two versions of Python have events on different lines: of a statement of several lines, of with, try
// or continue. If the versions differ, such events are aligned where both runs have them, and skipped
// otherwise (statements.go). A comprehension's own frame counts as its caller.
//
// # Values
//
// At each aligned pair of events only what has changed since the last one is compared: names that were
// bound again, and objects with a new version. Objects are paired when they are found at the same place
// of the two runs, and then compared once; afterwards it suffices that both change alike. So the whole
// walk takes time in proportion to what was recorded (values.go, objects.go).
//
// Values are compared as session/compare does: addresses, ids, points in time and the order of sets do not
// count. Neither do folders of the module tempfile, the folder of the program, and names that come from the
// clock, process ids and the like.
package align
