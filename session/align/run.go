package align

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// Run is a recorded run of a program.
type Run struct {
	Tree   *statetree.Tree
	Exit   *dsl.Exit      // nil if it is not known
	Python python.Version // zero if it is not known
	Dir    string         // the folder in which the program ran, "" if it is not known
}

// Kind says in what two runs differ at a divergence.
type Kind uint8

// The kinds of divergences.
const (
	Values Kind = iota + 1 // a name or an object has another value
	Path                   // the runs go on at different places
	End                    // one run ends, the other goes on
)

// Divergence is a place at which two runs that were alike so far become different.
type Divergence struct {
	Kind Kind
	// Events are the events of both runs at which the difference shows: of Path the first events that
	// differ. An event may be the number of events, for the end of a run.
	Events [2]int
	// Joins are the events at which a Path that parted joins again, -1 if it does not.
	Joins [2]int
	what  subject
}

// subject is what differs at a divergence of Values.
type subject struct {
	kind    subjectKind
	acts    [2]uint32 // activations of a name, or of the name that leads to an object
	slot    int       // the name, in the first run; -1 if only the second one has it
	other   int       // the name in the second run, or -1
	objects [2]statetree.Object
}

type subjectKind uint8

const (
	aName subjectKind = iota + 1
	anObject
	aResult // what is returned, yielded or raised
)

// Alignment pairs the events of two runs.
type Alignment struct {
	Runs        [2]Run
	Divergences []Divergence // in the order of the first run; see Count
	Count       int          // number of divergences, of which only the first are in Divergences
	Aligned     int          // number of pairs of events
	Only        [2]int       // number of events of each run that have no counterpart
	Ignored     []string     // what differs, but comes from the clock and the like: "elapsed (time.time())"
	// Rejoined reports that the runs have the same values at the end, and ended alike.
	Rejoined bool

	other    [2][]int32 // by event: its counterpart, or ^ that of the last event before that has one
	lenient  bool
	sides    [2]*side
	sources  *sources
	values   *rules
	iterated [2]iterated
}

// mostDivergences limits how many divergences are listed.
const mostDivergences = 100_000

// Align aligns two runs. It returns early with an error if the context is cancelled.
func Align(ctx context.Context, a, b Run) (*Alignment, error) {
	lenient := a.Python != b.Python
	runs := [2]Run{a, b}
	s := newSources(runs, lenient)
	w := &walker{
		Alignment: &Alignment{Runs: runs, sources: s, values: newRules(runs, lenient), lenient: lenient},
		ctx:       ctx,
	}
	keys := &keyring{numbers: map[eventKey]uint32{}}
	for k := range runs {
		w.sides[k] = newSide(k, runs, s, keys, lenient)
		w.other[k] = make([]int32, runs[k].Tree.Len())
	}
	w.a, w.b = w.sides[0], w.sides[1]
	w.objects = newObjects(runs)
	for k, s := range w.sides {
		s.paired = func(o statetree.Object) bool { return w.objects.partners[k][o] > 0 }
	}
	if err := w.walk(); err != nil {
		return nil, err
	}
	for k := range w.sides {
		w.sides[k].forget()
	}
	return w.Alignment, nil
}

// Other returns the event of the other run at the same moment as an event of run k, or -1 if there is
// none. exact reports whether the two are aligned; otherwise it is the counterpart of the last event
// before that has one.
func (al *Alignment) Other(k, event int) (other int, exact bool) {
	if event < 0 || event >= len(al.other[k]) {
		return -1, false // recorded since
	}
	if o := al.other[k][event]; o >= 0 {
		return int(o), true
	} else if o != none {
		return int(^o), false
	}
	return -1, false
}

// none marks an event that has no counterpart, like all events before it.
const none = -1 << 31

// Same reports whether nothing differs.
func (al *Alignment) Same() bool { return al.Count == 0 && al.Only == [2]int{} && sameExit(al) }

// Next returns the first divergence after an event of run k, and Previous the last one before it; -1 for
// none.
func (al *Alignment) Next(k, event int) int {
	for i := range al.Divergences {
		if al.Divergences[i].Events[k] > event {
			return i
		}
	}
	return -1
}

// Previous returns the last divergence before an event of run k, or -1.
func (al *Alignment) Previous(k, event int) int {
	for i := len(al.Divergences) - 1; i >= 0; i-- {
		if al.Divergences[i].Events[k] < event {
			return i
		}
	}
	return -1
}

// At returns the divergence that shows at an event of run k, or -1.
func (al *Alignment) At(k, event int) int {
	if i := al.Next(k, event-1); i >= 0 && al.Divergences[i].Events[k] == event {
		return i
	}
	return -1
}

// OnlyFunctions returns the functions that ran in run k and not in the other one.
func (al *Alignment) OnlyFunctions(k int) []string {
	return al.sources.functions(k, func(code int) bool {
		if name := al.sources.codes[k][code].Name; al.lenient && (comprehension(name) || annotation(name)) {
			return false
		}
		return al.sides[k].ran[code] && (al.sources.codes[k][code].other < 0 || !al.sides[1-k].ran[al.sources.codes[k][code].other])
	})
}

// OtherLine returns the line of the other run that corresponds to a line of a file of run k, or 0.
func (al *Alignment) OtherLine(k, file, line int) int { return al.sources.lineIn(k, file, line) }

// OtherFile returns the file of the other run that corresponds to a file of run k, or -1.
func (al *Alignment) OtherFile(k, file int) int { return al.sources.files[k][file].other }

func sameExit(al *Alignment) bool {
	a, b := al.Runs[0].Exit, al.Runs[1].Exit
	if a == nil || b == nil {
		return true
	}
	if a.Code != b.Code || (a.Exception == nil) != (b.Exception == nil) {
		return false
	}
	return a.Exception == nil || al.values.sameText(*a.Exception, *b.Exception)
}

// SameText reports whether two texts of values are the same by the rules of the comparison.
func (al *Alignment) SameText(a, b string) bool { return al.values.sameText(a, b) }

// Translated returns the state of an event of run k with the lines, files and names of functions of the
// other run, so that the two can be compared.
func (al *Alignment) Translated(k, event int) *dsl.Stop {
	t, o := al.Runs[k].Tree, al.Runs[1-k].Tree
	stop := &dsl.Stop{State: *t.State(event)}
	to := func(code int, file *string, line *int) {
		of := al.sources.codes[k][code].File
		if other := al.sources.files[k][of].other; other >= 0 {
			*file = o.Files()[other].Name
			if at := al.sources.lineIn(k, of, *line); at > 0 {
				*line = at
			}
		}
	}
	to(t.At(event).Code, &stop.File, &stop.Line)
	for _, f := range t.Stack(event) {
		to(t.CodeOf(f.Activation), &f.File, &f.Line)
		stop.Stack = append(stop.Stack, f.Frame)
	}
	return stop
}
