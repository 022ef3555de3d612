package tui

import "github.com/npdb/npdb/internal/draw"

// narrow places the source above one other pane, or above locals and stack beside each other, and a
// strip of output. The focused pane grows to its contents. After a crash it uses the layout crash
// if there is room.
func (l *layout) narrow(body draw.Rect, s shape) {
	if body.H < leastSourceRows+leastPaneRows {
		l.panes[s.focus] = body
		return
	}
	shelf := s.shelf
	if shelf == sourcePane {
		shelf = localsPane
	}
	// twoColumns is the width from which locals and stack are drawn beside each other.
	const twoColumns = 76
	pair := body.W >= twoColumns && (shelf == localsPane || shelf == stackPane)
	if s.crashed && pair && s.grown == 0 && body.H >= sightRows+2*leastBesideRows {
		l.crash(body, s)
		return
	}
	if s.over && s.focus == sourcePane && (shelf == localsPane || shelf == stackPane) {
		shelf, pair = outputPane, false
	}
	if rows := stripRows(body, shelf, s); rows > 0 {
		l.strip = true
		body, l.panes[outputPane] = above(body, body.H-rows)
	}
	rows := min(max(body.H*3/5+s.grown, leastSourceRows), body.H-leastPaneRows)
	if grows := s.focus == shelf || s.over && s.crashed; grows && s.grown == 0 {
		below := s.wanted(shelf, body.W, body.H)
		if had := s.had; had != nil && s.hadFocus == s.focus && had.panes[sourcePane].W == body.W && had.panes[sourcePane].H+had.panes[shelf].H == body.H {
			below = max(below, had.panes[shelf].H)
		}
		rows = min(rows, max(body.H-below, sightRows))
	}
	l.panes[sourcePane], body = above(body, rows)
	if pair {
		l.panes[localsPane], l.panes[stackPane] = split(body, body.W*3/5)
		return
	}
	l.panes[shelf] = body
}

// stripRows returns the rows of the output's strip, 0 if there is none or the focused pane needs
// them.
func stripRows(body draw.Rect, shelf paneID, s shape) int {
	rows := max(body.H/6, leastPaneRows)
	had := s.had
	switch {
	case shelf == outputPane || body.H < sightRows+leastBesideRows+leastPaneRows:
		return 0
	case s.wanted(outputPane, body.W, rows) <= 1 && (had == nil || !had.strip):
		return 0
	case s.focus == shelf && had != nil && s.hadFocus == shelf && had.panes[sourcePane].H+had.panes[shelf].H == body.H:
		return 0 // keep the rows that the focused pane had
	case s.focus == shelf && s.wanted(shelf, body.W, body.H) > body.H-rows-sightRows:
		return 0
	}
	return rows
}

// crash places the source, then the locals beside the stack, then the output.
func (l *layout) crash(body draw.Rect, s shape) {
	locals, stack := split(body, body.W*3/5)
	pair := max(s.wanted(localsPane, locals.W, body.H), s.wanted(stackPane, stack.W, body.H), leastPaneRows)
	pair = min(pair, leastBesideRows)
	output := max(min(s.wanted(outputPane, body.W, body.H), body.H-pair-sightRows), leastPaneRows)
	if had := s.had; had != nil && had.panes[outputPane].W == body.W && had.panes[localsPane].W == locals.W {
		above, below := had.panes[localsPane].H, had.panes[outputPane].H
		if above >= pair && below >= output && had.panes[sourcePane].H == body.H-above-below {
			pair, output = above, below
		}
	}
	l.panes[sourcePane], body = above(body, body.H-pair-output)
	var middle draw.Rect
	middle, l.panes[outputPane] = above(body, pair)
	l.panes[localsPane], l.panes[stackPane] = split(middle, middle.W*3/5)
}
