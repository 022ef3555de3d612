package python_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/python"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"x = 'a\\n' # no\ny":       `name"x" op"=" string"a\n" line"" name"y" line""`,
		`b'\x41' rb"\x" u'' '\xz'`: `string"A" string"\\x" string"" string"\\xz" line""`,
		"'''a\nb''' 12":            `string"a\nb" number"12" line""`,
		`f"a{x!r:>{w}}b"`:          `f"f\"" text"a" op"{" name"x" op"!" name"r" op":" text">" op"{" name"w" op"}" op"}" text"b" end"\"" line""`,
		`'open`:                    `broken"'open" line""`,
		`<Key 'k'>`:                `op"<" name"Key" string"k" op">" line""`,
		"":                         ``,
	} {
		names := map[python.TokenKind]string{
			python.NameToken: "name", python.NumberToken: "number", python.StringToken: "string", python.FormatStart: "f", python.FormatText: "text",
			python.FormatEnd: "end", python.OperatorToken: "op", python.NewlineToken: "line", python.BrokenToken: "broken",
		}
		var got []string
		last := 0
		for _, tok := range python.Tokens(text) {
			value := tok.Value
			if tok.Kind == python.NewlineToken {
				value = ""
			}
			got = append(got, fmt.Sprintf("%s%q", names[tok.Kind], value))
			if tok.From < last || tok.To < tok.From || tok.To > len(text) {
				t.Errorf("%q: %+v after %d", text, tok, last)
			}
			last = tok.To
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s\nwant %s", text, s, want)
		}
	}
}
