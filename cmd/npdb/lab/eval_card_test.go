package lab

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/score"
)

// measured returns the accuracy figures of the model in the binary.
func measured(t *testing.T) *backend.Measured {
	t.Helper()
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	p, err := embedded.Shipped(embedded.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() }) // Close has nothing to release that could fail
	return p.Model().Measured
}

// TestModelCard checks that the model card contains the same figures as the binary, for each move, and
// their source.
func TestModelCard(t *testing.T) {
	m := measured(t)
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "model-card.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), cardBegins)
	card, _, ok := strings.Cut(rest, cardEnds)
	if !ok {
		t.Fatal("docs/model-card.md has no tables of npdb eval card")
	}
	head, rows := "| action |", map[dsl.Move]string{}
	for _, set := range m.Sets {
		head += " " + set.Name + " |"
	}
	for a := range dsl.Moves() {
		row, measured := "| "+a.String()+" |", false
		for _, set := range m.Sets {
			cell := "–"
			if s := score.Measured(set, a); s.N > 0 {
				cell, measured = fmt.Sprintf("%s (%s)", s.Tenths(), humanize.Comma(int64(s.N))), true
			}
			row += " " + cell + " |"
		}
		if measured { // the card has no others
			rows[a] = row
		}
	}
	if len(rows) == 0 {
		t.Fatal("no action was measured")
	}
	for _, want := range []string{m.Digest, head} {
		if !strings.Contains(card, want) {
			t.Errorf("the card does not say %s", want)
		}
	}
	for _, row := range rows {
		if !strings.Contains(card, row+"\n") {
			t.Errorf("the card has no row\n%s", row)
		}
	}
}

// TestPageFigures checks that the table of docs/neural.md contains the same figures, rounded.
func TestPageFigures(t *testing.T) {
	sets := measured(t).Sets
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "neural.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		named string
		moves []dsl.Move
	}{
		{"`step_into` (`s`)", []dsl.Move{dsl.StepInto}},
		{"`step_over` (`n`)", []dsl.Move{dsl.StepOver}},
		{"`breakpoint`", []dsl.Move{dsl.Breakpoint}},
		{"`step_return` (`r`), from anywhere in a call", []dsl.Move{dsl.StepReturn}},
		{"`inv_step_into`, `inv_step_over` (`rs`, `rn`)", []dsl.Move{dsl.InvStepInto, dsl.InvStepOver}},
	} {
		want := "| " + row.named
		for _, set := range sets {
			var shares []string
			for _, move := range row.moves {
				shares = append(shares, score.Measured(set, move).Percent())
			}
			want += " | " + strings.Join(shares, ", ")
		}
		if !strings.Contains(string(raw), want+" |\n") {
			t.Errorf("docs/neural.md has no row\n%s |", want)
		}
	}
}

// TestEvalCardPage checks that a card can replace the text between the marks of a page several times,
// and that a page without marks is not changed.
func TestEvalCardPage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	result := write("crux.json", `{"v": 1, "task": "cruxeval", "model": "m", "digest": "0f", "settings": {"source": "p.jsonl", "samples": 1, "temperature": 0, "strategy": "over"}, "n": 4, "complete": true,
		"output": {"pass@1": 0.5, "pass@5": null, "n": 4, "declined": 0, "counts": {"asked": 4, "invalid": 1}, "moves": 2, "calibration": {}, "baselines": {"last": {"pass@1": 0.25, "n": 4}}}, "items": []}`)
	page := write("page.md", "before\n"+cardBegins+"\nold\n"+cardEnds+"\nafter\n")
	card := func(args ...string) (string, error) {
		var out bytes.Buffer
		cmd := newEvalCardCommand()
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SilenceUsage = true
		err := cmd.Execute()
		return out.String(), err
	}
	printed, err := card("the set=" + result)
	if err != nil {
		t.Fatal(err)
	}
	if want := "| the set: output, by over | 4 | 50.0% | 25.0% | 1 | – |\n"; !strings.Contains(printed, want) {
		t.Errorf("printed is\n%s", printed)
	}
	for range 2 {
		if _, err := card("--page", page, "the set="+result); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if want := "before\n" + cardBegins + "\n\n" + printed + "\n" + cardEnds + "\nafter\n"; string(got) != want {
			t.Errorf("the page is\n%s\nnot\n%s", got, want)
		}
	}
	bare := write("bare.md", "nothing\n")
	if _, err := card("--page", bare, result); err == nil || !strings.Contains(err.Error(), cardBegins) {
		t.Errorf("a page without marks: %v", err)
	}
	if _, err := card("--figures", filepath.Join(dir, "f.json"), result); err == nil {
		t.Error("there are figures without states")
	}
	if got, _ := os.ReadFile(bare); string(got) != "nothing\n" {
		t.Errorf("the page without marks is %q", got)
	}
}
