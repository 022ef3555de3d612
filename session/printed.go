package session

import (
	"context"
	"strings"
)

// Printed lists the lines of the program's output that contain a text, with the events that printed
// them. Given again, it shows later lines.
type Printed struct {
	Text string `json:"text,omitempty"` // "" for all lines
}

func (c Printed) String() string { return words("printed", c.Text) }

// PrintedLine is a line of the program's output. Event is the event after which the program wrote it: of
// the part in which the text begins that was looked for, else of its first part. It is -1 before the
// first event.
type PrintedLine struct {
	Event  int
	Stream string
	Text   string
}

func (c Printed) run(_ context.Context, s *Session) error {
	if s.program.rec == nil {
		return errorf(Refused, "printed: nothing runs in neural mode, so there is no output")
	}
	lines := s.logging.printed(c.Text)
	if len(lines) == 0 {
		if c.Text == "" {
			return errorf(NotFound, "The program has printed nothing")
		}
		return errorf(NotFound, "No line of the output contains %s", c.Text)
	}
	s.draft.answer.Printed = lines
	title, hits := PrintedHits(lines, c.Text)
	return s.logging.pages("printed", c.String(), title, "lines", hits)
}

// PrintedHits returns lines of output that contain a text as hits, and their title.
func PrintedHits(lines []PrintedLine, text string) (title string, hits []Hit) {
	title = plural(len(lines), "line of output", "lines of output")
	if text != "" {
		title += " with " + text
	}
	for _, l := range lines {
		hits = append(hits, Hit{Event: l.Event, Text: l.Text})
	}
	return title, hits
}

// printed returns the lines of output that contain a text.
func (lg *logging) printed(text string) []PrintedLine {
	var found []PrintedLine
	var line writtenLine
	end := func() {
		if at := strings.Index(line.text, text); at >= 0 && len(line.parts) > 0 {
			found = append(found, PrintedLine{line.at(at), line.stream, line.text})
		}
		line = writtenLine{}
	}
	for _, p := range lg.program.rec.Output(-1, -1) {
		if p.Stream != line.stream {
			end()
		}
		for part := range strings.Lines(p.Text) {
			part, ended := strings.CutSuffix(part, "\n")
			line.stream = p.Stream
			line.parts = append(line.parts, After{len(line.text), p.Event})
			if line.text += part; ended {
				end()
			}
		}
	}
	end()
	return found
}

// writtenLine is a line of output, with the events after which its parts were written.
type writtenLine struct {
	stream, text string
	parts        []After
}

// at returns the event after which the byte at an offset was written.
func (l *writtenLine) at(offset int) int {
	event := l.parts[0].Event
	for _, p := range l.parts {
		if p.Offset <= offset {
			event = p.Event
		}
	}
	return event
}
