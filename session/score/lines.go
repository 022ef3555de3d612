package score

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// Widths of the columns in the output of Score.Lines.
const (
	labelWidth  = 16
	shareWidth  = 6 // "100.0%"
	errorWidth  = 6 // " ±12.3"
	leastForBar = 5
)

// Summary returns the main figures in one line: "23 moves: whole state 78%, line 91%, all locals
// 87%". Forward and inverse moves have figures of their own.
func (s *Score) Summary() string { return strings.Join(s.summaries(), "; ") }

func (s *Score) summaries() []string {
	var parts []string
	for _, inverse := range []bool{false, true} {
		of := func(m Measure) Tally {
			return s.Sum(func(k Key) bool { return k.Measure == m && k.Action.Inverse() == inverse })
		}
		n := of(State).N + of(State).Incomparable
		if n == 0 {
			continue
		}
		what := ""
		if inverse {
			what = "inverse "
		}
		text := humanize.Comma(int64(n)) + " " + what + "moves"
		if n == 1 {
			text = "1 " + what + "move"
		}
		separator := ": "
		for _, m := range []Measure{State, Line, Locals} {
			if t := of(m); t.N > 0 {
				text += fmt.Sprintf("%s%s %s", separator, m.Label(), t.Percent())
				separator = ", "
			}
		}
		parts = append(parts, text)
	}
	if parts == nil {
		return []string{"0 moves"}
	}
	return parts
}

// Lines returns the score as plain text in lines of at most width columns. For each measure,
// horizon and action there is a line with the accuracy, its standard error, a bar and the number of
// judged states; "+8" after that number counts incomparable ones. The calibration follows if the
// model stated confidences. In narrow lines the bar and the error are left out. The result is nil
// if nothing was counted.
func (s *Score) Lines(width int) []string {
	if s.Moves() == 0 {
		return nil
	}
	p := plot{width: max(width, 0)}
	for _, t := range s.tallies {
		p.incomparable = p.incomparable || t.Incomparable > 0
	}
	p.count = utf8.RuneCountInString(p.counts(s.Of(EachLocal))) + 1
	p.count = max(p.count, utf8.RuneCountInString(p.counts(s.Of(State)))+1)
	for _, line := range s.summaries() {
		p.text(line)
	}
	for _, inverse := range []bool{false, true} {
		way := "forward"
		if inverse {
			way = "inverse"
		}
		p.rows("by field, "+way, s.ByMeasure(inverse))
		p.rows("whole state by horizon, "+way, s.ByHorizon(State, inverse))
	}
	p.rows("whole state by action", s.ByAction(State))
	for i, way := range []string{"forward", "inverse"} {
		p.calibration("stated confidence, "+way, &s.calibration[i])
	}
	if p.incomparable {
		p.title("+ could not be compared")
	}
	return p.lines
}

// Widths of the columns of Score.Row.
const (
	rowHead   = len("forward 999") // wider if there are more moves
	rowGap    = 2
	rowShare  = len("100%")
	leastCell = 3 // minimum number of cells that justifies a bar of this length
)

// Row returns the score of the forward or the inverse moves in one line of at most width columns:
// the number of moves, and as many measures as fit, each with its accuracy and a bar. A measure has
// the same column in every score with as few moves, so that the line does not jump.
func (s *Score) Row(inverse bool, width int) string {
	way := "forward"
	if inverse {
		way = "inverse"
	}
	of := func(m Measure) Tally {
		return s.Sum(func(k Key) bool { return k.Measure == m && k.Action.Inverse() == inverse })
	}
	state := of(State)
	line := pad(way+" "+humanize.Comma(int64(state.N+state.Incomparable)), rowHead)
	for _, columns := range []int{8, 5, 3, 0} {
		row, cells := line, 0
		for _, m := range []Measure{State, Line, Locals, Value, Event, Function, Stack, EachLocal, Values} {
			t := of(m)
			cell := fmt.Sprintf("%*s%s %*s", rowGap, "", m.Label(), rowShare, t.Percent())
			if columns > 0 {
				cell += " " + bar(t.Accuracy(), columns)
			}
			if utf8.RuneCountInString(row+cell) > width {
				break
			}
			row += cell
			cells++
		}
		if cells >= leastCell || columns == 0 {
			line = row
			break
		}
	}
	p := plot{width: max(width, 0)}
	p.text(line)
	return p.lines[0]
}

