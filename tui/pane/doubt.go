package pane

import (
	"cmp"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
)

// doubtGap is the number of columns between a value and the number of its Doubt.
const doubtGap = 2

// leastDoubted is the minimum width of a value that has a number beside it.
const leastDoubted = 4

// Doubt shows a low confidence in a part of a prediction, or the result of checking the part
// against the program's source. It has a number or mark, and a shade for the part. The zero Doubt
// shows nothing.
type Doubt struct {
	Number  string // "" for a shade alone, such as that of an element
	columns int    // width of Number
	shade   draw.Style
	number  draw.Style
	is      bool
}

// Doubt returns how to show the confidence in a part; the zero Doubt if it is high or unknown.
func (s *Screen) Doubt(of *backend.Sureness, part *float64) Doubt {
	if of == nil || part == nil || *part >= backend.Sure {
		return Doubt{}
	}
	role := themes.Doubtful
	if *part < backend.Even {
		role = themes.Unsure
	}
	return s.numbered(of.Words(*part), themes.Dim, role)
}

func (s *Screen) numbered(number string, style, shade themes.Role) Doubt {
	return Doubt{Number: number, columns: s.Measure.Width(number), shade: s.Style(shade), number: s.Style(style), is: true}
}

// Checked returns how to show the result of checking a part. It returns false if the program's
// source does not determine the part.
// not determine the part.
func (s *Screen) Checked(check backend.Check) (Doubt, bool) {
	switch check.Mark {
	case backend.Follows:
		d := s.numbered("✓", themes.Dim, themes.Dim)
		d.is = false // it has no shade
		return d, true
	case backend.Contradicts:
		return s.contradicted(cmp.Or(check.Computed, "no value")), true
	}
	return Doubt{}, false
}

// Misplaced returns how to show that a predicted state is at another place than the program's
// source implies. It returns false if the place is right or was not checked.
func (s *Screen) Misplaced(c backend.Checks) (Doubt, bool) {
	place := c.Place()
	return s.contradicted(place), place != ""
}

func (s *Screen) contradicted(by string) Doubt {
	return s.numbered("✗ "+s.Measure.Cut(by, mostComputed), themes.Error, themes.Unsure)
}

// mostComputed bounds the columns of a computed part beside the predicted one.
const mostComputed = 24

// Checks formats how many parts of a state follow from the program's source and how many contradict
// it, with a space before each: " ✓9 ✗1".
func Checks(c backend.Checks) (text string) {
	follow, contradict := c.Count()
	if follow > 0 {
		text = fmt.Sprintf(" ✓%d", follow)
	}
	if contradict > 0 {
		text += fmt.Sprintf(" ✗%d", contradict)
	}
	return text
}

// Room returns how many of the columns are left for the value before the number. It returns all of
// them if the number does not fit.
func (d Doubt) Room(columns int) int {
	if d.Number == "" || columns < leastDoubted+doubtGap+d.columns {
		return columns
	}
	return columns - doubtGap - d.columns
}

// Draw draws the number after a value, if there is room, and shades both. It returns the columns
// that they use.
func (d Doubt) Draw(row *draw.Area, used int) int {
	if w, _ := row.Size(); d.Room(w) < w && used <= d.Room(w) {
		used += doubtGap + row.Text(used+doubtGap, 0, d.Number, d.number)
	}
	d.Shade(row, used)
	return used
}

// Alone draws the number of a value that is shown below the row.
func (d Doubt) Alone(row *draw.Area) { d.Shade(row, row.Text(0, 0, d.Number, d.number)) }

// AtEnd draws the number at the end of a row, if there is room, and returns the rest of the row.
func (d Doubt) AtEnd(row *draw.Area, used int) *draw.Area {
	w, h := row.Size()
	at := w - 1 - d.columns
	if d.Number == "" || used+doubtGap > at {
		return row
	}
	row.Text(at, 0, d.Number, d.number)
	return row.Sub(draw.Rect{W: at - doubtGap, H: h})
}

// Shade shades the first columns of a row.
func (d Doubt) Shade(row *draw.Area, columns int) {
	if d.is {
		row.Overlay(draw.Rect{W: columns, H: 1}, d.shade)
	}
}

// Stated formats the confidence in a whole state, with a space before each word: " 0.93", " 3 of 5
// agree".
func Stated(confidence *float64, of *backend.Sureness) (text string) {
	if confidence != nil {
		text = fmt.Sprintf(" %.2f", *confidence)
	}
	if of != nil && of.Whole != nil {
		text += " " + of.Told(*of.Whole)
	}
	return text
}
