package session

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

const (
	loopPage    = 20      // rows shown at a time
	loopMost    = 10_000  // rows shown at a time at most
	loopColumns = 12      // columns at most
	loopSamples = 192     // rows that are looked at for columns and sparklines
	loopScan    = 100_000 // rows that a filter is tried on at a time
	loopSpark   = 12      // width of a sparkline
	loopBytes   = 4 << 20 // bytes of values in one page
)

// LoopPage holds rows of the table of a loop: the iterations that a filter selects, or all.
type LoopPage struct {
	Command        Loop // the command that shows it
	Kind, Function string
	File           string
	Line           int
	Run            int // the run that is shown, 0 for all
	Runs           int // in this call of the function
	Iterations     int // rows of the table, without a filter
	Filter         string
	Scanned        int // the rows that the filter was tried on
	Matches        int // those that it selects
	Unknown        int // those for which it could not be evaluated
	Columns        []LoopColumn
	More           []string // names that change, too, and have no column
	Predicted      bool     // the rows are among the states that a model was asked for
	First          int      // how many selected rows are before Rows
	Rows           []LoopRow

	of *loopTable
}

// LoopColumn is a name that changes in a loop. Numeric reports that all its values are numbers, as far
// as they were looked at; Spark draws them.
type LoopColumn struct {
	Name    string
	Numeric bool
	Spark   string
}

// LoopRow is an iteration. Its values are those at its end.
type LoopRow struct {
	query.Iteration
	Visit  int // in neural mode the number of its first visit, 0 if none of its states was shown
	Here   bool
	Origin dsl.Origin // of the state at End
	Values []query.Reading
}

// loopTable is the table of a loop in an activation.
type loopTable struct {
	command    Loop
	source     loopSource
	loop       python.Loop
	file       statetree.File
	activation uint32
	states     int // how many states there were
	here       int
	iterations *query.Iterations
	run        int   // 0 for all
	offsets    []int // by run, if all are shown: the number of rows before it
	rows       int

	columns []LoopColumn
	more    []string
	drawn   bool // the sparklines of all rows are drawn

	filter            string
	contains          string // the text that a value contains
	matches           []int  // the rows that the filter selects
	scanned, unknowns int
}

// like reports whether another table is of the same iterations.
func (t *loopTable) like(other *loopTable) bool {
	l, recorded := t.source.(*recordedLoop)
	if !recorded || other == nil {
		return false
	}
	was, recorded := other.source.(*recordedLoop)
	return recorded && was.past == l.past && other.activation == t.activation && other.states == t.states &&
		other.file.Path == t.file.Path && other.loop.Line == t.loop.Line
}

// choose finds the iterations and selects a run, or all. It goes on with what is known from the last
// table if that is of the same iterations.
func (t *loopTable) choose(all bool, last *loopTable) error {
	if t.like(last) {
		t.iterations = last.iterations
	} else {
		t.iterations = query.FindIterations(t.source, &t.loop)
	}
	if t.iterations.Runs() == 0 {
		return errorf(NotFound, "loop: the loop at line %d has no iteration in this call", t.loop.Line)
	}
	if !all {
		t.run = t.iterations.RunAt(t.here)
	}
	if t.like(last) && last.run == t.run {
		t.offsets, t.rows, t.columns, t.more = last.offsets, last.rows, slices.Clone(last.columns), last.more
		if last.filter == t.filter {
			t.matches, t.scanned, t.unknowns = last.matches, last.scanned, last.unknowns
		}
		return nil
	}
	if !all {
		t.rows = t.iterations.Count(t.run)
		return nil
	}
	for run := 1; run <= t.iterations.Runs(); run++ {
		t.offsets = append(t.offsets, t.rows)
		t.rows += t.iterations.Count(run)
	}
	return nil
}

