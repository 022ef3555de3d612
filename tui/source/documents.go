package source

import (
	"bytes"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/highlight"
)

// document is a shown source file. Its colors, names and functions are computed after its lines.
type document struct {
	name      string // as it is shown
	source    []byte // content of the file; nil until the program has started
	edited    bool   // the file on disk has changed since
	lines     []string
	tokens    [][]highlight.Token // by line; nil until computed
	names     [][]string          // of variables, by line
	functions []python.Function
	innermost []int32 // by line, 1 plus the index in functions of the innermost; 0 for none
}

// documents are the files shown so far, by path.
type documents map[string]*document

// Learnt is the message with the analysis of a file.
type Learnt struct {
	path string
	doc  *document
}

// Learn takes the analysis of a file, unless its text has changed since.
func (p *Pane) Learn(what Learnt) {
	if known := p.docs[what.path]; known == nil || what.doc.tokens != nil && bytes.Equal(what.doc.source, known.source) {
		if known != nil {
			what.doc.edited = known.edited
		}
		p.docs[what.path] = what.doc
	}
}

// Forget forgets all files, for another program.
func (p *Pane) Forget() { p.docs, p.path = documents{}, "" }

// Want prepares the files on a view's stack: their lines at once, the rest later. An edited file
// is read again with the next run.
func (p *Pane) Want(v *session.View) tea.Cmd {
	var cmds []tea.Cmd
	for _, f := range v.Frames {
		if f.File < 0 {
			continue
		}
		file := v.Files[f.File]
		if doc := p.docs[f.Path]; doc != nil && doc.name != "" && bytes.Equal(doc.source, file.Source) {
			continue
		}
		doc := &document{name: file.Name, source: file.Source, lines: dsl.SplitLines(string(file.Source))}
		p.docs[f.Path] = doc
		cmds = append(cmds, study(f.Path, file.Name, file.Source))
	}
	return tea.Batch(cmds...)
}

// study returns a command that analyzes a file.
func study(path, name string, source []byte) tea.Cmd {
	return func() tea.Msg {
		text := python.Read(source)
		doc := &document{name: name, source: source, lines: text.Lines(), functions: text.Outline().Functions}
		doc.innermost = innermost(doc.functions, len(doc.lines))
		doc.tokens = highlight.Lines(string(source))
		doc.names = make([][]string, len(doc.tokens))
		for i, line := range doc.tokens {
			doc.names[i] = highlight.Names(line)
		}
		return Learnt{path, doc}
	}
}

// Read reads a script's text, to show it while the program starts.
func Read(script string) tea.Cmd {
	if script == "" {
		return nil
	}
	return func() tea.Msg {
		source, err := plainfile.ReadSource(script)
		if err != nil {
			return nil // starting the program says so
		}
		// Decoding it as Python does takes time, so that is done at the first stop.
		text := strings.TrimPrefix(string(source), "\ufeff")
		return Learnt{script, &document{lines: dsl.SplitLines(text)}}
	}
}

// around returns the innermost function around a line; false for module code.
func (d *document) around(line int) (python.Function, bool) {
	if line < 1 || line > len(d.innermost) || d.innermost[line-1] == 0 {
		return python.Function{}, false
	}
	return d.functions[d.innermost[line-1]-1], true
}

// innermost finds the innermost function around each line.
func innermost(functions []python.Function, lines int) []int32 {
	in := make([]int32, lines)
	for i, f := range functions {
		for line := max(f.Line, 1); line <= min(f.EndLine, lines); line++ {
			if k := in[line-1]; k == 0 || f.Line >= functions[k-1].Line {
				in[line-1] = int32(i + 1)
			}
		}
	}
	return in
}
