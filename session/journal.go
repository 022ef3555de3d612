package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/trace"
)

// keptJournals is how many journals of one program are kept.
const keptJournals = 10

// record is one line of a journal. Exactly one of Header to Reply is set.
type record struct {
	Header  *header  `json:"header,omitempty"`
	Command *string  `json:"command,omitempty"`
	At      *AtLine  `json:"at,omitempty"` // a command, too
	Input   *input   `json:"input,omitempty"`
	Landing *landing `json:"landing,omitempty"`
	Reply   *string  `json:"reply,omitempty"` // what a model wrote, and
	// how sure it was of that and what it is called, where it has told.
	Confidence *float64 `json:"confidence,omitempty"`
	Model      string   `json:"model,omitempty"`
	Known      bool     `json:"known,omitempty"` // the model was not asked: what it answers was known
}

// header is a journal's first line: what was debugged, and the breakpoints it
// began with.
type header struct {
	V           int           `json:"v"`
	Program     string        `json:"program"`
	Source      string        `json:"source"` // SHA-256 of the program's file, hexadecimal; "" for none
	Options     runOptions    `json:"options"`
	Breakpoints []*Breakpoint `json:"breakpoints,omitempty"`
	// Mode is where states came from at the beginning, "" for real mode where no
	// model was configured. Model names the model, "" for none; Filled are the values
	// it gave to parameters that --entry left open.
	Mode  Mode   `json:"mode,omitempty"`
	Model string `json:"model,omitempty"`
	// Against is the model that stood in CPython's place, "" for none.
	Against string   `json:"against,omitempty"`
	Filled  []string `json:"filled,omitempty"`
}

