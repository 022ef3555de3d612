package htmlpage

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace/statetree"
)

// data is the recording as the script reads it. Events are counted from 0, the first one on the
// page. All texts are safe to show.
type data struct {
	Program string   `json:"program"`
	Python  string   `json:"python"`
	Npdb    string   `json:"npdb"`
	First   int      `json:"first"` // number of events before those on the page
	All     int      `json:"all"`   // number of events of the recording
	Shown   int      `json:"shown"`
	End     bool     `json:"end"`     // Shown is the end of the program
	Fatal   bool     `json:"fatal"`   // Shown is the uncaught exception
	Cut     string   `json:"cut"`     // what is not on the page, "" if nothing
	Exit    *exit    `json:"exit"`    // how the program ended, if that is known
	Files   []file   `json:"files"`   // those that ran
	Codes   []code   `json:"codes"`   // functions, classes and modules
	Acts    []int    `json:"acts"`    // by activation: its code
	Globals []int    `json:"module"`  // by activation: the activation of its globals, or -1
	Kinds   string   `json:"kinds"`   // by event: see kindOf
	Lines   []int    `json:"lines"`   // by event: the difference of its line to that of the event before
	Pushed  []int    `json:"pushed"`  // by call: the difference of its activation to that of the call before
	Stacks  [][]int  `json:"stacks"`  // an event, then activation and line of each frame, outermost first
	Changes []int    `json:"changes"` // see changes
	Asides  []int    `json:"asides"`  // the difference of the event to that of the entry before, an activation, then changes
	Objects []int    `json:"objects"` // the difference of the event, an object, its text
	Values  []int    `json:"values"`  // what events return, yield or raise, in order
	Said    []said   `json:"said"`
	Texts   []any    `json:"texts"` // see texts
	Raised  []int    `json:"raised"`
	Holes   []int    `json:"holes"`
	Output  []output `json:"output"`
	Marks   []mark   `json:"marks"`
	Breaks  [][2]int `json:"breaks"` // file and line of each breakpoint
}

// emptyData returns data whose lists are lists in JSON, too.
func emptyData() data {
	none := []int{}
	return data{
		Files: []file{}, Codes: []code{}, Acts: none, Globals: none, Lines: none, Pushed: none, Stacks: [][]int{}, Changes: none,
		Asides: none, Objects: none, Values: none, Said: []said{}, Texts: []any{}, Raised: none, Holes: none, Output: []output{},
		Marks: []mark{}, Breaks: [][2]int{},
	}
}

type exit struct {
	Code      int    `json:"code"`
	Exception string `json:"exception"`
}

type said struct {
	Event int    `json:"event"`
	Text  string `json:"text"`
}

type mark struct {
	Event int    `json:"event"` // may be outside of the page
	End   bool   `json:"end"`
	Name  string `json:"name"`
	Note  string `json:"note"`
}

// The kinds of events, as in data.Kinds.
const (
	kindCall      = '0'
	kindLine      = '1'
	kindReturned  = '2'
	kindYielded   = '3'
	kindUnwound   = '4'
	kindException = '5'
	kindResumed   = '6' // a call that resumes a generator
)

// mostText limits the texts of a page, in bytes. A page with more has fewer events. Tests lower it.
var mostText = 32 << 20

// collect returns what the page shows: as many events as its limits allow.
func collect(rec Recording, o Options) *data {
	most := o.Most
	if most <= 0 {
		most = MostEvents
	}
	if o.Redact != nil {
		o.Redact.Program(programOf(rec.Tree()))
		from, to := window(rec.Tree().Len(), most, o)
		newFollower(rec.Tree(), from, to, o.Redact).run() // a secret that is found late may occur earlier
	}
	for {
		from, to := window(rec.Tree().Len(), most, o)
		f := newFollower(rec.Tree(), from, to, o.Redact)
		if fits := f.run(); !fits && to-from > 1 {
			most = (to - from) / 2
			continue
		}
		return f.finish(rec, o)
	}
}

// window returns the events that a page keeps, from included and to excluded: around the shown one,
// more of them before it, or the last ones.
func window(events, most int, o Options) (from, to int) {
	if events <= most {
		return 0, events
	}
	to = o.Shown.Event + 1 + most/4
	if o.Last || o.Shown.End {
		to = events
	}
	to = min(max(to, most), events)
	return to - most, to
}

// cutText says which events a page leaves out.
func (f *follower) cutText() string {
	all := f.tree.Len()
	if f.to-f.from == all {
		return ""
	}
	return fmt.Sprintf("This page has events %s to %s of %s. npdb open shows all of them.",
		humanize.Comma(int64(f.from)), humanize.Comma(int64(f.to-1)), humanize.Comma(int64(all)))
}

// finish adds what does not depend on a single event.
func (f *follower) finish(rec Recording, o Options) *data {
	d := &f.data
	d.Program, d.Python, d.Npdb = escape.Line(o.Program), escape.Line(o.Python), escape.Line(o.Npdb)
	d.First, d.All, d.Cut = f.from, f.tree.Len(), f.cutText()
	d.Shown, d.End, d.Fatal = min(max(o.Shown.Event, f.from), f.to-1)-f.from, o.Shown.End && f.to == f.tree.Len(), o.Shown.PostMortem
	if e := rec.Exit(); e != nil {
		d.Exit = &exit{Code: e.Code}
		if e.Exception != nil {
			d.Exit.Exception = f.safe(f.redact.Value("", *e.Exception))
		}
	}
	for _, b := range o.Bookmarks {
		d.Marks = append(d.Marks, mark{b.Event - f.from, b.End, escape.Line(b.Name), f.safe(f.redact.Plain(b.Note))})
	}
	for i, ok := f.tree.NextRaise(f.from - 1); ok && i < f.to; i, ok = f.tree.NextRaise(i) {
		d.Raised = append(d.Raised, i-f.from)
	}
	for i, ok := f.tree.HoleAfter(f.from); ok && i <= f.to; i, ok = f.tree.HoleAfter(i) {
		d.Holes = append(d.Holes, i-f.from)
	}
	f.addFiles(o.Breakpoints)
	f.addOutput(rec)
	return d
}

// kindOf returns the kind of an event.
func kindOf(t *statetree.Tree, i int, r statetree.Record) byte {
	switch r.Event {
	case dsl.Call:
		if t.CallEvent(r.Activation) != i {
			return kindResumed
		}
		return kindCall
	case dsl.Line:
		return kindLine
	case dsl.Exception:
		return kindException
	}
	switch r.Kind {
	case dsl.Yielded:
		return kindYielded
	case dsl.Unwound:
		return kindUnwound
	}
	return kindReturned
}
