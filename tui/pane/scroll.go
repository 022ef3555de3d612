package pane

import "fmt"

// Scroll is a cursor in a list, and the visible part of the list.
type Scroll struct {
	Cursor, Top int
	Rows        int // visible rows at the last Fit
}

// Fit limits the cursor to a list of n, and scrolls so that the cursor is among the visible rows.
func (s *Scroll) Fit(n, rows int) {
	s.Rows = rows
	s.Cursor = min(max(s.Cursor, 0), max(n-1, 0))
	s.Top = min(max(s.Top, s.Cursor-rows+1), s.Cursor)
	s.Top = min(max(s.Top, 0), max(n-rows, 0))
}

// Move runs an action that moves the cursor; done is false for others.
func (s *Scroll) Move(action string, n int) (done bool) {
	page := max(s.Rows-1, 1)
	switch action {
	case "down":
		s.Cursor++
	case "up":
		s.Cursor--
	case "page-down":
		s.Cursor += page
	case "page-up":
		s.Cursor -= page
	case "half-page-down":
		s.Cursor += max(page/2, 1)
	case "half-page-up":
		s.Cursor -= max(page/2, 1)
	case "top":
		s.Cursor = 0
	case "bottom":
		s.Cursor = n - 1
	default:
		return false
	}
	s.Cursor = min(max(s.Cursor, 0), max(n-1, 0))
	return true
}

// At returns the cursor.
func (s *Scroll) At() int { return s.Cursor }

// GoTo moves the cursor to a row.
func (s *Scroll) GoTo(i int) { s.Cursor = i }

// Wheel scrolls by rows, and moves the cursor only as far as it must.
func (s *Scroll) Wheel(by, n int) {
	s.Top = min(max(s.Top+by, 0), max(n-s.Rows, 0))
	s.Cursor = min(max(s.Cursor, s.Top), max(s.Top+s.Rows-1, 0))
}

// Shown describes the visible rows of a list of n, "" if all are: "1–21 of 62".
func (s *Scroll) Shown(n int) string {
	if s.Rows <= 0 || n <= s.Rows {
		return ""
	}
	if s.Rows == 1 {
		return fmt.Sprintf("%d of %d", s.Top+1, n)
	}
	return fmt.Sprintf("%d–%d of %d", s.Top+1, min(s.Top+s.Rows, n), n)
}
