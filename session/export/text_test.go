package export

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/session/compare"
)

func ptr[T any](v T) *T { return &v }

var example = []Text{
	{
		Program: "prog.py", Model: "nd", Mode: Truth, Text: "<|context|>ä<b> & c",
		Replies: []Reply{
			{Start: 11, End: 13, Action: "step_over", Walk: Free, Predicted: ptr("x"), Same: ptr(true), Horizon: 1, Confidence: ptr(0.5)},
			{
				Start: 13, End: 18, Action: "breakpoint 4,9", Walk: Guided, Drifted: true, Predicted: ptr("y"), Same: ptr(false), Horizon: -1,
				Verdicts: compare.Verdicts{{Field: compare.Local, Name: "i", Kind: compare.Differs, Predicted: "1", Real: "2", Own: "time.time()"}},
			},
		},
	},
	{Program: "-c", Model: "nd", Against: "other", Mode: ModelOnly, Text: "t", Replies: []Reply{}},
}

func TestWriteRead(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, example); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "\n") != 2 || !strings.Contains(b.String(), "<|context|>ä<b> & c") {
		t.Errorf("%s", b.String())
	}
	got, err := Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].Version = 0
	}
	if !reflect.DeepEqual(got, example) {
		t.Errorf("%+v", got)
	}
}

func TestReadRefuses(t *testing.T) {
	line := func(replies string) string {
		return `{"v":1,"program":"p","model":"m","mode":"both","text":"aä.","replies":[` + replies + `]}`
	}
	for _, text := range []string{
		"{", "[]", `{"v":2,"mode":"both"}`, `{"v":1,"mode":"real"}`,
		line(`{"start":0,"end":5,"action":"step_into","horizon":1}`),
		line(`{"start":1,"end":1,"action":"step_into","horizon":1}`),
		line(`{"start":0,"end":2,"action":"step_into","horizon":1}`),
		line(`{"start":0,"end":1,"action":"","horizon":1}`),
		line(`{"start":0,"end":1,"action":"s","horizon":-2}`),
		line(`{"start":0,"end":1,"action":"s","walk":"far"}`),
		line(`{"start":0,"end":1,"action":"s","confidence":1.5}`),
		line(`{"start":0,"end":1,"action":"s","same":false}`),
		line(`{"start":0,"end":3,"action":"s"},{"start":1,"end":4,"action":"s"}`),
		line(`{"start":0,"end":1,"action":"s","same":true,"verdicts":[{"field":"line","kind":"differs"}]}`),
	} {
		if got, err := Read([]byte(text)); err == nil {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
	if got, err := Read([]byte("\n" + line(`{"start":0,"end":1,"action":"s"}`) + "\n\n")); err != nil || len(got) != 1 {
		t.Errorf("%+v %v", got, err)
	}
}

// FuzzRead checks that a text that can be read can be written, and is the same when it is
// read again.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := Write(&b, example); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"v":1,"mode":"both","text":"ab","replies":[{"start":0,"end":1,"action":"s","horizon":-1}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		texts, err := Read(raw)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, texts); err != nil {
			t.Fatal(err)
		}
		once := b.String()
		again, err := Read(b.Bytes())
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		b.Reset()
		if err := Write(&b, again); err != nil || b.String() != once {
			t.Fatalf("%v\n%s\n%s", err, once, b.String())
		}
		for _, text := range again {
			for _, r := range text.Replies {
				_ = text.Text[r.Start:r.End]
			}
		}
	})
}
