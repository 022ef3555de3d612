package score

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/dsl"
)

var update = flag.Bool("update", false, "rewrite testdata and the table of measures in docs/comparison.md")

// walk returns a score with values in every part of the plot.
func walk() *Score {
	var s Score
	for i := range 1200 {
		text := "x=same y=same"
		switch {
		case i%9 == 0:
			text = "x=same y=differs"
		case i%31 == 0:
			text = "line=differs x=same"
		case i%100 == 7:
			text = "x=incomparable"
		case i%5 == 0:
			text = "x=same value=same"
		}
		action := dsl.Move(i%4 + 1)
		if i%7 == 0 {
			action = dsl.InvStepOver
		}
		s.Add(action, state(text), 1+i%20, conf(float64(i%11)/10))
	}
	s.Add(dsl.StepOver, state(""), -1, nil)
	return &s
}

func TestLines(t *testing.T) {
	for name, width := range map[string]int{"wide": 80, "narrow": 44, "slim": 30} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(walk().Lines(width), "\n") + "\n"
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s\nis not\n%s\nif it is right: go test ./session/score -run TestLines -update", got, want)
			}
		})
	}
	var s Score
	if s.Lines(80) != nil || s.Summary() != "0 moves" {
		t.Errorf("nothing was counted: %q, %q", s.Summary(), s.Lines(80))
	}
	s.Add(dsl.StepOver, state("x=incomparable"), 1, nil)
	if got := s.Summary(); got != "1 move: line 100%" {
		t.Errorf("one move: %s", got)
	}
}

// TestLinesFit checks that no line exceeds the width.
func TestLinesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Score
		for range rapid.IntRange(1, 30).Draw(t, "moves") {
			d := draw(t)
			s.Add(d.action, d.verdicts, d.horizon, d.confidence)
		}
		width := rapid.IntRange(-1, 200).Draw(t, "width")
		for _, line := range s.Lines(width) {
			if utf8.RuneCountInString(line) > max(width, 0) {
				t.Fatalf("%q has %d columns, %d are allowed", line, utf8.RuneCountInString(line), width)
			}
		}
	})
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		t        Tally
		decimals int
		want     string
	}{
		{Tally{N: 3, Same: 3}, 1, "100.0%"},
		{Tally{N: 100000, Same: 99999}, 1, " 99.9%"},
		{Tally{N: 100000, Same: 99999}, 0, "   99%"},
		{Tally{N: 8, Same: 7}, 1, " 87.5%"},
		{Tally{N: 8}, 1, "  0.0%"},
		{Tally{Incomparable: 8}, 1, "     –"},
	} {
		if got := percent(c.t, c.decimals); got != c.want {
			t.Errorf("%+v: %q, want %q", c.t, got, c.want)
		}
	}
}

func TestBar(t *testing.T) {
	for share, want := range map[float64]string{0: "····", 0.5: "██··", 1: "████", 0.53125: "██▏·", 0.21875: "▉···"} {
		if got := bar(share, 4); got != want {
			t.Errorf("%g: %q, want %q", share, got, want)
		}
	}
}

// TestRow checks that a row has as many measures as fit, at the same positions whatever
// was counted.
func TestRow(t *testing.T) {
	var one Score
	one.Add(dsl.StepInto, state("x=same"), 1, nil)
	var none Score
	for _, c := range []struct {
		s       *Score
		inverse bool
		width   int
		want    string
	}{
		{walk(), false, 78, "forward 1,029  whole state  86% ████▎  line  97% ████▉  all locals  89% ████▌"},
		{walk(), true, 100, "inverse 172  whole state  85% ██████▉·  line  97% ███████▊  all locals  88% ███████·"},
		{&one, false, 69, "forward 1    whole state 100% ███  line 100% ███  all locals 100% ███"},
		{walk(), false, 50, "forward 1,029  whole state  86%  line  97%"},
		{&one, false, 78, "forward 1    whole state 100% █████  line 100% █████  all locals 100% █████"},
		{&one, true, 78, "inverse 0    whole state    – ·····  line    – ·····  all locals    – ·····"},
		{&none, false, 40, "forward 0    whole state    –  line    –"},
		{&none, false, 4, "forw"},
		{&none, false, 0, ""},
	} {
		if got := c.s.Row(c.inverse, c.width); got != c.want {
			t.Errorf("%d columns:\n%s\nwant\n%s", c.width, got, c.want)
		}
	}
	many := walk()
	for width := range 240 {
		row, other := many.Row(false, width), none.Row(false, width)
		// One row begins two columns further right, because it has more than 999 moves.
		if n := utf8.RuneCountInString(row); n > width || strings.Count(row, "%") > strings.Count(other, "–") {
			t.Errorf("%d columns:\n%s\n%s", width, row, other)
		}
	}
}

// TestCalibrationOfOne checks the plural: one move.
func TestCalibrationOfOne(t *testing.T) {
	var s Score
	s.Add(dsl.StepInto, state("x=same"), 1, conf(1))
	if text := strings.Join(s.Lines(80), "\n"); !strings.Contains(text, "Brier 0.000  1 move") || strings.Contains(text, "1 moves") {
		t.Error(text)
	}
}
