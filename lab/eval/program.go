package eval

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/lab/dataset"
	"github.com/npdb/npdb/lab/dataset/policy"
	"github.com/npdb/npdb/lab/programs"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/export"
)

// mostInput is the maximum size of an input file in bytes.
const mostInput = 1 << 30

// Program is a program with which models are measured. It is a script, or a problem of a benchmark: a
// function that is called with Input.
type Program struct {
	Name     string
	Text     *dsl.Program
	Function string // "" if the program is a script
	Input    string // text between the parentheses of the call
	Output   string // return value that the benchmark gives; "" if it gives none
}

// Call returns the source of the problem's call.
func (p *Program) Call() string { return p.Function + "(" + p.Input + ")" }

// driven returns the program as a script: the code of a problem is followed by its call.
func (p *Program) driven() *dsl.Program {
	if p.Function == "" {
		return p.Text
	}
	f := p.Text.Files[0]
	lines := slices.Concat(f.Lines, strings.Split("out = "+p.Call(), "\n"))
	return &dsl.Program{Files: []dsl.SourceFile{{Name: f.Name, Lines: lines}}}
}

// Walk is a trajectory whose replies are known to be true, so that no program is recorded.
type Walk struct {
	Name string
	Set  string // name of the set to which it belongs, or ""
	Last *dsl.Node
	// horizons lists the number of events that each step passes, from the first state on; -1
	// for unknown.
	horizons []int
}

// steps returns those nodes of a trajectory that are replies to actions, in order.
func steps(last *dsl.Node) []*dsl.Node {
	var found []*dsl.Node
	for n := last; n != nil; n = n.Parent() {
		if step, ok := n.Step(); ok && step.Action.Move != 0 {
			found = append(found, n)
		}
	}
	slices.Reverse(found)
	return found
}

// Source contains the programs and walks that are measured.
type Source struct {
	Programs []Program
	Walks    []Walk
}

// Len returns the number of programs and walks.
func (s *Source) Len() int { return len(s.Programs) + len(s.Walks) }

// First keeps the first n programs and walks; 0 keeps all.
func (s *Source) First(n int) {
	if n <= 0 {
		return
	}
	s.Programs = s.Programs[:min(n, len(s.Programs))]
	s.Walks = s.Walks[:min(n-len(s.Programs), len(s.Walks))]
}

// The halves of a source. Settings tuned on one half are measured on the other.
const (
	HalfEven = "even"
	HalfOdd  = "odd"
)

// Half keeps only the programs and walks of one half: those for which the SHA-256 of the name begins
// with an even or an odd byte. "" keeps all.
func (s *Source) Half(half string) error {
	if half == "" {
		return nil
	}
	if half != HalfEven && half != HalfOdd {
		return fmt.Errorf("--half %q: use %s or %s", half, HalfEven, HalfOdd)
	}
	other := func(name string) bool { return (sha256.Sum256([]byte(name))[0]%2 == 1) != (half == HalfOdd) }
	s.Programs = slices.DeleteFunc(s.Programs, func(p Program) bool { return other(p.Name) })
	s.Walks = slices.DeleteFunc(s.Walks, func(w Walk) bool { return other(w.Name) })
	return nil
}

// Load reads programs and walks from a path: a Python file, a folder of such files, or JSON
// Lines. Lines are problems (code, input, output, id), trajectories of npdb dataset
// (compressed if the name ends in .zst), or the export of a session.
func Load(path string) (*Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || strings.HasSuffix(path, ".py") {
		return loadScripts(path)
	}
	raw, err := read(path)
	if err != nil {
		return nil, err
	}
	s, err := Read(raw)
	if err == nil && s.Len() == 0 {
		err = errors.New("it has no programs and no trajectories")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func read(path string) ([]byte, error) {
	if !strings.HasSuffix(path, ".zst") {
		return plainfile.Read(path, mostInput)
	}
	file, err := dataset.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, mostInput+1))
	if err == nil && len(raw) > mostInput {
		err = &plainfile.TooLargeError{Path: path, Limit: mostInput}
	}
	return raw, err
}

func loadScripts(path string) (*Source, error) {
	list, err := programs.Open(path)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	s := &Source{}
	for i := range list.Len() {
		p, err := list.Program(i)
		if err != nil {
			return nil, err
		}
		s.Programs = append(s.Programs, Program{Name: p.Name, Text: programOf(p.Source)})
	}
	return s, nil
}

func programOf(source string) *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: "program.py", Lines: python.Read([]byte(source)).Lines()}}}
}

// line is a line of an input file: a problem or, if Dialect is set, a trajectory.
type line struct {
	programs.Line
	Dialect *string `json:"dialect"`
}

