// Package trace records the runs of Python programs. It runs a program under the user's CPython
// with npdb's own tracer, stores what the tracer reports in a State Tree (package statetree),
// and computes where debugger moves lead: from the tree or, if the landing is not recorded yet,
// by running the program further.
//
// These words have a fixed meaning here:
//
//   - event: a call, line, return or exception in user code, as Python's trace function
//     reports it. Events are numbered from 0; each has a state (line, locals, stack).
//   - user code: the code whose events are recorded, in contrast to library code.
//   - activation: one run of one function, or of the body of a module or class. A generator
//     keeps its activation when it yields.
//   - slot: the index of a name among the names of an activation's code object.
//   - move: a debugger command such as step_over; its landing is the event it leads to.
//   - live edge: the last event that a move has reached. The program waits there.
//   - stop: a breakpoint that the tracer tests while a move runs.
//   - hole: a part of the run that npdb did not record on purpose (Options.From, Record).
//   - gap: a part of the run that is missing because tracing was lost for a moment.
//   - record: a message in shared memory that becomes part of the tree. Other messages use pipes.
package trace
