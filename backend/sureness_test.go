package backend_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

func number(p float64) *float64 { return &p }

// cut returns tokens of which each has half the probability of the one before.
func cut(tokens ...string) []backend.Piece {
	var pieces []backend.Piece
	for i, text := range tokens {
		pieces = append(pieces, backend.Piece{Text: text, LogProb: number(-float64(i+1) * math.Ln2)})
	}
	return pieces
}

// near reports whether got is a number that equals want.
func near(got *float64, want float64) bool { return got != nil && math.Abs(*got-want) < 1e-12 }

func TestMeasure(t *testing.T) {
	// Tokens have the probabilities 1/2, 1/4, 1/8, 1/16, 1/32, 1/64.
	pieces := cut("<line>", `{"x`, `": `, `"1", "y`, `": "2"`, `}2|`)
	told := dsl.Told{
		Event:  []dsl.Span{{From: 0, To: 6}},
		Locals: map[string][]dsl.Span{"x": {{From: 7, To: 15}}, "y": {{From: 17, To: 25}}},
		Line:   []dsl.Span{{From: 26, To: 28}},
	}
	s := backend.Measure(pieces, told)
	if s.By != backend.LogProbabilities || !near(s.Event, 1./2) || !near(s.Line, 1./64) || s.Function != nil || s.Value != nil {
		t.Errorf("event %v, line %v, function %v, value %v", s.Event, s.Line, s.Function, s.Value)
	}
	// The token `"1", "y` overlaps both x and y, so it counts for both.
	if !near(s.Local("x"), 1./(4*8*16)) || !near(s.Local("y"), 1./(16*32)) || s.Local("z") != nil {
		t.Errorf("locals %v", s.Locals)
	}

	pieces[4].LogProb = nil
	s = backend.Measure(pieces, told)
	if !near(s.Local("x"), 1./512) || s.Local("y") != nil || !near(s.Line, 1./64) {
		t.Errorf("without the probability of a token in y: locals %v, line %v", s.Locals, s.Line)
	}
	if part, p := s.Least(); part != "x" || !near(p, 1./512) {
		t.Errorf("the least sure is %s, %v", part, p)
	}
}

// TestMeasurePartInTwoPlaces checks that each token of a part with several spans counts once, in any
// order of the spans.
func TestMeasurePartInTwoPlaces(t *testing.T) {
	pieces := cut("ab", "cd", "ef")
	for _, spans := range [][]dsl.Span{
		{{From: 0, To: 1}, {From: 1, To: 2}, {From: 4, To: 6}},
		{{From: 4, To: 6}, {From: 0, To: 1}},
	} {
		if s := backend.Measure(pieces, dsl.Told{Line: spans}); !near(s.Line, 1./(2*8)) {
			t.Errorf("%v: %v", spans, *s.Line)
		}
	}
}

// TestMeasureIsAProduct checks that the confidences of all parts and of the tokens outside of them
// multiply to the probability of the whole reply, and to less if a token counts for two parts.
func TestMeasureIsAProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pieces []backend.Piece
		var text strings.Builder
		whole := 0.0
		for range rapid.IntRange(1, 20).Draw(t, "tokens") {
			p := rapid.Float64Range(-3, 0).Draw(t, "logprob")
			token := strings.Repeat("t", rapid.IntRange(0, 4).Draw(t, "length"))
			pieces = append(pieces, backend.Piece{Text: token, LogProb: &p})
			text.WriteString(token)
			whole += p
		}
		// Divide the text at random offsets; each piece is the part of one local.
		told := dsl.Told{Locals: map[string][]dsl.Span{}}
		from, names := 0, 0
		for from < text.Len() {
			to := rapid.IntRange(from+1, text.Len()).Draw(t, "to")
			told.Locals[strings.Repeat("n", names+1)] = []dsl.Span{{From: from, To: to}}
			from, names = to, names+1
		}
		product, rest, shared := 0.0, 0.0, false
		s := backend.Measure(pieces, told)
		for name := range told.Locals {
			product += math.Log(*s.Local(name))
		}
		at := 0
		for _, p := range pieces {
			owners := 0
			for _, spans := range told.Locals {
				if at < spans[0].To && at+len(p.Text) > spans[0].From {
					owners++
				}
			}
			if p.Text == "" { // an empty token counts for a part if it lies inside of it
				owners = 0
				for _, spans := range told.Locals {
					if at < spans[0].To && at > spans[0].From {
						owners++
					}
				}
			}
			if owners == 0 {
				rest += *p.LogProb
			}
			shared = shared || owners > 1
			at += len(p.Text)
		}
		switch got := product + rest; {
		case !shared && math.Abs(got-whole) > 1e-9:
			t.Fatalf("the parts and the rest are %v, the whole %v", got, whole)
		case shared && got > whole+1e-9:
			t.Fatalf("the parts and the rest are %v, more than the whole, %v", got, whole)
		}
	})
}

