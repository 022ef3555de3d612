// Package tui is npdb's screen: one Bubble Tea model that shows a session and
// turns keys and the mouse into its orders.
//
// The session works in commands of Bubble Tea's, one at a time; the model knows
// it only by the snapshots that come back (session.View). Nothing in Update
// waits, reads or writes. Each pane is a package of its own that draws into the
// rectangle it is given, and knows of the screen what a pane.Screen says.
package tui
