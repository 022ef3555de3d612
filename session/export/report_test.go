package export

import (
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/session/compare"
)

func TestMarkdown(t *testing.T) {
	r := Report{
		Program: "a|b`c.py", Model: "*nd*", Referee: "CPython", When: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), Moves: 2,
		Score: []string{"1 moves: whole state 0%"}, First: "line 14 of prog.py, total = 41, actually 42, after 1 move",
		Rows: []Row{
			{Move: 2, Action: "step_over", Place: "prog.py:14", Verdicts: compare.Verdicts{
				{Field: compare.Line, Kind: compare.Same},
				{Field: compare.Local, Name: "x", Kind: compare.Extra, Predicted: "1"},
				{Field: compare.Local, Name: "total", Kind: compare.Differs, Predicted: "'a|b'\x1b[31m", Real: "42", Own: "time.time()"},
			}},
			{Move: 3, Action: "continue", Place: "the end", Failure: "refused\nthere"},
		},
		Pictures: []Picture{{"After 2 moves <b>", "> f()\n```\n# no heading\n"}},
		Escape:   func(s string) string { return strings.ReplaceAll(s, "\x1b", `\x1b`) },
	}
	var b strings.Builder
	if err := r.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	want := "# ``a\\|b`c.py``, predicted by `*nd*`\n\n" +
		"- beside: `CPython`\n- written: 2026-03-01 10:00 UTC\n- moves: 2\n" +
		"- first divergence: `line 14 of prog.py, total = 41, actually 42, after 1 move`\n" +
		"\n## Score\n\n    1 moves: whole state 0%\n" +
		"\n## Divergences\n\n| move | action | at | field | predicted | real |\n|---|---|---|---|---|---|\n" +
		"| 2 | `step_over` | `prog.py:14` | `x` | `1` | `(not there)` |\n" +
		"| 2 | `step_over` | `prog.py:14` | `total` | `'a\\|b'\\x1b[31m` | `42` from `time.time()` |\n" +
		"| 3 | `continue` | `the end` | outcome | no prediction: `refused⏎there` | |\n" +
		"\n## After 2 moves \\<b\\>\n\n    > f()\n    ```\n    # no heading\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	r := Report{Program: "p", Model: "m", Referee: "CPython", Escape: func(s string) string { return s }}
	for i := range mostRows + 5 {
		r.Rows = append(r.Rows, Row{Move: i, Failure: "x"})
	}
	var b strings.Builder
	if err := r.Markdown(&b); err != nil || !strings.Contains(b.String(), "\n5 more rows are left out.") {
		t.Error(err, b.String())
	}
}
