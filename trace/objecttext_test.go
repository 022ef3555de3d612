//go:build unix

package trace

import (
	"bytes"
	"encoding/binary"
	"os/exec"
	"strconv"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestObjectTextsAreThoseOfRender checks that the texts built from recorded objects are
// those of tracer/render.py.
func TestObjectTextsAreThoseOfRender(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) { compareTexts(t, python) })
	}
}

// TestObjectTextsAtLimits checks the same at the limits of a value: characters and items.
func TestObjectTextsAtLimits(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			compareTexts(t, python, 1<<24, 100_000, 200, 5, 60, 3, 60, 100, 33, 1, 1000, 2, 31, 4)
		})
	}
}

// compareTexts compares the texts for the records of records.py under limits.
func compareTexts(t *testing.T, python pythons.Python, limits ...int) {
	args := []string{"-W", "ignore", "-B", "testdata/forms/records.py", "tracer"}
	for _, n := range limits {
		args = append(args, strconv.Itoa(n))
	}
	cmd := exec.CommandContext(t.Context(), python.Path, args...)
	cmd.Env = append(cmd.Environ(), "PYTHONHASHSEED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	number := func() int {
		n := binary.LittleEndian.Uint32(out)
		out = out[4:]
		return int(n)
	}
	next := func() []byte {
		n := number()
		field := out[:n]
		out = out[n:]
		return field
	}
	for part := 0; len(out) > 0; part++ {
		d := newDecoder()
		if len(limits) > 0 {
			d.tree.SetLimits(limits[2*part], limits[2*part+1])
		}
		count, records := number(), next()
		if n, err := d.consume(records); err != nil || n != len(records) {
			t.Fatalf("read %d bytes of %d: %v", n, len(records), err)
		}
		differ := 0
		for i := range count {
			want, got := string(next()), d.tree.State(i).Locals[0].Value
			if got == want {
				continue
			}
			if differ++; differ <= 5 {
				t.Errorf("part %d, value %d\n got  %.300s\n want %.300s", part, i, got, want)
			}
		}
		if count < 500 || differ > 0 {
			t.Errorf("part %d: of %d values %d differ", part, count, differ)
		}
	}
}
