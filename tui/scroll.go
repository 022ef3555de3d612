package tui

import "fmt"

// scroll is a cursor in a list, and which part of it shows.
type scroll struct {
	cursor, top int
	rows        int // that showed when it was drawn last
}

// fit keeps the cursor in a list of n, and in the rows that show.
func (s *scroll) fit(n, rows int) {
	s.rows = rows
	s.cursor = min(max(s.cursor, 0), max(n-1, 0))
	s.top = min(max(s.top, s.cursor-rows+1), s.cursor)
	s.top = min(max(s.top, 0), max(n-rows, 0))
}

// move does one of the actions of moving about; done is false for another one.
func (s *scroll) move(action string, n int) (done bool) {
	page := max(s.rows-1, 1)
	switch action {
	case "down":
		s.cursor++
	case "up":
		s.cursor--
	case "page-down":
		s.cursor += page
	case "page-up":
		s.cursor -= page
	case "half-page-down":
		s.cursor += max(page/2, 1)
	case "half-page-up":
		s.cursor -= max(page/2, 1)
	case "top":
		s.cursor = 0
	case "bottom":
		s.cursor = n - 1
	default:
		return false
	}
	s.cursor = min(max(s.cursor, 0), max(n-1, 0))
	return true
}

// at and goTo are for a search.
func (s *scroll) at() int { return s.cursor }

func (s *scroll) goTo(i int) { s.cursor = i }

// wheel moves what shows by rows, and the cursor only as far as it must.
func (s *scroll) wheel(by, n int) {
	s.top = min(max(s.top+by, 0), max(n-s.rows, 0))
	s.cursor = min(max(s.cursor, s.top), max(s.top+s.rows-1, 0))
}

// shown says which rows of a list of n are in sight, "" if all are: "1–21 of 62".
func (s *scroll) shown(n int) string {
	if s.rows <= 0 || n <= s.rows {
		return ""
	}
	if s.rows == 1 {
		return fmt.Sprintf("%d of %d", s.top+1, n)
	}
	return fmt.Sprintf("%d–%d of %d", s.top+1, min(s.top+s.rows, n), n)
}
