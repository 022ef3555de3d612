package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/session/score"
)

// Sizes in the plots, in SVG units.
const (
	barLeft   = 150 // x coordinate where bars begin, after their labels
	barWidth  = 330
	barHeight = 24
	plotLeft  = 44
	plotWidth = 380
	plotTall  = 220
	plotTop   = 18
	square    = 220 // width and height of a reliability plot
)

// bars is a bar chart of shares. Marks in it show the shares of the baselines.
type bars struct {
	Title  string
	Rows   []bar
	Legend []mark
	Height int
}

// bar is a share in a bar chart, with the text that the tables show for it. layOut sets Y
// and Width.
type bar struct {
	Label string
	Value float64
	Text  string
	N     int
	Marks []mark

	Y, Width int
}

// mark is the share of a baseline in a bar. Color is the number of the baseline.
type mark struct {
	Name  string
	Value float64
	Color int
}

// X returns the mark's x coordinate in a bar chart.
func (m mark) X() int { return barLeft + int(math.Round(m.Value*barWidth)) }

// barsOf returns a bar chart of selected rows, or nil if they are empty.
func barsOf(title string, all []eval.States, rows rowsOf) *bars {
	b := &bars{Title: title}
	for _, row := range rows(&all[0]) {
		if row.N == 0 {
			continue
		}
		one := bar{Label: strings.ReplaceAll(row.Label, "-", "–"), Value: row.Accuracy(), Text: row.Tenths(), N: row.N}
		for i := range all[1:] {
			for _, other := range rows(&all[i+1]) {
				if other.Label == row.Label && other.N > 0 {
					one.Marks = append(one.Marks, mark{cmp.Or(all[i+1].Name, "?"), other.Accuracy(), i + 1})
				}
			}
		}
		b.Rows = append(b.Rows, one)
	}
	if len(all) > 1 {
		b.Legend = []mark{{Name: cmp.Or(all[0].Name, "the model")}}
	}
	if !b.layOut() {
		return nil
	}
	return b
}

// layOut computes the positions of the bars, and the legend. It returns false if there are
// no bars.
func (b *bars) layOut() bool {
	known := map[string]bool{}
	for i := range b.Rows {
		r := &b.Rows[i]
		r.Y, r.Width = i*barHeight+4, int(math.Round(r.Value*barWidth))
		for _, m := range r.Marks {
			if !known[m.Name] {
				known[m.Name] = true
				b.Legend = append(b.Legend, m)
			}
		}
	}
	b.Height = len(b.Rows)*barHeight + 8
	return len(b.Rows) > 0
}

// curves is a line chart of shares that depend on a growing quantity.
type curves struct {
	Title, Under string
	Lines        []curve
	Ticks        []tick

	unplaced []unplaced
}

// unplaced is a curve before layOut computes its positions.
type unplaced struct {
	name string
	dots []dot
}

// dot is one share of a curve, with its label on the x axis and its text in the tables.
type dot struct {
	label, text string
	share       float64
}

// dotsOf returns the rows whose count is not zero, as dots of a curve.
func dotsOf(rows []score.Row) []dot {
	var dots []dot
	for _, row := range rows {
		if row.N > 0 {
			dots = append(dots, dot{row.Label, row.Tenths(), row.Accuracy()})
		}
	}
	return dots
}

type curve struct {
	Name   string
	Color  int
	Path   string
	Points []point
}

type point struct {
	X, Y int
	Text string
}

type tick struct {
	X    int
	Text string
}

func newCurves(title, under string) *curves { return &curves{Title: title, Under: under} }

func (c *curves) add(name string, dots []dot) {
	if len(dots) > 0 {
		c.unplaced = append(c.unplaced, unplaced{name, dots})
	}
}

// mostTicks is the maximum number of labels on the x axis.
const mostTicks = 12

// layOut computes the positions of the curves. The x axis has the labels of all curves, in
// order. layOut returns false if there are no curves.
func (c *curves) layOut() bool {
	var labels []string
	place := map[string]int{}
	for _, n := range c.unplaced {
		for _, d := range n.dots {
			if _, ok := place[d.label]; !ok {
				place[d.label] = 0
				labels = append(labels, d.label)
			}
		}
	}
	if len(labels) == 0 {
		return false
	}
	slices.SortStableFunc(labels, func(a, b string) int { return leading(a) - leading(b) })
	for i, label := range labels {
		place[label] = i
	}
	x := func(i int) int { return plotLeft + int(math.Round((float64(i)+0.5)*plotWidth/float64(len(labels)))) }
	every := (len(labels) + mostTicks - 1) / mostTicks
	for i, label := range labels {
		if i%every == 0 {
			c.Ticks = append(c.Ticks, tick{x(i), strings.ReplaceAll(label, "-", "–")})
		}
	}
	for i, n := range c.unplaced {
		line := curve{Name: n.name, Color: i}
		to := "M"
		for _, d := range n.dots {
			p := point{x(place[d.label]), plotTop + int(math.Round((1-d.share)*plotTall)), d.label + ": " + d.text}
			line.Points = append(line.Points, p)
			line.Path += fmt.Sprintf("%s%d %d ", to, p.X, p.Y)
			to = "L"
		}
		c.Lines = append(c.Lines, line)
	}
	return true
}

// reliability is a plot that compares the stated confidence with the share that was right.
// Answers are put into classes by their confidence.
type reliability struct {
	Title string
	ECE   string
	Spots []spot
}

// spot is a class of confidence in a reliability plot. Its area shows the number of answers in the
// class.
type spot struct {
	X, Y, Base int
	R          float64
	Text       string
}

func reliabilities(all ...named) []plot {
	var plots []plot
	for _, c := range all {
		n := c.of.N()
		if n == 0 {
			continue
		}
		p := &reliability{Title: "Confidence, " + c.name, ECE: fmt.Sprintf("%.3f", c.of.ECE())}
		for _, b := range c.of.Bins {
			if b.N == 0 {
				continue
			}
			x := plotLeft + int(math.Round(b.Stated()*square))
			p.Spots = append(p.Spots, spot{
				X: x, Y: plotTop + int(math.Round((1-b.Accuracy())*square)), Base: plotTop + int(math.Round((1-b.Stated())*square)),
				R:    3 + 11*math.Sqrt(float64(b.N)/float64(n)),
				Text: fmt.Sprintf("said %s, right %s of %d", percent(b.Stated()), percent(b.Accuracy()), b.N),
			})
		}
		plots = append(plots, p)
	}
	return plots
}