// at returns the iteration of a row.
func (t *loopTable) at(row int) query.Iteration {
	if t.run > 0 {
		return t.iterations.At(t.run, row+1)
	}
	run := sort.Search(len(t.offsets), func(i int) bool { return t.offsets[i] > row })
	return t.iterations.At(run, row-t.offsets[run-1]+1)
}

// current returns the row of the iteration that the position is in, or -1.
func (t *loopTable) current() int {
	run := t.iterations.RunAt(t.here)
	number := t.iterations.NumberAt(run, t.here)
	switch {
	case number == 0:
		return -1
	case t.run == 0:
		return t.offsets[run-1] + number - 1
	}
	return number - 1
}

// begin returns the first row of a page around the present iteration.
func (t *loopTable) begin(rows int) int {
	if t.filter != "" {
		return 0
	}
	return max(min(t.current()-rows/2, t.rows-rows), 0)
}

// filterBy sets the filter.
func (t *loopTable) filterBy(filter string) error {
	t.filter = filter
	if filter == "" {
		return nil
	}
	if text, ok := python.StringOf(filter); ok {
		t.contains = text
		return nil
	}
	_, err := python.Compile(filter)
	var refused *python.RefusedError
	if err != nil && !errors.As(err, &refused) {
		return errorf(BadArgument, "loop: %s: %v. A text to look for is written in quotes", filter, err)
	}
	return nil
}

// scan tries the filter on further rows, until want rows are selected or it was tried on so many that
// the user should see how far it is.
func (t *loopTable) scan(ctx context.Context, want int, stop func() bool) {
	for end := min(t.scanned+loopScan, t.rows); t.scanned < end && len(t.matches) < want && !stop(); t.scanned++ {
		if t.selects(ctx, t.scanned) {
			t.matches = append(t.matches, t.scanned)
		}
	}
}

func (t *loopTable) selects(ctx context.Context, row int) bool {
	end := t.at(row).End
	if t.contains != "" {
		return slices.ContainsFunc(t.columns, func(c LoopColumn) bool {
			return strings.Contains(t.source.value(c.Name, end).Text, t.contains)
		})
	}
	holds, err := t.source.holds(ctx, t.filter, end)
	var raised *python.EvalError
	if err != nil && !errors.As(err, &raised) {
		t.unknowns++
	}
	return holds
}

// selected returns how many rows are selected, as far as is known.
func (t *loopTable) selected() int {
	if t.filter == "" {
		return t.rows
	}
	return len(t.matches)
}

// row returns a selected row.
func (t *loopTable) row(i int) int {
	if t.filter == "" {
		return i
	}
	return t.matches[i]
}

// page returns rows of a table, beginning with a selected one.
func (lo *looping) page(ctx context.Context, t *loopTable, first, rows int, stop func() bool) *LoopPage {
	if t.columns == nil {
		t.addColumns()
	}
	rows = min(rows, loopMost)
	if t.filter != "" {
		t.scan(ctx, first+rows, stop)
	}
	if lo.cfg.Draws && !t.drawn {
		t.draw()
		t.drawn = t.filter == ""
	}
	p := &LoopPage{
		Command: t.command, Kind: t.loop.Kind, Function: t.loop.Function, File: t.file.Name, Line: t.loop.Line, Run: t.run, Runs: t.iterations.Runs(),
		Iterations: t.rows, Filter: t.filter, Scanned: t.scanned, Matches: t.selected(), Unknown: t.unknowns,
		Columns: slices.Clone(t.columns), More: t.more, First: first, of: t,
	}
	_, p.Predicted = t.source.(*predictedLoop)
	current := t.current()
	size := 0
	for i := first; i < min(first+rows, t.selected()) && size < loopBytes && !stop(); i++ {
		r := lo.rowAt(t, t.row(i))
		r.Here = t.row(i) == current
		for _, v := range r.Values {
			size += len(v.Text)
		}
		p.Rows = append(p.Rows, r)
	}
	return p
}

