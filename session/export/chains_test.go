package export

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/examples"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// recorded returns the recording of a program.
func recorded(t *testing.T, python, text string) *statetree.Tree {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return recordedFile(t, python, path)
}

func recordedFile(t *testing.T, python, path string) *statetree.Tree {
	t.Helper()
	rec, landing, err := trace.Start(t.Context(), trace.Options{Python: python, Script: path, Dir: filepath.Dir(path), Reprs: trace.ReprsAsked})
	for err == nil && !landing.End {
		landing, err = rec.Advance(t.Context(), nil, nil)
	}
	if err == nil {
		err = rec.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return rec.Tree()
}

// chainsOf writes the chains of a recording, and checks each.
func chainsOf(t *testing.T, tree *statetree.Tree, o ChainOptions) (list []Chain, made Chains) {
	t.Helper()
	var b bytes.Buffer
	o.Program = "prog.py"
	made, err := WriteChains(&b, tree, o)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(b.Bytes()) {
		var c struct {
			Chain
			Steps []struct {
				ChainStep
				Changed map[string]string `json:"changed"`
			} `json:"steps"`
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		for _, s := range c.Steps {
			for name, value := range s.Changed {
				s.ChainStep.Changed = append(s.ChainStep.Changed, dsl.Local{Name: name, Value: value})
			}
			c.Chain.Steps = append(c.Chain.Steps, s.ChainStep)
		}
		sound(t, &c.Chain)
		list = append(list, c.Chain)
	}
	if len(list) != made.Written {
		t.Fatalf("%d lines, %+v", len(list), made)
	}
	return list, made
}

// sound checks that the text of a chain shows its steps, and that its ranges are those of the text.
func sound(t *testing.T, c *Chain) {
	t.Helper()
	n, asked, err := dsl.ND1.Read(c.Text)
	if err != nil || asked != nil || n.Text() != c.Text {
		t.Fatalf("%v, %v in\n%s", err, asked, c.Text)
	}
	if len(c.Steps) != len(c.Predict) || len(c.Steps) != len(c.Actions) || len(c.Steps) != len(c.Horizons) {
		t.Fatalf("%d steps, %d ranges, %d actions, %d horizons", len(c.Steps), len(c.Predict), len(c.Actions), len(c.Horizons))
	}
	for k := len(c.Steps) - 1; k >= 0; k-- {
		step, _ := n.Step()
		want, err := n.Parent().Reply(step.Action, step.Reply)
		got, s := step.Reply.Stop, c.Steps[k]
		if span := c.Predict[k]; err != nil || c.Text[span[0]:span[1]] != want || step.Action.String() != c.Actions[k] {
			t.Errorf("step %d: %v, %q is not %q", k, err, c.Text[span[0]:span[1]], want)
		}
		if got.Line != s.Line || got.Function != s.Function || got.Depth != s.Depth || got.Source != s.Source || !reflect.DeepEqual(got.Value, s.Value) {
			t.Errorf("step %d is %+v, the text has %+v", k, s, got)
		}
		for _, l := range s.Changed {
			if !strings.Contains(strings.Join(texts(got.Locals), "\n"), l.Name+" = "+l.Value) {
				t.Errorf("step %d changes %s to %s, the text has %v", k, l.Name, l.Value, got.Locals)
			}
		}
		n = n.Parent()
	}
	if first := n.Current(); first == nil || first.Event != dsl.Call || len(first.Stack) != 1 {
		t.Errorf("the text begins with %+v", first)
	}
	for _, span := range c.Changed {
		inside := false
		for _, p := range c.Predict {
			inside = inside || p[0] <= span[0] && span[1] <= p[1]
		}
		if !inside {
			t.Errorf("%v is in no reply", span)
		}
	}
}

func texts(locals []dsl.Local) (list []string) {
	for _, l := range locals {
		list = append(list, l.Name+" = "+l.Value)
	}
	return list
}

const family = `def outer(n):
    xs = [n]
    xs.append(inner(n, 2, k=3, z=4))
    del n
    return xs

def inner(a, *rest, k=1, **others):
    return a + sum(rest) + k

class Counter:
    def __init__(self):
        self.n = 0
    def up(self, by):
        self.n += by
        return self.n

def fails(n):
    raise ValueError(n)

def makes():
    yield 1

outer(1)
Counter().up(2)
try:
    fails(0)
except ValueError:
    pass
list(makes())
`

// event matches the number of an event, which depends on the version of Python.
var event = regexp.MustCompile(`event \d+`)

func TestChains(t *testing.T) {
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) { chainsWith(t, p.Path) })
	}
}

