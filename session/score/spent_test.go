package score

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
)

func prices(prompt, cached, completion float64) Prices {
	return Prices{Prompt: &prompt, Cached: &cached, Completion: &completion, Currency: "USD"}
}

// TestSpentLines checks that reported figures are added, and that missing ones are shown
// as not reported, never as zero.
func TestSpentLines(t *testing.T) {
	told := backend.Usage{Prompt: 1000, Cached: 800, Completion: 50}
	none, halves := backend.Usage{Prompt: -1, Cached: -1, Completion: -1}, backend.Usage{Prompt: 500, Cached: -1, Completion: 10}
	ms := time.Millisecond
	for _, c := range []struct {
		name   string
		prices Prices
		usages []backend.Usage
		took   []time.Duration
		want   string
	}{
		{"nothing", Prices{}, nil, nil, ""},
		{
			"all", prices(2, 0.5, 8),
			[]backend.Usage{told, told, told},
			[]time.Duration{900 * ms, 700 * ms, 80 * ms},
			"3 answers: 3,000 tokens read, 80% of them from the cache, 150 written.|Cost: 0.003600 USD.|Latency: 0.7 s in the median, 80 ms the last.",
		},
		{"no prices and no times", Prices{}, []backend.Usage{told}, []time.Duration{0}, "1 answer: 1,000 tokens read, 80% of them from the cache, 50 written."},
		{"nothing told", prices(2, 0.5, 8), []backend.Usage{none, none}, []time.Duration{0, 0}, "2 answers: tokens not told.|Cost: not known, without 2 answers whose tokens were not told."},
		{
			"no cache",
			Prices{},
			[]backend.Usage{halves},
			[]time.Duration{0},
			"1 answer: 500 tokens read, from the cache: not told, 10 written.",
		},
		{
			"in part", prices(2, 0.5, 8),
			[]backend.Usage{told, none},
			[]time.Duration{0, 0},
			"2 answers: 1,000 tokens read, not told of 1 answer, 800 from the cache, not told of 1 answer, 50 written, not told of 1 answer.|Cost: 0.001200 USD, without 1 answer whose tokens were not told.",
		},
		{"all but one from the cache", Prices{}, []backend.Usage{{Prompt: 1000, Cached: 999, Completion: 1}}, []time.Duration{0}, "1 answer: 1,000 tokens read, 99% of them from the cache, 1 written."},
	} {
		var s Spent
		for i, u := range c.usages {
			s.Answered(u, c.took[i], c.prices)
		}
		if got := strings.Join(s.Lines(), "|"); got != c.want {
			t.Errorf("%s:\n%s\n%s", c.name, got, c.want)
		}
	}
}

// TestPrices checks that tokens not known to be cached are paid in full, and that no more
// is cached than was read.
func TestPrices(t *testing.T) {
	two, eight := 2.0, 8.0
	for _, c := range []struct {
		p    Prices
		u    backend.Usage
		want string
	}{
		{prices(2, 1, 8), backend.Usage{Prompt: 1e6, Cached: 5e5, Completion: 1e6}, "9.50 USD"},
		{prices(2, 1, 8), backend.Usage{Prompt: 1e6, Cached: -1, Completion: 0}, "2.00 USD"},
		{prices(2, 1, 8), backend.Usage{Prompt: 1e6, Cached: 5e6, Completion: 0}, "1.00 USD"},
		{Prices{Prompt: &two, Completion: &eight, Currency: "€"}, backend.Usage{Prompt: 10000, Cached: 9000, Completion: 0}, "0.0200 €"},
		{prices(0, 0, 0), backend.Usage{Prompt: 10, Cached: 0, Completion: 9}, "0.00 USD"},
		{Prices{}, backend.Usage{Prompt: 10, Cached: 0, Completion: 9}, ""},
	} {
		var b Bill
		b.Add(c.u, c.p)
		if got := b.Money(); got != c.want {
			t.Errorf("%+v costs %q, not %q", c.u, got, c.want)
		}
	}
}

// twice returns the sum of two sessions that were stored and read again.
func twice(t *testing.T, session func() *Spent) (sum Spent) {
	t.Helper()
	for range 2 {
		text, err := json.Marshal(session())
		if err != nil {
			t.Fatal(err)
		}
		var kept Spent
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
		sum.Merge(&kept)
	}
	return sum
}

