package trace

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
)

// chance is what a run took from chance, and what speaks against repeating it: see
// tracer/chance.py and tracer/outside.py.
type chance struct {
	notes   []string // parts of the notes, in the form of the tracer
	bytes   int
	count   int               // the notes that the program has taken so far
	reasons map[string]string // kind of reason → what happened first
	files   []stamp           // the files that it opened for reading
	differs string            // why a run that repeats another one ended itself
	last    string            // the whole state at the end
	ticks   int               // ticks of the last stretch that counted them
	broken  string            // what the user did that is not repeated, "" for nothing
}

// stamp is the state of a file when the program opened it.
type stamp struct {
	path string
	time int64 // modification time in nanoseconds
	size int64
}

// mostNotes limits the memory for notes of chance.
const mostNotes = 64 << 20

// take adds the content of the tracer's message.
func (c *chance) take(m message) {
	if n, err := strconv.Atoi(m.field(0)); err == nil {
		c.count = n
	}
	if blob := m.field(1); blob != "" && c.bytes < mostNotes {
		c.notes = append(c.notes, blob)
		if c.bytes += len(blob); c.bytes >= mostNotes {
			c.broken = "it read clocks or entropy too often to note all of it"
		}
	}
	for _, line := range m.fields[min(2, len(m.fields)):] {
		fields := strings.Split(line, "\x00")
		switch {
		case len(fields) == 4 && fields[0] == "file":
			at, _ := strconv.ParseInt(fields[2], 10, 64)
			size, _ := strconv.ParseInt(fields[3], 10, 64)
			c.files = append(c.files, stamp{path: fields[1], time: at, size: size})
		case len(fields) == 2 && fields[0] == "differs":
			c.differs = fields[1]
		case len(fields) == 2:
			if c.reasons == nil {
				c.reasons = map[string]string{}
			}
			c.reasons[fields[0]] = fields[1]
		}
	}
}

// changed returns the first file that is no longer as the program read it.
func (c *chance) changed() (path string) {
	for _, f := range c.files {
		about, err := os.Stat(f.path)
		if err != nil || about.Size() != f.size || about.ModTime().UnixNano() != f.time {
			return f.path
		}
	}
	return ""
}

// repetition is what a run that repeats another one is given.
type repetition struct {
	notes   []string
	pid     int
	allowed []string     // kinds of reasons that may happen again
	typed   []typedInput // what the user typed that the program has not read yet
}

// typedInput is an input by the user.
type typedInput struct {
	text string
	eof  bool
}

// fields encodes the options of a run that can be repeated or repeats another.
func (g *repetition) fields(o Options) []string {
	on, pid, allowed, notes := "", "", "", ""
	if o.Repeat {
		on = "past"
	} else if o.Branches {
		on = "branch"
	}
	if g != nil {
		pid = strconv.Itoa(g.pid)
		allowed = strings.Join(g.allowed, ",")
		parts := make([]string, len(g.notes))
		for i, part := range g.notes {
			parts[i] = hex.EncodeToString([]byte(part))
		}
		notes = strings.Join(parts, ",")
	}
	return []string{"repeat", on, "chance", notes, "pid", pid, "allowed", allowed}
}

// stretch is a part of a run: recorded events, or a move that ran unrecorded.
type stretch struct {
	fast   bool
	move   []string // of a fast one: the request to the tracer, with places in the stack for activations
	start  int      // recorded events before it
	events int      // recorded events after it
	count  int      // notes of chance after it
	window int      // ticks at the end of a fast one that are recorded, in a run that repeats another
	cut    bool     // an interrupt ended a fast one
}

// began notes that a move was sent to the tracer.
func (r *Recording) began(move []string) {
	if !r.opts.noted() || r.following {
		return
	}
	fast := move[0] == "fast"
	if n := len(r.stretches); !fast && n > 0 && !r.stretches[n-1].fast {
		return
	}
	s := stretch{fast: fast, start: r.tree.Len()}
	if fast {
		s.move = r.byPlace(move)
	}
	r.stretches = append(r.stretches, s)
}

// came notes where the move under way has stopped.
func (r *Recording) came(reason Reason) {
	if n := len(r.stretches); n > 0 && !r.following {
		last := &r.stretches[n-1]
		last.events, last.count = r.tree.Len(), r.chance.count
		if last.fast && reason == Interrupted {
			last.cut = true
			r.chance.broken = "an interrupt stopped it, and its moment cannot be found again"
		}
	}
}

// activationFields are the fields of a request that hold activations, by its mode.
var activationFields = map[string][]int{"over": {2, 3}, "final": {2, 3}, "until": {2}}

// activationsIn returns the fields of a request that hold activations.
func activationsIn(move []string) []int {
	mode, _, _ := strings.Cut(move[1], " ") // without a block
	return activationFields[mode]
}

// byPlace replaces the activations in a request by their places in the stack at the live edge.
func (r *Recording) byPlace(move []string) []string {
	move = append([]string(nil), move...)
	for _, field := range activationsIn(move) {
		place := "none"
		for i, f := range r.stackAtEdge() {
			if strconv.FormatUint(uint64(f), 10) == move[field] {
				place = "@" + strconv.Itoa(i)
			}
		}
		move[field] = place
	}
	return move
}

// byActivation replaces places in the stack by the activations that are there in this run.
func (r *Recording) byActivation(move []string) []string {
	move = append([]string(nil), move...)
	stack := r.stackAtEdge()
	for _, field := range activationsIn(move) {
		var i int
		if _, err := fmt.Sscanf(move[field], "@%d", &i); err != nil || i >= len(stack) {
			move[field] = strconv.Itoa(1 << 31)
			continue
		}
		move[field] = strconv.FormatUint(uint64(stack[i]), 10)
	}
	return move
}

// stackAtEdge returns the activations on the stack at the last event.
func (r *Recording) stackAtEdge() (stack []uint32) {
	if last := r.tree.Len() - 1; last >= 0 {
		for _, f := range r.tree.Stack(last) {
			stack = append(stack, f.Activation)
		}
	}
	return stack
}

// heard keeps what the program's standard input held, so that another run can read it again.
type heard struct {
	from io.Reader
	mu   sync.Mutex
	data []byte
	over bool // data is all of it
}

// mostInput limits the input that is kept.
const mostInput = 64 << 20

// Read reads from the input and keeps what it read.
func (h *heard) Read(p []byte) (int, error) {
	n, err := h.from.Read(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.data)+n <= mostInput {
		h.data = append(h.data, p[:n]...)
		h.over = err == io.EOF
	}
	return n, err
}

// inputAgain returns the program's standard input for another run, nil if the user types it, and a
// function to call when that run has begun. It fails if the input cannot be read a second time.
func (r *Recording) inputAgain() (again io.Reader, done func(), no *NoPast) {
	done = func() {}
	switch from := r.opts.Stdin.(type) {
	case nil:
		return nil, done, nil
	case *heard:
		from.mu.Lock()
		defer from.mu.Unlock()
		if from.over {
			return bytes.NewReader(from.data), done, nil
		}
	case *os.File:
		about, err := from.Stat()
		if err != nil || !about.Mode().IsRegular() {
			break
		}
		file, err := os.Open(from.Name())
		if err != nil {
			break
		}
		if other, err := file.Stat(); err == nil && os.SameFile(about, other) {
			return file, func() { _ = file.Close() }, nil
		}
		_ = file.Close()
	}
	return nil, done, &NoPast{"input", "its standard input cannot be read a second time"}
}
