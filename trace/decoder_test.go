package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// consumed returns a decoder that has read some records.
func consumed(t *testing.T, w *written) *decoder {
	t.Helper()
	d := newDecoder()
	if n, err := d.consume(w.Bytes()); err != nil || n != w.Len() {
		t.Fatalf("consumed %d of %d: %v", n, w.Len(), err)
	}
	return d
}

// TestDefinitions checks that the tree has what definitions say about files, code and
// forms. One file under two paths is one file, with the latest text.
func TestDefinitions(t *testing.T) {
	var w written
	w.define(recFile, "/p/a.py", "a\n", "/p/a.py")
	w.define(recFile, "/p/link.py", "b\n", "/p/a.py")
	w.define(recFile, "/p/b.py", "b\n", "/p/b.py")
	w.define(recCode, "0", "f", "C.f", "3", "5", "10", "2", "x", "y", "z")
	w.define(recCode, "2", "g", "g", "1", "9", "01", "0")
	w.define(recCode, "1", "h", "h", "1", "1", "00", "0", "a")
	w.define(recName, "2", "b")
	w.define(recForm, "keys", "dict_keys", "dict_keys(", ")", "e", "s", "...", "repr", "b", "0:7", "name plain x", "mapping", "mapping")
	w.rec(recEnter, 0).rec(recWhole, 0, 0, 1, 1, "mapping", "1").rec(recLine, 1)
	d := consumed(t, &w)
	var files []string
	for _, f := range d.tree.Files() {
		files = append(files, f.Path+" "+f.Name+" "+string(f.Source))
	}
	if want := []string{"/p/a.py a.py b\n", "/p/b.py b.py b\n"}; !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	for i, want := range []statetree.Code{
		{File: 0, Name: "f", QualName: "C.f", FirstLine: 3, LastLine: 5, Names: []string{"x", "y", "z"}, Args: 2, Fast: true},
		{File: 1, Name: "g", QualName: "g", FirstLine: 1, LastLine: 9, Generator: true},
		{File: 0, Name: "h", QualName: "h", FirstLine: 1, LastLine: 1, Names: []string{"a", "b"}},
	} {
		if got := d.tree.Code(i); !reflect.DeepEqual(got, want) {
			t.Errorf("code %+v, want %+v", got, want)
		}
	}
	want := statetree.Form{
		Kind: statetree.Keys, Name: "dict_keys", Open: "dict_keys(", Close: ")", Empty: "e", Single: "s",
		Cycle: "...", Style: statetree.Repr, Bare: "b", Shown: []string{"mapping", "mapping"},
		HasOwn: true, Own: statetree.Place{File: 0, Line: 7}, Reads: statetree.Reads{Name: true, Attributes: true, Described: []string{"x"}},
	}
	if got, ok := d.tree.Form(0, 0); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("form %+v, want %+v", got, want)
	}
}

// TestOutputAndWords checks that output belongs to the event before it, and a message to
// the exception before it.
func TestOutputAndWords(t *testing.T) {
	var said []string
	d := newDecoder()
	d.output = func(event int, stream byte, data []byte) {
		said = append(said, fmt.Sprintf("%d %d %s", event, stream, data))
	}
	out := func(w *written, stream byte, text string) {
		w.WriteByte(recOut)
		w.WriteByte(stream)
		w.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(text))))
		w.WriteString(text)
	}
	var first written
	out(&first, 1, "before")
	w := program()
	w.rec(recEnter, 0).rec(recException, 1, "E()").rec(recSaid, "m.E: no")
	out(w, 2, "after")
	for _, b := range [][]byte{first.Bytes(), w.Bytes()} {
		if _, err := d.consume(b); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"-1 1 before", "6 2 after"}; !slices.Equal(said, want) {
		t.Errorf("output %q, want %q", said, want)
	}
	if words, ok := d.tree.Words(6); !ok || words != "m.E: no" {
		t.Errorf("words %q, %v", words, ok)
	}
	if value := d.tree.State(6).Value; value == nil || *value != "E()" {
		t.Errorf("raised %v", value)
	}
}

