package dsl

import (
	"errors"
	"strings"
	"testing"
)

func firstCall() (*Program, *Stop) {
	p := &Program{Files: []SourceFile{{Name: "f.py", Lines: []string{"def f(a, b, c):", "    return a"}}}}
	top := Frame{Function: "f", File: "f.py", Line: 1}
	return p, &Stop{
		State: State{
			Event: Call, File: "f.py", Line: 1, Source: "def f(a, b, c):", Function: "f",
			Locals: []Local{{Name: "a", Value: "'<|x|>'"}, {Name: "b"}, {Name: "c", Value: "3"}},
		},
		Stack: []Frame{top},
	}
}

func TestPromptValue(t *testing.T) {
	p, first := firstCall()
	n, err := ND1.Begin(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := n.PromptValue(first, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := n.Text() + `<|call_sep|><|stack_sep|>[["f", 1]]{"a": "'\u003c|x|>'", "b": "`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	first.Locals[1].Value = "2"
	whole, err := n.Append(Step{Reply: Reply{Outcome: Landed, Stop: first}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(whole.Text(), got) {
		t.Errorf("the first state is not written as it was begun:\n%s\n%s", whole.Text(), got)
	}
	if got, err := n.PromptValue(first, 0); err != nil || !strings.HasSuffix(got, `]]{"a": "`) {
		t.Errorf("of the first local: %q, %v", got, err)
	}
	var cannot *EncodeError
	if _, err := n.PromptValue(first, 3); !errors.As(err, &cannot) {
		t.Errorf("a local that is not there: %v", err)
	}
	if _, err := whole.PromptValue(first, 1); !errors.As(err, &cannot) {
		t.Errorf("after a state: %v", err)
	}
}

func TestDecodeValue(t *testing.T) {
	for text, want := range map[string]string{
		`[1, 2]", "c": "4"}`: "[1, 2]",
		`'a\"b'"`:            `'a"b'`,
		`\u002e\u002e"`:      "..",
		`"`:                  "",
	} {
		whole := ND1.DecodeValue()
		if done, err := whole.Feed(text); !done || err != nil || whole.Value() != want {
			t.Errorf("%q: %v, %v, %q", text, done, err, whole.Value())
		}
		pieces := ND1.DecodeValue()
		done := false
		for i := 0; i < len(text) && !done; i++ {
			var err error
			if done, err = pieces.Feed(text[i : i+1]); err != nil {
				t.Fatalf("%q at %d: %v", text, i, err)
			}
		}
		if !done || pieces.Value() != want || pieces.Close() != nil {
			t.Errorf("%q by bytes: %v, %q", text, done, pieces.Value())
		}
	}
	for text, kind := range map[string]FaultKind{`..", `: Impossible, "<|unknown_sep|>": Malformed, "a\n": Malformed, `\q"`: Malformed} {
		d := ND1.DecodeValue()
		_, err := d.Feed(text)
		var fault *DecodeError
		if !errors.As(err, &fault) || fault.Kind != kind {
			t.Errorf("%q: %v", text, err)
		}
	}
	d := ND1.DecodeValue()
	if done, err := d.Feed(`[1, `); done || err != nil {
		t.Errorf("half a value: %v, %v", done, err)
	}
	var fault *DecodeError
	if err := d.Close(); !errors.As(err, &fault) || fault.Kind != Truncated {
		t.Errorf("closed in the middle: %v", err)
	}
}
