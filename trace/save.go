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

// fileLog collects what a recording file holds, whether or not Save has been called.
type fileLog struct {
	saved.Writer
	python  string // version of the interpreter
	started time.Time
	fatal   *int      // the event that raised the uncaught exception
	stopped bool      // npdb ended the program
	file    io.Closer // of Save, nil before
}

// Save writes the recording to w, in the format of package saved: what is recorded so far, and
// from then on everything that follows. Close writes the end, returns the first error in writing,
// and closes w. npdb is npdb's version. Save may be called once.
func (r *Recording) Save(w io.WriteCloser, npdb string) error {
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
	err := r.log.Begin(w, saved.Header{
		Format: saved.Version, Npdb: npdb, Python: r.log.python, Machine: runtime.GOOS + "/" + runtime.GOARCH, Started: r.log.started,
		Script: o.Script, Module: o.Module, Code: o.Code, Entry: o.Entry, From: o.From, Args: o.Args, Dir: dir,
		ValueBytes: o.Limits.ValueBytes, Items: o.Limits.Items,
		Environment: slices.Compact(names),
	})
	if err == nil {
		r.log.file = w
	}
	return err
}

// finish writes the end of the file. The program has ended, and the caller has locked r.moving.
func (r *Recording) finish() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := saved.End{Exit: r.exit, Fatal: r.log.fatal, Lost: r.lost, Hole: r.hole.Load(), Notices: r.notices}
	if r.log.stopped {
		e.Exit = nil
	}
	err := r.log.Finish(e)
	if r.log.file != nil {
		err = errors.Join(err, r.log.file.Close())
		r.log.file = nil
	}
	return err
}
