package nav

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// Neural configures how a program is predicted by one model. No Python is started for it: npdb only
// reads the program's source.
type Neural struct {
	Predictor backend.Predictor
	Format    *dsl.Format // the dialect; nil means nd/1 with its own token names
	// Redact removes secrets from everything that is sent to the model; nil removes nothing.
	Redact *redact.Redactor
	// Prefetch limits how much is requested before the user's moves.
	Prefetch Foresight
	// Prices are the prices of the model's tokens.
	Prices score.Prices
	// Filled holds the values that the model, or a journal, gave to the arguments that --entry
	// leaves open.
	Filled journal.Filled

	// Verify verifies the states that inverse moves lead to.
	Verify Verifying

	// Consent is the user's consent to send the program to the model's server; nil if none is
	// needed. The predictor itself must refuse questions without it.
	Consent Consent

	// Python is the version of Python that the model predicts.
	Python python.Version

	// Named is the model's name in a journal, used as long as the server reports none.
	Named string
}

// OtherModel is the name for a second model that has none.
const OtherModel = "another model"

// Called returns the model's name: as the server reports it, else from the journal, else other. A
// server reports the name only with its first reply.
func (n *Neural) Called(other string) string { return cmp.Or(n.Model().Name, other) }

// Model returns the predictor's description of the model. As long as that has no name, the name
// comes from the journal.
func (n *Neural) Model() backend.Model {
	m := n.Predictor.Model()
	m.Name = cmp.Or(m.Name, n.Named)
	return m
}

// Spelling returns the format of the texts for the model.
func (n *Neural) Spelling() *dsl.Format {
	if n.Format == nil {
		return dsl.ND1
	}
	return n.Format
}

// fill gives values to the arguments that --entry left open (missing): from the journal, or else by
// asking the model.
func (q *asker) fill(ctx context.Context, context *dsl.Node, first *dsl.Stop, missing []int) (*dsl.Stop, error) {
	n := q.Neural
	if err := backend.TooManyFilled(len(missing)); err != nil {
		return nil, entryError(q.base.Options.Entry, err)
	}
	if len(n.Filled.Values) != len(missing) {
		filled, err := n.Predictor.Fill(ctx, context, first, missing, backend.Options{})
		q.base.Accounts.filled(n, filled, err)
		if err != nil {
			return nil, err
		}
		n.Filled = journal.Filled{Confidence: filled.Confidence, Sureness: filled.Sureness}
		for _, i := range missing {
			n.Filled.Values = append(n.Filled.Values, filled.First.Locals[i].Value)
		}
	}
	out := *first
	out.Locals = append([]dsl.Local(nil), first.Locals...)
	for k, i := range missing {
		out.Locals[i].Value = n.Filled.Values[k]
	}
	return &out, nil
}

// mainFile finds the file that the options name, as Python would, and reads it. root is the folder
// in which its imports are looked up, "" if there is none.
func mainFile(o trace.Options) (root, path string, source []byte, err error) {
	if o.Script == "" && o.Module == "" {
		return "", "<string>", []byte(o.Code), nil
	}
	dir := o.Dir
	if dir == "" {
		if dir, err = os.Getwd(); err != nil {
			return "", "", nil, err
		}
	}
	var places []string
	if o.Script != "" {
		places = []string{o.Script, filepath.Join(o.Script, "__main__.py")}
	} else {
		module := strings.ReplaceAll(o.Module, ".", string(filepath.Separator))
		places = []string{module + ".py", filepath.Join(module, "__main__.py")}
	}
	folder := false
	for _, place := range places {
		if !filepath.IsAbs(place) {
			place = filepath.Join(dir, place)
		}
		info, err := os.Stat(place)
		if err == nil && info.IsDir() {
			folder = true
		}
		if err != nil || info.IsDir() {
			continue
		}
		if o.Script != "" {
			dir = filepath.Dir(place)
		}
		source, err := plainfile.ReadSource(place)
		return dir, place, source, err
	}
	if o.Module != "" {
		return "", "", nil, fmt.Errorf("there is no module %s in %s (in neural mode only modules below the current folder are found)", o.Module, dir)
	}
	if folder {
		return "", "", nil, fmt.Errorf("%s is a directory without a __main__.py, not a program", places[0])
	}
	return "", "", nil, fmt.Errorf("can't open file %s: no such file", places[0])
}