// rowAt returns a row of a table.
func (lo *looping) rowAt(t *loopTable, row int) LoopRow {
	r := LoopRow{Iteration: t.at(row), Origin: dsl.Real}
	for _, c := range t.columns {
		r.Values = append(r.Values, t.source.value(c.Name, r.End))
	}
	if l, predicted := t.source.(*predictedLoop); predicted {
		p := lo.program.reference().(*nav.Predicted)
		r.Origin = p.Mark(p.PositionOf(l.chain[r.End])).Origin
		for event := r.Event; event <= r.End && r.Visit == 0; event++ {
			r.Visit = lo.visits.tree.At(p.PositionOf(l.chain[event])) // others were passed and not shown
		}
		r.Head, r.Event, r.End = l.chain[r.Head], l.chain[r.Event], l.chain[r.End]
	}
	return r
}

// samples returns rows of the table, at equal distances: the selected ones or all.
func (t *loopTable) samples(rows int, row func(i int) int) []query.Iteration {
	var out []query.Iteration
	last := -1
	for i := range min(rows, loopSamples) {
		at := i
		if rows > loopSamples {
			at = i * (rows - 1) / (loopSamples - 1)
		}
		if at != last {
			out = append(out, t.at(row(at)))
		}
		last = at
	}
	return out
}

// addColumns finds the names that change in the loop: those that its text assigns, and those that have
// other values in the rows that are looked at.
func (t *loopTable) addColumns() {
	t.columns = []LoopColumn{}
	if t.rows == 0 {
		return
	}
	sampled := t.samples(t.rows, func(i int) int { return i })
	first, last := sampled[0], sampled[len(sampled)-1]
	var names []string
	for _, name := range slices.Concat(t.loop.Names, t.source.names(last.End), t.source.names(first.End)) {
		assigned := slices.Contains(t.loop.Names, name)
		if !slices.Contains(names, name) && t.varies(name, sampled, assigned) && (assigned || !t.shownByAttribute(name)) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if len(t.columns) == loopColumns {
			t.more = append(t.more, name)
			continue
		}
		t.columns = append(t.columns, LoopColumn{Name: name, Numeric: t.numeric(name, sampled)})
	}
}

// shownByAttribute reports whether the loop assigns attributes of a name, which have columns of their
// own.
func (t *loopTable) shownByAttribute(name string) bool {
	return slices.ContainsFunc(t.loop.Names, func(assigned string) bool { return strings.HasPrefix(assigned, name+".") })
}

// varies reports whether a name has a value in one of some rows and, unless the loop assigns it, not the
// same in all of them.
func (t *loopTable) varies(name string, sampled []query.Iteration, assigned bool) bool {
	first := sampled[0]
	was, _, had := t.source.sample(name, first.Head)
	for _, it := range sampled {
		text, _, ok := t.source.sample(name, it.End)
		if ok != had || text != was || assigned && ok {
			return true
		}
	}
	return had && t.source.touched(name, first.Head, sampled[len(sampled)-1].End)
}

// numeric reports whether all values of a name in some rows are numbers.
func (t *loopTable) numeric(name string, sampled []query.Iteration) bool {
	found := false
	for _, it := range sampled {
		text, number, ok := t.source.sample(name, it.End)
		if !ok {
			continue
		}
		if _, err := strconv.ParseFloat(text, 64); !number || err != nil {
			return false
		}
		found = true
	}
	return found
}

// draw draws the sparklines of the selected rows.
func (t *loopTable) draw() {
	sampled := t.samples(t.selected(), t.row)
	for i := range t.columns {
		c := &t.columns[i]
		if !c.Numeric {
			continue
		}
		var numbers []float64
		for _, it := range sampled {
			text, _, _ := t.source.sample(c.Name, it.End)
			if n, err := strconv.ParseFloat(text, 64); err == nil && n == n {
				numbers = append(numbers, n)
			}
		}
		c.Spark = spark(numbers, loopSpark)
	}
}
