package computed

import (
	"slices"
	"strings"
	"sync"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// texts caches the parsed source of the last program.
type texts struct {
	mu      sync.Mutex
	program *dsl.Program
	parsed  *python.Program
	err     error
	files   map[string]*fileText
}

// fileText holds the parsed source of a file.
type fileText struct {
	lines  []string
	flow   *python.Flow
	source *python.Source
}

// forget empties the cache if p is another program than before.
func (t *texts) forget(p *dsl.Program) {
	if t.program != p {
		t.program, t.parsed, t.err, t.files = p, nil, nil, map[string]*fileText{}
	}
}

// parse returns the program in the form that interpreters need.
func (t *texts) parse(p *dsl.Program, v python.Version) (*python.Program, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.forget(p); t.parsed == nil && t.err == nil {
		t.parsed, t.err = python.ReadProgram(p, v)
	}
	return t.parsed, t.err
}

// file returns the parsed source of a file, nil if the program has no such file.
func (t *texts) file(p *dsl.Program, name string) *fileText {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forget(p)
	i := fileIndex(p, name)
	if i < 0 {
		return nil
	}
	found := t.files[p.Files[i].Name]
	if found == nil {
		text := sourceOf(p.Files[i])
		found = &fileText{p.Files[i].Lines, python.ReadFlow(text), python.Read(text)}
		t.files[p.Files[i].Name] = found
	}
	return found
}

// fileIndex returns the index of the file with this name, -1 if there is none. If the program has one
// file, the name may be missing in its states.
func fileIndex(p *dsl.Program, name string) int {
	if len(p.Files) == 1 {
		return 0
	}
	return slices.IndexFunc(p.Files, func(f dsl.SourceFile) bool { return f.Name == name })
}

// sourceOf returns the source of a file as one text.
func sourceOf(f dsl.SourceFile) []byte { return []byte(strings.Join(f.Lines, "\n") + "\n") }
