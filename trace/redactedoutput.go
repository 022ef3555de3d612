package trace

import (
	"bytes"

	"github.com/npdb/npdb/trace/saved"
)

// outputRedaction redacts output or input. A line may consist of several pieces, of several events. A line
// with a secret becomes one piece, of the event at which the line begins.
type outputRedaction struct {
	by    Redactor
	queue []*outputPiece          // in order, those not written yet
	lines map[byte][]*outputPiece // by stream: those of a line that has not ended
	bytes int                     // of queue
}

type outputPiece struct {
	event  int
	stream byte
	data   []byte
	size   int // of data before it was redacted
	done   bool
}

// mostOutputHeld is the maximum number of bytes that wait for the ends of their lines.
const mostOutputHeld = 1 << 20

// add adds pieces in the form of a KindOutput chunk.
func (o *outputRedaction) add(data []byte) {
	saved.EachOutput(data, func(event int, stream byte, data []byte) {
		p := &outputPiece{event: event, stream: stream, data: bytes.Clone(data), size: len(data)}
		o.queue = append(o.queue, p)
		o.lines[stream] = append(o.lines[stream], p)
		if o.bytes += len(data); bytes.HasSuffix(data, []byte("\n")) {
			o.endLine(stream)
		}
	})
	if o.bytes > mostOutputHeld {
		o.end()
	}
}

func (o *outputRedaction) endLine(stream byte) {
	var line []byte
	for _, p := range o.lines[stream] {
		line = append(line, p.data...)
	}
	if clean := o.by.Plain(string(line)); clean != string(line) {
		for i, p := range o.lines[stream] {
			if p.data = nil; i == 0 {
				p.data = []byte(clean)
			}
		}
	}
	for _, p := range o.lines[stream] {
		p.done = true
	}
	delete(o.lines, stream)
}

// end ends all lines.
func (o *outputRedaction) end() {
	for stream := range o.lines {
		o.endLine(stream)
	}
}

// take appends the redacted pieces to to, in order, up to the first one whose line has not ended.
func (o *outputRedaction) take(to []byte) []byte {
	for len(o.queue) > 0 && o.queue[0].done {
		p := o.queue[0]
		if len(p.data) > 0 {
			to = saved.AppendOutput(to, p.event, p.stream, p.data)
		}
		o.bytes -= p.size
		o.queue = o.queue[1:]
	}
	return to
}
