package session

import (
	"context"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
)

// BlocksPage holds some rows of the table that blocks shows.
type BlocksPage struct {
	Command        Blocks
	File, Function string // Function is the qualified name
	Line, Last     int    // first and last line of the function
	Task           string // the description of the function's task for a model; "" if there is none
	Blocks         int    // number of blocks in the function
	Calls, Runs    int    // number of calls in the table, and of runs in these calls
	More           bool   // there are calls or runs that the table does not have
	Predicted      bool   // the states are predicted
	Judge          string // the model that was asked for verdicts, "" if none was
	JudgeFailed    string // why verdicts of the model are missing; "" if none are
	First          int    // number of runs before Rows
	Rows           []BlockRow
}

// BlockRow describes a run of a basic block: one execution of the block in an activation.
type BlockRow struct {
	Call, Number int // number of the call in the table, and of the run in the call; both count from 1
	Block        int // number of the block in the function, from 1
	Lines        [2]int
	Event        int        // the line event at which the run begins; In has the values at this event
	End          int        // the event after the run; Out has the values at this event
	Visit        int        // in neural mode the number of the run's first visit, 0 if none of its states was shown
	Open         bool       // the run has not ended
	Here         bool       // the position is in the run
	Origin       dsl.Origin // of the state at End
	In, Out      []dsl.Local
	Gone         []string // names that have no value any more
	Returned     *string  // what the function returns or yields at End
	Raised       *string  // the exception at End
	// Against lists the reasons that contradict the run: failed asserts and annotations.
	Against []string
	Verdict *BlockVerdict // the model's verdict; nil if the model was not asked or did not answer
}

// BlockVerdict is a model's verdict on a run of a block.
type BlockVerdict struct {
	Correct bool
	Why     string
	Model   string
}

// blockPage returns rows of a table.
func (b blocking) blockPage(ctx context.Context, t *blockTable, first, rows int) *BlocksPage {
	p := &BlocksPage{
		Command: t.command, File: t.file.Name, Function: t.code.QualName, Line: t.code.Line, Last: t.code.Last, Task: t.task(),
		Blocks: len(t.code.Blocks), Calls: len(t.calls), Runs: len(t.runs), More: t.more, Predicted: b.program.past() == nil, First: first,
	}
	current, size := t.current(), 0
	for i := first; i < min(first+rows, len(t.runs)) && size < loopBytes && !b.program.stopping.Load(); i++ {
		r := b.blockRow(ctx, t, i)
		r.Here = i == current && t.around(i)
		for _, l := range slices.Concat(r.In, r.Out) {
			size += len(l.Value)
		}
		p.Rows = append(p.Rows, r)
	}
	return p
}

// around reports whether the position is in run i.
func (t *blockTable) around(i int) bool {
	run := t.runs[i]
	c := &t.calls[run.call]
	end, open := run.End(c)
	return c.event(run.Event) <= t.here && (t.here < c.event(end) || open || c.Over(end) && t.here == c.event(end))
}

// blockRow returns a row of a table.
func (b blocking) blockRow(ctx context.Context, t *blockTable, i int) BlockRow {
	run := t.runs[i]
	c := &t.calls[run.call]
	end, open := run.End(c)
	block := t.code.Blocks[run.Block]
	r := BlockRow{
		Call: run.call + 1, Number: i - c.first + 1, Block: run.Block + 1, Lines: [2]int{block.First, block.Last},
		Event: c.event(run.Event), End: c.event(end), Open: open, Origin: dsl.Real,
	}
	r.In = t.reads(c, block, run.Event)
	r.Out, r.Gone = t.changes(c, run.Event, end)
	state := b.program.states().State(r.End)
	switch {
	case open:
	case c.Raised(end):
		r.Raised = state.Value
	case c.Over(end):
		r.Returned = state.Value
	}
	if b.program.past() == nil {
		r.Origin = dsl.Predicted
	}
	if p, predicted := b.program.reference().(*nav.Predicted); predicted {
		r.Origin = p.Mark(p.PositionOf(r.End)).Origin
		for event := run.Event; event <= end && r.Visit == 0; event++ {
			r.Visit = b.visits.tree.At(p.PositionOf(c.event(event))) // it is 0 for a state that a move passed over
		}
	}
	r.Against = t.against(ctx, c, i, &r)
	return r
}
