// Package programs reads the Python programs that a user names: a file, a folder of files, or JSON Lines
// of problems in CruxEval's format. It keeps only one program at a time in memory.
package programs

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/npdb/npdb/internal/plainfile"
)

// longestLine is the maximum size of a line of JSON. Every program that can be debugged
// fits into it.
const longestLine = 2 * plainfile.SourceLimit

// Program is a script, or code with a function that is called with an input.
type Program struct {
	Name     string // unique in its List
	Source   string
	Function string // "" if the code itself is the program
	Input    string // text between the parentheses of the call
	Output   string // return value that a benchmark gives, or ""
}

// Call returns the text of the program's call, or "" for a script.
func (p *Program) Call() string {
	if p.Function == "" {
		return ""
	}
	return p.Function + "(" + p.Input + ")"
}

// byteOrderMark is at the beginning of files that some editors write. Python ignores it
// there, but refuses it in a source text that it receives as a string.
const byteOrderMark = "\ufeff"

// Key returns a hash of a program's text, without the line ends at its end, and of its
// call. The probability that two different programs in a list of ten million share a key is
// below 10^-5.
func Key(source, call string) uint64 {
	sum := sha256.Sum256([]byte(strings.TrimRight(source, "\r\n") + "\x00" + call))
	return binary.BigEndian.Uint64(sum[:])
}

// Line is a line of a JSON Lines file of problems.
type Line struct {
	Code     *string `json:"code"`
	Function string  `json:"function"`
	Input    *string `json:"input"`
	Entry    string  `json:"entry"` // the whole call, in place of Function and Input
	Output   string  `json:"output"`
	ID       string  `json:"id"`
	Name     string  `json:"name"`
}

// Program returns the program of the line, which is line n of its file. The line must have
// code.
func (l *Line) Program(n int) (Program, error) {
	p := Program{Name: l.ID, Source: strings.TrimPrefix(*l.Code, byteOrderMark), Output: l.Output}
	if p.Name == "" {
		p.Name = l.Name
	}
	if p.Name == "" {
		p.Name = lineName(n)
	}
	switch {
	case l.Entry != "":
		function, rest, _ := strings.Cut(strings.TrimSpace(l.Entry), "(")
		input, closed := strings.CutSuffix(rest, ")")
		if function == "" || !closed {
			return p, fmt.Errorf("its entry %q is no call such as f(1)", l.Entry)
		}
		p.Function, p.Input = function, input
	case l.Input != nil:
		p.Input, p.Function = *l.Input, l.Function
		if p.Function == "" {
			p.Function = "f" // CruxEval's name
		}
	}
	return p, nil
}

func lineName(n int) string { return "line " + strconv.Itoa(n) }

// Again returns a name for the program in line n whose own name is also that of an earlier program.
func Again(name string, n int) string { return name + " (" + lineName(n) + ")" }

// List is the list of programs at a path. Its methods may be called from several
// goroutines.
type List struct {
	at    []place
	file  *os.File // JSON Lines file; nil for scripts
	names []string // paths of scripts, relative to dir
	dir   string   // folder of the scripts
	sum   hash.Hash
}

// place is the position of a program in a List, with its key.
type place struct {
	key    uint64
	offset int64 // position of its line in the file; size is the line's length
	size   int
	line   int  // number of its line in a JSON Lines file
	again  bool // whether an earlier program has the same name
}

// Open finds the programs at a path: a Python file, a folder of them including its
// subfolders, sorted by name, or JSON Lines with code (and input). It reads each program
// once, so that an invalid one is reported now.
func Open(path string) (*List, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	l := &List{sum: sha256.New()}
	switch {
	case info.IsDir():
		l.dir = path
		if l.names, err = folder(path); err == nil && len(l.names) == 0 {
			err = fmt.Errorf("%s has no .py files", path)
		}
	case strings.HasSuffix(path, ".py"):
		l.dir, l.names = filepath.Dir(path), []string{filepath.Base(path)}
	default:
		err = l.openLines(path)
		return l, err
	}
	for _, name := range l.names {
		source, err := l.script(name)
		if err != nil {
			return nil, err
		}
		l.add(place{key: Key(source, "")}, name)
	}
	return l, err
}

