package chat

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

func TestJudgeMessages(t *testing.T) {
	value := "3"
	b := &Block{
		Function: "f", Task: "Doubles n.", First: 7, Source: []string{"def f(n):", "    return n + 1"}, Lines: [2]int{8, 8},
		In: []dsl.Local{{Name: "n", Value: "2"}}, Gone: []string{"m"}, Returned: &value,
	}
	messages, err := JudgeMessages(b)
	if err != nil || len(messages) != 2 || messages[0] != (Message{"system", JudgeSystem}) {
		t.Fatal(messages, err)
	}
	if want := `FUNCTION f
7|def f(n):
8|    return n + 1
TASK Doubles n.
BLOCK lines 8 to 8
VALUES BEFORE
  n = 2
VALUES CHANGED
  (none)
NAMES WITHOUT A VALUE NOW m
RETURNED 3
`; messages[1].Content != want {
		t.Errorf("%s", messages[1].Content)
	}
}

// TestJudgeMessagesBounded checks that a question stays small, whatever the values are.
func TestJudgeMessagesBounded(t *testing.T) {
	long := strings.Repeat("é", 40_000)
	b := &Block{Function: "f", Task: long, First: 1, Source: []string{"def f(): pass"}, Lines: [2]int{1, 1}, Returned: &long, Raised: &long}
	for range 1000 {
		b.In, b.Out = append(b.In, dsl.Local{Name: "x", Value: long}), append(b.Out, dsl.Local{Name: "y", Value: long})
	}
	messages, err := JudgeMessages(b)
	if err != nil {
		t.Fatal(err)
	}
	if text := messages[1].Content; len(text) > 100_000 || !utf8.ValidString(text) || !strings.Contains(text, "bytes more)") {
		t.Errorf("%d bytes, valid %v", len(text), utf8.ValidString(text))
	}
	b.Source = []string{long}
	if _, err := JudgeMessages(b); err == nil || !strings.Contains(err.Error(), "has more than 48000 bytes") {
		t.Error(err)
	}
}

func TestDecodeJudgement(t *testing.T) {
	for _, c := range []struct {
		text    string
		correct bool
		why     string
		fails   string
	}{
		{`{"correct": true, "why": "it adds"}`, true, "it adds", ""},
		{"<think>hm</think>```json\n{\"why\": \" no \", \"correct\": false}\n```", false, "no", ""},
		{`{"correct": false}`, false, "", ""},
		{`{"correct": true, "why": null}`, true, "", ""},
		{`{"correct": "true"}`, false, "", `"correct" is to be true or false, not "true"`},
		{`{"correct": null}`, false, "", `"correct" is to be true or false`},
		{`{"correct": true, "why": 3}`, false, "", `"why" is to be a string`},
		{`{"correct": true} {"correct": false}`, false, "", "two JSON objects"},
		{`{"correct": tr`, false, "", "cut off"},
		{`yes`, false, "", "no JSON object"},
		{`{"right": true}`, false, "", `no "correct"`},
		{strings.Repeat("{", 100_000), false, "", "JSON object"},
	} {
		correct, why, err := DecodeJudgement(c.text)
		var wrong *Error
		switch {
		case c.fails != "":
			if err == nil || !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%.60s: %v", c.text, err)
			}
		case err != nil || correct != c.correct || why != c.why:
			t.Errorf("%s: %v %q %v", c.text, correct, why, err)
		}
	}
	if _, why, err := DecodeJudgement(`{"correct": true, "why": "` + strings.Repeat("ä", 5000) + `"}`); err != nil || len(why) > 2100 || !utf8.ValidString(why) {
		t.Error(len(why), err)
	}
}

func FuzzDecodeJudgement(f *testing.F) {
	f.Add(`{"correct": true, "why": "it adds"}`)
	f.Add("<think>{</think>{\"correct\": false}")
	f.Fuzz(func(t *testing.T, text string) {
		if _, why, err := DecodeJudgement(text); err == nil && (len(why) > 2100 || !utf8.ValidString(why)) {
			t.Errorf("%q", why)
		}
	})
}