type plot struct {
	width        int
	count        int // width of the column for the number of judged states
	incomparable bool
	lines        []string
}

// text adds a line and cuts it to the plot's width.
func (p *plot) text(line string) {
	line = strings.TrimRight(line, " ")
	if utf8.RuneCountInString(line) > p.width {
		line = string([]rune(line)[:p.width])
	}
	p.lines = append(p.lines, line)
}

func (p *plot) title(title string) {
	p.text("")
	p.text(title)
}

func (p *plot) rows(title string, rows []Row) {
	if len(rows) == 0 {
		return
	}
	p.title(title)
	for _, r := range rows {
		p.row(strings.ReplaceAll(r.Label, "-", "–"), r.Tally)
	}
}

// row adds a line such as "LABEL 87.0% ±1.2 ████▌··· 1,234 +8".
func (p *plot) row(label string, t Tally) {
	line := pad(label, labelWidth) + percent(t, 1)
	room := p.width - labelWidth - shareWidth - p.count
	if room >= errorWidth {
		room -= errorWidth
		line += pad(plusMinus(t), errorWidth)
		if room >= leastForBar+1 {
			line += " " + bar(t.Accuracy(), room-1)
		}
	}
	count := p.counts(t)
	p.text(line + strings.Repeat(" ", max(p.count-utf8.RuneCountInString(count), 1)) + count)
}

// counts formats the number of judged and incomparable states, "1,234 +8", so that they align in
// columns.
func (p *plot) counts(t Tally) string {
	text := humanize.Comma(int64(t.N))
	switch {
	case t.Incomparable > 0:
		text += fmt.Sprintf(" %-4s", "+"+humanize.Comma(int64(t.Incomparable)))
	case p.incomparable:
		text += strings.Repeat(" ", 5)
	}
	return text
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 0))
}

// Percent returns the accuracy in whole percent, "–" if nothing was counted. It returns 100% only
// if nothing was wrong.
func (t Tally) Percent() string { return strings.TrimLeft(percent(t, 0), " ") }

// Tenths returns the accuracy in percent with one decimal, else like Percent.
func (t Tally) Tenths() string { return strings.TrimLeft(percent(t, 1), " ") }

// percent formats an accuracy with a number of decimals. An accuracy below 1 is never rounded up to
// 100%.
func percent(t Tally, decimals int) string {
	if t.N == 0 {
		return fmt.Sprintf("%*s", shareWidth, "–")
	}
	scale := math.Pow(10, float64(decimals))
	share := 100 * t.Accuracy()
	if rounded := math.Round(share*scale) / scale; rounded < 100 || t.Same == t.N {
		share = rounded
	} else {
		share = 100 - 1/scale
	}
	return fmt.Sprintf("%*s", shareWidth, fmt.Sprintf("%.*f%%", decimals, share))
}

// plusMinus formats the standard error in percent. It returns "" if all or none were right, because
// then the error cannot be estimated.
func plusMinus(t Tally) string {
	if t.Same == 0 || t.Same == t.N {
		return ""
	}
	return fmt.Sprintf(" ±%.1f", 100*t.StdErr())
}

// bar draws a share as a bar of the given number of columns, exact to an eighth of a column.
func bar(share float64, columns int) string {
	if math.IsNaN(share) {
		share = 0
	}
	eighths := int(math.Round(share * float64(columns) * 8))
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return text + strings.Repeat("·", max(columns-utf8.RuneCountInString(text), 0))
}

// calibration adds a line for each bin: the label is the mean stated confidence, the bar the
// accuracy.
func (p *plot) calibration(title string, c *Calibration) {
	n := c.N()
	if n == 0 {
		return
	}
	p.title(title)
	for _, b := range c.Bins {
		if b.N > 0 {
			p.row(fmt.Sprintf("said %.0f%%", 100*b.Stated()), Tally{N: b.N, Same: b.Same})
		}
	}
	moves := "moves"
	if n == 1 {
		moves = "move"
	}
	p.text(fmt.Sprintf("ECE %.3f  Brier %.3f  %s %s", c.ECE(), c.Brier(), humanize.Comma(int64(n)), moves))
}
