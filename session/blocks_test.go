package session_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/examples"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

const blocksSource = `LIMIT = 10

def total(prices: list[float], discount: int = 0) -> float:
    """Adds the prices up."""
    result = 0
    for price in prices:
        if price < LIMIT:
            result += price
        else:
            result -= price
    assert result >= 0, "negative"
    return result

class Box:
    def put(self, item):
        self.items = [item]
        del item
        return self

def numbers():
    n = 0
    while n < 2:
        yield n
        n += 1

def fails(n: int) -> str:
    try:
        n = 1 // n
    except ZeroDivisionError:
        n = "none"
    return n

total([1])
try:
    total([3, 20])
except AssertionError:
    pass
Box().put(3)
list(numbers())
fails(0)
`

// rowsOf returns the rows that a command shows, in short.
func rowsOf(t *testing.T, s *command.Interpreter, line string) (rows []string) {
	t.Helper()
	a := answered(s, line)
	if a.Err != nil {
		t.Fatalf("%s: %v", line, a.Err)
	}
	for _, r := range a.Blocks.Rows {
		text := fmt.Sprintf("%d %d-%d", r.Call, r.Lines[0], r.Lines[1])
		for _, l := range r.In {
			text += " " + l.Name + "=" + l.Value
		}
		text += " >"
		for _, l := range r.Out {
			text += " " + l.Name + "=" + l.Value
		}
		for _, name := range r.Gone {
			text += " del " + name
		}
		if r.Returned != nil {
			text += " returns " + *r.Returned
		}
		if r.Raised != nil {
			text += " raises " + *r.Raised
		}
		if len(r.Against) > 0 {
			text += " ! " + strings.Join(r.Against, "; ")
		}
		rows = append(rows, text)
	}
	return rows
}

// TestBlocks checks the runs of blocks, their values and verdicts, with every Python.
func TestBlocks(t *testing.T) {
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			s := opened(t, trace.Options{Python: p.Path, Script: scriptOf(t, blocksSource)})
			run(s, "c")
			for line, want := range map[string][]string{
				"blocks -a total": {
					"1 4-5 > result=0", "1 6-6 prices=[1] > price=1", "1 7-7 price=1 LIMIT=10 >", "1 8-8 result=0 price=1 > result=1", "1 6-6 prices=[1] >",
					"1 11-12 result=1 > returns 1",
					"2 4-5 > result=0", "2 6-6 prices=[3, 20] > price=3", "2 7-7 price=3 LIMIT=10 >", "2 8-8 result=0 price=3 > result=3",
					"2 6-6 prices=[3, 20] > price=20", "2 7-7 price=20 LIMIT=10 >",
					"2 10-10 result=3 price=20 > result=-17 ! line 11: assert result >= 0 fails", "2 6-6 prices=[3, 20] >",
					"2 11-12 result=-17 > raises AssertionError('negative') ! line 11: assert result >= 0 fails",
				},
				"blocks Box.put": {"1 16-18 self=Box() item=3 > self=Box(items=[3]) del item returns Box(items=[3])"},
				"blocks numbers": {
					"1 21-21 > n=0", "1 22-22 n=0 >", "1 23-24 n=0 > n=1", "1 22-22 n=1 >", "1 23-24 n=1 > n=2", "1 22-22 n=2 > returns None",
				},
				"blocks fails": {
					"1 27-27 >", "1 28-28 n=0 > raises ZeroDivisionError('integer division or modulo by zero')",
					"1 29-29 >", "1 30-30 > n='none' ! n is 'none', which is not of type int", "1 31-31 n='none' > returns 'none'",
				},
			} {
				got := rowsOf(t, s, line)
				for i := range got { // the words of the exception differ from version to version
					got[i] = strings.Replace(got[i], "'division by zero'", "'integer division or modulo by zero'", 1)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s:\n%q, want\n%q", line, got, want)
				}
			}
		})
	}
}

// TestBlocksHere checks which call is shown, which run contains the position, which rows goto can reach,
// and pages.
func TestBlocksHere(t *testing.T) {
	s := opened(t, trace.Options{Python: pythons.Any(t), Script: scriptOf(t, blocksSource)})
	run(s, "b 8", "c", "c")
	if got := rowsOf(t, s, "blocks"); len(got) != 4 || got[3] != "1 8-8 result=0 price=3 >" {
		t.Errorf("%q", got)
	}
	a := answered(s, "blocks -n 30")
	here := a.Blocks.Rows[3]
	if !here.Here || !here.Open || a.Blocks.Rows[2].Here || here.Checked() != "" || here.Event != here.End {
		t.Errorf("%+v", a.Blocks.Rows)
	}
	if to := answered(s, fmt.Sprintf("goto %d", a.Blocks.Rows[1].Event)); to.State == nil || to.State.Line != 6 {
		t.Errorf("%+v", to)
	}
	run(s, "cl 1", "c", "goto 0")
	if got := rowsOf(t, s, "blocks total"); !strings.Contains(got[1], "prices=[1]") {
		t.Errorf("before the calls: %q", got)
	}
	for line, want := range map[string]string{
		"blocks nobody":  "*** blocks: no call of nobody is recorded",
		"blocks -n 0":    "Usage: blocks",
		"blocks total x": "Usage: blocks",
	} {
		if got := run(s, line); !strings.Contains(got, want) {
			t.Errorf("%s: %s", line, got)
		}
	}
	run(s, "goto 0")
	first := answered(s, "blocks -a -n 4 total").Blocks
	again := answered(s, "").Blocks
	if len(first.Rows) != 4 || again.First != 4 || again.Rows[0].Event <= first.Rows[3].Event || again.Runs != 15 {
		t.Errorf("%+v\n%+v", first, again)
	}
	if got := run(s, "blocks -a -n 4 total", "", "", "", ""); !strings.Contains(got, "*** blocks: there are no later runs") {
		t.Error(got)
	}
}

// TestBlocksWhole checks on the examples that the runs of a function's blocks hold its line events: each run
// begins where the one before ends, and every line event of the call is in the run that holds it, on a line
// of its block.
func TestBlocksWhole(t *testing.T) {
	for _, e := range examples.All() {
		t.Run(e.Name, func(t *testing.T) {
			path, err := examples.Write(t.TempDir(), e.Name)
			if err != nil {
				t.Fatal(err)
			}
			s := opened(t, trace.Options{Python: pythons.Any(t), Script: path})
			run(s, "c", "c")
			tree := s.Recording().Tree()
			names := map[string]bool{}
			for n := range tree.Codes() {
				if code := tree.Code(n); !strings.HasPrefix(code.Name, "<") {
					names[code.Name] = true
				}
			}
			for name := range names {
				a := answered(s, "blocks -a -n 300 "+name)
				if a.Err != nil {
					t.Errorf("%s: %v", name, a.Err)
					continue
				}
				before := map[int]session.BlockRow{}
				for _, r := range a.Blocks.Rows {
					was, again := before[r.Call]
					if r.Event > r.End || again && (was.End > r.Event || was.Number+1 != r.Number) {
						t.Errorf("%s: %+v comes after %+v", name, r, was)
					}
					before[r.Call] = r
					act := tree.At(r.Event).Activation
					for event := r.Event; event < r.End; event++ {
						at := tree.At(event)
						if at.Activation == act && at.Event == dsl.Line && (at.Line < r.Lines[0] || at.Line > r.Lines[1]) {
							t.Errorf("%s: event %d is on line %d, not in %v", name, event, at.Line, r.Lines)
						}
					}
				}
			}
		})
	}
}
