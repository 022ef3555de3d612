package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/npdb/npdb/session/frontend"
)

// Stdin reads commands a line at a time, and only when one is asked for.
type Stdin struct {
	want       chan struct{}
	got        chan readLine
	waiting    bool // a line was asked for and has not come
	interrupts <-chan struct{}
}

type readLine struct {
	text string
	err  error
}

// NewStdin reads from r. An interrupt ends a wait for a line; the line that then
// comes is the next one's.
func NewStdin(r io.Reader, interrupts <-chan struct{}) *Stdin {
	s := &Stdin{want: make(chan struct{}), got: make(chan readLine, 1), interrupts: interrupts}
	go func() {
		in := bufio.NewReader(r)
		for range s.want {
			text, err := nextLine(in)
			if text != "" && errors.Is(err, io.EOF) {
				err = nil // a last line without its end; the end comes next time
			}
			s.got <- readLine{strings.TrimRight(text, "\r\n"), err}
		}
	}()
	return s
}

// longestLine is more than anybody types, and less than fills the memory: what has
// no line end at all may be no text.
const longestLine = 16 << 20

// nextLine reads a line with its end.
func nextLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case len(line) > longestLine:
			return "", fmt.Errorf("standard input has a line of more than %d MiB: is it text?", longestLine>>20)
		case !errors.Is(err, bufio.ErrBufferFull):
			return string(line), err
		}
	}
}

// Interrupted reports an interrupt that came since the last wait for a line, when
// nothing ran yet.
func (s *Stdin) Interrupted() bool {
	select {
	case <-s.interrupts:
		return true
	default:
		return false
	}
}

// Next implements frontend.Lines.
func (s *Stdin) Next(ctx context.Context) (string, error) {
	if !s.waiting {
		select {
		case s.want <- struct{}{}:
			s.waiting = true
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	select {
	case l := <-s.got:
		s.waiting = false
		return l.text, l.err
	case <-s.interrupts:
		return "", frontend.ErrInterrupt
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// AskYesNo asks a question until the answer is yes or no. The error is unanswered if the input
// ends before.
func AskYesNo(ctx context.Context, w io.Writer, lines frontend.Lines, question string, unanswered error) (yes bool, err error) {
	for {
		if _, err := fmt.Fprint(w, "npdb: "+EscapeLines(question)+" (y/n) "); err != nil {
			return false, err
		}
		line, err := lines.Next(ctx)
		if err != nil {
			return false, errors.Join(unanswered, ctx.Err())
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
	}
}
