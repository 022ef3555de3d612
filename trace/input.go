package trace

import (
	"bytes"
	"io"
	"strings"
)

// feed copies from to the program's standard input.
func feed(p *process, from io.Reader) {
	_, _ = io.Copy(p.stdin, from)
	_ = p.stdin.Close()
}

// Input gives the program text (with its line end) on standard input; eof
// closes it after that.
//
// On a terminal the text is typed: a program that reads lines gets what has no
// line end at once too, as from a pipe; one that has left canonical mode gets it
// as keys; ^C in it interrupts the program. eof is the terminal's end-of-file
// character, so the program may read on after it.
func (r *Recording) Input(text string, eof bool) error {
	if err := r.proc.input(text, eof); err != nil {
		return &GoneError{What: "input"}
	}
	return nil
}

// Resize gives the program's terminal another size, in character cells; the
// program gets SIGWINCH. Without a terminal, or when the program is over,
// nothing happens.
func (r *Recording) Resize(columns, rows int) {
	r.proc.resize(Terminal{Columns: columns, Rows: rows})
}

// catchUp reads what the tracer has recorded but not yet reported, while the program waits
// in a system call. It reports whether the tree is up to date. It is not if a thread of the
// program may have been writing, or if the tracer has moved to another chunk.
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

// isTerminalSize reports whether a variable contains the size of npdb's own terminal.
func isTerminalSize(variable string) bool {
	return strings.HasPrefix(variable, "COLUMNS=") || strings.HasPrefix(variable, "LINES=")
}
