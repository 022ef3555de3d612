package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// run is one run of the program: the first one, or one that began with an edit in the past of another.
// While another run is shown, it stores the state that belongs to this run only.
type run struct {
	source    nav.Source
	rec       Recording
	inferring inferring
	savedTo   string
	output    outputCursor
	displays  map[uint32][]*display
	hits      map[*breakpoint.Breakpoint]breakpoint.Crossings
	compared  *otherRun
	child     int // number of the child process that is recorded, 0 for the program
}

// RerunError reports that a command in the past has to run the program again, and that the user must
// allow that first. Question is the question to the user; Allowed is the command to run if the user agrees.
type RerunError struct {
	Question string
	Allowed  Command
}

func (e *RerunError) Error() string {
	return e.Question + " (y answers it where npdb asks; here it was not asked)"
}

// brancher is a recording whose program can be run again up to an event.
type brancher interface {
	Branch(ctx context.Context, event int) (*trace.Recording, error)
	CanBranch(event int) error
	Again() []string
}

// branching begins a new run of the program at each edit in the past, and switches between the runs.
type branching struct {
	cfg         *Config
	program     *program
	draft       *draft
	position    *position
	files       *files
	breakpoints *breakpoints
	visits      *visits
	watching    *watching
	looping     *looping
	pacing      *pacing
	demand      *demand
}

// canBranch returns the recording if the program can be run again up to the position, otherwise an error.
// what names the command in the error.
func (b *branching) canBranch(what string) (brancher, error) {
	switch {
	case b.position.pos.End, b.position.pos.Inferred > 0, b.program.recorded() == nil:
		return nil, b.position.needLive(what)
	case b.cfg.File != "":
		return nil, errorf(Refused, "%s: this session shows a recording without its program, so that nothing can be run again", what)
	case b.cfg.Attached:
		return nil, errorf(Refused, "%s: npdb did not start this program, so that it cannot run it again", what)
	case b.program.beside() != nil:
		return nil, errorf(Refused, "%s: in side-by-side mode the past is not edited (mode real allows it)", what)
	case b.position.selected < 0:
		return nil, b.position.needLive(what)
	}
	r, ok := b.program.rec.(brancher)
	if !ok {
		return nil, b.position.needLive(what)
	}
	if err := r.CanBranch(b.position.pos.Event); err != nil {
		return nil, b.notBranched(what, err)
	}
	return r, nil
}

// rerunQuestion returns the question whether the program may be run again up to the position.
func (b *branching) rerunQuestion(r brancher) string {
	text := fmt.Sprintf("The program is run again up to this event (%s): files, network and input happen again", thousands(b.position.pos.Event))
	if list := r.Again(); len(list) > 0 {
		const most = 3
		if more := len(list) - most; more > 0 {
			list = append(list[:most:most], fmt.Sprintf("%d more", more))
		}
		text += ". In this run: " + escape.Line(strings.Join(list, "; "))
	}
	return text + ". Run it?"
}

