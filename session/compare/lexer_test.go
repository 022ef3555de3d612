package compare

import (
	"fmt"
	"strings"
	"testing"
)

// TestTokens checks the splitting of a text; marks are left bare.
func TestTokens(t *testing.T) {
	kinds := map[tokenKind]string{word: "w", number: "n", literal: "l", note: "note"}
	for text, want := range map[string]string{
		"":                       "",
		"azAZ09_é":               "w(azAZ09_é)",
		"a`b{c@d[e/f:g":          "w(a)`w(b){w(c)@w(d)[w(e)/w(f):w(g)",
		"`{@[/:^":                "`{@[/:^",
		"0azAZ09._":              "n(0azAZ09._)",
		"1`2{3@4[5/6:7^8":        "n(1)`n(2){n(3)@n(4)[n(5)/n(6):n(7)^n(8)",
		"9+1 9-1":                "n(9)+n(1) n(9)-n(1)",
		"1e-5 1e+5 1E-5":         "n(1e-5) n(1e+5) n(1E)-n(5)",
		"0x1e-5":                 "n(0x1e)-n(5)",
		`'a"b' "a'b"`:            `l('a"b') l("a'b")`,
		`'a\'b' 'a\\'b`:          `l('a\'b') l('a\\')w(b)`,
		`b'a' b"a" c'a' b a`:     `l(b'a') l(b"a") w(c)l('a') w(b) w(a)`,
		`b''`:                    `l(b'')`,
		`b`:                      `w(b)`,
		`'a`:                     `'w(a)`,
		`'a\`:                    `'w(a)\`,
		`"a 'b' c`:               `"w(a) l('b') w(c)`,
		`'a "b" c`:               `'w(a) l("b") w(c)`,
		`'a "b" 'c`:              `l('a "b" ')w(c)`,
		"… nested deeper":        "note(… nested deeper)",
		"a… nested deeper]":      "w(a)note(… nested deeper)]",
		"nested deeper +1 chars": "w(nested) w(deeper) +n(1) w(chars)",
		"… nested":               "w(…) w(nested)",
		"a…b":                    "w(a…b)",
		"… +1,234 chars":         "note(… +1,234 chars)",
		"… +9 items not stored]": "note(… +9 items not stored)]",
		"… +0 attributes not":    "note(… +0 attributes) w(not)",
		"… +1 pears":             "w(…) +n(1) w(pears)",
		"… +1":                   "w(…) +n(1)",
		"… +1chars":              "w(…) +n(1chars)",
		"… + chars":              "w(…) + w(chars)",
		"… +1/ chars":            "w(…) +n(1)/ w(chars)",
		"… +1: chars":            "w(…) +n(1): w(chars)",
		"… 1 chars":              "w(…) n(1) w(chars)",
	} {
		l := lexer{text: text}
		var got strings.Builder
		for part := l.next(); part.kind != end; part = l.next() {
			if kind := kinds[part.kind]; kind != "" {
				fmt.Fprintf(&got, "%s(%s)", kind, l.in(part))
			} else {
				got.WriteString(l.in(part))
			}
		}
		if got.String() != want {
			t.Errorf("%s falls into %s, want %s", text, got.String(), want)
		}
	}
}
