package computed_test

import (
	"testing"

	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// TestPredictorBeginsInTheMiddle checks the states that are computed for a history that begins in the
// middle of a program.
func TestPredictorBeginsInTheMiddle(t *testing.T) {
	const source = `RATE = 2
seen = []

def price(n, tax):
    cost = n * RATE
    total = cost + tax
    for step in [1, 2]:
        total += step
    seen.append(total)
    return total

limit = 5
answer = price(limit, 1)
again = answer + limit
`
	for _, c := range []struct {
		name  string
		first *dsl.Stop
		moves []dsl.Move
		want  []string
	}{
		{
			"a line of a function", at("<module>:13 price:6", "line", "n", "5", "tax", "1", "cost", "10"),
			[]dsl.Move{dsl.StepInto, dsl.StepOver, dsl.StepOver, dsl.StepOver},
			[]string{
				"computed line     for step in [1, 2]: n=5 tax=1 cost=10 total=11",
				"computed line         total += step n=5 tax=1 cost=10 total=11 step=1",
				"computed line     for step in [1, 2]: n=5 tax=1 cost=10 total=12 step=1",
				"computed line         total += step n=5 tax=1 cost=10 total=12 step=2",
			},
		},
		{
			"callers at unknown lines", at("<module>: price:5", "line", "n", "5", "tax", "1"),
			[]dsl.Move{dsl.StepInto},
			[]string{"computed line     total = cost + tax n=5 tax=1 cost=10"},
		},
		{
			"an unknown local that is not read", unknown(at("<module>:13 price:5", "line", "n", "5"), "tax"),
			[]dsl.Move{dsl.StepInto, dsl.StepInto},
			[]string{"computed line     total = cost + tax n=5 tax= cost=10", "asked in vain"},
		},
		{
			"the middle of a loop", at("<module>:13 price:8", "line", "n", "5", "tax", "1", "cost", "10", "total", "11", "step", "1"),
			[]dsl.Move{dsl.StepInto, dsl.StepInto},
			[]string{"computed line     for step in [1, 2]: n=5 tax=1 cost=10 total=12 step=1", "asked in vain"},
		},
		{
			"a list that other code may have changed", at("<module>:13 price:9", "line", "n", "5", "tax", "1", "cost", "10", "total", "14", "step", "2"),
			[]dsl.Move{dsl.StepInto},
			[]string{"asked in vain"},
		},
		{
			"what the caller makes of a value", at("<module>:13 price:10", "line", "n", "5", "tax", "1", "total", "14"),
			[]dsl.Move{dsl.StepInto, dsl.StepInto},
			[]string{"computed return     return total n=5 tax=1 total=14 14", "asked in vain"},
		},
		{
			"a line of the module", at("<module>:14", "line", "RATE", "2", "seen", "[14]", "limit", "5", "answer", "14"),
			[]dsl.Move{dsl.StepInto, dsl.StepInto},
			[]string{"computed return again = answer + limit RATE=2 seen=[14] limit=5 answer=14 again=19 None", "computed end"},
		},
		{
			"an exception", at("<module>:13 price:5", "raise ValueError('x')", "n", "5", "tax", "1"),
			[]dsl.Move{dsl.StepInto},
			[]string{"computed return     cost = n * RATE n=5 tax=1"},
		},
		{"a comment", at("<module>:13 price:11", "line", "n", "5"), []dsl.Move{dsl.StepInto}, []string{"asked in vain"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.first.Source = dsl.SplitLines(source)[c.first.Line-1]
			p := computed.New(&rest{}, python.Version{Major: 3, Minor: 12}, 0)
			defer p.Close()
			_, seen := walk(t, p, beginAt(t, source, c.first), c.moves...)
			expect(t, seen, c.want...)
		})
	}
}

// TestPredictorBeginsCompacted checks that the computation continues from the last of the states with
// which a compacted trajectory begins.
func TestPredictorBeginsCompacted(t *testing.T) {
	const source = "def f(a):\n    b = a + 1\n    return b\n\nx = 1\ny = f(x)\n"
	node, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "prog.py", Lines: dsl.SplitLines(source)}}})
	if err != nil {
		t.Fatal(err)
	}
	node = node.Mark()
	for _, s := range []*dsl.Stop{at("<module>:6", "line", "x", "1"), at("<module>:6 f:2", "line", "a", "1")} {
		s.Source = dsl.SplitLines(source)[s.Line-1]
		node = add(t, node, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: s}})
	}
	p := computed.New(&rest{}, python.Version{Major: 3, Minor: 12}, 0)
	defer p.Close()
	_, seen := walk(t, p, node, dsl.StepInto, dsl.StepReturn)
	expect(t, seen, "computed line     return b a=1 b=2", "computed return     return b a=1 b=2 2")
}