// TestSpentMerge checks that sessions are added correctly, also after storing and reading.
func TestSpentMerge(t *testing.T) {
	sum := twice(t, func() *Spent {
		var s Spent
		s.Answered(backend.Usage{Prompt: 100, Cached: 50, Completion: 10}, time.Second, prices(1, 1, 1))
		s.Answered(backend.Usage{Prompt: -1, Cached: -1, Completion: -1}, 2*time.Second, prices(1, 1, 1))
		s.Prefetch = Prefetch{Asked: 4, Used: 1, Lost: 2}
		s.Prefetch.Discarded.Add(backend.Usage{Prompt: 100, Cached: 50, Completion: 10}, prices(1, 1, 1))
		return &s
	})
	want := "4 answers: 200 tokens read, not told of 2 answers, 100 from the cache, not told of 2 answers, 20 written, not told of 2 answers.|" +
		"Cost: 0.000220 USD, without 2 answers whose tokens were not told.|Latency: 2.0 s in the median, 2.0 s the last.|" +
		"Prefetched: 8 questions, 2 used. In vain so far: 2 answers, 200 tokens read, 50% of them from the cache, 20 written, 0.000220 USD. 4 given up or failed: their tokens are not told."
	if got := strings.Join(sum.Lines(), "|"); got != want {
		t.Errorf("\n%s\n%s", got, want)
	}
	for range 2 * mostTook {
		sum.Answered(backend.Usage{}, time.Millisecond, Prices{})
	}
	if len(sum.Took) != mostTook || sum.Median() != time.Millisecond {
		t.Errorf("%d times are kept, %v in the median", len(sum.Took), sum.Median())
	}
}

// TestInVain checks that invalid replies are counted and paid for, with the outcome of
// their questions.
func TestInVain(t *testing.T) {
	took := backend.Usage{Prompt: 1000, Cached: 0, Completion: 100}
	none := backend.Usage{Prompt: -1, Cached: -1, Completion: -1}
	p := prices(1, 1, 1)
	var s Spent
	s.DiscardedBy(nil, true, p)
	s.Answered(took, 0, p)
	if s.Answers != 1 || s.Invalid != (Invalid{}) || len(s.Lines()) != 2 {
		t.Errorf("%+v %q", s, s.Lines())
	}
	s.DiscardedBy([]backend.Discarded{{Usage: took, Invalid: true, Outside: true}}, true, p) // corrected
	s.Answered(took, 0, p)
	s.DiscardedBy([]backend.Discarded{{Usage: took, Invalid: true}, {Usage: took, Invalid: true}}, false, p) // not corrected
	s.DiscardedBy([]backend.Discarded{{Usage: none}}, true, p)                                               // cut off
	s.Answered(took, 0, p)
	want := "7 answers: 6,000 tokens read, not told of 1 answer, 0 from the cache, not told of 1 answer, 600 written, not told of 1 answer.|" +
		"Invalid: 3 answers were no state (1 for a line that the program does not have); of their questions 1 answered when asked once more, 1 left.|" +
		"Cost: 0.006600 USD, without 1 answer whose tokens were not told."
	if got := strings.Join(s.Lines(), "|"); got != want {
		t.Errorf("\n%s\n%s", got, want)
	}
	sum := twice(t, func() *Spent { return &s })
	if want := (Invalid{Answers: 6, Outside: 2, Corrected: 2, Left: 2}); sum.Invalid != want || sum.Answers != 14 {
		t.Errorf("%+v", sum)
	}
	var c Checked
	wrong, right := backend.Checks{"line": {Mark: backend.Contradicts}}, backend.Checks{"line": {Mark: backend.Follows}}
	c.Check(right, []backend.Discarded{{Contradicted: true}})
	c.Check(wrong, []backend.Discarded{{Contradicted: true}})
	c.Check(wrong, []backend.Discarded{{Invalid: true}})
	if got := c.Line(); got != "Checked against the text: 1 part follows, 2 contradict it, in 2 states; 2 states asked once more, 1 of them corrected." {
		t.Error(got)
	}
	if got := (Invalid{Answers: 1, Left: 1}).line(); got != "Invalid: 1 answer was no state; of their questions 0 answered when asked once more, 1 left." {
		t.Error(got)
	}
	if text, err := json.Marshal(&Spent{}); err != nil || strings.Contains(string(text), "invalid") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestSpentKept checks that states that came with earlier replies are counted separately,
// once each, also when sessions are added and stored.
func TestSpentKept(t *testing.T) {
	var all Spent
	for range 2 {
		one := Spent{Kept: 7}
		one.Answered(backend.Usage{Prompt: 10, Completion: 1}, time.Second, Prices{})
		raw, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		var read Spent
		if err := json.Unmarshal(raw, &read); err != nil {
			t.Fatal(err)
		}
		all.Merge(&read)
	}
	want := "2 answers: 20 tokens read, 0% of them from the cache, 2 written.|With earlier replies came: 14 further states, at no request.|Latency: 1.0 s in the median, 1.0 s the last."
	if got := strings.Join(all.Lines(), "|"); got != want {
		t.Errorf("%s\n%s", got, want)
	}
}
