package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// Journal is the content of a journal file, from which its session can be resumed.
type Journal struct {
	Header Header
	Steps  []Step
	Cut    bool // the last command has no landing because npdb ended while it ran
}

// Step is a command with the program's input and the model's replies while it ran, and its landing.
// Do is nil for a Line that is not a session command.
type Step struct {
	Do      json.RawMessage
	Line    string
	Inputs  []Input
	Replies []Reply
	Landing Landing
}

// Records returns the lines of the journal for the step.
func (s Step) Records() []Record {
	first := Record{Do: s.Do}
	if s.Do == nil {
		first = Record{Line: &s.Line}
	}
	out := []Record{first}
	for _, in := range s.Inputs {
		out = append(out, Record{Input: &in})
	}
	for _, r := range s.Replies {
		out = append(out, r.record())
	}
	return append(out, Record{Landing: &s.Landing})
}

// ErrNone reports that there is no journal to resume.
var ErrNone = errors.New("there is no journal to resume")

// errNoHeader reports that a journal has no header of the known version.
var errNoHeader = errors.New("the journal does not begin with a header this npdb knows")

// Find reads the newest journal of the program in o, or of any program if o has none. It skips
// empty journals, which a full disk can leave.
func Find(stateDir string, o trace.Options) (*Journal, error) {
	if stateDir == "" {
		return nil, fmt.Errorf("%w: no state folder is known (HOME and XDG_STATE_HOME are not set)", ErrNone)
	}
	program := ""
	if o.Script != "" || o.Module != "" || o.Code != "" {
		program = Program(o)
	}
	dir := filepath.Join(stateDir, "journal")
	names := names(dir, program)
	if len(names) == 0 {
		if program != "" {
			return nil, fmt.Errorf("%w of %s", ErrNone, program)
		}
		return nil, fmt.Errorf("%w in %s", ErrNone, dir)
	}
	for len(names) > 1 {
		j, err := Read(filepath.Join(dir, names[len(names)-1]))
		if !errors.Is(err, errNoHeader) {
			return j, err
		}
		names = names[:len(names)-1]
	}
	return Read(filepath.Join(dir, names[0]))
}

// limit is the maximum size of a journal in bytes.
const limit = 4 << 30

// Read reads the journal at a path, for instance Recent.Journal.
func Read(path string) (*Journal, error) {
	raw, err := plainfile.Read(path, limit)
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be read: %w", err)
	}
	j, err := Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

// Decode decodes a journal. A last line that is invalid is ignored, because a crash may have cut it
// off. Any other invalid line is an error.
func Decode(raw []byte) (*Journal, error) {
	j := &Journal{}
	var open *Step
	lines := bytes.Split(raw, []byte("\n"))
	for i, line := range lines {
		if len(line) == 0 {
			continue
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			if i == len(lines)-1 {
				break
			}
			return nil, fmt.Errorf("line %d of the journal is damaged: %w", i+1, err)
		}
		switch {
		case r.Header != nil:
			j.Header = *r.Header
		case j.Header.V != version:
			return nil, errNoHeader
		case r.Do != nil:
			open = &Step{Do: r.Do}
		case r.Line != nil:
			open = &Step{Line: *r.Line}
		case open == nil:
			return nil, fmt.Errorf("line %d of the journal belongs to no command", i+1)
		case r.Input != nil:
			open.Inputs = append(open.Inputs, *r.Input)
		case r.Reply != nil:
			open.Replies = append(open.Replies, Reply{Raw: *r.Reply, Confidence: r.Confidence, Sureness: r.Confidences, Model: r.Model, Known: r.Known, NoLocals: r.NoLocals, Computed: r.Computed, Checks: r.Checks, Candidates: r.Candidates})
			if r.Model != "" && j.Header.Against == "" {
				j.Header.Model = r.Model // the model's name may be known only from its first reply
			}
		case r.Landing != nil:
			open.Landing = *r.Landing
			j.Steps = append(j.Steps, *open)
			open = nil
		}
	}
	if j.Header.V != version {
		return nil, errNoHeader
	}
	for _, b := range j.Header.Breakpoints {
		if b == nil || b.Number < 1 {
			return nil, errors.New("the journal's breakpoints are damaged")
		}
		b.Kept = true
	}
	j.Cut = open != nil
	return j, nil
}

// Options fills in those options that o does not set with the journal's.
func (j *Journal) Options(o trace.Options) trace.Options {
	h := j.Header.Options
	if o.Script == "" && o.Module == "" && o.Code == "" {
		o.Script, o.Module, o.Code = h.Script, h.Module, h.Code
		o.Dir = h.Dir
	}
	if o.Entry == "" {
		o.Entry = h.Entry
	}
	if o.Thread == "" {
		o.Thread = h.Thread
	}
	if o.From == "" {
		o.From = h.From
	}
	if o.Begin == nil {
		o.Begin = h.Begin
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
	o.Named = append([]string{}, (&breakpoint.Table{List: j.Header.Breakpoints}).Files()...)
	return o
}
