package trace

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// written builds records as the tracer writes them.
type written struct{ bytes.Buffer }

func (w *written) rec(kind byte, fields ...any) *written {
	w.WriteByte(kind)
	for _, f := range fields {
		switch f := f.(type) {
		case int:
			w.Write(binary.AppendUvarint(nil, uint64(f)))
		case string:
			w.WriteString(f)
			w.WriteByte(endOfText)
		case []byte:
			w.Write(f)
		}
	}
	return w
}

func (w *written) define(kind byte, fields ...string) *written {
	body := packMessage(fields...)
	w.WriteByte(kind)
	w.Write(body)
	return w
}

// program is a module of two lines that calls a function once.
func program() *written {
	var w written
	w.define(recFile, "/p/a.py", "def f(x): return x\nf(1)\n")
	w.define(recCode, "0", "<module>", "<module>", "1", "2", "00", "0")
	w.define(recCode, "0", "f", "f", "1", "1", "10", "1", "x")
	w.define(recName, "0", "f")
	w.rec(recEnter, 0).rec(recLine, 1)
	w.rec(recSetHidden, 0, "<function f>").rec(recLine, 2)
	w.rec(recEnter, 1).rec(recSet, 0, "1").rec(recCall, 1).rec(recLine, 1)
	w.rec(recReturn, 1, []byte{byte(dsl.Returned)}, "1")
	w.rec(recReturn, 2, []byte{byte(dsl.Returned)}, "None")
	return &w
}

func newDecoder() *decoder {
	return &decoder{
		tree:   statetree.New(),
		name:   func(path string) string { return strings.TrimPrefix(path, "/p/") },
		output: func(int, byte, []byte) {},
	}
}

func TestRecordsBecomeEvents(t *testing.T) {
	d := newDecoder()
	w := program()
	buf := append(w.Bytes(), make([]byte, 32)...)
	n, err := d.consume(buf)
	if err != nil || n != w.Len() {
		t.Fatalf("consumed %d of %d: %v", n, w.Len(), err)
	}
	if got := d.tree.Len(); got != 6 {
		t.Fatalf("%d events, want 6", got)
	}
	s := d.tree.State(4)
	if s.Event != dsl.Return || s.Function != "f" || *s.Value != "1" || s.Depth != 1 || s.File != "a.py" {
		t.Errorf("event 4 is %+v", s)
	}
	if top := d.tree.State(1).Locals; len(top) != 1 || !top[0].Hidden || top[0].Value != "<function f>" {
		t.Errorf("locals of event 1 are %+v", top)
	}
}

// A record that is larger than a chunk comes in parts, over several chunks.
func TestRecordsInParts(t *testing.T) {
	whole := program().Bytes()
	for _, step := range []int{1, 7, 64} {
		d := newDecoder()
		for start := 0; start < len(whole); start += step {
			end := min(start+step, len(whole))
			kind := byte(recPart)
			if end == len(whole) {
				kind = recLast
			}
			var w written
			w.WriteByte(kind)
			w.Write(binary.LittleEndian.AppendUint32(nil, uint32(end-start)))
			w.Write(whole[start:end])
			if _, err := d.consume(w.Bytes()); err != nil {
				t.Fatalf("parts of %d: %v", step, err)
			}
		}
		if d.tree.Len() != 6 {
			t.Errorf("parts of %d: %d events, want 6", step, d.tree.Len())
		}
	}
}

// What a damaged or hostile tracer writes is refused with the place, and never
// reaches the tree in part.
func TestRecordsRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		bytes []byte
		says  string
	}{
		"unknown kind":         {[]byte{0x7e}, "unknown kind 0x7e"},
		"no activation":        {[]byte{recLine, 1}, "no activation"},
		"leave nothing":        {[]byte{recLeave}, "no activation"},
		"undefined code":       {[]byte{recEnter, 3}, "code 3 was not defined"},
		"unknown activation":   {[]byte{recResume, 9}, "activation 9"},
		"cut text":             {append(program().Bytes(), recEnter, 0, recSet, 0, 'x'), "cut off"},
		"undefined slot":       {append(program().Bytes(), recEnter, 0, recSet, 5, endOfText), "slot 5"},
		"large number":         {[]byte{recLine, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, "too large"},
		"code in no file":      {new(written).define(recCode, "4", "f", "f", "1", "1", "10", "0").Bytes(), "file 4"},
		"definition too short": {new(written).define(recFile, "/p/a.py").Bytes(), "with 1 fields"},
		"parts within parts":   {append([]byte{recLast, 1, 0, 0, 0}, recPart), "parts within parts"},
		"unknown return":       {append(program().Bytes(), recEnter, 0, recReturn, 1, 9), "kind of return 9"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newDecoder().consume(tc.bytes)
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error is %v, want one that says %q", err, tc.says)
			}
		})
	}
}

func FuzzRecords(f *testing.F) {
	whole := program().Bytes()
	for n := 0; n <= len(whole); n += 5 {
		f.Add(whole[:n])
	}
	f.Add(append(append([]byte{}, whole...), recGap, 1, 0, recLine, 1, recPartial, recLine, 2, recAmend))
	f.Add(append(append([]byte{}, whole...), recAdopt, 1, recGap, 2, 0, 2, recOrder, 1, 0, recUnset, 0, recLeave))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := newDecoder()
		n, err := d.consume(data)
		if err == nil && n < len(data) && data[n] != 0 {
			t.Fatalf("stopped at byte %d, which is %#x, without an error", n, data[n])
		}
		for i := range d.tree.Len() {
			if s := d.tree.State(i); s.Depth != len(d.tree.Stack(i))-1 {
				t.Fatalf("event %d: depth %d, stack of %d", i, s.Depth, len(d.tree.Stack(i)))
			}
		}
	})
}

func FuzzMessage(f *testing.F) {
	f.Add(append([]byte{msgStop}, packMessage("landed", "", "/p/a.py", "3", "1", "")...))
	f.Add([]byte{msgFull, 0, 0, 0, 0})
	f.Add([]byte{msgStop, 8, 0, 0, 0, 9, 0, 0, 0, 'x', 'x', 'x', 'x'})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := readMessage(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := readMessage(bytes.NewReader(append([]byte{m.tag}, packMessage(m.fields...)...)))
		if err != nil || again.tag != m.tag || strings.Join(again.fields, "\x00") != strings.Join(m.fields, "\x00") {
			t.Fatalf("read %v, packed and read again %v, %v", m, again, err)
		}
	})
}
