// Package tui is npdb's screen: a Bubble Tea model that shows a session and converts keys and
// mouse events to commands.
//
// The session runs in Bubble Tea commands, one at a time; the model sees it only through the
// snapshots that they return (session.View). Update never waits, reads or writes. Each pane is a
// package that draws into a given rectangle and sees the screen only as a pane.Screen.
//
// A stop is a position at which the session waits for a command. In mode both a stop has two sides:
// the state that a model predicts, and CPython's. The side-by-side view shows both.
package tui
