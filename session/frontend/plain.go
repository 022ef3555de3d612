// Package frontend shows answers without a full screen: as text in pdb's words for people and
// pipes, and as lines of JSON for programs. Both escape terminal control sequences.
package frontend

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
)

// Plain is the front end for people and pipes: it writes text in pdb's words and escapes terminal
// control sequences.
type Plain struct {
	out     io.Writer
	prompts bool // show prompts, because a person types the commands
	open    bool // the last output did not end with a newline
	midway  bool // a message is streamed, and its next part continues the line
	paced   bool // the current terminal line shows the progress of a move (see Pace)
}

// NewPlain returns a front end that writes to out. It shows prompts if prompts is set, because a
// person types the commands.
func NewPlain(out io.Writer, prompts bool) *Plain { return &Plain{out: out, prompts: prompts} }

// Show writes an answer.
func (p *Plain) Show(a *session.Answer) error {
	var b strings.Builder
	for _, c := range a.Chunks {
		if c.Kind == session.Wrote {
			// A carriage return before a newline is a harmless line end.
			b.WriteString(escape.Text(strings.ReplaceAll(c.Text, "\r\n", "\n")))
			p.open = !strings.HasSuffix(c.Text, "\n") && (c.Text != "" || p.open)
			continue
		}
		p.said(&b, &c)
	}
	if a.Err != nil {
		p.line(&b, a.Err.Marked())
	}
	return p.write(b.String())
}

// said adds a message. A streamed one continues on the line of its last part.
func (p *Plain) said(b *strings.Builder, c *session.Chunk) {
	if c.Kind != session.Said || !c.Continues && !p.midway {
		p.line(b, c.Marked())
		return
	}
	if p.open && !p.midway {
		b.WriteByte('\n')
	}
	b.WriteString(escape.Text(c.Marked()))
	if p.midway = c.Continues; !p.midway {
		b.WriteByte('\n')
	}
	p.open = p.midway
}

// line adds one of npdb's own lines. If the program's output left a line unfinished, a newline ends
// that first.
func (p *Plain) line(b *strings.Builder, text string) {
	if p.open {
		b.WriteByte('\n')
		p.open, p.midway = false, false
	}
	b.WriteString(escape.Text(text))
	b.WriteByte('\n')
}

// Prompt prints a prompt if a person types the commands. Otherwise it prints a question only, because the
// next line of the commands answers it.
func (p *Plain) Prompt(text string, waiting session.Waiting) error {
	switch {
	case p.prompts:
	case waiting == session.ForConfirmation:
		var b strings.Builder
		p.line(&b, strings.TrimSpace(text))
		return p.write(b.String())
	default:
		return nil
	}
	if p.open && text != "" {
		text = "\n" + text
	}
	p.open = false
	return p.write(text)
}

// Interrupted prints that Ctrl-C was pressed while nothing ran.
func (p *Plain) Interrupted() error {
	p.open = false
	return p.write("\n--KeyboardInterrupt--\n")
}

// Left shows the answer of a dialogue that was aborted, if there is one.
func (p *Plain) Left(a *session.Answer) error {
	if a == nil {
		return nil
	}
	return p.Show(a)
}

// Ended prints a newline at the end of the commands, so that the shell's prompt starts on a line of
// its own.
func (p *Plain) Ended() error {
	if !p.prompts && !p.open {
		return nil
	}
	p.open = false
	return p.write("\n")
}

// toEnd erases the terminal's line from the cursor to its end.
const toEnd = "\x1b[K"

// Pace shows the progress of a running move on the terminal's last line. The next output replaces
// it.
func (p *Plain) Pace(pace *session.Pace, columns int) error {
	var b strings.Builder
	if p.paced {
		b.WriteString("\r")
	}
	if pace.Advice != "" {
		b.WriteString(toEnd)
		p.line(&b, pace.Advice)
	} else if p.open {
		b.WriteByte('\n') // keep the program's unfinished line
	}
	b.WriteString(pace.Words(columns-1, ansi.StringWidth, "Ctrl-C stops") + toEnd)
	p.open, p.paced = false, false
	err := p.write(b.String())
	p.paced = true
	return err
}

func (p *Plain) write(text string) error {
	if text == "" {
		return nil
	}
	if p.paced {
		p.paced = false
		text = "\r" + toEnd + text
	}
	_, err := io.WriteString(p.out, text)
	return err
}

// unknown returns the names of a state's locals whose values are unknown.
func unknown(st *dsl.State) []string {
	if st == nil {
		return nil
	}
	var out []string
	for _, l := range st.Locals {
		if l.Unknown {
			out = append(out, l.Name)
		}
	}
	return out
}

// visible returns the locals of a state without the hidden ones.
func visible(st *dsl.State) []dsl.Local {
	var out []dsl.Local
	for _, l := range st.Locals {
		if !l.Hidden {
			out = append(out, l)
		}
	}
	return out
}
