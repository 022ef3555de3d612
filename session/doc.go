// Package session is the debugger: a position in a recording, the selected
// frame, breakpoints, displays, aliases, the visited history and the journal,
// and the commands that act on them. It draws nothing and listens to nothing:
// the plain and JSON front ends are plain readers and writers, and a screen can drive
// the same Session.
//
// The commands are those of Python's pdb (Lib/pdb.py, 3.13) with its
// abbreviations, its words and its answers, and their inverses.
package session