// TestNamesInOrder checks that names are bound, bound again, hidden and unbound in the
// order of the records.
func TestNamesInOrder(t *testing.T) {
	var w written
	w.define(recFile, "/p/a.py", "a\n", "/p/a.py")
	w.define(recCode, "0", "<module>", "<module>", "1", "1", "00", "0", "a", "b", "c")
	w.rec(recEnter, 0).rec(recSet, 0, "1").rec(recSet, 1, "2").rec(recSetHidden, 2, "3").rec(recLine, 1)
	w.rec(recOrder, 3, 2, 0, 1).rec(recLine, 1).rec(recUnset, 0).rec(recSet, 2, "4").rec(recLine, 1)
	d := consumed(t, &w)
	for i, want := range []string{"a=1 b=2 (c=3)", "(c=3) a=1 b=2", "c=4 b=2"} {
		var got []string
		for _, l := range d.tree.State(i).Locals {
			text := l.Name + "=" + l.Value
			if l.Hidden {
				text = "(" + text + ")"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("at %d there is %s, want %s", i, got, want)
		}
	}
}

// TestStacksFollow checks that the stack follows calls and returns, resumed generators,
// and the records after tracing was lost. It counts only unintended losses.
func TestStacksFollow(t *testing.T) {
	var w written
	w.define(recFile, "/p/a.py", "a\n", "/p/a.py")
	w.define(recCode, "0", "f", "f", "1", "1", "10", "0")
	w.define(recCode, "0", "g", "g", "1", "1", "11", "0")
	yields := []byte{byte(dsl.Yielded)}
	w.rec(recEnter, 0).rec(recLine, 1)
	w.rec(recEnter, 1).rec(recLine, 1).rec(recReturn, 1, yields, "1").rec(recLine, 1)
	w.rec(recResume, 1).rec(recLine, 1).rec(recReturn, 1, []byte{byte(dsl.Unwound), noValue}).rec(recLine, 1)
	w.rec(recEnter, 0).rec(recLeave).rec(recLine, 1)
	w.rec(recAdopt, 0).rec(recGap, 2, 0, 3).rec(recLine, 1)
	w.rec(recHole, 1, 3, 7).rec(recPartial).rec(recLine, 1).rec(recPartial).rec(recLine, 1)
	d := consumed(t, &w)
	for i, want := range []string{"0", "0 1", "0 1", "0", "0 1", "0 1", "0", "0", "0 3", "3", "3"} {
		var got []string
		for _, f := range d.tree.Stack(i) {
			got = append(got, fmt.Sprint(f.Activation))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("at %d the stack is %s, want %s", i, got, want)
		}
		if r := d.tree.At(i); r.AfterGap != (i >= 8) {
			t.Errorf("at %d events are missing before: %v", i, r.AfterGap)
		}
	}
	if d.gaps != 2 {
		t.Errorf("tracing was lost %d times, want 2", d.gaps)
	}
	if n := d.tree.Holes(); n != 1 {
		t.Errorf("%d holes", n)
	}
}

// TestObjectsOutOfTurn checks that an object may be recorded before others with lower
// numbers, if enough values referred to objects before.
func TestObjectsOutOfTurn(t *testing.T) {
	ref := func(o int) []byte { return binary.AppendUvarint([]byte{reference}, uint64(o)) }
	named := func(list ...int) *written {
		w := objectProgram()
		for _, o := range list {
			w.rec(recSet, 0, ref(o))
		}
		return w
	}
	last := consumed(t, objectProgram()).refs // references in the program that no object has used up
	d := consumed(t, named(7, 6, 5).rec(recWhole, 5, 0, 1, 1, "1").rec(recLine, 2))
	if got := d.tree.Text(statetree.ObjectValue(5), d.tree.Len()-1); got != "[1]" || d.refs != last+2 {
		t.Errorf("object 5 is %s, %d more may be passed over, want %d", got, d.refs, last+2)
	}
	_, err := newDecoder().consume(named(9).rec(recWhole, 4+last+2, 0, 0, 0).Bytes())
	if err == nil || !strings.Contains(err.Error(), "to which nothing refers") {
		t.Errorf("%d objects are passed over, of which %d were named: %v", last+2, last+1, err)
	}
	if _, err := newDecoder().consume(named(9).rec(recWhole, 4+last+1, 0, 0, 0).Bytes()); err != nil {
		t.Errorf("as many as were named: %v", err)
	}
}

// TestSlotsBounded checks the limit on the slots of the activations of one batch, without
// those that end in it.
func TestSlotsBounded(t *testing.T) {
	const names = 1 << 12
	begin := func() *written {
		var w written
		w.define(recFile, "/p/a.py", "a\n", "/p/a.py")
		w.define(recCode, append([]string{"0", "f", "f", "1", "1", "10", "0"}, slices.Repeat([]string{"x"}, names)...)...)
		return &w
	}
	enter := func(n int) []byte {
		w := begin()
		for range n {
			w.rec(recEnter, 0)
		}
		return w.Bytes()
	}
	if _, err := newDecoder().consume(enter(maxSlots / names)); err != nil {
		t.Errorf("as many as may be: %v", err)
	}
	if _, err := newDecoder().consume(enter(maxSlots/names + 1)); err == nil || !strings.Contains(err.Error(), "slots") {
		t.Errorf("one more: %v", err)
	}
	w := begin()
	for range maxSlots/names + 1 {
		w.rec(recEnter, 0).rec(recReturn, 1, []byte{byte(dsl.Returned)}, "1")
	}
	if _, err := newDecoder().consume(w.Bytes()); err != nil {
		t.Errorf("as many as ended: %v", err)
	}
}

func TestMessages(t *testing.T) {
	want := message{msgStop, []string{"landed", "", "3"}}
	whole := append([]byte{msgStop}, packMessage(want.fields...)...)
	got, err := readMessage(bytes.NewReader(append(slices.Clone(whole), msgEnd)), int64(len(whole))-5)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v", got, err)
	}
	if got.field(0) != "landed" || got.field(2) != "3" || got.field(3) != "" {
		t.Errorf("fields %q", got.fields)
	}
	if cost := got.cost(); cost != messageCost+3*16+int64(len("landed3")) {
		t.Errorf("it costs %d", cost)
	}
	for cut := range whole {
		want := io.ErrUnexpectedEOF
		if cut == 0 {
			want = io.EOF
		}
		if _, err := readMessage(bytes.NewReader(whole[:cut]), 100); !errors.Is(err, want) {
			t.Errorf("of %d bytes: %v", cut, err)
		}
	}
	broken := errors.New("broken")
	if _, err := readMessage(io.MultiReader(bytes.NewReader(whole[:7]), iotest.ErrReader(broken)), 100); !errors.Is(err, broken) {
		t.Errorf("what cannot be read: %v", err)
	}
	for name, c := range map[string]struct {
		bytes []byte
		says  string
	}{
		"too large":          {whole, fmt.Sprintf("not the tracer's message: 'S' has %d bytes, which is more than the limit", len(whole)-5)},
		"cut before a field": {[]byte{msgStop, 3, 0, 0, 0, 0, 0, 0}, "not the tracer's message: a field of 'S' is cut"},
		"cut within a field": {[]byte{msgStop, 5, 0, 0, 0, 2, 0, 0, 0, 'x'}, "not the tracer's message: a field of 'S' is cut"},
	} {
		if _, err := readMessage(bytes.NewReader(c.bytes), int64(len(whole))-6); !errors.Is(err, errMessage) || err.Error() != c.says {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOutputs checks that output is stored by event and stream, up to the limit.
func TestOutputs(t *testing.T) {
	r := &Recording{}
	r.outputs.room = 20
	add := func(event int, stream byte, text string) { r.outputs.add(event, stream, []byte(text)) }
	add(-1, 1, "a")
	add(0, 1, "b")
	add(0, 1, "c\xff")
	add(0, 2, "é")
	add(2, 3, "no such stream")
	add(2, 0, "no such stream")
	add(2, 2, "")
	add(4, 1, "d")
	add(3, 1, "e") // arrives late
	for _, c := range []struct {
		from, to int
		want     string
	}{
		{-1, -1, `[{-1 stdout a} {0 stdout bc\xff} {0 stderr é} {4 stdout de}]`},
		{-1, 0, `[{-1 stdout a}]`},
		{0, 1, `[{0 stdout bc\xff} {0 stderr é}]`},
		{1, 4, `[]`},
		{1, 5, `[{4 stdout de}]`},
		{4, -1, `[{4 stdout de}]`},
		{5, -1, `[]`},
	} {
		if got := fmt.Sprint(r.Output(c.from, c.to)); got != c.want {
			t.Errorf("from %d to %d: %s, want %s", c.from, c.to, got, c.want)
		}
	}
	add(5, 1, strings.Repeat("x", 11)) // all except one byte
	add(5, 2, "yz")
	add(6, 2, "nothing more")
	const note = "\n… npdb keeps no more of the program's output than this\n"
	if got, want := fmt.Sprint(r.Output(5, -1)), "[{5 stdout xxxxxxxxxxx} {5 stderr y"+note+"}]"; got != want {
		t.Errorf("kept is %s, want %s", got, want)
	}
}
