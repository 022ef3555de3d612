package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/npdb/npdb/lab/eval"
)

// carded returns two results of states with different questions, and two of CruxEval.
func carded() []Named {
	all := results()
	other, first := *all["states"], *all["states"]
	other.States = []eval.States{scored("model", 3)}
	other.States[0].Types = map[string]eval.Share{"str": {N: 2, Same: 1}, "set": {N: 3, Same: 3}}
	other.States[0].Locals = map[string]eval.Share{"1-2": {N: 4, Same: 3}}
	other.N, other.Complete, other.Settings.Source = 1999, false, "held|out.jsonl"
	input := *all["cruxeval"]
	input.Output, input.Settings.Locals = nil, true
	named := []Named{{"Crux*", &first}, {"held out", &other}, {"Crux", all["cruxeval"]}, {"Crux", &input}}
	for _, n := range named {
		n.Result.Model, n.Result.Digest = "m", "00ff"
	}
	return named
}

// TestCard checks that a card contains a column for each set of states and a row for each result of
// CruxEval, and that texts in it are escaped.
func TestCard(t *testing.T) {
	tables, err := Card(carded())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Markdown(&b, tables); err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, b.Bytes())
}

// TestFigures checks the shares by move, and the digest of the measured file.
func TestFigures(t *testing.T) {
	m, err := Figures(carded())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, append(text, '\n'))
}

// TestNoCard checks that results of several models, or of other tasks, are rejected.
func TestNoCard(t *testing.T) {
	mixed := carded()
	mixed[1].Result.Digest = "ff"
	if _, err := Card(mixed); !errors.Is(err, ErrModels) {
		t.Errorf("two models: %v", err)
	}
	if _, err := Figures(mixed); !errors.Is(err, ErrModels) {
		t.Errorf("figures of two models: %v", err)
	}
	if _, err := Card([]Named{{"past", results()["inverse"]}}); err == nil {
		t.Error("a result of inverse makes a card")
	}
	for name, all := range map[string][]Named{"no digest": {{"a", results()["states"]}}, "no states": carded()[2:]} {
		if _, err := Figures(all); err == nil {
			t.Errorf("%s: there are figures", name)
		}
	}
}
