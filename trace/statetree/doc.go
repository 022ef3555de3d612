// Package statetree stores every recorded state of one run of a program in columns, and
// implements the moves of the debugger on them.
//
// One goroutine (the reader of the tracer's protocol) appends to a tree, and others read it.
// Tree serialises both with one read-write lock. The writer locks it once for many events
// (Tree.Batch).
//
// # Words
//
// An activation is one run of one function, or of the body of a module or class; a generator
// keeps its activation when it yields. A slot is the index of a name among the names of an
// activation's code object. A hidden local is one that is only displayed on request, such as an
// imported module. A hole is a part of the run that was not recorded on purpose; a gap is one
// that is missing because tracing was lost. A value as of an event is the one that a name or an
// object had at this event, which may belong to another activation.
//
// # Layout
//
// An event is a row of four numbers: its line and flags; its place, which is an entry of the
// persistent stack described below; the previous event of its activation; and the address of
// its changed locals. An activation's first event, and at least one of every 32, stores all
// locals, so that few rows must be read for a state.
//
// A place is one stay of an activation on the stack: from a call, or a resumption of a
// generator, until it returns or yields. It refers to the place below it. So a stack can be
// read from its top without a replay. The places of a generator also refer to its nearest lines
// before and after.
//
// A value is an atom, of which only the text is stored, or an object. Objects have versions,
// each valid from an event on (its stamp): all content, or the difference from the version
// before. The content is a list of cells: the handles of the elements, or alternately of keys
// and values. The text of an object as of an event is built on demand. The bindings of an
// activation that is not on top are stored in rows beside the events (asides).
//
// Moves by depth search a tree of block minima (64 wide). Moves by line search a list of events
// for each line. Each text is stored once, a long one as a difference from an earlier text.
//
// # Saved trees
//
// A finished tree can be saved (Tree.Save) and opened again (Load). Its columns and arenas are
// already in pages: each page is encoded so that it compresses well, and stored on its own. All
// small parts, and the addresses of the pages, are the root. A loaded tree reads only the root, and
// fetches a page when a query uses it. Columns that hold maps and postings of a saved tree are
// sorted, so that a query finds a row by a few pages; what only appending needs is not saved.
//
// A saved tree may come from a stranger. The checks of a page (its layout) keep every reference
// to an earlier row, so that all loops end. What they do not find is found when it is read, as an
// index out of range, and ends that query only (Tree.Err).
package statetree