// branch runs the program again up to the position, in a new process, makes an edit there, and shows that
// run. what names the edit in messages. again reports that the user has allowed to run the program again;
// if not, branch returns a RerunError whose command is allowed. verb and text are the edit.
func (b *branching) branch(ctx context.Context, what string, allowed Command, again bool, verb trace.Verb, text string) error {
	of, err := b.canBranch(what)
	if err != nil {
		return err
	}
	if !again {
		return &RerunError{Question: b.rerunQuestion(of), Allowed: allowed}
	}
	b.demand.drop()
	at, up := b.position.pos.Event, b.position.selected
	var made *trace.Recording
	var answer trace.Answer
	_, err = b.pacing.running(ctx, func(ctx context.Context) (l trace.Landing, err error) {
		if made, err = of.Branch(ctx, at); err == nil {
			answer, err = made.Ask(ctx, up, verb, text)
		}
		return l, err
	})
	if err == nil && answer.More {
		err = errorf(BadArgument, "The statement is incomplete: in the past it is given in one piece")
	}
	if err != nil {
		if made != nil {
			err = errors.Join(err, made.Close())
		}
		return b.notBranched(what, err)
	}
	from := b.visits.tree.Shown()
	b.addRun(made)
	b.draft.output.skip(made.Output(-1, -1))
	b.position.pos, b.position.selected, b.position.look = made.LiveEdge(), up, false
	b.files.listed, b.draft.stop = listed{}, &stop{}
	b.visits.remember()
	b.breakpoints.countHits()
	if text := trimLineEnd(answer.Text); verb == trace.VerbExec && text != "" {
		b.draft.say(text)
	}
	b.watching.altered++
	b.program.nav.Edited(b.position.pos)
	b.draft.notice("Run %d goes on live from here; what it does is another recording. %s returns to the run before, %s compares them.",
		b.program.shown+1, b.draft.key("goto "+VisitName(from)), b.draft.key(fmt.Sprintf("diff run %d", b.visits.tree.Visit(from).Run+1)))
	return nil
}

// notBranched converts the error err of a branch to the error of the command what.
func (b *branching) notBranched(what string, err error) error {
	var no *trace.NoPast
	switch {
	case b.program.stopping.Load():
		return errorf(Stopped, "%s: interrupted; the edit was not made, and this run is as it was", what)
	case errors.As(err, &no) && no.Kind == "differs":
		return errorf(Diverged, "%s: the program was run again, and it was %s. The edit was not made.", what, no)
	case errors.As(err, &no):
		return errorf(Refused, "%s: the program cannot be run again up to this event: %s", what, no.Why)
	}
	return err
}

// addRun adds a run to the session and shows it.
func (b *branching) addRun(rec Recording) {
	pr := b.program
	if len(pr.runs) == 0 {
		pr.runs = []*run{{}}
	}
	of := pr.recorded().Branch(rec)
	pr.runs = append(pr.runs, &run{
		source: of, rec: rec, output: outputCursor{event: -1}, displays: map[uint32][]*display{},
		hits: b.breakpoints.table.CrossedTo(b.position.pos.Event),
	})
	b.toRun(len(pr.runs) - 1)
}

// toRun shows another run of the program, by its index.
func (b *branching) toRun(number int) {
	pr := b.program
	if number == pr.shown {
		return
	}
	b.demand.drop()
	pr.walkAt(trace.Position{})
	table := &b.breakpoints.table
	now, next := pr.runs[pr.shown], pr.runs[number]
	*now = run{
		child:  now.child,
		source: pr.nav.Source, rec: pr.rec, inferring: pr.inferring, savedTo: pr.savedTo, output: b.draft.output,
		displays: b.watching.displays, hits: table.Exchange(next.hits), compared: b.visits.run,
	}
	pr.mu.Lock()
	pr.nav.Source, pr.rec, pr.shown = next.source, next.rec, number
	open := pr.inferring.open
	pr.inferring = next.inferring
	pr.inferring.open = open
	pr.mu.Unlock()
	pr.savedTo, b.draft.output, b.watching.displays, b.visits.run = next.savedTo, next.output, next.displays, next.compared
	b.visits.lastMove, b.visits.onward, b.draft.page, b.looping.last = lastMove{}, nil, page{}, nil
	for _, w := range b.watching.watches {
		w.in = map[uint32]*watchReading{}
	}
	pr.rec.Record(!pr.unrecorded)
}

// others returns the recordings of the runs that are not shown.
func (pr *program) others() (list []Recording) {
	for i, r := range pr.runs {
		if i != pr.shown {
			list = append(list, r.rec)
		}
	}
	return list
}

// Run returns the number of the shown run, from 1, and how many runs there are.
func (pr *program) Run() (number, of int) { return pr.shown + 1, max(len(pr.runs), 1) }
