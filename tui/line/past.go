package line

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/tui/keys"
)

// Limits of the history file. It is cut to mostPast lines when it has twice as many; longer lines
// are not stored.
const (
	mostPast     = 1000    // commands
	longestPast  = 4096    // bytes of one
	mostPastFile = 8 << 20 // bytes of the file that are read, at its end
	pastMode     = 0o600   // commands may contain private data
)

// pastFile stores typed commands in a file, one a line, the oldest first. Several sessions may
// append to it.
type pastFile struct {
	path string // "" keeps nothing

	mu      sync.Mutex
	pending []string // commands that are not written to the file yet
	lines   int      // in the file
	torn    bool     // the last line of the file has no line end
	failed  bool     // a failure was reported already
}

// Past holds the commands of earlier sessions.
type Past struct{ lines []string }

// NotKept reports that commands cannot be stored.
type NotKept struct{ Err error }

// Load reads the commands of earlier sessions.
func (l *Line) Load() tea.Msg { return l.file.load() }

// Remember queues a command for the next Save.
func (l *Line) Remember(command string) { l.file.add(command) }

// Save stores the queued commands.
func (l *Line) Save() tea.Msg { return l.file.save() }

// load reads the stored commands.
func (p *pastFile) load() tea.Msg {
	if p.path == "" {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	lines, err := p.read()
	if err != nil {
		return p.fail(err)
	}
	return Past{lines}
}

// read returns the commands of the file, at most mostPast.
func (p *pastFile) read() ([]string, error) {
	raw, err := readEnd(p.path, mostPastFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var lines []string
	p.lines, p.torn = 0, false
	for line := range strings.Lines(string(raw)) {
		line, ended := strings.CutSuffix(line, "\n")
		p.lines++
		p.torn = !ended
		if ended && line != "" && len(line) <= longestPast { // otherwise it is cut off or too long
			lines = append(lines, strings.ToValidUTF8(line, "\ufffd"))
		}
	}
	return lines[max(len(lines)-mostPast, 0):], nil
}

// readEnd reads the end of a file, at most most bytes.
func readEnd(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return nil, fmt.Errorf("%s is no file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw := make([]byte, min(info.Size(), most))
	n, err := file.ReadAt(raw, info.Size()-int64(len(raw)))
	if errors.Is(err, io.EOF) {
		err = nil // another session has shortened it since
	}
	return raw[:n], err
}

// add queues a command for the next save.
func (p *pastFile) add(line string) {
	if p.path == "" || len(line) > longestPast || strings.ContainsAny(line, "\r\n") {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending = append(p.pending, line)
}

// save appends the queued commands to the file, and trims a file that has become too long.
func (p *pastFile) save() tea.Msg {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.pending) == 0 {
		return nil
	}
	text := strings.Join(p.pending, "\n") + "\n"
	if p.torn {
		text, p.torn = "\n"+text, false
	}
	p.lines += len(p.pending)
	p.pending = nil
	err := p.write(text)
	if err == nil && p.lines >= 2*mostPast {
		err = p.trim()
	}
	if err != nil {
		return p.fail(err)
	}
	return nil
}

func (p *pastFile) write(text string) error {
	if err := os.MkdirAll(filepath.Dir(p.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(p.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, pastMode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Chmod(pastMode), file.Close())
}

// trim writes the file anew with its latest commands.
func (p *pastFile) trim() error {
	lines, err := p.read()
	if err != nil {
		return err
	}
	if err := plainfile.Replace(p.path, []byte(strings.Join(lines, "\n")+"\n"), pastMode); err != nil {
		return err
	}
	p.lines = len(lines)
	return nil
}

// Recall inserts the commands of earlier sessions before those of this one.
func (l *Line) Recall(past Past) {
	of := keys.CommandLine
	if l.Is(of) {
		l.at += len(past.lines)
	}
	l.past[of] = slices.Concat(past.lines, l.past[of])
}

// fail reports, once, that commands cannot be kept.
func (p *pastFile) fail(err error) tea.Msg {
	if p.failed {
		return nil
	}
	p.failed = true
	return NotKept{err}
}
