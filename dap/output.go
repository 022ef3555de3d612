package dap

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/session"
)

// console prints a line of npdb's.
func (c *client) console(text string) {
	c.event("output", dap.OutputEventBody{Category: "console", Output: strings.TrimSuffix(text, "\n") + "\n"})
}

// connect makes a session report to the client.
func (c *client) connect(cfg *session.Config) {
	cfg.Input = c.ask
	cfg.Stream = c.show
	cfg.Pace = c.pace
}

// show prints the output of an answer, its notices and what the command says.
func (c *client) show(a *session.Answer) {
	c.print(a, false)
}

// seen remembers the visit that an answer shows.
func (c *client) seen(a *session.Answer) {
	if a.Visit != 0 {
		c.visit = a.Visit
	}
}

// print prints the chunks of an answer. replied reports that the response contains what the command says.
func (c *client) print(a *session.Answer, replied bool) {
	for _, k := range a.Chunks {
		switch k.Kind {
		case session.Wrote:
			c.wrote(k)
		case session.Said:
			if !replied {
				c.console(k.Text)
			}
		case session.Notice:
			if !strings.HasPrefix(k.Text, "Logpoint ") {
				c.console(k.Text)
			}
		case session.Where: // the client asks for the stack
		}
	}
	for _, h := range a.Passed {
		c.console(h.Text)
	}
	if a.Err != nil && !replied {
		c.event("output", dap.OutputEventBody{Category: "stderr", Output: a.Err.Message + "\n"})
	}
}

// wrote passes the program's output on.
func (c *client) wrote(k session.Chunk) {
	category := "stdout"
	if k.Stream == "stderr" {
		category = "stderr"
	}
	c.event("output", dap.OutputEventBody{Category: category, Output: k.Text})
}

// input is a request of the program for a line.
type input struct {
	line chan session.InputLine // holds at most one line
}

// give passes a line to the program, unless it has one already.
func (in *input) give(line session.InputLine) bool {
	select {
	case in.line <- line:
		return true
	default:
		return false
	}
}

// stop interrupts the program that waits.
func (in *input) stop() { in.give(session.InputLine{Interrupt: true}) }

// endOfInput is what the user types to end the program's input.
const endOfInput = ":eof"

// ask waits for a line that the user types in the debug console. It implements session.Config.Input.
func (c *client) ask(ctx context.Context, a *session.Answer) session.InputLine {
	c.show(a)
	in := &input{line: make(chan session.InputLine, 1)}
	c.mu.Lock()
	c.input = in
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.input = nil
		c.mu.Unlock()
	}()
	if c.killed.Load() || c.pausing.Load() {
		return session.InputLine{Interrupt: true}
	}
	c.console("npdb: the program waits for a line of input: type it in the debug console (" + endOfInput + " ends the input).")
	select {
	case line := <-in.line:
		line.Unseen = a.Unseen
		return line
	case <-ctx.Done():
		return session.InputLine{Interrupt: true}
	}
}

// asks passes a line of the debug console to a program that waits for one. It returns false if none does,
// or if the request is another one.
func (c *client) asks(r *request) bool {
	c.mu.Lock()
	in := c.input
	c.mu.Unlock()
	if in == nil || r.Command != "evaluate" {
		return false
	}
	var typed dap.EvaluateArguments
	if err := r.into(&typed); err != nil || typed.Context != "repl" {
		return false
	}
	line := session.InputLine{Text: typed.Expression + "\n"}
	if strings.TrimSpace(typed.Expression) == endOfInput {
		line = session.InputLine{EOF: true}
	}
	if !in.give(line) {
		return false
	}
	c.answer(r, dap.EvaluateResponseBody{}, nil)
	return true
}

// pace reports the progress of a move. It implements session.Config.Pace.
func (c *client) pace(p *session.Pace) {
	if !c.about.SupportsProgressReporting {
		return
	}
	const columns = 100
	words := p.Words(columns, utf8.RuneCountInString, "")
	c.mu.Lock()
	begins := !c.paced
	if begins {
		c.paced = true
		c.paces++
	}
	id := fmt.Sprintf("move-%d", c.paces)
	c.mu.Unlock()
	if begins {
		c.event("progressStart", dap.ProgressStartEventBody{ProgressId: id, Title: "npdb records", Cancellable: true, Message: words})
		return
	}
	c.event("progressUpdate", dap.ProgressUpdateEventBody{ProgressId: id, Message: words})
}

// progressed ends the progress of a move.
func (c *client) progressed() {
	c.mu.Lock()
	ends, id := c.paced, fmt.Sprintf("move-%d", c.paces)
	c.paced = false
	c.mu.Unlock()
	if ends {
		c.event("progressEnd", dap.ProgressEndEventBody{ProgressId: id})
	}
}