func chainsWith(t *testing.T, python string) {
	tree := recorded(t, python, family)
	text := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	for _, c := range []struct {
		name string
		o    ChainOptions
		want []string // call, answer, exception, number of steps, why they end
		made Chains
	}{
		{"outermost", ChainOptions{}, []string{
			"outer(1) [1, 6] - 8 ", "Counter.__init__(Counter()) None - 2 ", "Counter.up(Counter(n=0), 2) 2 - 3 ",
			"fails(0) - ValueError(0) 3 ",
		}, Chains{Written: 4, Generators: 1}},
		{"over", ChainOptions{Over: true, Function: "outer"}, []string{"outer(1) [1, 6] - 5 "}, Chains{Written: 1}},
		{"inner", ChainOptions{Function: "inner"}, []string{"inner(1, *(2,), k=3, **{'z': 4}) 6 - 2 "}, Chains{Written: 1}},
		{"qualified", ChainOptions{Function: "Counter.up"}, []string{"Counter.up(Counter(n=0), 2) 2 - 3 "}, Chains{Written: 1}},
		{"steps", ChainOptions{Function: "outer", Steps: 2}, []string{"outer(1) [1, 6] - 2 the steps from event N on are left out: a chain has 2 steps at most"}, Chains{Written: 1, Cut: 1}},
		{"bytes", ChainOptions{Function: "outer", Bytes: 1700}, []string{"outer(1) [1, 6] - 2 the steps from event N on are left out: a chain has 1700 bytes at most"}, Chains{Written: 1, Cut: 1}},
		{"too large", ChainOptions{Bytes: 100}, nil, Chains{TooLarge: 4, Generators: 1}},
		{"calls", ChainOptions{Calls: 1}, []string{"outer(1) [1, 6] - 8 "}, Chains{Written: 1, Beyond: 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, made := chainsOf(t, tree, c.o)
			var got []string
			for _, one := range list {
				got = append(got, strings.Join([]string{one.Question.Call, text(one.Answer), text(one.Raised), strconv.Itoa(len(one.Steps)), event.ReplaceAllString(one.Cut, "event N")}, " "))
			}
			if !reflect.DeepEqual(got, c.want) || made != c.made {
				t.Errorf("%q %+v", got, made)
			}
		})
	}
	if _, err := WriteChains(&bytes.Buffer{}, tree, ChainOptions{Function: "nobody"}); err == nil || !strings.Contains(err.Error(), "no call of nobody; it has calls of ") {
		t.Error(err)
	}
}

// TestChainsOfExamples checks the chains of the example programs, into calls and over them.
func TestChainsOfExamples(t *testing.T) {
	for _, e := range examples.All() {
		t.Run(e.Name, func(t *testing.T) {
			path, err := examples.Write(t.TempDir(), e.Name)
			if err != nil {
				t.Fatal(err)
			}
			tree := recordedFile(t, pythons.Any(t), path)
			for _, over := range []bool{false, true} {
				_, made := chainsOf(t, tree, ChainOptions{Over: over, Steps: 40, Calls: 20})
				if made.Written+made.Generators == 0 || made.Odd > 0 { // chat.py has coroutines alone
					t.Errorf("over %v: %+v", over, made)
				}
			}
		})
	}
}

// TestChainChanges checks the changed and gone names of a step.
func TestChainChanges(t *testing.T) {
	list, _ := chainsOf(t, recorded(t, pythons.Any(t), family), ChainOptions{Function: "outer", Over: true})
	var got []string
	for _, s := range list[0].Steps {
		got = append(got, s.Kind+" "+strings.Join(texts(s.Changed), ", ")+strings.Join(s.Gone, ","))
	}
	if want := []string{"line ", "line xs = [1]", "line xs = [1, 6]", "line n", "return "}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// TestChainsRedacted checks that no part of a chain shows a secret, even if the secret is found late.
func TestChainsRedacted(t *testing.T) {
	tree := recorded(t, pythons.Any(t), "def f(a):\n    b = a\n    password = b\n    return b\nf('correct' + '-horse')\n")
	for _, hides := range []bool{true, false} {
		var b bytes.Buffer
		o := ChainOptions{}
		if hides {
			o.Redact = redact.New(redact.Rules{Names: []*regexp.Regexp{regexp.MustCompile("password$")}})
		}
		if _, err := WriteChains(&b, tree, o); err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(b.String(), "correct-horse"); shown == hides || hides != strings.Contains(b.String(), redact.Placeholder) {
			t.Errorf("redacts %v: %s", hides, b.String())
		}
	}
}
