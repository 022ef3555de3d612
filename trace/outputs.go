package trace

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/npdb/npdb/trace/saved"
)

// Output is a piece of the program's output.
type Output struct {
	Event  int    // index of the event that the output followed; -1 before the first event
	Stream string // "stdout" or "stderr"
	Text   string // UTF-8; invalid bytes are escaped as \xNN
}

// outputs stores the program's output in order, up to a limit in bytes.
type outputs struct {
	mu   sync.Mutex
	list []rawOutput
	room int64
	full bool          // the limit is reached
	log  *saved.Writer // receives all output that is kept; may be nil
}

type rawOutput struct {
	event  int
	stream byte
	data   []byte
}

// add appends output that followed an event. If output of a later event was already added, add
// assigns the new output to that event, too, so that the list stays ordered.
func (o *outputs) add(event int, stream byte, data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(data) == 0 || stream != 1 && stream != 2 {
		return
	}
	if o.full {
		return
	}
	if int64(len(data)) > o.room {
		o.full = true
		note := "\n… npdb keeps no more of the program's output than this\n"
		data = append(append([]byte(nil), data[:o.room]...), note...)
		o.room = int64(len(data))
	}
	o.room -= int64(len(data))
	if o.log != nil {
		o.log.Add(saved.KindOutput, saved.AppendOutput(nil, event, stream, data))
	}
	n := len(o.list)
	if n > 0 {
		event = max(event, o.list[n-1].event)
	}
	if n > 0 && o.list[n-1].event == event && o.list[n-1].stream == stream {
		o.list[n-1].data = append(o.list[n-1].data, data...)
		return
	}
	o.list = append(o.list, rawOutput{event, stream, append([]byte(nil), data...)})
}

// restart forgets all output.
func (o *outputs) restart() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, out := range o.list {
		o.room += int64(len(out.data))
	}
	o.list, o.full = nil, false
}

// Output returns the output after event from and before event to. If to < 0 it returns
// everything after from; from -1 is the start.
func (r *Recording) Output(from, to int) []Output {
	o := &r.outputs
	o.mu.Lock()
	defer o.mu.Unlock()
	var found []Output
	first := sort.Search(len(o.list), func(i int) bool { return o.list[i].event >= from })
	for _, out := range o.list[first:] {
		if to >= 0 && out.event >= to {
			break
		}
		found = append(found, Output{Event: out.event, Stream: streamName(out.stream), Text: escaped(out.data)})
	}
	return found
}

func streamName(stream byte) string {
	if stream == 2 {
		return "stderr"
	}
	return "stdout"
}

func escaped(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var b strings.Builder
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		if c == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, "\\x%02x", data[0])
		} else {
			b.Write(data[:size])
		}
		data = data[size:]
	}
	return b.String()
}
