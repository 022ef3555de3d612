package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/trace"
)

// Journal is a session that was journalled, to be resumed.
type Journal struct {
	header header
	steps  []step
	cut    bool // the last command has no landing: npdb ended while it ran
}

// step is a line the user gave, what the program read meanwhile, and where it
// led.
type step struct {
	command string
	at      *AtLine // in place of command, where it is about a line
	inputs  []input
	replies []modelReply
	landing landing
}

// FindJournal reads the latest journal of the program that o names, or of any
// program when o names none. One that nothing was written to, as on a full disk,
// holds no session and is passed over.
func FindJournal(stateDir string, o trace.Options) (*Journal, error) {
	if stateDir == "" {
		return nil, fmt.Errorf("%w: no state folder is known (HOME and XDG_STATE_HOME are not set)", errNoJournal)
	}
	program := ""
	if o.Script != "" || o.Module != "" || o.Code != "" {
		program = programKey(o)
	}
	dir := filepath.Join(stateDir, "journal")
	names := journalNames(dir, program)
	if len(names) == 0 {
		if program != "" {
			return nil, fmt.Errorf("%w of %s", errNoJournal, program)
		}
		return nil, fmt.Errorf("%w in %s", errNoJournal, dir)
	}
	for len(names) > 1 {
		j, err := ReadJournal(filepath.Join(dir, names[len(names)-1]))
		if !errors.Is(err, errNoHeader) {
			return j, err
		}
		names = names[:len(names)-1]
	}
	return ReadJournal(filepath.Join(dir, names[0]))
}

// journalLimit is more than a session that can be replayed has written.
const journalLimit = 4 << 30

