package session

import (
	"context"
	"strings"

	"github.com/npdb/npdb/trace"
)

// outputCursor marks how much of the program's output was shown: all output that was written after
// events before event, and shown bytes of the output after event itself, which may still grow.
type outputCursor struct {
	event int // -1: before the first event
	shown int
}

// take returns the output that was not shown yet, and moves the cursor past it. pieces begin with
// the output after event c.event.
func (c *outputCursor) take(pieces []trace.Output) []trace.Output {
	var fresh []trace.Output
	skip := c.shown
	for _, p := range pieces {
		if p.Event == c.event && skip > 0 {
			n := min(skip, len(p.Text))
			p.Text = p.Text[n:]
			skip -= n
		}
		if p.Text == "" {
			continue
		}
		if p.Event > c.event {
			c.event, c.shown = p.Event, 0
		}
		if p.Event == c.event {
			c.shown += len(p.Text)
		}
		fresh = append(fresh, p)
	}
	return fresh
}

// drain adds the program's new output to the answer. It reports whether there was any.
func (d *draft) drain() bool {
	var wrote []trace.Output
	if d.program.rec != nil {
		wrote = d.program.rec.Output(d.output.event, -1)
	}
	fresh := d.output.take(wrote)
	d.answer.Chunks = written(d.answer.Chunks, fresh)
	return len(fresh) > 0
}

// written appends output to chunks, and joins adjacent pieces of the same stream.
func written(chunks []Chunk, pieces []trace.Output) []Chunk {
	for _, p := range pieces {
		if n := len(chunks); n > 0 {
			if last := &chunks[n-1]; last.Kind == Wrote && last.Stream == p.Stream {
				last.After = append(last.After, After{len(last.Text), p.Event})
				last.Text += p.Text
				continue
			}
		}
		chunks = append(chunks, Chunk{Kind: Wrote, Stream: p.Stream, Text: p.Text, After: []After{{0, p.Event}}})
	}
	return chunks
}

// Printed returns all that the program has printed so far.
func (s *Session) Printed() []Chunk {
	if s.program.rec == nil {
		return nil
	}
	return written(nil, s.program.rec.Output(-1, -1))
}

// skip moves the cursor past output that was shown with other numbers of events.
func (c *outputCursor) skip(pieces []trace.Output) {
	*c = outputCursor{event: -1}
	_ = c.take(pieces)
}

// ShowOutput shows the program's output up to the position.
type ShowOutput struct{}

func (ShowOutput) String() string { return "output" }

func (ShowOutput) run(_ context.Context, s *Session) error {
	to := s.position.pos.Event // at this position, the output after the event is not written yet
	if s.position.pos.End || s.position.live() {
		to = -1
	}
	var b strings.Builder
	if s.program.rec != nil {
		for _, p := range s.program.rec.Output(-1, to) {
			b.WriteString(p.Text)
		}
	}
	if b.Len() > 0 {
		s.draft.say(trimLineEnd(b.String()))
	}
	return nil
}
