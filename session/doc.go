// Package session is the debugger: a Session stands at a position of a program's run, and
// carries out commands. It draws nothing and reads no keys: the plain and JSON front ends are
// readers and writers, and the screen drives the same Session.
//
// A Session joins parts that own its state: the program and its sources of states, the answer
// being built, the position, source files, evaluation, bills, the journal, breakpoints, the
// history, watched expressions, views and the pace of long moves. Each part uses only those
// before it.
//
// The commands are those of Python's pdb (Lib/pdb.py, 3.13) with its abbreviations, its words
// and its answers, and their inverses.
package session
