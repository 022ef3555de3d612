package trace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// written builds records in the tracer's format.
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

// program returns the records of a module of two lines that calls a function once.
func program() *written {
	var w written
	w.define(recFile, "/p/a.py", "def f(x): return x\nf(1)\n", "/p/a.py")
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

// objectProgram returns the records of a module whose x is a list of an int, a dict and
// itself. The dict becomes an attribute of an object, and their content changes.
func objectProgram() *written {
	var w written
	ref := func(o int) []byte { return binary.AppendUvarint([]byte{reference}, uint64(o)) }
	w.define(recFile, "/p/a.py", "x = []\n\n", "/p/a.py")
	w.define(recCode, "0", "<module>", "<module>", "1", "2", "00", "0")
	w.define(recCode, "0", "f", "f", "1", "1", "10", "0")
	w.define(recName, "0", "x")
	w.define(recForm, "sequence", "list", "[", "]", "", "", "[...]", "walk", "", "", "")
	w.define(recForm, "dict", "dict", "{", "}", "", "", "{...}", "walk", "", "", "")
	w.define(recForm, "attributes", "A", "A(", ")", "", "", "A(...)", "walk", "<__main__.A object>", "", "")
	w.define(recForm, "text", "T", "", "", "", "", "", "repr", "", "", "")
	w.rec(recEnter, 0).rec(recSet, 0, ref(0))
	w.rec(recWhole, 0, 0, 3, 3, "1", ref(1), ref(0))
	w.rec(recWhole, 1, 1, 1, 1, "'k'", "2").rec(recLine, 1)
	w.rec(recEnter, 1).rec(recItem, 0, 0, "5").rec(recSplice, 0, 2, 1, 1, ref(2)).rec(recLine, 1)
	w.rec(recWhole, 2, 2, 1, 1, "d", ref(1)).rec(recEntry, 1, "'k'", "7").rec(recEntry, 1, "'l'", "8").rec(recLine, 1)
	w.rec(recDelete, 1, "'k'").rec(recText, 2, "<A>").rec(recWhole, 3, 3, 0, 0).rec(recText, 3, "t").rec(recSetIn, 0, 0, ref(2)).rec(recLine, 1)
	w.rec(recHiddenIn, 0, 0, "<function>").rec(recLine, 1)
	w.rec(recReturn, 1, []byte{byte(dsl.Returned)}, ref(3)).rec(recUnsetIn, 0, 0).rec(recLine, 2)
	w.rec(recSet, 0, ref(1)).rec(recLine, 2).rec(recEdit).rec(recEntry, 1, "'l'", "9").rec(recAmend).rec(recLine, 2)
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

// TestObjectRecords checks that the value of a name is shown as of the requested event,
// through all names.
func TestObjectRecords(t *testing.T) {
	d := newDecoder()
	w := objectProgram()
	if n, err := d.consume(w.Bytes()); err != nil || n != w.Len() {
		t.Fatalf("consumed %d of %d: %v", n, w.Len(), err)
	}
	for i, want := range []string{
		"[1, {'k': 2}, [...]]",
		"[5, {'k': 2}, <object not recorded>]",
		"[5, {'k': 7, 'l': 8}, A(d={'k': 7, 'l': 8})]",
		"<A>", "hidden <function>", "hidden <function>", "", "{'l': 9}", "{'l': 9}",
	} {
		got := ""
		for _, l := range d.tree.LocalsOf(0, i) {
			if got = l.Value; l.Hidden {
				got = "hidden " + got
			}
		}
		if got != want {
			t.Errorf("at %d x is %s, want %s", i, got, want)
		}
	}
	if value := d.tree.State(5).Value; value == nil || *value != "t" {
		t.Errorf("returned %v", value)
	}
	if r := d.tree.At(7); !r.Edited {
		t.Error("an event whose objects were edited is not marked")
	}
}

// TestLongTextRecords checks that a long text is sent once and referred to by its number,
// until another text gets that number.
func TestLongTextRecords(t *testing.T) {
	told := func(n int, text string) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte{recLongText, byte(n)}, uint32(len(text))), text...)
	}
	named := func(n int) []byte { return []byte{numberOfText, byte(n)} }
	d := newDecoder()
	w := objectProgram()
	long, other := strings.Repeat("7", 5000), "'"+strings.Repeat("ab", 2000)+"'"
	w.Write(told(0, long))
	w.rec(recSet, 0, named(0)).rec(recLine, 1)
	w.rec(recSet, 0, named(0)).rec(recSet, 0, "1").rec(recLine, 1)
	w.Write(told(1, other))
	w.rec(recWhole, 0, 0, 2, 2, named(1), named(0)).rec(recSet, 0, []byte{reference, 0}).rec(recLine, 1)
	w.Write(told(0, other))
	w.rec(recSetIn, 0, 0, named(0)).rec(recLine, 1)
	w.rec(recReturn, 2, []byte{byte(dsl.Returned)}, named(1))
	if n, err := d.consume(w.Bytes()); err != nil || n != w.Len() {
		t.Fatalf("consumed %d of %d: %v", n, w.Len(), err)
	}
	first := d.tree.Len() - 5
	for i, want := range []string{long, "1", "[" + other + ", " + long + "]", other, other} {
		if got := d.tree.LocalsOf(0, first+i)[0].Value; got != want {
			t.Errorf("after %d events x is %.40s…, want %.40s…", i, got, want)
		}
	}
	if value := d.tree.State(first + 4).Value; value == nil || *value != other {
		t.Error("returned ", value)
	}
}