func TestLeast(t *testing.T) {
	for _, c := range []struct {
		of   *backend.Sureness
		part string
	}{
		{nil, ""},
		{&backend.Sureness{}, ""},
		{&backend.Sureness{Event: number(.5), Line: number(.5), Locals: map[string]float64{"a": .5}}, "the event"},
		{&backend.Sureness{Event: number(.9), Line: number(.5), Value: number(.6)}, "the line"},
		{&backend.Sureness{Function: number(.4), Value: number(.6)}, "the function"},
		{&backend.Sureness{Value: number(.3), Locals: map[string]float64{"a": .5}}, "the value"},
		{&backend.Sureness{Value: number(.6), Locals: map[string]float64{"b": .5, "a": .5}}, "a"},
	} {
		if part, p := c.of.Least(); part != c.part || (p == nil) != (part == "") {
			t.Errorf("of %+v it is %q, %v", c.of, part, p)
		}
	}
}

// TestPlace checks that Place returns the lowest confidence among event, line and function.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		of   *backend.Sureness
		want float64 // 0 for none
	}{
		{nil, 0},
		{&backend.Sureness{Value: number(.1), Whole: number(.2), Locals: map[string]float64{"a": .3}}, 0},
		{&backend.Sureness{Line: number(.5)}, .5},
		{&backend.Sureness{Event: number(.9), Line: number(.5), Function: number(.4), Value: number(.1)}, .4},
	} {
		if got := c.of.Place(); (got == nil) != (c.want == 0) || got != nil && *got != c.want {
			t.Errorf("of %+v it is %v, want %v", c.of, got, c.want)
		}
	}
}

// TestWordsOfSureness checks how a confidence is formatted for each kind of evidence.
func TestWordsOfSureness(t *testing.T) {
	for _, c := range []struct {
		of          *backend.Sureness
		p           float64
		words, told string
	}{
		{&backend.Sureness{By: backend.LogProbabilities}, .839, "84%", "84%"},
		{&backend.Sureness{By: backend.Agreement, Of: 7}, 3. / 7, "3 of 7", "3 of 7 agree"},
		{&backend.Sureness{By: backend.OwnWord}, .8, "80%", "says 80%"},
	} {
		if words, told := c.of.Words(c.p), c.of.Told(c.p); words != c.words || told != c.told {
			t.Errorf("%s: %q, %q", c.of.By, words, told)
		}
	}
}

func TestThen(t *testing.T) {
	first := &backend.Sureness{By: backend.LogProbabilities, Event: number(.5), Line: number(.5), Function: number(.5), Value: number(.1), Locals: map[string]float64{"x": .5, "gone": .5}}
	next := &backend.Sureness{By: backend.LogProbabilities, Event: number(.25), Line: number(1), Value: number(.75), Locals: map[string]float64{"x": .5, "new": .75}}
	want := &backend.Sureness{By: backend.LogProbabilities, Event: number(.125), Line: number(.5), Function: number(.5), Value: number(.75), Locals: map[string]float64{"x": .25, "new": .75}}
	if got := first.Then(next); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if first.Then(nil) != nil || (*backend.Sureness)(nil).Then(next) != nil {
		t.Error("of a step without one there is none")
	}
}
