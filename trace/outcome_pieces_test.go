//go:build unix

package trace_test

import (
	"slices"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomePieces checks that what the program prints piece by piece is one piece of output for each event,
// also if the line does not end, in the order of both streams.
func TestOutcomePieces(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, `import os, sys
print("a", 1, 2)
print("b", 3, end="")
print("c", end="", flush=True); os.write(1, b"d")
print("e", end=""); print("f", file=sys.stderr)
sys.stdout.buffer.write(b"g")
pid = os.fork()
if not pid:
    os._exit(0)
os.waitpid(pid, 0)
print("h" * 9000, end="")
sys.stdout = None
`)
		if _, err := d.rec.Advance(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		var got []trace.Output
		for _, o := range d.rec.Output(-1, -1) {
			if len(o.Text) > 10 {
				o.Text = o.Text[:10]
			}
			o.Event = d.rec.Tree().At(o.Event).Line
			got = append(got, o)
		}
		want := []trace.Output{
			{Event: 2, Stream: "stdout", Text: "a 1 2\n"},
			{Event: 3, Stream: "stdout", Text: "b 3"},
			{Event: 4, Stream: "stdout", Text: "c"},
			{Event: 5, Stream: "stdout", Text: "de"}, // what C code writes is read with the next output
			{Event: 5, Stream: "stderr", Text: "f\n"},
			{Event: 6, Stream: "stdout", Text: "g"},
			{Event: 11, Stream: "stdout", Text: "hhhhhhhhhh"},
		}
		if !slices.Equal(got, want) {
			t.Errorf("output:\n%+v\nwant:\n%+v", got, want)
		}
	})
}