// TestObjectRecordsHoldLittle checks that a tree does not use many times as much memory as the records
// it is made from.
func TestObjectRecordsHoldLittle(t *testing.T) {
	const many = 200_000
	for name, say := range map[string]func(w *written){
		"elements of a long list": func(w *written) {
			w.rec(recWhole, 4, 0, many, many).Write(bytes.Repeat([]byte{'0', endOfText}, many))
			for k := range many {
				w.rec(recItem, 4, k, "1")
			}
		},
		"ends of a long list": func(w *written) {
			w.rec(recWhole, 4, 0, many, many).Write(bytes.Repeat([]byte{'0', endOfText}, many))
			for k := range many {
				w.rec(recSplice, 4, many/2, k%2, 1-k%2)
				if k%2 == 0 {
					w.WriteString("1")
					w.WriteByte(endOfText)
				}
			}
		},
		"a long list again and again": func(w *written) {
			for range 10 {
				w.rec(recWhole, 4, 0, many, many).Write(bytes.Repeat([]byte{'0', endOfText}, many))
			}
		},
		"keys of many dicts": func(w *written) {
			for o := range 100 {
				w.rec(recWhole, 4+o, 1, 1000, 1000)
				for k := range 1000 {
					w.WriteString(strconv.Itoa(k))
					w.Write([]byte{endOfText, '0', endOfText})
				}
				w.rec(recEntry, 4+o, "new", "1").rec(recDelete, 4+o, "7")
			}
		},
		"globals": func(w *written) {
			for k := range many {
				w.rec(recSetIn, 0, 0, strconv.Itoa(k))
			}
		},
		"texts": func(w *written) {
			for k := range many {
				w.rec(recText, 2, strconv.Itoa(k))
			}
		},
		"objects": func(w *written) {
			for k := range many {
				w.rec(recWhole, 4+k, 2, 0, 0)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDecoder()
			w := objectProgram()
			say(w)
			if n, err := d.consume(w.Bytes()); err != nil || n != w.Len() {
				t.Fatalf("consumed %d of %d: %v", n, w.Len(), err)
			}
			if share := d.tree.Bytes() / int64(w.Len()); share > 30 {
				t.Errorf("%d bytes of records make the tree hold %d times as much", w.Len(), share)
			}
		})
	}
}

// TestRecordsInParts checks that a record larger than a chunk arrives in parts, over
// several chunks.
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

