package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"golang.org/x/net/html"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
)

// ten holds the moves of the example results.
var ten = []dsl.Move{
	dsl.StepInto, dsl.StepOver, dsl.StepReturn, dsl.Breakpoint, dsl.Continue,
	dsl.InvStepInto, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvBreakpoint, dsl.InvContinue,
}

// scored returns a score in which every k-th move is wrong.
func scored(name string, k int) eval.States {
	s := eval.States{
		Name: name, Counts: eval.Counts{Asked: 1204, Invalid: 3, Declined: 2, TooLong: 1, Failed: 1},
		Types:  map[string]eval.Share{"int": {N: 20, Same: 15}, "str": {N: 40, Same: 31}, "other": {N: 1}},
		Locals: map[string]eval.Share{"0": {N: 4, Same: 4}, "3-4": {N: 9, Same: 6}, "17-32": {N: 1, Same: 1}},
		Events: map[string]eval.Share{"line": {N: 50, Same: 40}, "exception": {N: 10, Same: 2}},
	}
	if name == eval.Computing {
		s.Computed = map[string]eval.Share{"line": {N: 30, Same: 29}}
	}
	for i := range 60 {
		kind := compare.Same
		if i%k == 0 {
			kind = compare.Differs
		}
		sure := float64(i%10) / 10
		s.Score.Add(ten[i%10], compare.Verdicts{
			{Field: compare.Outcome, Kind: compare.Same}, {Field: compare.Event, Kind: compare.Same}, {Field: compare.Line, Kind: kind},
		}, 1+i%9, &sure)
		s.Rollouts = append(s.Rollouts, eval.Rollout{Right: min(i%k, i%7), Of: i % 7})
	}
	return s
}

func results() map[string]*eval.Result {
	half, third, whole := 0.5, 1./3, 1.0
	judged := func(n int) *eval.Judged {
		return &eval.Judged{
			Pass1: &half, Pass5: &third, N: n, Declined: 1, Counts: eval.Counts{Invalid: 2}, Moves: 3.25,
			Baselines: map[string]eval.PassShare{"still": {N: n, Pass1: &third}, "oracle": {N: n, Pass1: &whole}, eval.Computing: {N: n, Pass1: &whole}},
		}
	}
	states := scored("model\x1b[31m", 4)
	return map[string]*eval.Result{
		"states": {
			Task: eval.TaskStates, Model: "model\x1b[31m<script>", N: 12, Complete: true, Settings: eval.Settings{Source: "p.jsonl", Samples: 1},
			States: []eval.States{states, scored(eval.Computing, 2)}, Skipped: []eval.Skipped{{Program: "<b>p", Why: "it reads its input"}},
		},
		"cruxeval": {Task: eval.TaskCruxEval, Model: "m", N: 400, Settings: eval.Settings{Source: "p.jsonl", Samples: 5, Temperature: 0.8, Strategy: "over"}, Invalid: score.Invalid{Answers: 1204, Outside: 3, Corrected: 600, Left: 302}, Output: judged(400), Input: judged(399)},
		"inverse": {Task: eval.TaskInverse, Model: "m", N: 3, Complete: true, Settings: eval.Settings{Verify: "run"}, Inverse: &eval.Inverse{
			Verdicts: []eval.VerdictCount{
				{By: backend.ByText, Verdict: backend.LeadsHere, Here: 1200, Open: 2, Exact: 30},
				{By: backend.ByModel, Verdict: backend.LeadsElsewhere, Here: 1, Elsewhere: 4},
			},
			Moves: []eval.Pasts{
				{Action: "inv_step_into", N: 30, Answers: 150, Consistency1: &half, Exact: &third, First: &half, Distinct: &whole, Coverage: &half, Undecided: 2},
				{Action: "inv_step_return"},
			},
			Leads: states.Score.Calibration(true), Forward: states.Score.Calibration(false),
		}},
	}
}

// TestText checks the tables of each task as plain text.
func TestText(t *testing.T) {
	for name, r := range results() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Text(&b, Tables(r), false); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), "\x1b") {
				t.Error("there are escape sequences")
			}
			golden.RequireEqual(t, b.Bytes())
		})
	}
	t.Run("diff", func(t *testing.T) {
		d := &eval.Diff{A: eval.Side{Model: "m"}, B: eval.Side{Model: "m"}, OnlyA: 3, Rows: []eval.Row{
			{Measure: "step_into", N: 1200, Programs: 40, A: 0.5, B: 0.75, Interval: eval.Interval{Difference: 0.25, Low: 0.125, High: 0.375}},
			{Measure: eval.MeasureRollout, N: 40, Programs: 40, A: 3, B: 2.5, Interval: eval.Interval{Difference: -0.5, Low: -1.25, High: 0.25}},
		}}
		var b bytes.Buffer
		if err := Text(&b, []Table{Differences(d)}, false); err != nil {
			t.Fatal(err)
		}
		golden.RequireEqual(t, b.Bytes())
	})
}

