package recorder

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
)

// Limits for harvesting functions from a file.
const (
	mostOfFunction = 32 << 10 // maximum size of a function's text in bytes
	mostCalls      = 32
	mostCrashes    = 5 // number of crashes after which the trials of a file's functions end
)

// function is a line of the file Config.Real: a function that needs only its own text, with calls that
// worked. A null call means that the text is a script. Events is the number of events of the longest
// call, at most 128.
type function struct {
	Origin string    `json:"origin"`
	Events int       `json:"events"`
	Source string    `json:"source"`
	Calls  []*string `json:"calls"`
}

// harvested is a line that the process prints while it tries the functions of a file. It holds a
// function that worked, the number of the function that is tried next (At), or the message that all are
// done.
type harvested struct {
	function
	At   *int `json:"at"`
	Done bool `json:"done"`
}

// source is a Python file whose functions are tried.
type source struct{ name, path string }

// Harvest finds functions that run alone and without side effects, in the standard library of the
// configured Python and in folders. It writes them as JSON lines, with calls that worked, for
// Config.Real. It skips a function that prints nothing for Limits.Wall. Harvest ends at the time limit
// most, or when all files are done. It writes the results of each file at once. The functions run in a
// containment, whose warning is returned.
func Harvest(ctx context.Context, c Config, folders []string, most time.Duration, out io.Writer) (warning string, err error) {
	c.Real = ""
	first, err := Start(ctx, c)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, first.Close()) }()
	warning = first.Warning()
	if !first.makes {
		return warning, &VersionError{Python: first.python, Version: first.version, Records: true}
	}
	sources, err := first.standardLibrary()
	if err != nil {
		return warning, err
	}
	for _, folder := range folders {
		found, err := sourcesIn(folder)
		if err != nil {
			return warning, err
		}
		sources = append(found, sources...)
	}
	next := make(chan source)
	until, stop := context.WithTimeout(ctx, most)
	defer stop()
	h := &harvest{out: out, seen: map[string]bool{}}
	group, working := errgroup.WithContext(until)
	group.Go(func() error {
		defer close(next)
		for _, s := range sources {
			select {
			case next <- s:
			case <-working.Done():
				return nil
			}
		}
		return nil
	})
	for i := range runtime.GOMAXPROCS(0) {
		group.Go(func() (err error) {
			w := first
			if i > 0 {
				if w, err = Start(working, c); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, w.Close()) }()
			}
			for s := range next {
				if err := h.file(working, w, s); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = group.Wait()
	if until.Err() != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil // reaching the time limit is not an error
	}
	return warning, err
}

// passedOver lists parts of paths in the standard library that are not harvested: files whose functions
// are useless for training, and files that must not be read, for example deliberately invalid ones.
var passedOver = []string{
	"site-packages", "test/data", "bad_coding", "badsyntax", "lib2to3/tests/data", "test/support", "ensurepip", "pydoc_data", "encodings",
	"test_fixers", "test_typing", "test_type", "test_inspect", "test_generic",
}

// standardLibrary returns the Python files of the interpreter's standard library, with its tests at the
// end.
func (w *Worker) standardLibrary() ([]source, error) {
	if !filepath.IsAbs(w.library) {
		return nil, fmt.Errorf("%s has no standard library as text", w.python)
	}
	sources, err := sourcesIn(w.library)
	if err != nil {
		return nil, err
	}
	sources = slices.DeleteFunc(sources, func(s source) bool {
		return slices.ContainsFunc(passedOver, func(part string) bool { return strings.Contains(s.name, part) })
	})
	slices.SortStableFunc(sources, func(a, b source) int {
		return strings.Compare(strconv.FormatBool(strings.HasPrefix(a.name, "test")), strconv.FormatBool(strings.HasPrefix(b.name, "test")))
	})
	return sources, nil
}

// sourcesIn returns the Python files below a folder, except those in hidden folders.
func sourcesIn(folder string) ([]source, error) {
	var sources []source
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(path, ".py"):
			name, err := filepath.Rel(folder, path)
			sources = append(sources, source{filepath.ToSlash(name), path})
			return err
		}
		return nil
	})
	return sources, err
}

// overhear sends a job to the process and returns the harvested functions that the child printed. The
// functions themselves may print too; overhear skips these lines.
func (w *Worker) overhear(ctx context.Context, job any) ([]harvested, error) {
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	defer w.done()
	said, err := w.ask(ctx, job)
	if err != nil {
		return nil, err
	}
	var lines []harvested
	for line := range bytes.Lines(said) {
		var h harvested
		if bytes.HasSuffix(line, []byte("\n")) && json.Unmarshal(line, &h) == nil {
			lines = append(lines, h)
		}
	}
	return lines, nil
}

// harvest writes functions as JSON lines, each function once.
type harvest struct {
	mu   sync.Mutex
	out  io.Writer
	seen map[string]bool
}

// file makes a worker try the functions of a file. It skips a function that hangs or kills its child
// process.
func (h *harvest) file(ctx context.Context, w *Worker, s source) error {
	text, err := os.ReadFile(s.path)
	if err != nil || !utf8.Valid(text) {
		return nil //nolint:nilerr // a file that cannot be read has no functions
	}
	skip := 0
	for range mostCrashes {
		lines, err := w.overhear(ctx, map[string]any{"harvest": map[string]any{"text": string(text), "name": s.name, "skip": skip}})
		if died := (*DiedError)(nil); errors.As(err, &died) {
			return nil // the process has died, probably because of a function in this file
		}
		if err != nil {
			return err
		}
		at := skip
		for _, line := range lines {
			if line.At != nil {
				at = *line.At
			}
			if err := h.write(line.function, s.name); err != nil {
				return err
			}
		}
		if len(lines) > 0 && lines[len(lines)-1].Done {
			return nil
		}
		skip = max(at, skip) + 1
	}
	return nil
}

// write writes a function, unless it is invalid or was written before.
func (h *harvest) write(f function, name string) error {
	if f.Source == "" || len(f.Source) > mostOfFunction || f.Events < 1 || f.Events > 128 || len(f.Calls) == 0 || len(f.Calls) > mostCalls {
		return nil
	}
	f.Origin = name
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen[f.Source] {
		return nil
	}
	h.seen[f.Source] = true
	_, err = h.out.Write(append(text, '\n'))
	return err
}
