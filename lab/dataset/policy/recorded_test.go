package policy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/trace/statetree"
)

// recorded is a recording in JSON, from which a tree can be built.
type recorded struct {
	Source    string          `json:"source"`
	Entry     string          `json:"entry"`
	Events    []recordedEvent `json:"events"`
	Code      int             `json:"code"`
	Exception *string         `json:"exception"`
	Fatal     *int            `json:"fatal"` // -1 for none
}

type recordedEvent struct {
	Event      string      `json:"event"` // call, line, return, yield, unwind, exception
	Line       int         `json:"line"`
	Function   string      `json:"function"`   // <module> if empty
	Activation int         `json:"activation"` // numbered from 0 in the order in which they begin
	Generator  bool        `json:"generator"`
	Locals     [][2]string `json:"locals"`
	Value      *string     `json:"value"`
}

var kinds = map[string]struct {
	event dsl.Event
	kind  dsl.ReturnKind
}{
	"call": {dsl.Call, 0}, "line": {dsl.Line, 0}, "exception": {dsl.Exception, 0},
	"return": {dsl.Return, dsl.Returned}, "yield": {dsl.Return, dsl.Yielded}, "unwind": {dsl.Return, dsl.Unwound},
}

// recording builds a recording.
func (r recorded) recording() *recorder.Recording {
	tree := statetree.New()
	tree.AddFile(statetree.File{Path: "/program.py", Name: "program.py", Source: []byte(r.Source)})
	codes := map[string]int{}
	slots := map[string]int{}
	begun := map[int]uint32{}
	held := map[int][][2]string{}
	for i, e := range r.Events {
		if e.Function == "" {
			e.Function = "<module>"
		}
		code, ok := codes[e.Function]
		if !ok {
			code = tree.AddCode(statetree.Code{Name: e.Function, Generator: e.Generator})
			codes[e.Function] = code
		}
		act, ok := begun[e.Activation]
		switch {
		case !ok:
			act = tree.Enter(code)
			begun[e.Activation] = act
		case e.Event == "call":
			tree.Resume(act)
		}
		top := e.Activation
		var order []int
		for _, l := range e.Locals {
			slot, ok := slots[e.Function+" "+l[0]]
			if !ok {
				slot = tree.AddName(code, l[0])
				slots[e.Function+" "+l[0]] = slot
			}
			tree.Set(slot, []byte(l[1]), false)
			order = append(order, slot)
		}
		for _, old := range held[top] {
			gone := true
			for _, l := range e.Locals {
				gone = gone && l[0] != old[0]
			}
			if gone {
				tree.Unset(slots[e.Function+" "+old[0]])
			}
		}
		held[top] = e.Locals
		tree.Order(order)
		var value []byte
		if e.Value != nil {
			value = []byte(*e.Value)
		}
		k, ok := kinds[e.Event]
		if !ok {
			panic(e.Event)
		}
		if got := tree.Event(k.event, e.Line, k.kind, value); got != i {
			panic("events are numbered otherwise")
		}
	}
	tree.Finish()
	fatal := -1
	if r.Fatal != nil {
		fatal = *r.Fatal
	}
	return &recorder.Recording{
		Program: recorder.Program{Name: "program.py", Source: r.Source, Entry: r.Entry}, Tree: tree,
		Exit: dsl.Exit{Code: r.Code, Exception: r.Exception}, Fatal: fatal,
	}
}

// lines reads a file of JSON lines.
func lines[T any](t testing.TB, path string) []T {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []T
	in := bufio.NewScanner(bytes.NewReader(text))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var one T
		d := json.NewDecoder(bytes.NewReader(in.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&one); err != nil {
			t.Fatalf("%s: %v in %.80s", path, err, in.Bytes())
		}
		list = append(list, one)
	}
	if len(list) == 0 {
		t.Fatal("nothing in ", path)
	}
	return list
}

// programs returns recordings of programs by CPython 3.12, with walks through them that another
// implementation has generated.
func programs(t testing.TB) []program { return lines[program](t, "testdata/wire.jsonl") }

type program struct {
	recorded
	Walks []struct {
		Start    []int    `json:"start"`
		Actions  []string `json:"actions"`
		Horizons []int    `json:"horizons"`
		Text     string   `json:"text"`
		Predict  []Span   `json:"predict"`
		Changed  []Span   `json:"changed"`
	} `json:"walks"`
}
