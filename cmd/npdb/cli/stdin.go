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

// Stdin reads commands line by line, and only on request.
type Stdin struct {
	want       chan struct{}
	got        chan readLine
	waiting    bool // a line was requested and has not arrived
	interrupts <-chan struct{}
}

type readLine struct {
	text string
	err  error
}

// NewStdin reads from r. An interrupt ends a wait for a line; a line that arrives later is
// returned by the next call.
func NewStdin(r io.Reader, interrupts <-chan struct{}) *Stdin {
	s := &Stdin{want: make(chan struct{}), got: make(chan readLine, 1), interrupts: interrupts}
	go func() {
		in := bufio.NewReader(r)
		for range s.want {
			text, err := nextLine(in)
			if text != "" && errors.Is(err, io.EOF) {
				err = nil // the last line has no line end; the next read returns the end of input
			}
			s.got <- readLine{strings.TrimRight(text, "\r\n"), err}
		}
	}()
	return s
}

// longestLine limits the memory of a line. It is longer than any typed line; input without
// line ends may not be text.
const longestLine = 16 << 20

// nextLine reads a line including its end.
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

// Interrupted reports whether Ctrl-C was pressed since the last wait for a line, while no command
// ran.
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

// AskYesNo asks a question until the answer is yes or no. If the input ends before that, it returns
// the error unanswered.
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