// TestTextStyled checks that the styled text is the same as the plain one, apart from bold and dim
// styles.
func TestTextStyled(t *testing.T) {
	var plain, styled bytes.Buffer
	tables := Tables(results()["cruxeval"])
	if err := Text(&plain, tables, false); err != nil {
		t.Fatal(err)
	}
	if err := Text(&styled, tables, true); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(styled.String(), "\x1b[1m") || plain.String() == styled.String() {
		t.Errorf("%q", styled.String())
	}
}

// TestHTML checks that a page is self-contained: no scripts, no external files, and names of programs
// and models escaped. The plots must contain each share once.
func TestHTML(t *testing.T) {
	for name, r := range results() {
		var b bytes.Buffer
		if err := HTML(&b, r); err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		tokens := html.NewTokenizer(bytes.NewReader(b.Bytes()))
		depth := 0
		for {
			kind := tokens.Next()
			if kind == html.ErrorToken {
				break
			}
			token := tokens.Token()
			switch kind {
			case html.StartTagToken:
				counts[token.Data]++
				depth++
			case html.EndTagToken:
				depth--
			case html.SelfClosingTagToken:
				counts[token.Data]++
			}
			for _, a := range token.Attr {
				if a.Key == "src" || a.Key == "href" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: %s has %s", name, token.Data, a.Key)
				}
				if strings.Contains(a.Val, "NaN") || strings.Contains(a.Val, "ZgotmplZ") {
					t.Errorf("%s: %s=%q", name, a.Key, a.Val)
				}
			}
		}
		if counts["script"]+counts["link"]+counts["b"] > 0 {
			t.Errorf("%s: %v", name, counts)
		}
		if counts["svg"] == 0 || counts["table"] == 0 || counts["svg"] != counts["figure"] || counts["rect"]+counts["circle"] == 0 {
			t.Errorf("%s: %v", name, counts)
		}
		if strings.Contains(b.String(), "\x1b") || strings.Contains(b.String(), "@import") || strings.Contains(b.String(), "url(") {
			t.Errorf("%s has what it should not have", name)
		}
	}
}

func TestBars(t *testing.T) {
	b := &bars{Rows: []bar{{Label: "a", Value: 0.5, N: 4, Marks: []mark{{"still", 0.25, 1}}}, {Label: "b", Value: 1, N: 2}}}
	if !b.layOut() || b.Rows[0].Width != barWidth/2 || b.Rows[1].Width != barWidth || b.Rows[1].Y != barHeight+4 {
		t.Errorf("%+v", b)
	}
	if m := b.Rows[0].Marks[0]; m.X() != barLeft+83 || len(b.Legend) != 1 { // 330/4, rounded
		t.Errorf("%+v %d %v", m, m.X(), b.Legend)
	}
}

// TestBarsSayWhatTablesSay checks that bars show the same numbers as the tables, also for means.
func TestBarsSayWhatTablesSay(t *testing.T) {
	share := 0.4
	cruxeval := &eval.Result{Task: eval.TaskCruxEval, N: 3, Output: &eval.Judged{N: 3, Pass1: &share}}
	inverse := &eval.Result{Task: eval.TaskInverse, N: 3, Inverse: &eval.Inverse{Moves: []eval.Pasts{{Action: "inv_step_into", N: 2, Answers: 3, Consistency1: &share, Exact: &share}}}}
	for _, r := range []*eval.Result{cruxeval, inverse} {
		var b bytes.Buffer
		if err := HTML(&b, r); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), "40.0%") < 2 || strings.Contains(b.String(), "33.3%") {
			t.Errorf("%s: %s", r.Task, b.String())
		}
	}
}

func TestReliability(t *testing.T) {
	s := scored("m", 4)
	plots := reliabilities(named{"forward", s.Score.Calibration(false)}, named{})
	if len(plots) != 1 {
		t.Fatalf("%d plots", len(plots))
	}
	for _, spot := range plots[0].(*reliability).Spots {
		if spot.X < plotLeft || spot.X > plotLeft+square || spot.Y < plotTop || spot.Y > plotTop+square || spot.R < 3 || spot.R > 14 {
			t.Errorf("%+v", spot)
		}
	}
}
