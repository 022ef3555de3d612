package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/trace"
)

// keptEvents parses the value of --keep, last:N, and returns N. It returns 0 for "".
func keptEvents(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	number, ok := strings.CutPrefix(text, "last:")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 {
		return 0, fmt.Errorf("--keep %s: write last: and the number of events to keep, for example --keep last:100000", text)
	}
	return n, nil
}

// dumper writes what is recorded of a running program so far, to a new file for each request.
type dumper struct {
	rec  *trace.Recording
	path string // of the recording's own file

	mu   sync.Mutex
	asks []*dumpRequest // those that wait for the program's next event

	writing sync.Mutex
}

// dumpRequest is a request to write a file. dump and stopped may both take it; the first one writes the file.
type dumpRequest struct {
	taken sync.Once
	done  chan dumped
}

// dumped is the answer to a request, in JSON for npdb dump.
type dumped struct {
	File   string `json:"file,omitempty"`
	Events int    `json:"events,omitempty"`
	Error  string `json:"error,omitempty"`
}

func newDumper(rec *trace.Recording, path string) *dumper {
	return &dumper{rec: rec, path: path}
}

// mostPause is how long a dump waits for the program's next event. At an event npdb has received all
// earlier ones. A program that waits in a system call or runs C code has no events; then the dump is
// written without the events that the program has not passed on yet.
const mostPause = 2 * time.Second

// dump stops the program at its next event, writes a file and continues the program.
func (d *dumper) dump() dumped {
	request := &dumpRequest{done: make(chan dumped, 1)}
	d.mu.Lock()
	d.asks = append(d.asks, request)
	d.mu.Unlock()
	d.rec.Interrupt()
	select {
	case done := <-request.done:
		return done
	case <-time.After(mostPause):
		d.mu.Lock()
		d.asks = slices.DeleteFunc(d.asks, func(r *dumpRequest) bool { return r == request })
		d.mu.Unlock()
		d.take(request)
		return <-request.done
	}
}

// stopped writes the requested files. It is called when the program has stopped at an event.
func (d *dumper) stopped() {
	d.mu.Lock()
	list := d.asks
	d.asks = nil
	d.mu.Unlock()
	for _, request := range list {
		d.take(request)
	}
}

func (d *dumper) take(request *dumpRequest) {
	request.taken.Do(func() { request.done <- d.write() })
}

func (d *dumper) write() dumped {
	d.writing.Lock()
	defer d.writing.Unlock()
	file, err := d.create()
	if err != nil {
		return dumped{Error: err.Error()}
	}
	_, kept := d.rec.Events()
	if err := errors.Join(d.rec.Dump(file, cli.Version()), file.Close()); err != nil {
		return dumped{Error: fmt.Sprintf("%s: %v", file.Name(), err)}
	}
	fmt.Fprintf(os.Stderr, "npdb: %s in %s: npdb open %s\n", cli.Count(kept, "event"), cli.EscapeLines(file.Name()), cli.Argument(file.Name()))
	return dumped{File: file.Name(), Events: kept}
}

// create creates the first of prog-1.npdb, prog-2.npdb, … that does not exist, for prog.npdb.
func (d *dumper) create() (*os.File, error) {
	path, err := filepath.Abs(d.path)
	if err != nil {
		return nil, err
	}
	base, ext := strings.TrimSuffix(path, filepath.Ext(path)), filepath.Ext(path)
	for n := 1; ; n++ {
		file, err := os.OpenFile(fmt.Sprintf("%s-%d%s", base, n, ext), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}
