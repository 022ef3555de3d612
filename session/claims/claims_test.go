package claims

import (
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for code, want := range map[string]string{
		"#105":                                 "#105",
		"#105 bank.py:41":                      "#105 at bank.py:41",
		"#105 at bank.py:41":                   "#105 at bank.py:41",
		"#105 call bank.py:41 in transfer":     "#105 call at bank.py:41 transfer",
		"#105 line 41 in <module>":             "#105 at :41 <module>",
		"#105 return at line 41":               "#105 return at :41",
		"#105: line 41":                        "#105 at :41",
		"#7 total = 660":                       "#7 total is 660",
		"total = 660":                          "total is 660",
		"total == 660":                         "total is 660",
		"total=660":                            "total is 660",
		"balances['cy'] = 215":                 "balances['cy'] is 215",
		"f(a=1).b = 'x = y'":                   "f(a=1).b is 'x = y'",
		"sum(xs.values()) == 0":                "sum(xs.values()) is 0",
		"d['a=b'] = {'k': [1]}":                "d['a=b'] is {'k': [1]}",
		"#12 x = ":                             "#12 (x =)",
		"total":                                "",
		"total += 3":                           "",
		"a <= 3":                               "",
		"a != 3":                               "",
		"if x: y = 3":                          "",
		"return a == b":                        "",
		"for a, b in xs":                       "",
		"#":                                    "",
		"#12345678901 x = 1":                   "",
		"#3 is where it breaks":                "#3 (is where it breaks)",
		"if x.y == 3":                          "",
		"x.y = 3":                              "x.y is 3",
		"a = b = 3":                            "a is b = 3",
		"= 3":                                  "",
		"#5 C:\\x.py:3":                        "#5 (C:\\x.py:3)",
		"#5 a b = 3":                           "#5 (a b = 3)",
		"#999999999":                           "#999999999",
		"#0 " + strings.Repeat("x", 99) + "=1": "#0 " + strings.Repeat("x", 99) + " is 1",
	} {
		c, ok := Parse(code)
		got := ""
		if ok {
			got = text(c)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", code, got, want)
		}
	}
}

// text writes a claim.
func text(c Claim) string {
	var words []string
	if c.Event >= 0 {
		words = append(words, fmt.Sprintf("#%d", c.Event))
	}
	if c.Line > 0 {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%s at %s:%d %s", c.Kind, c.File, c.Line, c.Function)))
	}
	switch {
	case c.Name != "":
		words = append(words, c.Name+" is "+c.Value)
	case c.Value != "":
		words = append(words, "("+c.Value+")")
	}
	return strings.Join(words, " ")
}

// written writes parts, with claims in <>.
func written(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Claim != nil {
			b.WriteString("<" + text(*p.Claim) + ">")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

var explanations = map[string]string{
	"At `#105 total = 660` it breaks.":           "At <#105 total is 660> it breaks.",
	"At #105, `total = 660`.":                    "At <#105>, <total is 660>.",
	"Issue a#105, &#105; and # 5 and ##5":        "Issue a#105, &#105; and # 5 and #<#5>",
	"``s = '`'`` and `x = 1":                     "<s is '`'> and `x = 1",
	"`x = 1\ny #2":                               "`x = 1\ny <#2>",
	"```python\nx = 1 # `y = 2` #3\n``` `z = 3`": "```python\nx = 1 # `y = 2` #3\n``` <z is 3>",
	"  <think>`x = 1` #4</think>\n\nIt is `y=2`": "It is <y is 2>",
	"<thin> `x = 1`":                             "<thin> <x is 1>",
	"`balances[source] = paid` ran":              "<balances[source] is paid> ran",
	"cut `#105 tot":                              "cut `#105 tot",
	"cut #10":                                    "cut <#10>",
	"":                                           "",
	"é#1 ü`x = 'é'`":                             "é<#1> ü<x is 'é'>",
	"`` `":                                       "`` `",
}

// TestReader reads explanations in one piece, and byte by byte.
func TestReader(t *testing.T) {
	for said, want := range explanations {
		for size := 1; size <= max(len(said), 1); size++ {
			var r Reader
			var parts []Part
			for at := 0; at < len(said); at += size {
				parts = append(parts, r.Feed(said[at:min(at+size, len(said))])...)
			}
			if got := written(append(parts, r.End()...)); got != want {
				t.Errorf("%q in pieces of %d: %q, want %q", said, size, got, want)
			}
		}
	}
}

// TestReaderIsBounded checks that a reader holds at most the length of a claim, whatever text it reads.
func TestReaderIsBounded(t *testing.T) {
	for _, piece := range []string{"`", "#", "`x = ", "9", "#1234", "a", "`````", "<think>", "```\n", "</thin"} {
		var r Reader
		for range 3000 {
			r.Feed(strings.Repeat(piece, 10))
			if len(r.held) > 2*mostCode {
				t.Errorf("%q: %d bytes are held", piece, len(r.held))
				break
			}
		}
	}
}

// FuzzReader checks that nothing of a text is lost, and that the parts do not depend on the pieces.
func FuzzReader(f *testing.F) {
	for said := range explanations {
		f.Add(said, 3)
	}
	f.Fuzz(func(t *testing.T, said string, size int) {
		if size < 1 || len(said) > 1<<10 {
			return
		}
		var whole, pieces Reader
		want := written(append(whole.Feed(said), whole.End()...))
		var parts []Part
		for at := 0; at < len(said); at += size {
			parts = append(parts, pieces.Feed(said[at:min(at+size, len(said))])...)
		}
		if got := written(append(parts, pieces.End()...)); got != want && len(said) < mostCode {
			t.Fatalf("%q in pieces of %d: %q, want %q", said, size, got, want)
		}
	})
}
