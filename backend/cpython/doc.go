// Package cpython answers questions by running the program. Its answers are always right, so other
// predictors are measured against it, and clients are tested with it.
//
// The predictor knows a question only by its text: the trajectory in nd/1, with the program's source and
// the states and actions so far. It writes the program to a scratch directory and records it from the
// text's first state. It replays the text's actions over the recording by the table of moves, without
// looking at the states that the text shows after them. The state to which the last action leads is the
// answer. If the text does not determine the answer, the reply is dsl.Unknown, with the reason as a
// warning.
// a warning.
// A place is a position in a run of the program, with the changes that were made in that run before it,
// by edits and jumps. A run is a recording with its changes.
// (by edits and jumps). A recording and its changes are a run.
//
// # What a text determines
// The first state is the first line of the module, or the call of a function whose arguments are all
// literals (trace.Options.Entry). A text does not determine what the program does in files that it does
// not contain, nor anything after the program has read its standard input.
//
// A text may begin elsewhere, after compaction or a jump. Then the predictor assumes that the program
// came there from its start, without edits. It runs the program to its end, and searches for the events
// that fit the first state of the text: the same kind of event, stack, locals and value, with callers
// that were once in the states that the text shows of them. If several events fit, the later states of
// the text decide among them. An answer is given if all remaining events agree on it.
//
// The user may also have jumped to the line where the text begins. The predictor considers this if the
// program does not reach that state by itself, and at the head of a loop. Under --entry the text must
// contain the arguments of the first call, or values that cannot have changed since: immutable ones, of
// names that the function does not assign.
//
// For a call under --entry, a module that cannot be imported, or has a syntax error, is run statement by
// statement. Names that a failed statement would have set, or may have changed, are removed. Once the
// program has used such a name, the answers are unknown.
//
// The replies "unknown" and "start" do not change the place.
//
// # Runs that differ
//
// A text does not contain the time, random values, the addresses of objects, the environment, or the
// program's arguments. If the program may depend on them, it is run again in another environment: once,
// or three times if two runs could agree by chance. An answer is given if all runs agree on it. If the
// source shows (python.Varying) that a value comes from a clock or from an unseeded random generator,
// the value is never answered.
//
// # Edits
//
// At an edit, the locals that differ from the program's are assigned in the live frame if their reprs
// are literals (ast.literal_eval), and the program continues from there. If an edit cannot be made
// completely, for example that of a return value, all later answers are unknown. An edit of a list, dict
// or set may also have changed the object in place: both cases are tried, and an answer is given if they
// agree on it.
//
// # The end by an exception
//
// If the program ends with an uncaught exception, a debugger stops at the exception first. So the first
// move of a text that would reach this end is answered with the innermost exception event of the fatal
// propagation. Forward moves from there, and later moves of the same text that reach the end, are
// answered with the end. Each text is treated separately: a text that begins later shows the exception
// again. If a text begins with that exception, it is unknown whether this was a debugger's post-mortem
// stop, so both cases are considered.
//
// The program's own breakpoint() and pdb.set_trace() are ignored, as the table of moves does not contain
// them.
//
// # Drift
//
// With Config.Drift the predictor believes the states that the text shows. It imitates a model that
// reads the last state instead of running the program again, so that a wrong value persists. It adapts
// the program to the state after each action of the text, in this order:
//
//   - Locals that CPython does not have, or has with another value, are assigned if their reprs are
//     literals. Other locals keep CPython's values, and so do locals that the text does not show.
//   - A different return value is returned if the line is "return NAME" and NAME had the true value.
//     Otherwise, if the next event sets a local of the caller to the returned value, that local is set
//     to the shown value. Otherwise the shown value is ignored.
//   - If a line event is shown on another line of the same activation, the program jumps to that line,
//     as with pdb's jump.
//   - If the place differs in any other way, the program cannot continue from it: all later answers are
//     unknown.
//
// CPython continues from the adapted state. Backward moves are answered from the recording made in this
// way, in which earlier states do not change. At an uncaught exception and at the end, shown states are
// not believed any more.
//
// # Pasts
//
// A Verifier runs a program from a state that may be a past, and compares the state to which it leads. A
// Caller makes thousands of calls of a function, for a search for its arguments. Both run programs only
// in a containment.
package cpython
