// Package tui is npdb's screen: one Bubble Tea model that shows a session and
// turns keys and the mouse into its commands.
//
// The session works in commands of Bubble Tea's, one at a time; the model knows
// it only by the snapshots that come back (session.View). Nothing in Update
// waits, reads or writes. Each pane is a file of its own that draws into the
// rectangle it is given.
package tui
