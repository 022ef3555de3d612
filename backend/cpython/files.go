package cpython

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// soleName is the file name of a program whose only file has no name.
const soleName = "program.py"

// placed is a program written to a scratch directory.
type placed struct {
	dir   string   // the scratch directory
	paths []string // paths of the program's files, in the order of Program.Files
	sizes []int64  // sizes of these files in bytes
}

// placeFiles writes a program's files into a new scratch directory.
func placeFiles(p *dsl.Program) (*placed, error) {
	dir, err := os.MkdirTemp("", "npdb-cpython-")
	if err != nil {
		return nil, fmt.Errorf("no scratch directory: %w", err)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // Python reports imported files by their real paths
	}
	at := &placed{dir: dir}
	names := safeNames(p)
	for i := range p.Files {
		to := filepath.Join(dir, filepath.FromSlash(names[i]))
		text := sourceText(p.Files[i].Lines)
		if err := write(to, text); err != nil {
			at.remove()
			return nil, fmt.Errorf("cannot write the program: %w", err)
		}
		at.sizes = append(at.sizes, int64(len(text)))
		at.paths = append(at.paths, to)
	}
	return at, nil
}

func write(to, text string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return os.WriteFile(to, []byte(text), 0o600)
}

// sourceText joins the lines of a file. A declared encoding is replaced by UTF-8.
func sourceText(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i < 2 {
			line = inUTF8(line)
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// declared matches a line that declares the encoding of a source file (PEP 263).
var declared = regexp.MustCompile(`^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)`)

// inUTF8 replaces the encoding that a line declares by UTF-8, since the file is written as UTF-8.
func inUTF8(line string) string { return declared.ReplaceAllString(line, "${1}utf-8") }

// remove deletes the scratch directory, even if the program has removed permissions from folders in it.
func (p *placed) remove() {
	if os.RemoveAll(p.dir) == nil {
		return
	}
	_ = filepath.WalkDir(p.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() { // WalkDir calls this before it reads the folder
			return os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(p.dir)
}

// said removes the path of the scratch directory from a message about the program.
func (p *placed) said(message string) string {
	return strings.ReplaceAll(message, p.dir+string(filepath.Separator), "")
}

// safeNames returns slash-separated relative paths for a program's files. Joined to a directory, all are
// below it, and none is a parent folder of another. Safe names are not changed, so that the files can
// import each other.
func safeNames(p *dsl.Program) []string {
	names := make([]string, len(p.Files))
	taken := map[string]bool{} // lower case: some file systems ignore case
	folders := map[string]bool{}
	for i := range p.Files {
		name := safeName(p.Files[i].Name)
		for n := 0; clashes(name, taken, folders); n++ {
			name = fmt.Sprintf("file-%d-%d/%s", i, n, path.Base(name))
		}
		names[i] = name
		taken[strings.ToLower(name)] = true
		for _, folder := range parents(name) {
			folders[strings.ToLower(folder)] = true
		}
	}
	return names
}

func clashes(name string, taken, folders map[string]bool) bool {
	name = strings.ToLower(name)
	if taken[name] || folders[name] {
		return true
	}
	for _, folder := range parents(name) {
		if taken[folder] {
			return true
		}
	}
	return false
}

func parents(name string) []string {
	var found []string
	for i := range len(name) {
		if name[i] == '/' {
			found = append(found, name[:i])
		}
	}
	return found
}

// safeName converts a file's name to a path that is below any directory to which it is joined.
func safeName(name string) string {
	const longest, deepest = 100, 20
	var parts []string
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '/' || r == '\\' }) {
		part = strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f || r == ':' || r == '\ufffd' {
				return '_'
			}
			return r
		}, part)
		if strings.Trim(part, ". ") == "" {
			continue // "..", "." and variants that some systems treat alike
		}
		if len(part) > longest {
			part = strings.ToValidUTF8(part[len(part)-longest:], "")
		}
		parts = append(parts, part)
	}
	if len(parts) > deepest {
		parts = parts[len(parts)-deepest:]
	}
	if len(parts) == 0 {
		return soleName
	}
	return strings.Join(parts, "/")
}
