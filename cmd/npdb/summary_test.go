package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/tui"
)

// scored returns a stored session of a model with a number of moves, one of them wrong.
func scored(model, against string, day, moves int) journal.Score {
	k := journal.Score{
		Version: 1, Program: "/src/prog.py", Model: model, Against: against, When: time.Date(2026, 3, day, 12, 0, 0, 0, time.Local),
		First: "line 4 of prog.py, x = 1, actually 2, after 3 moves",
	}
	for i := range moves {
		v := compare.Verdict{Field: compare.Line, Kind: compare.Same}
		if i == 0 {
			v.Kind = compare.Differs
		}
		k.Score.Add(dsl.StepOver, compare.Verdicts{v}, 1, nil)
	}
	return k
}

func TestSummarize(t *testing.T) {
	kept := []journal.Score{scored("a", "", 1, 2), scored("b", "", 2, 4), scored("a", "", 3, 8), scored("a", "b", 4, 1)}
	for _, test := range []struct {
		model string
		last  int
		want  string // model:sessions:moves
	}{
		{"", 0, "a:2:10 b:1:4 a:1:1"},
		{"a", 0, "a:2:10 a:1:1"},
		{"a", 2, "a:1:8 a:1:1"},
		{"", 3, "b:1:4 a:1:8 a:1:1"},
		{"c", 0, ""},
	} {
		var got []string
		for _, m := range summarize(kept, test.model, test.last) {
			got = append(got, strings.Join([]string{m.Model, strconv.Itoa(m.Sessions), strconv.Itoa(m.Score.Moves())}, ":"))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("--model %q --last %d: %q, want %q", test.model, test.last, got, test.want)
		}
	}
}

func TestWriteSummary(t *testing.T) {
	var b strings.Builder
	hostile := scored("evil\x1b[31m", "", 5, 2)
	if err := writeSummary(cli.Page{Writer: &b}, summarize([]journal.Score{scored("a", "", 1, 2), scored("a", "", 3, 8), hostile}, "", 0), ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"a: 2 sessions, 2026-03-01 to 2026-03-03\n", "  10 moves: whole state 80%, line 80%\n", "  step_over",
		"  2026-03-03  prog.py  line 4 of prog.py, x = 1, actually 2, after 3 moves\n", `evil\x1b[31m: 1 session, 2026-03-05`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := writeSummary(cli.Page{Writer: &b}, nil, ""); err != nil || !strings.Contains(b.String(), "No session is kept") {
		t.Error(b.String(), err)
	}
	b.Reset()
	if err := writeSummaryJSON(&b, summarize(nil, "", 0)); err != nil || b.String() != `{"v":1,"models":[]}`+"\n" {
		t.Error(b.String(), err)
	}
}

// TestSummarySpent checks that the costs of answers are added, also for sessions without a
// comparison.
func TestSummarySpent(t *testing.T) {
	kept := []journal.Score{scored("a", "", 1, 2), {Version: 1, Model: "a"}, scored("old", "", 1, 2)}
	for i := range 2 {
		kept[i].Spent = &score.Spent{}
		kept[i].Spent.Answered(backend.Usage{Prompt: 1000, Cached: 900, Completion: 20}, time.Second, score.Prices{})
	}
	sums := summarize(kept, "", 0)
	var b strings.Builder
	if err := writeSummary(cli.Page{Writer: &b}, sums, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a: 2 sessions", "  2 answers: 2,000 tokens read, 90% of them from the cache, 40 written.\n", "  Latency: 1.0 s in the median, 1.0 s the last.\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	if strings.Count(b.String(), "tokens") != 1 {
		t.Errorf("of sessions that say nothing of it something is said:\n%s", b.String())
	}
	b.Reset()
	if err := writeSummaryJSON(&b, sums); err != nil || !strings.Contains(b.String(), `"spent":{"answers":2,"prompt":{"told":2000},"cached":{"told":1800},"completion":{"told":40},"took_ms":[1000,1000],"ahead":{`) {
		t.Error(b.String(), err)
	}
}

// TestSummarySpentOfTwo checks that the costs of both models are shown with their names,
// and how many answers were not a state.
func TestSummarySpentOfTwo(t *testing.T) {
	kept := []journal.Score{scored("a", "b", 1, 2), scored("a", "b", 2, 2)}
	for i := range kept {
		kept[i].Spent, kept[i].SpentAgainst = &score.Spent{}, &score.Spent{}
		kept[i].Spent.Answered(backend.Usage{Prompt: 1000, Cached: 900, Completion: 20}, time.Second, score.Prices{})
		kept[i].SpentAgainst.DiscardedBy([]backend.Discarded{{Usage: backend.Usage{Prompt: 10, Cached: 0, Completion: 1}, Invalid: true}}, false, score.Prices{})
	}
	sums := summarize(kept, "", 0)
	var b strings.Builder
	if err := writeSummary(cli.Page{Writer: &b}, sums, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  a: 2 answers: 2,000 tokens read, 90% of them from the cache, 40 written.\n", "  b: 2 answers: 20 tokens read, 0% of them from the cache, 2 written.\n",
		"  Invalid: 2 answers were no state; of their questions 0 answered when asked once more, 2 left.\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := writeSummaryJSON(&b, sums); err != nil || !strings.Contains(b.String(), `"spent_against":{"answers":2,`) || !strings.Contains(b.String(), `"invalid":{"answers":2,"outside":0,"corrected":0,"left":2}`) {
		t.Error(b.String(), err)
	}
}

// TestSummaryLineIsFolded checks that the last line breaks between words at any width.
func TestSummaryLineIsFolded(t *testing.T) {
	const line = "npdb: prog.py, 2 states shown, left at prog.py:4. npdb --resume goes on there."
	for _, c := range []struct {
		columns int
		want    string
	}{
		{80, line},
		{60, "npdb: prog.py, 2 states shown, left at prog.py:4. npdb\n--resume goes on there."},
		{5, "npdb:\nprog.py,\n2\nstates\nshown,\nleft\nat\nprog.py:4.\nnpdb\n--resume\ngoes\non\nthere."},
	} {
		if got := folded(line, c.columns); got != c.want {
			t.Errorf("%d columns: %q", c.columns, got)
		}
	}
	if got := folded("a line\n"+line, 60); !strings.HasPrefix(got, "a line\nnpdb: ") {
		t.Errorf("%q", got)
	}
}

func TestSummaryLine(t *testing.T) {
	s := &tui.Summary{Program: "prog.py", Shown: 2, Events: 5, Place: "prog.py:4"}
	const line = "npdb: prog.py, 2 states shown, 5 recorded, left at prog.py:4. npdb --resume goes on there."
	if got := summaryLine(s); got != line {
		t.Errorf("%q", got)
	}
	s.Score = "nd: 1 move: whole state 0%"
	if got := summaryLine(s); got != line+"\n"+s.Score {
		t.Errorf("%q", got)
	}
}
