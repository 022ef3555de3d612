//go:build unix

package trace

import (
	"reflect"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestPrinted checks that output is assigned to the event before it, with what others
// wrote to the stream until then, and that an unknown stream has nothing.
func TestPrinted(t *testing.T) {
	s := scriptedAt(t, standing("module"))
	s.rec.mu.Lock()
	s.rec.decode.output = s.rec.printed
	s.rec.mu.Unlock()
	for n, text := range map[int]string{1: "child a, c", 2: "b\xff"} {
		d := s.rec.proc.streams[n]
		d.mu.Lock()
		d.held = []byte(text)
		d.mu.Unlock()
	}
	out := func(w *written, stream byte, text string) {
		w.rec(recOut, append([]byte{stream}, packMessage(text)[4:]...))
	}
	if _, err := s.answered(dsl.StepInto, func() {
		w := new(written)
		out(w, 1, "a")
		out(w, 3, "no stream")
		out(w, 0, "nor that")
		out(w, 1, "")
		out(w, 2, "b\xff")
		w.events("line")
		out(w, 1, "c")
		s.write(w)
		s.say(msgStop, "landed", "0")
	}); err != nil {
		t.Fatal(err)
	}
	want := []Output{{0, "stdout", "child a"}, {0, "stderr", "b\\xff"}, {1, "stdout", ", c"}}
	if got := s.rec.Output(-1, -1); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := s.rec.Output(1, -1); !reflect.DeepEqual(got, want[2:]) {
		t.Errorf("from event 1: %+v", got)
	}
	if got := s.rec.Output(0, 1); !reflect.DeepEqual(got, want[:2]) {
		t.Errorf("before event 1: %+v", got)
	}
}
