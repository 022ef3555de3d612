// Package cpython answers questions by running the program. This predictor is never wrong: other
// predictors are measured against it, and clients are tested with it.
//
// A question is known by its text alone: the nd/1 text with the program's source, and the states
// and actions so far. The predictor writes the program to a scratch directory and records it from
// the text's first state. It replays the text's actions over the recording by the table of moves,
// whatever states the text shows after them, and answers the last action with the state that it
// leads to. If the text does not determine the answer, the reply is dsl.Unknown, with the reason as
// a warning.
//
// A place is a position in a run of the program, together with the changes made in that run before
// (by edits and jumps). A recording and its changes are a run.
//
// # What a text determines
//
// The first state is the first line of the module, or the call of a function whose arguments are
// all literals (trace.Options.Entry). What a program does in a file that the text lacks is not
// determined, nor is anything after the program has read its standard input.
//
// A text may begin elsewhere, after compaction or a jump. Then the program is assumed to have come
// there from its start without edits. The program is run to its end, and the events are searched
// for those that the text shows first: the same event with the same stack, locals and value, in
// activations that were in the states shown of the callers. If there are several, the states that
// the text shows later decide. The answer is the one on which all remaining events agree. The user
// may also have jumped to the line where the text begins. This is considered if the program does
// not reach that state by itself, and at the head of a loop. Under --entry the arguments of the
// first call must be in the text, or still have their first values: they are immutable, and the
// function does not assign their names.
//
// For a call under --entry, a module that cannot be imported, or has a syntax error, is run
// statement by statement. Names that a failed statement would have set, or may have changed, are
// removed. An answer beyond the first use of such a name is unknown.
//
// The replies "unknown" and "start" leave the place unchanged.
//
// # Runs that differ
//
// A text does not contain the time, random values, the addresses of objects, the environment, or
// the program's arguments. If the program may depend on them, it is run again in another
// environment: once, or three times if two runs could agree by chance. An answer is given if all
// runs agree on it. A value that comes from a clock or from an unseeded random generator, as far as
// the source shows (python.Varying), is never answered.
//
// # Edits
//
// At an edit, the locals that differ from the program's are assigned in the live frame if their
// reprs are literals (ast.literal_eval), and the program continues from there. If an edit cannot be
// made completely, for example of a return value, all that follows is undetermined. An edit of a
// list, dict or set may also have changed the object in place: both are tried, and an answer is
// given if they agree on it.
//
// # The end by an exception
//
// The first move of a text that would reach an end by an uncaught exception is answered with the
// exception that a debugger shows then: the state of the innermost exception event of the fatal
// propagation. Any forward move from there is answered with the end, and so is any later move of
// the same text that reaches it. This holds for each text separately: a text that begins later
// shows the exception again. If a text begins with that exception, it does not show whether this
// was a debugger's post-mortem stop: both are considered.
//
// The program's own breakpoint() and pdb.set_trace() are ignored: the table of moves does not know
// them.
//
// # Drift
//
// With Config.Drift the predictor believes the states that the text shows. It imitates a model that
// looks at the last state instead of running the program again, so that a wrong value persists.
// After each action of the text, in this order:
//
//   - Locals that CPython lacks or has with another value are assigned if they are
//     literals. Other locals keep CPython's values, and so do locals that the text does
//     not show.
//   - A different return value is returned if the line is "return NAME" and NAME had the
//     true value. Otherwise, if the next event sets a local of the caller to the returned
//     value, that local is set to the value shown. Otherwise the value is lost.
//   - If a line event is shown on another line of the same activation, the program jumps
//     to that line (like pdb's jump).
//   - If the place differs in any other way, the program cannot continue from it: all
//     answers from there on are unknown.
//
// CPython continues from the state that it was given. Backward moves are answered from the
// recording made in this way, in which earlier states do not change. At an uncaught exception and
// at the end, nothing is believed any more.
//
// # Pasts
//
// A Verifier runs a program from a state that may be its past, and compares where that leads. A
// Caller makes thousands of calls of a function, for a search for its arguments. Both run programs
// in a containment only.
package cpython
