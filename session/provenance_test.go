//go:build unix

package session_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

const ordersSource = `class Order:
    def __init__(self, price, count=2):
        self.price = price
        self.count = count

    def total(self):
        return self.price * self.count

prices = [3, 4, 5]
orders = []
for p in prices:
    orders.append(Order(p))
total = 0
for o in orders:
    total += o.total()
last = orders[-1].price
print(total)
`

// TestProvenance checks what provenance prints, that the printed events lead to the lines of the
// hops, and what it refuses.
func TestProvenance(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			d := debug(t, python, trace.Options{Script: write(t, t.TempDir(), "orders.py", ordersSource)})
			d.say("tbreak 17", "c")
			for command, want := range map[string][]string{
				"provenance total":                        {"total: 4 hops back to a literal\n", "augmented, 3 times  orders.py:15", "from total = 14, o.total() = 10", "literal at line 13"},
				"prov last":                               {"last: 5 hops back to a literal\n", "field", "mutation   orders.py:3 in __init__", "parameter  orders.py:12", "element    orders.py:11", "creation   orders.py:9"},
				"prov total via o.total()":                {"computed from several (via NAME follows one)", "return      orders.py:7 in total", "from self.price = 5, self.count = 2"},
				"prov total via o.total() via self.count": {"back to a literal", "the default at line 2"},
				"prov total via zz":                       {"*** No value on the way was computed from zz"},
				"prov nope":                               {"*** nope has no value here"},
				"prov":                                    {"Usage: prov"},
				"prov total via ":                         {"Usage: prov"},
				"prov [x for x in prices]":                {"*** Cannot follow"},
				"prov orders":                             {"mutation, 3 times", "made at line 10"},
			} {
				got := d.say(command)
				for _, part := range want {
					var ok bool
					if _, got, ok = strings.Cut(got, part); !ok {
						t.Errorf("%s: no %q behind what was found of it", command, part)
					}
				}
			}
			d.say("prov last")
			var answer struct {
				Provenance []struct {
					Event, Line *int
					Kind        string
					Certain     bool
					End         *string
				}
			}
			if err := json.Unmarshal(frontend.EncodeAnswer(d.last), &answer); err != nil {
				t.Fatal(err)
			}
			for i, h := range answer.Provenance {
				if !h.Certain || h.Event == nil || h.Line == nil {
					t.Fatalf("hop %d is %+v", i, h)
				}
				if d.say("goto " + strconv.Itoa(*h.Event)); d.last.State.Line != *h.Line {
					t.Errorf("goto %d is at line %d, the %s at line %d", *h.Event, d.last.State.Line, h.Kind, *h.Line)
				}
			}
			if n := len(answer.Provenance); n != 5 || answer.Provenance[4].End == nil || *answer.Provenance[4].End != "literal" {
				t.Errorf("%+v", answer.Provenance)
			}
		})
	}
}

// TestProvenancePages checks that an empty line shows earlier hops of a long chain.
func TestProvenancePages(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0 = 1\n")
	for i := range 30 {
		b.WriteString("a" + strconv.Itoa(i+1) + " = a" + strconv.Itoa(i) + "\n")
	}
	b.WriteString("print(a30)\n")
	d := debug(t, pythons.Usual(t), trace.Options{Script: write(t, t.TempDir(), "long.py", b.String())})
	d.say("tbreak 32", "c")
	first, second := d.say("provenance a30"), d.say("")
	if !strings.Contains(first, "\n  … 11 earlier") || strings.Contains(first, " a10 = 1") || !strings.Contains(second, "\n 21 ") || !strings.Contains(second, "literal at line 1") {
		t.Errorf("first\n%s\nthen\n%s", first, second)
	}
}