// ReadJournal reads the journal at a path, as Recent has it.
func ReadJournal(path string) (*Journal, error) {
	raw, err := plainfile.Read(path, journalLimit)
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be read: %w", err)
	}
	j, err := DecodeJournal(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

// errNoHeader is a journal that says of no program that it is its.
var errNoHeader = errors.New("the journal does not begin with a header this npdb knows")

// DecodeJournal reads a journal. Its last line may be cut off, by a crash while
// it was written; everywhere else a line that is none is an error.
func DecodeJournal(raw []byte) (*Journal, error) {
	j := &Journal{}
	var open *step
	lines := bytes.Split(raw, []byte("\n"))
	for i, line := range lines {
		if len(line) == 0 {
			continue
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			if i == len(lines)-1 {
				break
			}
			return nil, fmt.Errorf("line %d of the journal is damaged: %w", i+1, err)
		}
		switch {
		case r.Header != nil:
			j.header = *r.Header
		case j.header.V != 1:
			return nil, errNoHeader
		case r.Command != nil:
			open = &step{command: *r.Command}
		case r.At != nil:
			open = &step{command: r.At.String(), at: r.At}
		case open == nil:
			return nil, fmt.Errorf("line %d of the journal belongs to no command", i+1)
		case r.Input != nil:
			open.inputs = append(open.inputs, *r.Input)
		case r.Reply != nil:
			open.replies = append(open.replies, modelReply{raw: *r.Reply, confidence: r.Confidence, model: r.Model, known: r.Known})
			if r.Model != "" && j.header.Against == "" {
				j.header.Model = r.Model // which the first answer may have told
			}
		case r.Landing != nil:
			open.landing = *r.Landing
			j.steps = append(j.steps, *open)
			open = nil
		}
	}
	if j.header.V != 1 {
		return nil, errNoHeader
	}
	for _, b := range j.header.Breakpoints {
		if b == nil || b.Number < 1 {
			return nil, errors.New("the journal's breakpoints are damaged")
		}
		b.kept = true
	}
	j.cut = open != nil
	return j, nil
}

// Options fills in what o leaves open of the options the journalled session ran
// with.
func (j *Journal) Options(o trace.Options) trace.Options {
	h := j.header.Options
	if o.Script == "" && o.Module == "" && o.Code == "" {
		o.Script, o.Module, o.Code = h.Script, h.Module, h.Code
		o.Dir = h.Dir
	}
	if o.Entry == "" {
		o.Entry = h.Entry
	}
	if o.From == "" {
		o.From = h.From
	}
	if o.Python == "" {
		o.Python = h.Python
	}
	if o.RandomSeed == nil {
		o.RandomSeed = h.RandomSeed
	}
	if len(o.Args) == 0 {
		o.Args = h.Args
	}
	if len(o.UserCode) == 0 {
		o.UserCode = h.UserCode
	}
	if len(o.LibraryCode) == 0 {
		o.LibraryCode = h.LibraryCode
	}
	o.Named = append([]string{}, (&breakpoints{list: j.header.Breakpoints}).files()...)
	return o
}

// Mode is where states came from at the beginning.
func (j *Journal) Mode() Mode {
	if j.header.Mode == "" {
		return Real
	}
	return j.header.Mode
}

// Model names the model that predicted the program, "" for none.
func (j *Journal) Model() string { return j.header.Model }

// Against names the model that stood in CPython's place, "" for none.
func (j *Journal) Against() string { return j.header.Against }

// Filled are the values that the model gave to parameters that --entry left open.
func (j *Journal) Filled() []string { return j.header.Filled }

// Stdin is the file that stood for the program's standard input, "" for none.
func (j *Journal) Stdin() string { return j.header.Options.Stdin }

// replay is a journal at work.
type replay struct {
	inputs  []input
	replies []modelReply
	lines   []record // what the new journal will hold
}

// reply is the next one that the model gave the first time.
func (r *replay) reply() (given modelReply, ok bool) {
	if len(r.replies) == 0 {
		return given, false
	}
	given, r.replies = r.replies[0], r.replies[1:]
	return given, true
}

// known reports whether the next answer was known, so that no model was asked.
func (r *replay) known() bool { return len(r.replies) > 0 && r.replies[0].known }

// answer is what a model answered when the journal was written.
func (r *replay) answer(n *Neural, node *dsl.Node, a dsl.Action) reply {
	given, ok := r.reply()
	if !ok {
		return reply{node: node, err: errorf(Diverged, "The journal has no reply to %s.", a)}
	}
	if given.model != "" {
		n.named = given.model
	}
	d := node.Decode(a)
	err := d.Feed(given.raw)
	if err == nil {
		err = d.Close(true)
	}
	if err != nil {
		return reply{node: node, err: errorf(Diverged, "The journal's reply to %s is none: %v", a, err)}
	}
	step, _ := d.Step()
	return reply{node: node, made: &backend.Prediction{Step: step, Raw: given.raw, Confidence: given.confidence}}
}

// input gives the program the next line it read the first time.
func (r *replay) input() InputLine {
	if len(r.inputs) == 0 {
		return InputLine{EOF: true}
	}
	in := r.inputs[0]
	r.inputs = r.inputs[1:]
	return InputLine(in)
}

// Resume replays a journal on the freshly opened session, and answers with the
// place it came to. The recording is made anew: where a landing is not the one
// that was journalled, the replay stops and says so.
func (s *Session) Resume(ctx context.Context, j *Journal) *Answer {
	if j.header.Source != "" && j.header.Source != sourceHash(s.cfg.Options) {
		s.notice("%s changed since its journal was written.", escape.Line(s.store.program))
	}
	s.work()
	defer s.rest()
	late := s.comeToFirst(ctx)
	kept := s.bps.list
	s.bps.list, s.bps.next = nil, 1
	s.bps.restore(j.header.Breakpoints)
	relocate(s.bps.list, s.sourceOf)
	began := copied(s.bps.list)
	s.replaying = &replay{}
	if n := s.cfg.Neural; n != nil {
		n.named = j.header.Model
	}
	if n := s.cfg.Against; n != nil && j.header.Against != otherModel {
		n.named = j.header.Against
	}
	notices := s.answer // only the place it ends at is worth showing
	s.answer, s.stop = &Answer{}, nil
	failed := late
	done := 0
	for _, st := range j.steps {
		if failed != nil {
			break
		}
		if ctx.Err() != nil || s.stopping.Load() {
			failed = errorf(Diverged, "The replay was interrupted after %s", plural(done, "command", "commands"))
			break
		}
		if st.at == nil && lookupCommandLine(st.command) == "quit" {
			break
		}
		if st.landing.Hole {
			failed = errorf(Diverged, "%q was interrupted while nothing was recorded: where that was cannot be found again, and the replay stops before it", st.command)
			break
		}
		s.again(ctx, st)
		done++
		if now := landingAt(s.pos, s.states()); !now.same(st.landing) {
			failed = errorf(Diverged, "The replay of %q came to %s, the journal says %s: it stops here", st.command, now, st.landing)
			break
		}
	}
	lines := s.replaying.lines
	s.replaying = nil
	s.answer, s.stop, s.seq = notices, &stop{}, 0
	if failed != nil {
		s.bps.restore(kept)
	}
	s.notice("Resumed: %s replayed.", plural(done, "command", "commands"))
	if n := s.cfg.Neural; n != nil && s.Mode() != Real {
		if now := n.Predictor.Model().Name; now != "" && j.header.Model != "" && now != j.header.Model {
			s.notice("What is replayed was predicted by %s; from here on %s is asked.", escape.Line(j.header.Model), escape.Line(now))
		}
	}
	if j.cut && failed == nil {
		s.notice("npdb ended during the last command of the journal, which is not replayed.")
	}
	now := s.bps.list
	s.bps.list = began
	s.journalOpen()
	s.bps.list = now
	for _, r := range lines {
		s.journal.write(r)
	}
	s.save()
	return s.finish(ctx, failed)
}

// copied is breakpoints that do not change with the originals.
func copied(list []*Breakpoint) []*Breakpoint {
	out := make([]*Breakpoint, len(list))
	for i, b := range list {
		c := *b
		out[i] = &c
	}
	return out
}

// again makes one step of a journal.
func (s *Session) again(ctx context.Context, st step) {
	s.replaying.inputs, s.replaying.replies = st.inputs, st.replies
	command := st.command
	given := record{Command: &command}
	if st.at != nil {
		given = record{At: st.at}
	}
	s.replaying.lines = append(s.replaying.lines, given)
	for _, in := range st.inputs {
		s.replaying.lines = append(s.replaying.lines, record{Input: &in})
	}
	for _, given := range st.replies {
		s.replaying.lines = append(s.replaying.lines, given.record())
	}
	switch {
	case s.rec != nil && st.landing.Interrupted && !st.landing.End:
		// Where an interruption falls is chance; where it fell is known.
		if err := (&recordedWalk{s}).goTo(ctx, st.landing.Event); err != nil {
			s.notice("%v", err)
		}
		s.walk.displaced()
	case st.at != nil:
		s.doAt(ctx, *st.at)
	default:
		s.do(ctx, command, func(*Answer) {})
	}
	l := st.landing
	s.replaying.lines = append(s.replaying.lines, record{Landing: &l})
}

// lookupCommandLine is the name of a line's command, "" for Python.
func lookupCommandLine(line string) string {
	name, _ := parseLine(line)
	if c := lookupCommand(name); c != nil {
		return c.name
	}
	return ""
}

func (l landing) same(o landing) bool {
	return l.End == o.End && l.Event == o.Event && l.Line == o.Line && l.File == o.File
}

func (l landing) String() string {
	if l.End {
		return "the end"
	}
	return fmt.Sprintf("event %d at %s:%d", l.Event, l.File, l.Line)
}