// load reads the program's files: the main file, and those files of the program that it imports.
func (p *predictions) load(o trace.Options) error {
	root, path, source, err := mainFile(o)
	if err != nil {
		return &trace.StartError{Kind: trace.StartFailed, Message: err.Error()}
	}
	if err := encoded(o.ShownName(path), source); err != nil {
		return err
	}
	files := []python.File{{Path: path, Source: source}}
	if root != "" {
		files = python.Files(root, path, source, plainfile.ReadSource)
	}
	p.files, p.sources = nil, nil
	for _, f := range files {
		p.addFile(f.Path, o.ShownName(f.Path), f.Source)
	}
	return p.loadBeginning(o)
}

// loadBeginning reads the files of a beginning that the program's text does not import.
func (p *predictions) loadBeginning(o trace.Options) error {
	if o.Begin == nil {
		return nil
	}
	for _, f := range o.Begin.Frames {
		if f.File == "" || SameFile(p.files, f.File) >= 0 {
			continue
		}
		source, err := plainfile.ReadSource(f.File)
		if err != nil {
			return beginError("%v", err)
		}
		if err := encoded(o.ShownName(f.File), source); err != nil {
			return err
		}
		p.addFile(f.File, o.ShownName(f.File), source)
	}
	return nil
}

// encoded returns an error for a source that Python refuses because of its encoding.
func encoded(name string, source []byte) error {
	line, b, ok := python.NotUTF8(source)
	if !ok {
		return nil
	}
	return &trace.StartError{Kind: trace.StartFailed, Message: fmt.Sprintf(
		"%s does not parse: line %d: SyntaxError: the byte 0x%02x is not UTF-8, and no encoding is declared; a line such as # coding: latin-1 at the top declares one",
		name, line, b)}
}

func (p *predictions) addFile(path, name string, source []byte) {
	text := python.Read(source)
	p.sources = append(p.sources, text)
	p.files = append(p.files, statetree.File{Path: path, Name: name, Source: []byte(strings.Join(text.Lines(), "\n") + "\n")})
}

// program returns the files in the form of a text's context.
func (p *predictions) program() *dsl.Program {
	out := &dsl.Program{}
	for i, f := range p.files {
		out.Files = append(out.Files, dsl.SourceFile{Name: f.Name, Lines: p.sources[i].Lines()})
	}
	return out
}

// firstLine returns the first state of a program that is run as a script: its first statement. It
// returns nil if the program has none.
func (p *predictions) firstLine() *dsl.Stop {
	line := p.sources[0].First()
	if line == 0 {
		return nil
	}
	source, _ := p.SourceLine(0, line)
	st := dsl.State{Event: dsl.Line, File: p.files[0].Name, Line: line, Source: source, Function: "<module>"}
	return &dsl.Stop{State: st, Stack: []dsl.Frame{{Function: st.Function, File: st.File, Line: st.Line}}}
}

// firstCall returns the first state with --entry: the call of a function, with arguments that
// follow from the source alone. missing are the indices of locals whose values the model has to
// fill in.
func (p *predictions) firstCall(entry string) (stop *dsl.Stop, missing []int, err error) {
	call, err := python.ParseCall(entry)
	if err != nil {
		return nil, nil, entryError(entry, err)
	}
	f, ok := p.sources[0].Function(call.Function)
	switch {
	case !ok:
		return nil, nil, entryError(entry, fmt.Errorf("%s defines no function %s", p.files[0].Name, call.Function))
	case f.Generator || f.Async:
		return nil, nil, entryError(entry, fmt.Errorf("%s is a generator or a coroutine: a call alone runs nothing of it", f.QualName))
	}
	locals, missing, err := call.Bind(f)
	if err != nil {
		return nil, nil, entryError(entry, err)
	}
	source, _ := p.SourceLine(0, f.Line)
	st := dsl.State{Event: dsl.Call, File: p.files[0].Name, Line: f.Line, Source: source, Function: f.Name, Locals: locals}
	return &dsl.Stop{State: st, Stack: []dsl.Frame{{Function: st.Function, File: st.File, Line: st.Line}}}, missing, nil
}

func entryError(entry string, err error) error {
	return &trace.StartError{Kind: trace.StartFailed, Message: fmt.Sprintf("--entry %s: %v", entry, err)}
}

// SameFile returns the index of a file in a list, by its path or by another path to the same file;
// -1 if it is not in the list.
func SameFile(files []statetree.File, path string) int {
	if i := slices.IndexFunc(files, func(f statetree.File) bool { return f.Path == path }); i >= 0 {
		return i
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(files, func(f statetree.File) bool {
		other, err := filepath.EvalSymlinks(f.Path)
		return err == nil && other == real
	})
}
