package recorder

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// packer writes the format of packing.py.
type packer struct {
	texts []string
	body  []uint32
}

func (p *packer) add(numbers ...uint32) { p.body = append(p.body, numbers...) }

func (p *packer) text(s string) uint32 {
	if at := slices.Index(p.texts, s); at >= 0 {
		return uint32(at)
	}
	p.texts = append(p.texts, s)
	return uint32(len(p.texts) - 1)
}

func (p *packer) bytes() []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(p.texts)))
	letters := strings.Join(p.texts, "")
	for _, s := range p.texts {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
	}
	b = append(b, letters...)
	b = append(b, make([]byte, -len(letters)&3)...)
	for _, n := range p.body {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// event is an event in the format of packing.py.
type event struct {
	kind, line, activation, depth uint32
	value                         string // "" for none
	shape                         uint32
	texts                         []string
}

const (
	kindCall = iota
	kindLine
	kindReturn
	kindYield
	kindUnwind
	kindException
)

// small holds the limits for these recordings.
var small = Limits{Events: 1 << 13, Text: 10}

const packedSource = "a\nb\nc\n"

// packed returns a recording of a module (code 0), a function f(x) (code 1) and a generator g(x) (code
// 2), with the activations 0, 1 and 2. The shapes are: 0 the module without names; 1 a, b; 2 b, a; 3 the
// function's x; 4 the generator's x; 5 the generator without names.
func packed(events []event, exit, fatal uint32) []byte {
	p := &packer{}
	p.add(3)
	p.add(p.text("<module>"), p.text("<module>"), 1, 3, 0, 0, 0)
	p.add(p.text("f"), p.text("f"), 1, 1, 1, 1, 1, p.text("x"))
	p.add(p.text("g"), p.text("C.g"), 2, 3, 3, 1, 1, p.text("x"))
	p.add(6, 0, 0)
	p.add(0, 2, p.text("a"), p.text("b"))
	p.add(0, 2, p.text("b"), p.text("a"))
	p.add(1, 1, p.text("x"), 2, 1, p.text("x"), 2, 0)
	p.add(3, 0, 1, 2)
	p.add(uint32(len(events)))
	for _, e := range events {
		value := uint32(0)
		if e.value != "" {
			value = p.text(e.value) + 1
		}
		p.add(e.kind, e.line, e.activation, e.depth, value, e.shape)
		for _, s := range e.texts {
			p.add(p.text(s))
		}
	}
	p.add(exit, p.text("E()")+1, fatal, p.text(packedSource), 0, p.text("given"))
	return p.bytes()
}

func TestUnpack(t *testing.T) {
	events := []event{
		{kindLine, 1, 0, 0, "", 0, nil},
		{kindLine, 2, 0, 0, "", 1, []string{"1", "2"}},
		{kindCall, 1, 1, 1, "", 3, []string{"5"}},
		{kindReturn, 1, 1, 1, "6", 3, []string{"5"}},
		{kindLine, 3, 0, 0, "", 2, []string{"3", "1"}}, // a was deleted and bound again
		{kindCall, 2, 2, 1, "", 4, []string{"7"}},
		{kindYield, 2, 2, 1, "8", 5, nil},
		{kindCall, 2, 2, 1, "", 4, []string{"9"}},
		// The generator ends on a line that is not a state.
		{kindException, 3, 0, 0, "E()", 0, nil},
		{kindUnwind, 3, 0, 0, "", 0, nil},
	}
	r, err := unpack(packed(events, 1, 9), "some.py", small)
	if err != nil {
		t.Fatal(err)
	}
	if r.Program != (Program{"some.py", packedSource, "", "given"}) || r.Exit.Code != 1 || *r.Exit.Exception != "E()" || r.Fatal != 8 {
		t.Errorf("it is %+v", r)
	}
	if got := r.Text().Files; len(got) != 1 || got[0].Name != "some.py" || !slices.Equal(got[0].Lines, []string{"a", "b", "c"}) {
		t.Errorf("its text is %+v", got)
	}
	if got := r.Tree.Land(9, dsl.Action{Move: dsl.StepInto}); got.Boundary != statetree.AtEnd {
		t.Errorf("a step from the last event lands on %+v", got)
	}
	for i, want := range []string{
		"line 1 <module> 0", "line 2 <module> 0 a=1 b=2", "call 1 f 1 x=5", "return 1 f 1 x=5 → 6", "line 3 <module> 0 b=3 a=1",
		"call 2 g 1 x=7", "return 2 g 1 → 8", "call 2 g 1 x=9", "exception 3 <module> 0 → E()", "return 3 <module> 0",
	} {
		s := r.Tree.State(i)
		got := s.Event.String() + " " + string(rune('0'+s.Line)) + " " + s.Function + " " + string(rune('0'+s.Depth))
		for _, l := range s.Locals {
			got += " " + l.Name + "=" + l.Value
		}
		if s.Value != nil {
			got += " → " + *s.Value
		}
		if got != want {
			t.Errorf("event %d is %s, want %s", i, got, want)
		}
	}
	if a, b := r.Tree.At(5).Activation, r.Tree.At(7).Activation; a != b {
		t.Errorf("the generator resumes as %d, it was %d", b, a)
	}
	if r.Tree.At(9).Kind != dsl.Unwound || r.Tree.Len() != len(events) {
		t.Errorf("it ends as %+v", r.Tree.At(9))
	}
}

// TestUnpackSpoiled checks that contradictory data is rejected.
func TestUnpackSpoiled(t *testing.T) {
	line := event{kindLine, 1, 0, 0, "", 0, nil}
	call := event{kindCall, 1, 1, 1, "", 3, []string{"5"}}
	end := event{kindReturn, 1, 1, 1, "6", 3, []string{"5"}}
	for name, events := range map[string][]event{
		"none":                         {},
		"an unknown kind":              {{6, 1, 0, 0, "", 0, nil}},
		"a line that is not there":     {{kindLine, 4, 0, 0, "", 0, nil}},
		"no line":                      {{kindLine, 0, 0, 0, "", 0, nil}},
		"an activation too many":       {{kindLine, 1, 3, 0, "", 0, nil}},
		"a stack with a gap":           {line, {kindCall, 1, 1, 2, "", 3, []string{"5"}}},
		"a first event in the air":     {{kindLine, 1, 0, 1, "", 0, nil}},
		"names of another code":        {{kindLine, 1, 0, 0, "", 3, []string{"5"}}},
		"a value on a line":            {{kindLine, 1, 0, 0, "6", 0, nil}},
		"no value returned":            {line, call, {kindReturn, 1, 1, 1, "", 3, []string{"5"}}},
		"a value unwound":              {line, call, {kindUnwind, 1, 1, 1, "6", 3, []string{"5"}}},
		"no exception":                 {{kindException, 1, 0, 0, "", 0, nil}},
		"a function that yields":       {line, call, {kindYield, 1, 1, 1, "6", 3, []string{"5"}}},
		"a function that comes back":   {line, call, end, call},
		"a function called in itself":  {line, call, {kindLine, 1, 1, 2, "", 3, []string{"5"}}},
		"a function called once more":  {line, call, call},
		"a module that comes back":     {line, {kindReturn, 1, 0, 0, "6", 0, nil}, line},
		"two at the bottom":            {line, {kindCall, 1, 1, 0, "", 3, []string{"5"}}, line},
		"a shape that is not there":    {{kindLine, 1, 0, 0, "", 6, nil}},
		"more values than a shape has": {{kindLine, 1, 0, 0, "", 0, []string{"5"}}},
	} {
		if _, err := unpack(packed(events, 0, 0), "p", small); !errors.Is(err, errSpoiled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good := []event{line, call, end}
	for _, fatal := range []uint32{1, 4, 1 << 31, 1<<32 - 1} {
		if _, err := unpack(packed(good, 0, fatal), "p", small); !errors.Is(err, errSpoiled) {
			t.Errorf("fatal %d: %v", fatal, err)
		}
	}
	if _, err := unpack(packed(good, 256, 0), "p", small); !errors.Is(err, errSpoiled) {
		t.Errorf("exit 256: %v", err)
	}
	whole := packed(good, 0, 0)
	if _, err := unpack(whole, "p", small); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, err := unpack(whole[:n], "p", small); err == nil {
			t.Errorf("its first %d bytes of %d are a recording", n, len(whole))
		}
	}
	long := []event{line, {kindLine, 2, 0, 0, "", 1, []string{"1", strings.Repeat("é", 6*small.Text/2)}}}
	if _, err := unpack(packed(long, 0, 0), "p", small); err != nil {
		t.Errorf("a value as long as can be: %v", err)
	}
	long[1].texts[1] += "x"
	if _, err := unpack(packed(long, 0, 0), "p", small); !errors.Is(err, errSpoiled) {
		t.Errorf("a longer value: %v", err)
	}
	if _, err := unpack(packed([]event{line, call, {kindReturn, 1, 1, 1, long[1].texts[1], 3, []string{"5"}}}, 0, 0), "p", small); !errors.Is(err, errSpoiled) {
		t.Errorf("a longer value returned: %v", err)
	}
	if _, err := unpack(packed(good, 0, 0), "p", Limits{Events: 2, Text: 10}); !errors.Is(err, errSpoiled) {
		t.Errorf("three events of two: %v", err)
	}
	if _, err := unpack(append(whole, 0, 0, 0, 0), "p", small); err == nil {
		t.Error("it is one with more behind it")
	}
}

// TestUnpackManySlots checks that activations with very many names do not use much memory.
func TestUnpackManySlots(t *testing.T) {
	p := &packer{}
	const names, activations = 1 << 11, 1 << 12
	p.add(1, p.text("f"), p.text("f"), 1, 1, 1, 0, names)
	for i := range uint32(names) {
		p.add(p.text("x" + strings.Repeat("y", int(i%7)) + string(rune('a'+i%26)) + string(rune(0x100+i))))
	}
	p.add(1, 0, 0) // a shape without names
	p.add(activations)
	for range activations {
		p.add(0)
	}
	p.add(activations)
	for i := range uint32(activations) {
		p.add(kindCall, 1, i, i, 0, 0)
	}
	p.add(0, 0, 0, p.text("x\n"), 0, p.text(""))
	if _, err := unpack(p.bytes(), "p", small); !errors.Is(err, errSpoiled) {
		t.Error(err)
	}
}

// TestUnpackLongNames checks that a recording with a name that is too long, or with too many names, is
// rejected.
func TestUnpackLongNames(t *testing.T) {
	for _, c := range []struct{ name, times int }{{mostOfName + 1, 1}, {1, mostNames}} {
		p := &packer{}
		p.add(1, p.text("f"), p.text("f"), 1, 1, 0, 0, 0)
		p.add(uint32(c.times))
		for range c.times {
			p.add(0, 2, p.text(strings.Repeat("n", c.name)), p.text("m"))
		}
		p.add(1, 0, 1, kindLine, 1, 0, 0, 0, 0, p.text("5"), p.text("5"))
		p.add(0, 0, 0, p.text("x\n"), 0, p.text(""))
		if _, err := unpack(p.bytes(), "p", small); !errors.Is(err, errSpoiled) {
			t.Error(c, err)
		}
	}
}

// FuzzUnpack checks that any output of a program's process is rejected, or is a recording whose states
// can all be read.
func FuzzUnpack(f *testing.F) {
	f.Add(packed([]event{{kindLine, 1, 0, 0, "", 0, nil}, {kindCall, 2, 2, 1, "", 4, []string{"7"}}, {kindYield, 2, 2, 1, "8", 5, nil}, {kindLine, 2, 0, 0, "", 1, []string{"1", "2"}}, {kindLine, 3, 0, 0, "", 2, []string{"3", "1"}}}, 0, 0))
	f.Add(packed([]event{{kindLine, 1, 0, 0, "", 0, nil}, {kindException, 1, 0, 0, "E()", 0, nil}, {kindUnwind, 1, 0, 0, "", 0, nil}}, 1, 2))
	f.Fuzz(func(t *testing.T, b []byte) { askAll(t, b) })
}

// FuzzUnpackNumbers is like FuzzUnpack, with only the numbers fuzzed, after a valid table of texts.
// These are consistent more often.
func FuzzUnpackNumbers(f *testing.F) {
	texts := &packer{texts: []string{"<module>", "f", "x", "g", "C.g", "a", "b"}}
	for range 16 { // so that the program's source has lines, whichever text it is
		texts.texts = append(texts.texts, packedSource)
	}
	header := len(texts.bytes())
	seed := func(events ...event) {
		whole := packed(events, 1, 0)
		body := words{b: whole[4:]}
		n := int(binary.LittleEndian.Uint32(whole))
		letters := 0
		for range n {
			letters += body.next()
		}
		body.b = body.b[letters+(-letters&3):]
		var few []byte
		for len(body.b) > 0 {
			few = append(few, byte(body.next()))
		}
		f.Add(few)
	}
	seed(event{kindLine, 1, 0, 0, "", 0, nil}, event{kindCall, 2, 2, 1, "", 4, []string{"7"}}, event{kindYield, 2, 2, 1, "8", 5, nil}, event{kindLine, 2, 0, 0, "", 1, []string{"1", "2"}})
	seed(event{kindLine, 1, 0, 0, "", 0, nil}, event{kindCall, 1, 1, 1, "", 3, []string{"5"}}, event{kindException, 1, 1, 1, "E()", 3, []string{"5"}}, event{kindUnwind, 1, 1, 1, "", 3, []string{"5"}}, event{kindLine, 3, 0, 0, "", 2, []string{"3", "1"}})
	f.Fuzz(func(t *testing.T, few []byte) {
		texts.body = texts.body[:0]
		for _, b := range few {
			texts.add(uint32(b))
		}
		b := texts.bytes()
		if len(b) != header+4*len(few) {
			t.Fatal("the table of texts has changed")
		}
		askAll(t, b)
	})
}

// askAll reads all states of a recording if it is valid.
func askAll(t *testing.T, b []byte) {
	t.Helper()
	r, err := unpack(b, "p", small)
	if err != nil {
		return
	}
	lines := len(dsl.SplitLines(r.Program.Source))
	for i := range r.Tree.Len() {
		s, stack := r.Tree.State(i), r.Tree.Stack(i)
		if s.Line < 1 || s.Line > lines || len(stack) != s.Depth+1 || stack[s.Depth].Function != s.Function {
			t.Fatalf("event %d is %+v on %+v", i, s, stack)
		}
		for _, m := range []dsl.Move{dsl.StepInto, dsl.StepOver, dsl.StepReturn, dsl.StepBlock, dsl.StepFunction, dsl.InvStepInto, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvStepBlock, dsl.InvStepFunction} {
			r.Tree.Land(i, dsl.Action{Move: m})
		}
	}
}
