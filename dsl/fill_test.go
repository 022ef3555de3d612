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
	if _, err := n.PromptValue(first, -1); !errors.As(err, &cannot) {
		t.Errorf("a local before the first: %v", err)
	}
	for name, spoil := range map[string]func(*Stop){
		"a hidden local":      func(s *Stop) { s.Locals[1].Hidden = true },
		"no event":            func(s *Stop) { s.Event = 0 },
		"a caller in no file": func(s *Stop) { s.Depth, s.Stack = 1, []Frame{{Function: "g", File: "g.py", Line: 1}, s.Stack[0]} },
		"a name not UTF-8":    func(s *Stop) { s.Locals[0].Name = "\xff" },
	} {
		_, spoiled := firstCall()
		spoil(spoiled)
		if got, err := n.PromptValue(spoiled, 1); got != "" || !errors.As(err, &cannot) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := whole.PromptValue(first, 1); !errors.As(err, &cannot) {
		t.Errorf("after a state: %v", err)
	}
}

// TestReadValue checks that a prompt for a value is read as it was written, for every local, and
// for programs with one and with several files.
func TestReadValue(t *testing.T) {
	p, first := firstCall()
	first.Locals[1].Value = `"q" `
	several := &Program{Files: []SourceFile{{Name: "g.py", Lines: []string{"import f", "f.f(1, 2, 3)"}}, p.Files[0]}}
	for name, program := range map[string]*Program{"one file": p, "two files": several} {
		n, err := ND1.Begin(program)
		if err != nil {
			t.Fatal(err)
		}
		for i := range first.Locals {
			text, err := n.PromptValue(first, i)
			if err != nil {
				t.Fatal(err)
			}
			context, got, ok := ND1.ReadValue(text)
			if !ok || context.Text() != n.Text() || got.Event != Call || got.Line != 1 || len(got.Locals) != i+1 {
				t.Fatalf("%s, %d: %v, %+v", name, i, ok, got)
			}
			if again, err := context.PromptValue(got, i); err != nil || again != text {
				t.Errorf("%s, %d:\n%s\n%v, want\n%s", name, i, again, err, text)
			}
			for cut := range len(text) - 1 {
				if _, _, ok := ND1.ReadValue(text[:cut]); ok && !strings.HasSuffix(text[:cut], `: "`) {
					t.Errorf("%s is read", text[:cut])
				}
			}
			if _, _, ok := ND1.ReadValue(text + "<|frame_sep|>"); ok {
				t.Error("more is read")
			}
		}
	}
	for _, value := range []string{"1", `"a"`, "<|x|>", "é\n"} {
		d := ND1.DecodeValue()
		if done, err := d.Feed(ValueText(value)); !done || err != nil || d.Value() != value {
			t.Errorf("%q becomes %q: %v", value, d.Value(), err)
		}
	}
}

// FuzzReadValue checks that any text that ReadValue accepts can be written again by PromptValue.
func FuzzReadValue(f *testing.F) {
	p, first := firstCall()
	n, err := ND1.Begin(p)
	if err != nil {
		f.Fatal(err)
	}
	for i := range first.Locals {
		text, _ := n.PromptValue(first, i)
		f.Add(text)
	}
	f.Add(`<|trace_context_start|><|frame_sep|><|stack_sep|>[[]]{"a": "`)
	f.Fuzz(func(t *testing.T, text string) {
		context, got, ok := ND1.ReadValue(text)
		if !ok {
			return
		}
		asked := len(got.Locals) - 1
		canonical, err := context.PromptValue(got, asked)
		if err != nil {
			return // PromptValue rejects some requests, such as one for a hidden local
		}
		context, got, ok = ND1.ReadValue(canonical) // blanks in JSON may differ from the text
		if !ok {
			t.Fatalf("%q is read, and not %q", text, canonical)
		}
		if again, err := context.PromptValue(got, asked); err != nil || again != canonical {
			t.Errorf("%q is read, and written as %q: %v", canonical, again, err)
		}
	})
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
		if done, err := whole.Feed("\n"); !done || err != nil || whole.Value() != want {
			t.Errorf("%q and more: %v, %v, %q", text, done, err, whole.Value())
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
	for text, want := range map[string]string{
		`..", `:           `impossible at byte 0: ".." has no earlier value to stand for`,
		"<|unknown_sep|>": `malformed at byte 1: a < before | stands unescaped in a local's value: "<|unknown_sep|>"`,
		"a\n":             `malformed at byte 2: the control character '\n' stands unescaped in a local's value`,
		`\q"`:             `malformed at byte 1: JSON has no such escape: "\\q\""`,
	} {
		d := ND1.DecodeValue()
		done, err := d.Feed(text)
		var fault *DecodeError
		if done || !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%q: %v, %v", text, done, err)
		}
	}
	d := ND1.DecodeValue()
	if done, err := d.Feed(`[1, `); done || err != nil {
		t.Errorf("half a value: %v, %v", done, err)
	}
	var fault *DecodeError
	if err := d.Close(); !errors.As(err, &fault) || fault.Kind != Truncated || fault.Offset != len(`[1, `) {
		t.Errorf("closed in the middle: %v", err)
	}
}
