package trace

import (
	"bytes"
	"io"
	"strings"

	"github.com/npdb/npdb/trace/saved"
)

// feed copies the data of from to the program's standard input.
func feed(p *process, from io.Reader) {
	_, _ = io.Copy(p.stdin, from)
	_ = p.stdin.Close()
}

// Input writes text, with its line end, to the program's standard input. If eof is set, it
// closes the input after that.
//
// On a terminal, Input types the text. A program that reads lines also receives a text
// without a line end at once, as from a pipe. A program that has left canonical mode
// receives single keys. ^C in the text interrupts the program. eof types the terminal's
// end-of-file character, after which the program may read again. A recording file holds the
// text, unless the program reads with the echo switched off.
func (r *Recording) Input(text string, eof bool) error {
	if err := r.proc.input(text, eof); err != nil {
		return &GoneError{What: "input"}
	}
	if r.opts.noted() {
		r.typed = append(r.typed, typedInput{text, eof})
	}
	if r.unseen.Load() {
		text = ""
	}
	r.log.Add(saved.KindInput, saved.AppendOutput(nil, r.tree.Len()-1, 0, []byte(text)))
	return nil
}

// Resize sets the size of the program's terminal, in character cells. The program receives
// SIGWINCH. Resize does nothing if there is no terminal or the program has ended.
func (r *Recording) Resize(columns, rows int) {
	r.proc.resize(Terminal{Columns: columns, Rows: rows})
}

// catchUp reads the events that the tracer has recorded but not yet reported, while the program
// waits in a system call. It returns false if the tree may not be up to date, because another
// thread of the program may be writing events or the tracer has moved to the next chunk.
func (r *Recording) catchUp() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	memory := r.proc.memory
	found := memory.copyOf(nil, r.chunk, r.at, memory.chunk)
	still := r.proc.still()
	r.copied = memory.copyOf(r.copied[:0], r.chunk, r.at, memory.chunk)
	if !still || !bytes.Equal(found, r.copied) || memory.begun((r.chunk+1)%chunkCount) {
		return false
	}
	return r.take(found) == nil
}

// isTerminalSize reports whether an environment variable, NAME=VALUE, gives the size of npdb's
// own terminal.
func isTerminalSize(variable string) bool {
	return strings.HasPrefix(variable, "COLUMNS=") || strings.HasPrefix(variable, "LINES=")
}
