package align

import (
	_ "embed" // for the schema

	"github.com/npdb/npdb/dsl"
)

// Report says how two runs differ, for users and as JSON.
type Report struct {
	Version     int      `json:"v"`
	Same        bool     `json:"same"`
	Runs        [2]About `json:"runs"`
	First       *Place   `json:"first"` // the first divergence
	Divergences int      `json:"divergences"`
	List        []*Place `json:"list"` // the first of them
	Rejoined    bool     `json:"rejoined"`
	Aligned     int      `json:"aligned"` // pairs of events
	Ignored     []string `json:"ignored"`
}

// About describes one of the runs.
type About struct {
	Name      string   `json:"name"`
	Program   string   `json:"program"`
	Python    string   `json:"python"`
	Events    int      `json:"events"`
	Only      int      `json:"only"`      // events without a counterpart
	Functions []string `json:"functions"` // that ran only here
	Exit      *Exit    `json:"exit"`
}

// Exit is the end of a run.
type Exit struct {
	Code      int     `json:"code"`
	Exception *string `json:"exception"`
}

// Place describes a divergence.
type Place struct {
	Kind  string  `json:"kind"` // "values", "path" or "end"
	Name  string  `json:"name"` // the value that differs, with a path into it: "orders[3].total"
	Of    string  `json:"of"`   // the function that has the name, "" if it is not that of the event
	Sides [2]Side `json:"sides"`
	Joins *[2]int `json:"joins"` // the events at which the runs are at the same line again
}

// Side is a divergence in one of the runs.
type Side struct {
	Event    int         `json:"event"` // the first at which the difference shows; the number of events for the end
	What     string      `json:"what"`  // call, line, return, yield, unwind, exception or end
	File     string      `json:"file"`
	Line     int         `json:"line"`
	Source   string      `json:"source"`
	Function string      `json:"function"`
	By       *Line       `json:"by"`    // the line that ran before and made the difference
	Value    *string     `json:"value"` // nil if there is none
	Loops    []Iteration `json:"loops"` // the loops around By or, if there are none, its innermost caller that is in one; the outermost first
	Stack    []Line      `json:"stack"`
}

// Line is a line that runs.
type Line struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Source   string `json:"source"`
}

// Iteration says in which iteration a loop is, from 1.
type Iteration struct {
	Function string `json:"function"` // that has the loop
	Line     int    `json:"line"`
	Number   int    `json:"number"`
}

// ReportSchema is the JSON Schema of a Report (draft 2020-12).
//
//go:embed report.schema.json
var ReportSchema []byte

// ReportVersion is the version of the JSON of a Report.
const ReportVersion = 1

// mostListed limits how many divergences a report lists.
const mostListed = 100

// Report describes the result. about holds what the tree does not know: names and programs.
func (al *Alignment) Report(about [2]About) *Report {
	r := &Report{Version: ReportVersion, Same: al.Same(), Divergences: al.Count, Rejoined: al.Rejoined, Aligned: al.Aligned, Ignored: append([]string{}, al.Ignored...), List: []*Place{}}
	for k := range about {
		r.Runs[k] = about[k]
		a := &r.Runs[k]
		a.Events, a.Only, a.Functions = al.Runs[k].Tree.Len(), al.Only[k], append([]string{}, al.OnlyFunctions(k)...)
		if e := al.Runs[k].Exit; e != nil {
			a.Exit = &Exit{e.Code, e.Exception}
		}
	}
	for i := range min(len(al.Divergences), mostListed) {
		r.List = append(r.List, al.Place(i))
	}
	if len(r.List) > 0 {
		r.First = r.List[0]
	}
	return r
}

// Place describes divergence i.
func (al *Alignment) Place(i int) *Place {
	d := &al.Divergences[i]
	p := &Place{Kind: map[Kind]string{Values: "values", Path: "path", End: "end"}[d.Kind]}
	for k := range p.Sides {
		p.Sides[k] = al.side(k, d)
	}
	if d.Joins[0] >= 0 {
		p.Joins = &d.Joins
	}
	if d.Kind != Values {
		return p
	}
	f, _ := al.find(d)
	p.Name = f.Path
	if f.Function != "" && f.Function != p.Sides[0].Function {
		p.Of = f.Function
	}
	for k := range p.Sides {
		if f.Has[k] {
			p.Sides[k].Value = &f.Texts[k]
		}
	}
	return p
}

// side describes one side of a divergence.
func (al *Alignment) side(k int, d *Divergence) Side {
	t, event := al.Runs[k].Tree, d.Events[k]
	s := Side{Event: event, What: "end", Loops: []Iteration{}, Stack: []Line{}}
	if event < t.Len() {
		at := t.At(event)
		s.What, s.File, s.Line, s.Function = at.Event.String(), t.Files()[at.File].Name, at.Line, al.sources.codes[k][at.Code].qualified
		if at.Event == dsl.Return {
			s.What = at.Kind.String()
		}
		s.Source, _ = t.SourceLine(at.File, at.Line)
		for _, f := range t.Stack(event) {
			s.Stack = append(s.Stack, al.line(k, t.CodeOf(f.Activation), f.Line))
		}
	}
	if event > 0 && (d.Kind != Values || d.what.kind != aResult) {
		s.By, s.Loops = al.by(k, event)
	} else if event < t.Len() {
		s.Loops = al.loopsOf(k, t.Stack(event))
	}
	return s
}

func (al *Alignment) line(k, code, line int) Line {
	t := al.Runs[k].Tree
	c := &al.sources.codes[k][code]
	source, _ := t.SourceLine(c.File, line)
	return Line{c.qualified, t.Files()[c.File].Name, line, source}
}

// by returns the line that ran before an event, and the loops around it.
func (al *Alignment) by(k, event int) (*Line, []Iteration) {
	t := al.Runs[k].Tree
	if event < t.Len() && t.At(event).AfterGap {
		return nil, []Iteration{}
	}
	stack := t.Stack(event - 1)
	top := len(stack) - 1
	if t.At(event-1).Event == dsl.Return && top > 0 {
		top-- // the caller's line continued
	}
	f := stack[top]
	line := al.line(k, t.CodeOf(f.Activation), f.Line)
	return &line, al.loopsOf(k, stack[:top+1])
}
