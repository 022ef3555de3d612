package journal

import (
	"encoding/json"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// version is the version of the journal's format. Since version 2, commands are stored as typed
// JSON values.
const version = 2

// Record is one line of a journal. Exactly one of the fields Header, Do, Line, Input, Landing and
// Reply is set; the fields after Reply belong to a reply.
type Record struct {
	Header  *Header         `json:"header,omitempty"`
	Do      json.RawMessage `json:"do,omitempty"`   // a command as JSON
	Line    *string         `json:"line,omitempty"` // a line that is no Command: alias
	Input   *Input          `json:"input,omitempty"`
	Landing *Landing        `json:"landing,omitempty"`
	Reply   *string         `json:"reply,omitempty"` // a model's reply
	// The model's confidence in the reply and the model's name, if known.
	Confidence  *float64          `json:"confidence,omitempty"`
	Confidences *backend.Sureness `json:"confidences,omitempty"`
	Model       string            `json:"model,omitempty"`
	Known       bool              `json:"known,omitempty"` // known from before, not requested
	NoLocals    bool              `json:"no_locals,omitempty"`
	Computed    bool              `json:"computed,omitempty"`
	Checks      backend.Checks    `json:"checks,omitempty"`
	Candidates  *Candidates       `json:"candidates,omitempty"`
}

// Candidates are the states to which an inverse move may lead, the one that was shown first.
type Candidates struct {
	List    []Candidate `json:"list"`
	Answers int         `json:"answers"` // number of the model's answers, invalid ones included
	Search  string      `json:"search,omitempty"`
}

// Candidate is one of Candidates; see backend.Candidate.
type Candidate struct {
	Reply       string          `json:"reply"` // in nd/1
	Drawn       int             `json:"drawn,omitempty"`
	Probability *float64        `json:"probability,omitempty"`
	Told        bool            `json:"told,omitempty"`
	Found       int             `json:"found,omitempty"`
	Verdict     backend.Verdict `json:"verdict,omitempty"`
	By          backend.Means   `json:"by,omitempty"`
	Difference  string          `json:"difference,omitempty"`
	Why         string          `json:"why,omitempty"`
	After       backend.Means   `json:"after,omitempty"`
}

// Header is the first line of a journal: which program was debugged how, and the breakpoints at the
// start.
type Header struct {
	V           int                      `json:"v"`
	Program     string                   `json:"program"`
	Source      string                   `json:"source"` // SHA-256 of the file in hex, "" if none
	Options     Options                  `json:"options"`
	Breakpoints []*breakpoint.Breakpoint `json:"breakpoints,omitempty"`
	// Mode is the mode at the start, "" for real mode without a model. Model is the model's name,
	// "" if there is none.
	Mode  string `json:"mode,omitempty"`
	Model string `json:"model,omitempty"`
	// Against is the name of a second model that stands in for CPython, "" if there is none.
	Against string `json:"against,omitempty"`
	Filled
}

// Filled holds the values that a model chose for arguments of the --entry function that the user
// did not give.
type Filled struct {
	Values []string `json:"filled,omitempty"`
	// Confidence and Sureness hold the model's confidence in these values, nil if unknown.
	Confidence *float64          `json:"filled_confidence,omitempty"`
	Sureness   *backend.Sureness `json:"filled_confidences,omitempty"`
}

// Options holds those fields of trace.Options that select what is run.
type Options struct {
	Python      string           `json:"python,omitempty"`
	Script      string           `json:"script,omitempty"`
	Module      string           `json:"module,omitempty"`
	Code        string           `json:"code,omitempty"`
	Entry       string           `json:"entry,omitempty"`
	From        string           `json:"from,omitempty"`
	Thread      string           `json:"thread,omitempty"`
	Begin       *trace.Beginning `json:"begin,omitempty"`
	Args        []string         `json:"args,omitempty"`
	Dir         string           `json:"dir,omitempty"`
	UserCode    []string         `json:"user_code,omitempty"`
	LibraryCode []string         `json:"library_code,omitempty"`
	Stdin       string           `json:"stdin,omitempty"`
	RandomSeed  *int64           `json:"random_seed,omitempty"`
}

// OptionsOf returns the fields of trace.Options that select what is run. stdin is the file of the
// program's standard input, "" if there is none.
func OptionsOf(o trace.Options, stdin string) Options {
	return Options{o.Python, o.Script, o.Module, o.Code, o.Entry, o.From, o.Thread, o.Begin, o.Args, o.Dir, o.UserCode, o.LibraryCode, stdin, o.RandomSeed}
}

// Reply is a model's reply to a question; Raw is "" if the model did not answer.
type Reply struct {
	Raw        string
	Confidence *float64
	Sureness   *backend.Sureness
	Model      string // the model's name, "" if unknown
	Known      bool   // the reply was known from before; no request was made
	NoLocals   bool   // the model's dialect cannot express the locals of this state
	Computed   bool   // computed from the program's source instead of predicted by a model
	Checks     backend.Checks
	Candidates *Candidates // nil for none
}

func (r Reply) record() Record {
	return Record{
		Reply: &r.Raw, Confidence: r.Confidence, Confidences: r.Sureness, Model: r.Model, Known: r.Known, NoLocals: r.NoLocals,
		Computed: r.Computed, Checks: r.Checks, Candidates: r.Candidates,
	}
}

// Input is a line of the program's standard input that the user entered.
type Input struct {
	Text      string `json:"text"`
	EOF       bool   `json:"eof,omitempty"`
	Interrupt bool   `json:"interrupt,omitempty"`
	Unseen    bool   `json:"unseen,omitempty"` // read without echo, as a password: Text is ""
}

// Landing is the position that a command led to.
type Landing struct {
	Event       int    `json:"event"`
	File        string `json:"file,omitempty"`
	Line        int    `json:"line,omitempty"`
	End         bool   `json:"end,omitempty"`
	Interrupted bool   `json:"interrupted,omitempty"`
	Hole        bool   `json:"hole,omitempty"`  // interrupted in a part that was not recorded
	Visit       int    `json:"visit,omitempty"` // number in the history, 0 if unknown
}

// Same reports whether two landings are at the same position.
func (l Landing) Same(o Landing) bool {
	return l.End == o.End && l.Event == o.Event && l.Line == o.Line && l.File == o.File
}

func (l Landing) String() string {
	if l.End {
		return "the end"
	}
	return fmt.Sprintf("event %d at %s:%d", l.Event, l.File, l.Line)
}