// runOptions is the part of trace.Options that says what runs.
type runOptions struct {
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

// modelReply is what a model wrote, "" where it gave no answer.
type modelReply struct {
	raw        string
	confidence *float64
	model      string // its name, "" where that is not known
	known      bool   // it was not asked: the answer is known from before
}

func (r modelReply) record() record {
	return record{Reply: &r.raw, Confidence: r.confidence, Model: r.model, Known: r.known}
}

// input is a line that the program read.
type input struct {
	Text      string `json:"text"`
	EOF       bool   `json:"eof,omitempty"`
	Interrupt bool   `json:"interrupt,omitempty"`
}

// landing is the position after a command.
type landing struct {
	Event       int    `json:"event"`
	File        string `json:"file,omitempty"`
	Line        int    `json:"line,omitempty"`
	End         bool   `json:"end,omitempty"`
	Interrupted bool   `json:"interrupted,omitempty"`
	Hole        bool   `json:"hole,omitempty"` // interrupted where nothing was recorded
}

func landingAt(p trace.Position, t states) landing {
	if p.End || p.Event < 0 || p.Event >= t.Len() {
		return landing{End: true}
	}
	r := t.At(p.Event)
	return landing{Event: p.Event, Line: r.Line, File: t.Files()[r.File].Name}
}

// journal writes a session's commands and landings as they happen, one JSON
// object a line. The zero journal writes nowhere.
type journal struct {
	file        io.WriteCloser
	empty       string // its path, as long as nothing is written there
	unwritten   []byte // what could not be written, to go before the next record
	failed      error  // of the last write
	said        bool   // that it failed
	interrupted bool   // the running command was,
	hole        bool   // and nothing of it was recorded
}

func (j *journal) write(r record) {
	if j.file == nil {
		return
	}
	raw, err := json.Marshal(r)
	if err != nil {
		j.failed = err
		return
	}
	j.unwritten = append(append(j.unwritten, raw...), '\n')
	n, err := j.file.Write(j.unwritten)
	j.unwritten, j.failed = j.unwritten[n:], err
	if n > 0 {
		j.empty = ""
	}
}

// news says once that the journal cannot be written, and once that it can again.
func (j *journal) news() string {
	if failed := j.failed != nil; failed == j.said {
		return ""
	}
	if j.said = j.failed != nil; j.said {
		return fmt.Sprintf("The journal cannot be written, so what is done from here on is lost with npdb: %v. It is tried again after each command.", j.failed)
	}
	return "The journal is written again, and complete."
}

func (j *journal) command(line string) {
	j.interrupted = false
	j.write(record{Command: &line})
}

func (j *journal) at(at AtLine) {
	j.interrupted = false
	j.write(record{At: &at})
}

func (j *journal) input(in InputLine) {
	j.write(record{Input: &input{in.Text, in.EOF, in.Interrupt}})
}

func (j *journal) reply(r modelReply) { j.write(r.record()) }

func (j *journal) landing(p trace.Position, t states) {
	l := landingAt(p, t)
	l.Interrupted, l.Hole = j.interrupted, j.interrupted && j.hole
	j.write(record{Landing: &l})
}

func (j *journal) close() {
	if j.file != nil {
		_ = j.file.Close() // every line was written when it happened
		j.file = nil
	}
	if j.empty != "" {
		_ = os.Remove(j.empty) // it stays, and is passed over
		j.empty = ""
	}
}

// journalOpen begins the session's journal, unless it has one.
func (s *Session) journalOpen() {
	if s.store.dir == "" || s.journal.file != nil || s.replaying != nil {
		return
	}
	dir := filepath.Join(s.store.dir, "journal")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		name := fmt.Sprintf("%s-%020d-%d.jsonl", keyName(s.store.program), time.Now().UnixNano(), os.Getpid())
		var file *os.File
		if file, err = os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			s.journal.file, s.journal.empty = file, file.Name()
		}
	}
	if err != nil {
		s.notice("No journal is kept: %v", err)
		return
	}
	o := s.cfg.Options
	head := &header{
		V: 1, Program: s.store.program, Source: sourceHash(o), Breakpoints: s.bps.list,
		Options: runOptions{o.Python, o.Script, o.Module, o.Code, o.Entry, o.From, o.Args, o.Dir, o.UserCode, o.LibraryCode, s.cfg.StdinFile, o.RandomSeed},
	}
	if n := s.cfg.Neural; n != nil && s.Mode() != Real {
		head.Mode, head.Model, head.Filled = s.Mode(), n.called(""), n.Filled
		if other := s.cfg.Against; other != nil {
			head.Against, head.Filled = other.called(otherModel), other.Filled
		}
	}
	s.journal.write(record{Header: head})
	s.pruneJournals(dir)
}

// pruneJournals removes all but the newest journals of the program. Empty ones do
// not count: they hold no session that could take the place of another.
func (s *Session) pruneJournals(dir string) {
	names := journalNames(dir, s.store.program)
	kept := 0
	for _, name := range slices.Backward(names) {
		path := filepath.Join(dir, name)
		if kept == keptJournals {
			if err := os.Remove(path); err != nil {
				s.notice("An old journal could not be removed: %v", err)
			}
		} else if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			kept++
		}
	}
}

// journalNames lists the journals of a program, or of all with "", the oldest
// first.
func journalNames(dir, program string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // no folder, no journals
	}
	var names []string
	for _, e := range entries {
		key, _, ok := strings.Cut(e.Name(), "-")
		if ok && strings.HasSuffix(e.Name(), ".jsonl") && (program == "" || key == keyName(program)) {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		_, a, _ = strings.Cut(a, "-")
		_, b, _ = strings.Cut(b, "-")
		return strings.Compare(a, b)
	})
	return names
}

// sourceHash is the SHA-256 of the program's text, "" when it has no file.
func sourceHash(o trace.Options) string {
	raw := []byte(o.Code)
	if o.Script != "" {
		path := o.Script
		if !filepath.IsAbs(path) && o.Dir != "" {
			path = filepath.Join(o.Dir, path)
		}
		var err error
		if raw, err = plainfile.ReadSource(path); err != nil {
			return ""
		}
	} else if o.Module != "" {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// errNoJournal is that there is nothing to resume.
var errNoJournal = errors.New("there is no journal to resume")