// TestRecordsRefused checks that damaged or hostile records are refused with their
// position, and never enter the tree in part.
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
		"resumed twice":        {append(program().Bytes(), recEnter, 0, recResume, 2), "activation 2 is on the stack already"},
		"twice on the stack":   {append(program().Bytes(), recGap, 2, 0, 0), "activation 0 is on the stack already"},
		"cut text":             {append(program().Bytes(), recEnter, 0, recSet, 0, 'x'), "cut off"},
		"undefined slot":       {append(program().Bytes(), recEnter, 0, recSet, 5, endOfText), "slot 5"},
		"large number":         {[]byte{recLine, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, "too large"},
		"code in no file":      {new(written).define(recCode, "4", "f", "f", "1", "1", "10", "0").Bytes(), "file 4"},
		"definition too short": {new(written).define(recFile, "/p/a.py").Bytes(), "with 1 fields"},
		"parts within parts":   {append([]byte{recLast, 1, 0, 0, 0}, recPart), "parts within parts"},
		"unknown form":         {new(written).rec(recWhole, 0, 0, 0, 0).Bytes(), "form 0 was not defined"},
		"form of no kind":      {new(written).define(recForm, "heap", "", "", "", "", "", "", "walk", "", "", "").Bytes(), "unknown kind \"heap\""},
		"form of no style":     {new(written).define(recForm, "set", "", "", "", "", "", "", "odd", "", "", "").Bytes(), `unknown style "odd"`},
		"short form":           {new(written).define(recForm, "set").Bytes(), "with 1 fields"},
		"text out of turn":     {[]byte{recLongText, 1, 1, 0, 0, 0, 'x'}, "text 1 is sent before 0"},
		"number of no text":    {objectProgram().rec(recSet, 0, []byte{numberOfText, 0}).Bytes(), "text 0 was not sent"},
		"cut long text":        {[]byte{recLongText, 0, 9, 0, 0, 0, 'x'}, "cut off"},
		"object out of turn":   {objectProgram().rec(recWhole, 99, 0, 0, 0).Bytes(), "object 99 is sent before 95 to which nothing refers"},
		"object too large":     {objectProgram().rec(recSet, 0, []byte{reference}, 1<<31-1).Bytes(), "too large a number"},
		"more than there is":   {objectProgram().rec(recWhole, 4, 0, 1, 2, "1", "2").Bytes(), "has 2 elements, of 1"},
		"cut elements":         {objectProgram().rec(recWhole, 4, 0, 1, 100).Bytes(), "cut off"},
		"no such element":      {objectProgram().rec(recItem, 0, 3, "1").Bytes(), "has 3 elements"},
		"entry of a list":      {objectProgram().rec(recEntry, 0, "1", "1").Bytes(), "has no entries"},
		"no such entry":        {objectProgram().rec(recDelete, 1, "'k'").Bytes(), "no such key"},
		"text of nothing":      {objectProgram().rec(recText, 7, "1").Bytes(), "object 7 was not recorded"},
		"in no activation":     {objectProgram().rec(recSetIn, 2, 0, "1").Bytes(), "activation 2"},
		"in no slot":           {objectProgram().rec(recUnsetIn, 0, 1).Bytes(), "slot 1"},
		"words for nothing":    {[]byte{recSaid, 'x', endOfText}, "words for no event"},
		"amended nothing":      {[]byte{recAmend}, "no activation is on the stack"},
		"line of nothing":      {[]byte{recStand, 1}, "no activation is on the stack"},
		"order of nothing":     {[]byte{recOrder, 0}, "no activation is on the stack"},
		"order of no slot":     {append(program().Bytes(), recEnter, 0, recOrder, 1, 1), "slot 1 was not defined"},
		"cut order":            {append(program().Bytes(), recEnter, 0, recOrder, 2, 0), "cut off"},
		"unset in no slot":     {append(program().Bytes(), recEnter, 0, recUnset, 1), "slot 1 was not defined"},
		"hidden in no slot":    {append(program().Bytes(), recEnter, 0, recSetHidden, 1, endOfText), "slot 1 was not defined"},
		"hole on no stack":     {append(program().Bytes(), recHole, 1, 2, 1), "activation 2 was never entered"},
		"hole on one twice":    {append(program().Bytes(), recHole, 2, 0, 1, 0, 1), "activation 0 is on the stack already"},
		"gap on no stack":      {append(program().Bytes(), recGap, 1, 2), "activation 2 was never entered"},
		"adopted of no code":   {append(program().Bytes(), recAdopt, 2), "code 2 was not defined"},
		"globals of no code":   {append(program().Bytes(), recGlobals, 2, 1), "code 2 was not defined"},
		"globals of no module": {append(program().Bytes(), recGlobals, 1, 3), "activation 2 was never entered"},
		"name of no code":      {program().define(recName, "2", "x").Bytes(), "code 2 was not defined"},
		"code of odd flags":    {program().define(recCode, "0", "f", "f", "1", "1", "1", "0").Bytes(), "with 7 fields"},
		"line that is none":    {program().define(recCode, "0", "f", "f", "x", "1", "10", "0").Bytes(), `"x" is no number`},
		"code before files":    {program().define(recCode, "-1", "f", "f", "1", "1", "10", "0").Bytes(), "file -1 was not defined"},
		"name before codes":    {program().define(recName, "-1", "x").Bytes(), "code -1 was not defined"},
		"form of no attribute": {program().define(recForm, "keys", "K", "", "", "", "", "", "repr", "", "", "").Bytes(), `form "keys" names no attribute`},
		"return of nothing":    {append(program().Bytes(), recReturn, 1, byte(dsl.Returned), '1', endOfText), "no activation is on the stack"},
		"resumed nothing":      {append(program().Bytes(), recResume, 2), "activation 2 was never entered"},
		"cut definition":       {[]byte{recFile, 4, 0, 0, 0, 9, 0, 0, 0}, "cut off"},
		"nothing behind parts": {[]byte{recLast, 1, 0, 0, 0, 0x7e}, "unknown kind 0x7e"},
		"far number":           {append(program().Bytes(), recLine, 0x80, 0x80, 0x80, 0x80, 0x08), "number is too large"},
		"unknown return":       {append(program().Bytes(), recEnter, 0, recReturn, 1, 9), "kind of return 9"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newDecoder().consume(tc.bytes)
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("error is %v, want one that says %q", err, tc.says)
			}
			var at int
			if _, err := fmt.Sscanf(err.Error(), "tracer's record at byte %d: ", &at); err != nil || at >= len(tc.bytes) {
				t.Errorf("no place in %d bytes: %d, %v", len(tc.bytes), at, err)
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
	f.Add(append(append([]byte{}, whole...), recGlobals, 1, 1, recEnter, 1, recLine, 1, recGlobals, 1, 0, recLeave))
	f.Add(append(append([]byte{}, whole...), recEnter, 1, recStand, 9, recEnter, 1, recLine, 1, recEdit, recAmend, recLeave, recStand, 0, recLine, 1))
	objects := objectProgram().Bytes()
	for n := 40; n <= len(objects); n += 9 {
		f.Add(objects[:n])
	}
	long := []byte{recLongText, 0, 3, 0, 0, 0, 'a', 'b', 'c', recSet, 0, numberOfText, 0, recLine, 1, recSetIn, 0, 0, numberOfText, 0}
	f.Add(append(append([]byte{}, objects...), long...))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := newDecoder()
		d.tree.SetLimits(1000, 10)
		n, err := d.consume(data)
		if err == nil && n < len(data) && data[n] != 0 {
			t.Fatalf("stopped at byte %d, which is %#x, without an error", n, data[n])
		}
		if held := d.tree.Bytes(); held > 4<<20+1000*int64(len(data)) {
			t.Fatalf("%d bytes of records make the tree hold %d", len(data), held)
		}
		for i := range d.tree.Len() {
			if s := d.tree.State(i); s.Depth != len(d.tree.Stack(i))-1 {
				t.Fatalf("event %d: depth %d, stack of %d", i, s.Depth, len(d.tree.Stack(i)))
			}
			d.tree.Changed(i)
			for act := range min(len(d.acts), 20) {
				d.tree.LocalsOf(uint32(act), i)
			}
		}
	})
}

func FuzzMessage(f *testing.F) {
	f.Add(append([]byte{msgStop}, packMessage("landed", "", "/p/a.py", "3", "1", "")...))
	f.Add([]byte{msgFull, 0, 0, 0, 0})
	f.Add([]byte{msgStop, 8, 0, 0, 0, 9, 0, 0, 0, 'x', 'x', 'x', 'x'})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := readMessage(bytes.NewReader(data), 1<<20)
		if err != nil {
			return
		}
		again, err := readMessage(bytes.NewReader(append([]byte{m.tag}, packMessage(m.fields...)...)), 1<<20)
		if err != nil || again.tag != m.tag || strings.Join(again.fields, "\x00") != strings.Join(m.fields, "\x00") {
			t.Fatalf("read %v, packed and read again %v, %v", m, again, err)
		}
	})
}
