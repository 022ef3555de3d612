package journal

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

// kept is the number of journals to keep per program. It is larger than the number of sessions that npdb mcp
// may have open, so that no journal in use is removed.
const kept = 20

// Writer writes a session's commands and landings to a file as they happen, one JSON object a line.
// The zero Writer discards them.
type Writer struct {
	file      io.WriteCloser
	empty     string // path of the file while it is empty, else ""
	unwritten []byte // records whose writing failed; they precede the next one
	failed    error  // error of the last write
	said      bool   // News reported that writing fails
}

// Create starts a journal in a state folder and removes the oldest journals of the program. If err
// is not nil, the Writer discards what it gets. unremoved is the error of removing old journals.
func Create(stateDir string, h Header) (w *Writer, unremoved, err error) {
	w = &Writer{}
	dir := filepath.Join(stateDir, "journal")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return w, nil, err
	}
	name := fmt.Sprintf("%s-%020d-%d.jsonl", fileName(h.Program), time.Now().UnixNano(), os.Getpid())
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return w, nil, err
	}
	w.file, w.empty = file, file.Name()
	h.V = version
	w.Write(Record{Header: &h})
	return w, prune(dir, h.Program), nil
}

// Open reports whether the Writer has a file to write to.
func (w *Writer) Open() bool { return w.file != nil }

// Write appends a record. If writing fails, the next call tries again.
func (w *Writer) Write(r Record) {
	if w.file == nil {
		return
	}
	raw, err := json.Marshal(r)
	if err != nil {
		w.failed = err
		return
	}
	w.unwritten = append(append(w.unwritten, raw...), '\n')
	n, err := w.file.Write(w.unwritten)
	w.unwritten, w.failed = w.unwritten[n:], err
	if n > 0 {
		w.empty = ""
	}
}

// News returns a message when the journal can no longer be written, and another when it can be
// written again. It returns each message once, else "".
func (w *Writer) News() string {
	if failed := w.failed != nil; failed == w.said {
		return ""
	}
	if w.said = w.failed != nil; w.said {
		return fmt.Sprintf("The journal cannot be written, so what is done from here on is lost with npdb: %v. It is tried again after each command.", w.failed)
	}
	return "The journal is written again, and complete."
}

// Line appends a typed line that is not a session command.
func (w *Writer) Line(line string) { w.Write(Record{Line: &line}) }

// Do appends a session command.
func (w *Writer) Do(command json.RawMessage) { w.Write(Record{Do: command}) }

// Input appends a line of the program's input.
func (w *Writer) Input(in Input) { w.Write(Record{Input: &in}) }

// Reply appends a model's reply.
func (w *Writer) Reply(r Reply) { w.Write(r.record()) }

// Landing appends the landing of a command.
func (w *Writer) Landing(l Landing) { w.Write(Record{Landing: &l}) }

// Close closes the journal, and removes the file if it is empty.
func (w *Writer) Close() {
	if w.file != nil {
		_ = w.file.Close() // nothing is buffered, so no data is lost if closing fails
		w.file = nil
	}
	if w.empty != "" {
		_ = os.Remove(w.empty) // if this fails, the empty file stays; Find skips it
		w.empty = ""
	}
}

// prune removes all but the newest journals of a program. Empty journals do not count.
func prune(dir, program string) (failed error) {
	found := 0
	for _, name := range slices.Backward(names(dir, program)) {
		path := filepath.Join(dir, name)
		if found == kept {
			failed = errors.Join(failed, os.Remove(path))
		} else if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			found++
		}
	}
	return failed
}

// names returns the file names of a program's journals, oldest first; of all programs if program is
// "".
func names(dir, program string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // without the folder there are no journals
	}
	var names []string
	for _, e := range entries {
		key, _, ok := strings.Cut(e.Name(), "-")
		if ok && strings.HasSuffix(e.Name(), ".jsonl") && (program == "" || key == fileName(program)) {
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

// SourceHash returns the SHA-256 of a program's source in hex, "" for a module or an unreadable
// file.
func SourceHash(o trace.Options) string {
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
