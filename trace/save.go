package trace

import (
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/trace/saved"
)

// defaultIndexFrom is the number of events from which on a file has an index. A log of fewer events
// is read in a fraction of a second.
const defaultIndexFrom = 100_000

// fileLog collects what a recording file holds, whether or not Save has been called.
type fileLog struct {
	saved.Writer
	python  string // version of the interpreter
	started time.Time
	// indexFrom is the number of events from which on the file has an index.
	indexFrom int
	fatal     *int      // the event that raised the uncaught exception, counted from the program's beginning
	stopped   bool      // npdb ended the program
	file      io.Closer // of Save or OpenFile, nil before
	later     *later    // the file of Save that is written at the end, nil for none
}

// PythonVersion returns the version of the Python that runs or ran the program, such as "3.12.1".
func (r *Recording) PythonVersion() string { return r.log.python }

// Save writes the recording to w, in the format of package saved: what is recorded so far, and
// from then on everything that follows. Close writes the end, returns the first error in writing,
// and closes w. npdb is npdb's version. Save may be called once. With Options.Keep or Options.Redact
// it writes what is recorded so far, and Close writes all again.
func (r *Recording) Save(w io.WriteCloser, npdb string) error {
	h := r.header(npdb)
	if r.opts.Keep > 0 || r.opts.Redact != nil {
		r.log.later, r.log.file = &later{h, w}, w
		if r.events() > 0 {
			return r.Flush()
		}
		return nil
	}
	err := r.log.Begin(w, h)
	if err == nil {
		r.log.file = w
	}
	return err
}

// header returns the header of a file.
func (r *Recording) header(npdb string) saved.Header {
	o := r.opts
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	names := make([]string, 0, len(env))
	for _, variable := range env {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	dir := o.Dir
	if dir == "" {
		dir, _ = os.Getwd() // without it, files are shown by their full paths
	}
	return saved.Header{
		Format: saved.Version, Npdb: npdb, Python: r.log.python, Machine: runtime.GOOS + "/" + runtime.GOARCH, Started: r.log.started,
		Script: o.Script, Module: o.Module, Code: o.Code, Entry: o.Entry, From: o.From, Args: o.Args, Dir: dir,
		ValueBytes: o.Limits.ValueBytes, Items: o.Limits.Items,
		Environment: slices.Compact(names),
	}
}

// finish writes the end of the file, and its index. The program has ended, and the caller has locked
// r.moving.
func (r *Recording) finish() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news() // adds what the user has not seen yet
	e := r.outcome()
	if r.log.stopped {
		e.Exit = nil
	}
	var err error
	if r.log.later != nil {
		err = r.writeLater(e)
	} else if err = r.log.Finish(e); err == nil && r.log.file != nil && r.tree.Len() >= r.log.indexFrom {
		err = r.log.Index(r.tree.Save)
	}
	if r.log.file != nil {
		err = errors.Join(err, r.log.file.Close())
		r.log.file = nil
	}
	return err
}

// outcome returns what is known of the end of the recording. The caller has locked r.mu.
func (r *Recording) outcome() saved.End {
	return saved.End{Exit: r.exit, Fatal: r.log.fatal, Lost: r.lost, Hole: r.hole.Load(), Notices: slices.Clone(r.notices)}
}