// Read parses JSON Lines of problems, of trajectories, or of a session's export.
func Read(raw []byte) (*Source, error) {
	first, _, _ := bytes.Cut(bytes.TrimSpace(raw), []byte("\n"))
	var kind struct {
		Text *string
		Mode *string
	}
	if json.Unmarshal(first, &kind) == nil && kind.Text != nil && kind.Mode != nil {
		return readExport(raw)
	}
	s := &Source{}
	names, n := map[string]bool{}, 0
	for text := range bytes.Lines(raw) {
		if n++; len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		switch {
		case l.Code != nil:
			p, err := problem(&l.Line, n)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			if names[p.Name] {
				p.Name = programs.Again(p.Name, n)
			}
			names[p.Name] = true
			s.Programs = append(s.Programs, p)
		case l.Dialect != nil && *l.Dialect != string(policy.ND1):
			// a trajectory in another format contains no questions in nd/1
		case l.Dialect != nil:
			w, err := walkOf(text)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			s.Walks = append(s.Walks, w)
		default:
			return nil, fmt.Errorf("line %d has no code and no trajectory", n)
		}
	}
	return s, nil
}

// problem returns the problem in line n of an input file.
func problem(l *programs.Line, n int) (Program, error) {
	read, err := l.Program(n)
	p := Program{Name: read.Name, Text: programOf(read.Source), Function: read.Function, Input: read.Input, Output: read.Output}
	if err == nil && p.Function != "" {
		if _, ok := python.Read([]byte(read.Source)).Function(p.Function); !ok {
			err = fmt.Errorf("its code defines no function %s", p.Function)
		}
	}
	return p, err
}

// walkOf returns the trajectory in a line of a dataset.
func walkOf(raw []byte) (w Walk, err error) {
	l, err := dataset.ReadLine(raw)
	if err != nil {
		return w, err
	}
	w = Walk{Name: l.ID, Set: l.Source.Family, horizons: l.Horizons}
	if w.Last, _, err = dsl.ND1.Read(l.Text); err == nil && len(l.Horizons) != len(steps(w.Last)) {
		err = errors.New("its actions are not those of its text")
	}
	return w, err
}

// readExport returns the trajectories of a session's export whose states are known to be
// true.
func readExport(raw []byte) (*Source, error) {
	texts, err := export.Read(raw)
	if err != nil {
		return nil, err
	}
	s := &Source{}
	for i, t := range texts {
		if t.Mode != export.Truth || t.Against != "" {
			continue // not known to be true
		}
		last, _, err := dsl.ND1.Read(t.Text)
		if err != nil {
			return nil, fmt.Errorf("text %d: %w", i+1, err)
		}
		w := Walk{Name: t.Program + " " + strconv.Itoa(i+1), Last: last}
		for _, n := range steps(last) {
			horizon := -1
			if k := slices.IndexFunc(t.Replies, func(r export.Reply) bool { return r.End == n.Len() }); k >= 0 {
				horizon = t.Replies[k].Horizon
			}
			w.horizons = append(w.horizons, horizon)
		}
		s.Walks = append(s.Walks, w)
	}
	return s, nil
}

// returning matches a return statement at the beginning of a line, or after a colon or
// semicolon.
var returning = regexp.MustCompile(`(?:^|[:;])\s*return\b`)

// signature returns the signature of a function in a file, or false if the file does not
// define it.
func signature(lines []string, function string) (python.Signature, bool) {
	return python.Read([]byte(strings.Join(lines, "\n"))).Function(function)
}

// returns returns the lines of a problem's function that contain a return statement.
func (p *Program) returns() []dsl.Location {
	lines := p.Text.Files[0].Lines
	f, ok := signature(lines, p.Function)
	if !ok {
		return nil
	}
	var found []dsl.Location
	for n := f.BodyLine; n <= min(f.EndLine, len(lines)); n++ {
		if n > 0 && returning.MatchString(lines[n-1]) {
			found = append(found, dsl.Location{Line: n})
		}
	}
	return found
}

// skip returns the error for a problem that cannot be measured.
func (p *Program) skip(why error) error { return &Skipped{p.Name, why.Error()} }

// firstCall computes the state at the beginning of a problem's call from the source, without executing
// anything.
func (p *Program) firstCall() (*dsl.Stop, error) {
	file := p.Text.Files[0]
	call, err := python.ParseCall(p.Call())
	if err != nil {
		return nil, err
	}
	f, ok := signature(file.Lines, p.Function)
	if !ok || f.Generator || f.Async {
		return nil, fmt.Errorf("%s is no function that a call alone runs", p.Function)
	}
	locals, missing, err := call.Bind(f)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("what %s is called with is not in its text", p.Function)
	}
	return &dsl.Stop{
		State: dsl.State{Event: dsl.Call, File: file.Name, Line: f.Line, Source: file.Lines[f.Line-1], Function: f.Name, Locals: locals},
		Stack: []dsl.Frame{{Function: f.Name, File: file.Name, Line: f.Line}},
	}, nil
}
