package journal

import (
	"encoding/json"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// version is the version of the format, in which commands are typed values.
const version = 2

// Record is one line of a journal. Exactly one of Header to Reply is set.
type Record struct {
	Header  *Header         `json:"header,omitempty"`
	Do      json.RawMessage `json:"do,omitempty"`   // a command, as the session writes it
	Line    *string         `json:"line,omitempty"` // one that only a command line knows, such as alias
	Input   *Input          `json:"input,omitempty"`
	Landing *Landing        `json:"landing,omitempty"`
	Reply   *string         `json:"reply,omitempty"` // what a model wrote, and
	// how sure it was of that and what it is called, where it has told.
	Confidence  *float64          `json:"confidence,omitempty"`
	Confidences *backend.Sureness `json:"confidences,omitempty"`
	Model       string            `json:"model,omitempty"`
	Known       bool              `json:"known,omitempty"` // the model was not asked: what it answers was known
	NoLocals    bool              `json:"no_locals,omitempty"`
	Computed    bool              `json:"computed,omitempty"`
	Checks      backend.Checks    `json:"checks,omitempty"`
}

// Header is the first line of a journal: what was debugged, and the initial breakpoints.
type Header struct {
	V           int                      `json:"v"`
	Program     string                   `json:"program"`
	Source      string                   `json:"source"` // SHA-256 of the program's file, hexadecimal; "" for none
	Options     Options                  `json:"options"`
	Breakpoints []*breakpoint.Breakpoint `json:"breakpoints,omitempty"`
	// Mode is the initial mode, "" for real mode without a model. Model names the model, "" for
	// none.
	Mode  string `json:"mode,omitempty"`
	Model string `json:"model,omitempty"`
	// Against names the model that replaced CPython, "" for none.
	Against string `json:"against,omitempty"`
	Filled
}

// Filled holds the values that a model filled in for arguments of --entry.
type Filled struct {
	Values []string `json:"filled,omitempty"`
	// Confidence and Sureness are the model's confidence in them, nil if unknown.
	Confidence *float64          `json:"filled_confidence,omitempty"`
	Sureness   *backend.Sureness `json:"filled_confidences,omitempty"`
}

// Options is the part of trace.Options that selects what runs.
type Options struct {
	Python      string   `json:"python,omitempty"`
	Script      string   `json:"script,omitempty"`
	Module      string   `json:"module,omitempty"`
	Code        string   `json:"code,omitempty"`
	Entry       string   `json:"entry,omitempty"`
	From        string   `json:"from,omitempty"`
	Args        []string `json:"args,omitempty"`
	Dir         string   `json:"dir,omitempty"`
	UserCode    []string `json:"user_code,omitempty"`
	LibraryCode []string `json:"library_code,omitempty"`
	Stdin       string   `json:"stdin,omitempty"`
	RandomSeed  *int64   `json:"random_seed,omitempty"`
}

// OptionsOf returns that part of a run's options; stdin is the file of its standard input, "" for
// none.
func OptionsOf(o trace.Options, stdin string) Options {
	return Options{o.Python, o.Script, o.Module, o.Code, o.Entry, o.From, o.Args, o.Dir, o.UserCode, o.LibraryCode, stdin, o.RandomSeed}
}

// Reply is a model's reply, "" if there was no answer.
type Reply struct {
	Raw        string
	Confidence *float64
	Sureness   *backend.Sureness
	Model      string // its name, "" where that is not known
	Known      bool   // it was not asked: the answer is known from before
	NoLocals   bool   // its language has no words for the locals of the state
	Computed   bool   // the program's text decided it, and no model was asked
	Checks     backend.Checks
}

func (r Reply) record() Record {
	return Record{Reply: &r.Raw, Confidence: r.Confidence, Confidences: r.Sureness, Model: r.Model, Known: r.Known, NoLocals: r.NoLocals, Computed: r.Computed, Checks: r.Checks}
}

// Input is a line of the program's standard input.
type Input struct {
	Text      string `json:"text"`
	EOF       bool   `json:"eof,omitempty"`
	Interrupt bool   `json:"interrupt,omitempty"`
	Unseen    bool   `json:"unseen,omitempty"` // the program read it with the echo off, as a password: Text is ""
}

// Landing is the position after a command.
type Landing struct {
	Event       int    `json:"event"`
	File        string `json:"file,omitempty"`
	Line        int    `json:"line,omitempty"`
	End         bool   `json:"end,omitempty"`
	Interrupted bool   `json:"interrupted,omitempty"`
	Hole        bool   `json:"hole,omitempty"` // interrupted where nothing was recorded
}

// Same reports whether two landings are the same.
func (l Landing) Same(o Landing) bool {
	return l.End == o.End && l.Event == o.Event && l.Line == o.Line && l.File == o.File
}

func (l Landing) String() string {
	if l.End {
		return "the end"
	}
	return fmt.Sprintf("event %d at %s:%d", l.Event, l.File, l.Line)
}
