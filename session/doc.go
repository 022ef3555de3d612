// Package session is the debugger. A Session has a position in a run of a program, and executes
// commands. It draws nothing and reads no keys: that is done by the front ends, which use a Session
// and write text, JSON or a full screen.
//
// A Session consists of parts with a state of their own: the program and its sources of states, the
// answer that is being built (draft), the position, source files, evaluation, the cost of models,
// the journal, breakpoints, the history, watched expressions, views, and the progress of long
// moves. Each part uses only parts that precede it in this list.
//
// The history is the list of visits: the positions that were shown, in their order. The live edge
// is the last event of the recording, where the program waits.
//
// The commands are those of Python's pdb (Lib/pdb.py, 3.13 to 3.15), with its abbreviations and messages,
// and their inverses.
package session
