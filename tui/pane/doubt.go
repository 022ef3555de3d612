package pane

import (
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
)

// doubtGap are the columns before the number of a part that is doubtful.
const doubtGap = 2

// leastDoubted are the columns that a value has at the least beside its number.
const leastDoubted = 4

// Doubt is a part of a prediction that the model was not sure of: how sure it was, in a few
// letters, and its shade. The zero is none.
type Doubt struct {
	Number string // "" for a part of the part, which has its shade alone
	shade  draw.Style
	number draw.Style
	is     bool
}

// Doubt returns what is to be shown of a part, none where the model was sure or it is not known.
func (s *Screen) Doubt(of *backend.Sureness, part *float64) Doubt {
	if of == nil || part == nil || *part >= backend.Sure {
		return Doubt{}
	}
	role := themes.Doubtful
	if *part < backend.Even {
		role = themes.Unsure
	}
	return Doubt{Number: of.Words(*part), shade: s.Style(role), number: s.Style(themes.Dim), is: true}
}

// Room returns what the number leaves of some columns to the value that it stands behind: all of
// them where it has no room.
func (d Doubt) Room(columns int) int {
	if d.Number == "" || columns < leastDoubted+doubtGap+len(d.Number) {
		return columns
	}
	return columns - doubtGap - len(d.Number)
}

// Draw draws the number behind a value that takes so many columns of a row, where it has
// room, and shades both. It returns the columns that they take.
func (d Doubt) Draw(row *draw.Area, used int) int {
	if w, _ := row.Size(); d.Room(w) < w && used <= d.Room(w) {
		used += doubtGap + row.Text(used+doubtGap, 0, d.Number, d.number)
	}
	d.Shade(row, used)
	return used
}

// Alone draws the number of a value that stands below the row.
func (d Doubt) Alone(row *draw.Area) { d.Shade(row, row.Text(0, 0, d.Number, d.number)) }

// AtEnd draws the number at the end of a row of which so many columns are used, where it has
// room, and returns the rest of the row.
func (d Doubt) AtEnd(row *draw.Area, used int) *draw.Area {
	w, h := row.Size()
	at := w - 1 - len(d.Number)
	if d.Number == "" || used+doubtGap > at {
		return row
	}
	row.Text(at, 0, d.Number, d.number)
	return row.Sub(draw.Rect{W: at - doubtGap, H: h})
}

// Shade shades so many columns of a row.
func (d Doubt) Shade(row *draw.Area, columns int) {
	if d.is {
		row.Overlay(draw.Rect{W: columns, H: 1}, d.shade)
	}
}

// Stated returns how sure a model was of a whole state, with a space before each word: " 0.93",
// " 3 of 5 agree".
func Stated(confidence *float64, of *backend.Sureness) (text string) {
	if confidence != nil {
		text = fmt.Sprintf(" %.2f", *confidence)
	}
	if of != nil && of.Whole != nil {
		text += " " + of.Told(*of.Whole)
	}
	return text
}