// add adds a program to the list, and its key and name to the digest.
func (l *List) add(at place, name string) {
	l.at = append(l.at, at)
	for _, n := range []uint64{at.key, uint64(len(name))} {
		l.sum.Write(binary.BigEndian.AppendUint64(nil, n))
	}
	l.sum.Write([]byte(name))
}

// Digest returns a hash of all programs in order, with their names but without outputs.
func (l *List) Digest() string { return hex.EncodeToString(l.sum.Sum(nil)) }

// folder returns the Python files in a folder and its subfolders, as relative paths. The
// folder itself may be a symbolic link; links inside it to other folders are not followed.
func folder(dir string) (names []string, err error) {
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".py") {
			return err
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	return names, err
}

func (l *List) script(name string) (string, error) {
	raw, err := plainfile.ReadSource(filepath.Join(l.dir, filepath.FromSlash(name)))
	return strings.TrimPrefix(string(raw), byteOrderMark), err
}

// openLines opens a JSON Lines file and finds its programs.
func (l *List) openLines(path string) (err error) {
	if err = plainfile.Check(path, 1<<62); err != nil {
		return err
	}
	if l.file, err = os.Open(path); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
			l.file.Close()
		}
	}()
	names := map[string]bool{}
	in, offset := bufio.NewReaderSize(l.file, 1<<16), int64(0)
	for n := 1; ; n++ {
		text, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if len(bytes.TrimSpace(text)) > 0 {
			at := place{offset: offset, size: len(text), line: n}
			p, err := at.parse(text)
			if err != nil {
				return err
			}
			at.key, at.again = Key(p.Source, p.Call()), names[p.Name]
			names[p.Name] = true
			l.add(at, at.name(p.Name))
		}
		offset += int64(len(text))
		if err != nil {
			break
		}
	}
	if len(l.at) == 0 {
		return errors.New("it has no programs")
	}
	return nil
}

// readLine reads a line, including its line end. It returns an error if the line is too
// long.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case len(line) > longestLine:
			return nil, fmt.Errorf("it has more than %d MiB", longestLine>>20)
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// parse returns the program in a line of a JSON Lines file.
func (at place) parse(text []byte) (p Program, err error) {
	var l Line
	if err = json.Unmarshal(bytes.TrimPrefix(text, []byte(byteOrderMark)), &l); err == nil && l.Code == nil {
		err = errors.New("it has no code")
	}
	if err == nil {
		p, err = l.Program(at.line)
	}
	if err != nil {
		return p, fmt.Errorf("line %d: %w", at.line, err)
	}
	p.Name = at.name(p.Name)
	return p, nil
}

// name returns the program's name. own is the name in its line, which an earlier program
// may have too.
func (at place) name(own string) string {
	if at.again {
		return Again(own, at.line)
	}
	return own
}

// Len returns the number of programs.
func (l *List) Len() int { return len(l.at) }

// Key returns the key of program i, counted from 0 (see the function Key).
func (l *List) Key(i int) uint64 { return l.at[i].key }

// Program reads program i, counted from 0. It returns an error if the program has changed
// since the list was opened.
func (l *List) Program(i int) (p Program, err error) {
	at := l.at[i]
	if l.file == nil {
		p.Name = l.names[i]
		p.Source, err = l.script(p.Name)
	} else {
		text := make([]byte, at.size)
		if _, err = l.file.ReadAt(text, at.offset); err == nil {
			p, err = at.parse(text)
		}
	}
	if err == nil && Key(p.Source, p.Call()) != at.key {
		err = fmt.Errorf("program %s was changed while it was in use", p.Name)
	}
	return p, err
}

// Close closes the file from which the list reads programs.
func (l *List) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
