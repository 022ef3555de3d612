package report

import (
	"cmp"
	_ "embed" // for go:embed of the page's template
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/session/score"
)

//go:embed page.html
var pageText string

// form is the page's template. It escapes texts, which come from programs and models.
var form = template.Must(template.New("page").Funcs(template.FuncMap{"seen": escape.Line}).Parse(pageText))

// page holds the data for the template.
type page struct {
	Title, Lead string
	Plots       []any // each is a *bars, *curves or *reliability
	Tables      []Table
	Skipped     []eval.Skipped
}

// HTML writes a result as one self-contained page, without scripts and other files.
func HTML(w io.Writer, r *eval.Result) error {
	p := page{Title: "npdb eval " + r.Task + ": " + cmp.Or(r.Model, "the model"), Tables: Tables(r), Skipped: r.Skipped}
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
	p.Lead = strings.Join(about, "; ")
	switch {
	case len(r.States) > 0:
		p.Plots = plotStates(r.States)
	case r.Inverse != nil:
		p.Plots = plotInverse(r.Inverse)
	default:
		p.Plots = plotCruxEval(r)
	}
	return form.Execute(w, p)
}

// Kind selects the drawing in the template.
func (*bars) Kind() string { return "bars" }

// Kind selects the drawing in the template.
func (*curves) Kind() string { return "curves" }

// Kind selects the drawing in the template.
func (*reliability) Kind() string { return "reliability" }

func plotStates(all []eval.States) []any {
	var plots []any
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

func plotCruxEval(r *eval.Result) []any {
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
	var plots []any
	if b.layOut() {
		plots = append(plots, b)
	}
	return append(plots, reliabilities(sure...)...)
}

func plotInverse(in *eval.Inverse) []any {
	var plots []any
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
