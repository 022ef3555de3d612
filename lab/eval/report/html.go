package report

import (
	"cmp"
	_ "embed" // for go:embed of the page's styles
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/session/score"
)

//go:embed page.css
var styles string

// markup collects HTML. html/template would make the program 4 MB larger, because it calls methods by
// name, and then the linker keeps every exported method.
type markup struct{ strings.Builder }

// add adds HTML in the format of fmt. It escapes string arguments, which may come from programs and
// models.
func (m *markup) add(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = html.EscapeString(escape.Line(text))
		}
	}
	fmt.Fprintf(m, format, args...)
}

// plot is a chart on a page.
type plot interface {
	draw(m *markup)
}

// HTML writes a result as one self-contained page, without scripts and other files.
func HTML(w io.Writer, r *eval.Result) error {
	about := []string{fmt.Sprintf("%d programs of %s", r.N, r.Settings.Source)}
	if r.Place != "" {
		about = append(about, "asked at "+r.Place)
	}
	if r.Settings.Samples > 1 {
		about = append(about, fmt.Sprintf("%d answers at temperature %g", r.Settings.Samples, r.Settings.Temperature))
	}
	if !r.Complete {
		about = append(about, "ended before all were counted")
	}
	var plots []plot
	switch {
	case len(r.States) > 0:
		plots = plotStates(r.States)
	case r.Inverse != nil:
		plots = plotInverse(r.Inverse)
	default:
		plots = plotCruxEval(r)
	}
	var m markup
	m.begin("npdb eval "+r.Task+": "+cmp.Or(r.Model, "the model"), strings.Join(about, "; "))
	for _, p := range plots {
		p.draw(&m)
	}
	m.WriteString("</div>\n")
	for _, t := range Tables(r) {
		m.table(t)
	}
	if len(r.Skipped) > 0 {
		left := Table{Title: "Left out", Head: []string{"program", "why"}}
		for _, s := range r.Skipped {
			left.Rows = append(left.Rows, []string{s.Program, s.Why})
		}
		m.table(left)
	}
	m.WriteString("</html>\n")
	_, err := io.WriteString(w, m.String())
	return err
}

// begin adds the part of the page before the plots.
func (m *markup) begin(title, lead string) {
	m.WriteString(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
`)
	m.add("<title>%s</title>\n", title)
	m.WriteString("<style>\n" + styles + "</style>\n")
	m.add("<h1>%s</h1>\n<p class=\"lead\">%s</p>\n<div class=\"plots\">\n", title, lead)
}

func (m *markup) table(t Table) {
	m.add("<section><h2>%s</h2>\n<table><thead><tr>", t.Title)
	for _, cell := range t.Head {
		m.add("<th>%s</th>", cell)
	}
	m.WriteString("</tr></thead><tbody>\n")
	for _, row := range t.Rows {
		m.WriteString("<tr>")
		for _, cell := range row {
			m.add("<td>%s</td>", cell)
		}
		m.WriteString("</tr>\n")
	}
	m.WriteString("</tbody></table>")
	if t.Note != "" {
		m.add("<p class=\"note\">%s</p>", t.Note)
	}
	m.WriteString("</section>\n")
}

func plotStates(all []eval.States) []plot {
	var plots []plot
	for _, s := range sections {
		if strings.Contains(s.title, "by horizon") {
			continue // both directions are in one plot, below
		}
		if b := barsOf(s.title, all, s.rows); b != nil {
			plots = append(plots, b)
		}
	}
	model := &all[0]
	horizons := newCurves("Whole state by horizon", "events passed over")
	horizons.add("forward", dotsOf(model.Score.ByHorizon(score.State, false)))
	horizons.add("inverse", dotsOf(model.Score.ByHorizon(score.State, true)))
	walks := newCurves("Free rollouts without a fault", "steps")
	for i := range all {
		var dots []dot
		for k, share := range all[i].Survival() {
			dots = append(dots, dot{fmt.Sprint(k + 1), percent(share), share})
		}
		walks.add(cmp.Or(all[i].Name, "the model"), dots)
	}
	for _, c := range []*curves{horizons, walks} {
		if c.layOut() {
			plots = append(plots, c)
		}
	}
	return append(plots, reliabilities(named{"forward", model.Score.Calibration(false)}, named{"inverse", model.Score.Calibration(true)})...)
}

func plotCruxEval(r *eval.Result) []plot {
	b := &bars{Title: "pass@1"}
	var sure []named
	for i, j := range []*eval.Judged{r.Output, r.Input} {
		if j == nil || j.Pass1 == nil {
			continue
		}
		name := [...]string{"output", "input"}[i]
		row := bar{Label: name, Value: *j.Pass1, Text: percent(*j.Pass1), N: j.N}
		for k, other := range eval.BaselineNames() {
			if share, ok := j.Baselines[other]; ok && share.Pass1 != nil {
				row.Marks = append(row.Marks, mark{other, *share.Pass1, k + 1})
			}
		}
		b.Rows = append(b.Rows, row)
		sure = append(sure, named{name, j.Calibration})
	}
	var plots []plot
	if b.layOut() {
		plots = append(plots, b)
	}
	return append(plots, reliabilities(sure...)...)
}

func plotInverse(in *eval.Inverse) []plot {
	var plots []plot
	for _, of := range []struct {
		title string
		share func(p *eval.Pasts) *float64
	}{
		{"Answers that lead here", func(p *eval.Pasts) *float64 { return p.Consistency1 }},
		{"Answers that are the real past", func(p *eval.Pasts) *float64 { return p.Exact }},
	} {
		b := &bars{Title: of.title}
		for i := range in.Moves {
			if x := of.share(&in.Moves[i]); x != nil {
				b.Rows = append(b.Rows, bar{Label: in.Moves[i].Action, Value: *x, Text: percent(*x), N: in.Moves[i].Answers})
			}
		}
		if b.layOut() {
			plots = append(plots, b)
		}
	}
	return append(plots, reliabilities(named{"forward, exact", in.Forward}, named{"inverse, exact", in.Exact}, named{"inverse, leads here", in.Leads})...)
}
