// Package statetree is the State Tree: every recorded state of one run of a
// program, in columns, with the moves of the debugger defined over it.
//
// A tree is appended to by one goroutine (the reader of the tracer's protocol)
// and read by others; Tree serialises both with one read-write lock, which the
// writer takes once for many events (Tree.Batch).
//
// # Layout
//
// An event is a row of four numbers: its line and flags; its place, an entry
// of the persistent stack below; the previous event of its activation; and
// where its changed locals lie. An activation's first event, and one event in
// 32 or more of it, carry all locals, so that a state is read from few rows.
//
// A place is one stay of an activation on the stack: a call, or a resumption
// of a generator. It names the place below it, so a stack is read from its
// top, and needs no replay. Resumptions of generators also name their
// generator's nearest lines before and after.
//
// A value is a text or an object. Objects have versions, each counting from an
// event: all content, or how it differs from the version before; the text of an
// object as of an event is put together when it is asked for. What a name of an
// activation that is not on top is bound to lies in rows beside the events.
//
// Moves by depth search a tree of block minima (64 wide), moves by line a list
// of events for each line. Texts are stored once, long ones as differences.
package statetree
