package pasts_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/pasts"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// ask returns a question about the first function of a program. Its Run computes the calls from the
// source.
func ask(t testing.TB, source string) pasts.Question {
	t.Helper()
	p := &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: dsl.SplitLines(source)}}}
	function := python.Read([]byte(source)).Functions()[0]
	var params []string
	for _, param := range function.Params {
		params = append(params, param.Name)
	}
	run, err := pasts.ByText(p, python.Version{}, "p.py", function.Name, function.Line, params)
	if err != nil {
		t.Fatal(err)
	}
	return pasts.Question{Program: p, Line: function.Line, Run: run}
}

func returning(q pasts.Question, value string) pasts.Question {
	q.Returned = &value
	return q
}

func search(t testing.TB, q pasts.Question, o pasts.Options) pasts.Result {
	t.Helper()
	r, err := pasts.Search(t.Context(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSearch checks the first candidate for results of small functions.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		source, returned string
		want             string // the first candidate
	}{
		{"def shout(text):\n    return text.upper() + '!'\n", "'HELLO YOU!'", ""},
		{"def turn(items):\n    return items[::-1]\n", "[3, 2, 1]", "[1, 2, 3]"},
		{"def total(a, b):\n    return a * 10 + b\n", "57", ""},
		{"def swap(d):\n    return {v: k for k, v in d.items()}\n", "{'x': 1, 'y': 2}", "{1: 'x', 2: 'y'}"},
		{"def words(text):\n    return text.split('-')\n", "['ab', 'cde']", "'ab-cde'"},
		{"def size(text):\n    return len(text)\n", "5", ""},
		{"def keys(**named):\n    return list(named)\n", "['a', 'b']", ""},
		{"def most(*numbers):\n    return max(numbers)\n", "7", ""},
	} {
		q := returning(ask(t, c.source), c.returned)
		r := search(t, q, pasts.Options{Runs: 3000, MoreRuns: 300})
		if len(r.Found) == 0 {
			t.Errorf("%s nothing found after %d runs; the nearest is %v", c.source, r.Tried, r.Nearest)
			continue
		}
		if got := strings.Join(r.Found[0].Args, " "); c.want != "" && got != c.want {
			t.Errorf("%s found %s first, want %s; then %v", c.source, got, c.want, r.Found[1:min(4, len(r.Found))])
		}
		confirm(t, q, r, c.returned)
	}
}

// TestRelatedArguments checks that a search finds related arguments, and arguments that several
// operations turn into the result.
// result.
func TestRelatedArguments(t *testing.T) {
	for _, c := range []struct{ source, returned, want string }{
		{"def add(items, i, x):\n    items.insert(i, x)\n    return items\n", "[44, 34, 15, 24]", "[44, 34, 24] 2 15"},
		{"def put(d, k, v):\n    d[k] = v\n    return d\n", "{'a': 1, 'b': 2}", "{'a': 1} 'b' 2"},
		{"def join(a, b):\n    return a.join(b)\n", "'x00yy00zzz'", "'00' ['x', 'yy', 'zzz']"},
		{"def front(text, value):\n    for c in text:\n        value = c + value\n    return value\n", "'tm oajhouse'", "'jao mt' 'house'"},
		{"def last(s, c):\n    return c + '  ' + '  '.join(s.split(' ')[::-1])\n", "'*  There  Hello'", "'Hello There' '*'"},
		{"def split(s, by):\n    return s.split(by)\n", "['a', 'bc', 'd']", "'a;bc;d' ';'"},
		{"def loud(d):\n    return {k: [x.upper() for x in v] for k, v in d.items()}\n", "{'X': ['A', 'BC']}", "{'X': ['a', 'bc']}"},
		{"def wide(s):\n    return ' '.join(s[::-1])\n", "'d c b a'", "'abcd'"},
		{"def turn(s):\n    return s[2:] + s[:2]\n", "'lohel'", "'elloh'"},
		{"def text(n):\n    return str(n)\n", "'3.125'", "3.125"},
	} {
		q := returning(ask(t, c.source), c.returned)
		r := search(t, q, pasts.Options{Runs: 1500, Keep: 1500})
		if !slices.ContainsFunc(r.Found, func(f pasts.Found) bool { return strings.Join(f.Args, " ") == c.want }) {
			t.Errorf("%s%s is not among the %d found", c.source, c.want, len(r.Found))
		}
	}
}

// confirm checks that every candidate found leads to the value.
func confirm(t testing.TB, q pasts.Question, r pasts.Result, want string) {
	t.Helper()
	for _, f := range r.Found {
		outcomes, err := q.Run(context.Background(), [][]string{f.Args})
		if err != nil || outcomes[0].Value != want {
			t.Errorf("%v leads to %+v, %v; want %s", f.Args, outcomes, err, want)
		}
	}
}

// TestSearchForException checks that a search finds arguments with which a function raises an exception.
func TestSearchForException(t *testing.T) {
	q := ask(t, "def look(d, key):\n    return d[key]\n")
	raised := "KeyError('port')"
	q.Raised = &raised
	r := search(t, q, pasts.Options{Runs: 3000, MoreRuns: 200})
	if len(r.Found) == 0 {
		t.Fatalf("nothing found after %d runs", r.Tried)
	}
	if key := r.Found[0].Args[1]; key != "'port'" {
		t.Errorf("the key is %s", key)
	}
}

// TestKnownArguments checks that a search does not change known arguments.
func TestKnownArguments(t *testing.T) {
	q := returning(ask(t, "def power(base, exponent):\n    return base ** exponent\n"), "343")
	q.Known = map[string]string{"exponent": "3"}
	r := search(t, q, pasts.Options{Runs: 2000})
	if len(r.Found) != 1 || !slices.Equal(r.Found[0].Args, []string{"7", "3"}) {
		t.Errorf("found %v", r.Found)
	}
	for _, bad := range []map[string]string{{"other": "1"}, {"base": "<object>"}} {
		q.Known = bad
		if _, err := pasts.Search(t.Context(), q, pasts.Options{}); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestOtherCalls checks that a search tries and prefers arguments like those of other calls, and samples
// of a model.
func TestOtherCalls(t *testing.T) {
	const source = `def greeting(name, style):
    """
    >>> greeting('Grace Hopper', 'formal')
    'dear'
    """
    return 'dear' if len(style) == 6 else 'hi'

print(greeting('Ada Lovelace', 'casual'))
`
	q := returning(ask(t, source), "'dear'")
	q.Seen = [][]string{{"'Alan Turing'", "'polite'"}}
	q.Samples = []pasts.Sample{{Args: []string{"'Bob'", "'x'"}, Probability: 0.2}, {Args: []string{"'Eve'", "'formal'"}, Probability: 0.5}}
	r := search(t, q, pasts.Options{Runs: 5})
	got := map[string]string{}
	for _, f := range r.Found {
		got[strings.Join(f.Args, " ")] = f.From
	}
	want := map[string]string{
		"'Eve' 'formal'": "a sample of the model", "'Alan Turing' 'polite'": "another call", "'Ada Lovelace' 'casual'": "another call",
		"'Grace Hopper' 'formal'": "another call",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("found %v", got)
	}
}

// TestSearchInAnotherFile checks the search for calls of a function in a module that the program's
// script imports, and that it tries the calls that the script makes.
func TestSearchInAnotherFile(t *testing.T) {
	const script = "from lib.stats import scale\nimport lib.config\n\nlib.config.TOP = 10\nprint(scale([3, 6], 2))\n"
	const module = "from .config import UNIT\n\ndef scale(values, by):\n    return [v * by * UNIT for v in values]\n"
	p := &dsl.Program{}
	for _, f := range [][2]string{{"main.py", script}, {"lib/stats.py", module}, {"lib/config.py", "UNIT = 1\nTOP = 5\n"}} {
		p.Files = append(p.Files, dsl.SourceFile{Name: f[0], Lines: dsl.SplitLines(f[1])})
	}
	value := "[6, 12]"
	now := &dsl.Stop{
		State: dsl.State{Event: dsl.Return, Kind: dsl.Returned, File: "lib/stats.py", Line: 4, Function: "scale", Depth: 1, Value: &value},
		Stack: []dsl.Frame{{Function: "<module>", File: "main.py", Line: 5}, {Function: "scale", File: "lib/stats.py", Line: 4}},
	}
	got, err := pasts.Searcher{Version: python.Version{Major: 3, Minor: 12}}.Search(t.Context(), backend.CallSearch{Program: p, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, c := range got.List {
		s := c.Reply.Stop
		if s.File != "lib/stats.py" || s.Line != 3 || s.Stack[0].File != "main.py" {
			t.Errorf("%+v", s)
		}
		found = append(found, s.Locals[0].Value+" "+s.Locals[1].Value)
	}
	if !slices.Contains(found, "[3, 6] 2") {
		t.Errorf("%s: %q", got.Said, found)
	}
}

// TestNearest checks that a search without success reports the nearest candidate, and how many could not
// be run.
func TestNearest(t *testing.T) {
	q := returning(ask(t, "import time\ndef stamp(n):\n    if n == 7:\n        return time.time()\n    return len(str(n)) % 5\n"), "5")
	r := search(t, q, pasts.Options{Runs: 300})
	if len(r.Found) != 0 || r.Nearest == nil || r.Nearest.Outcome.Value != "4" || r.Refused == 0 {
		t.Errorf("%+v, nearest %+v", r, r.Nearest)
	}
}

// TestDeterministic checks that two searches with the same seed return the same result.
func TestDeterministic(t *testing.T) {
	q := returning(ask(t, "def f(text, n):\n    return sorted(text.lower())[n:]\n"), "['o', 'r', 't']")
	search := func(seed uint64) pasts.Result {
		r := search(t, q, pasts.Options{Runs: 1500, Seed: seed})
		r.Took = 0
		return r
	}
	if a, b := search(1), search(1); !reflect.DeepEqual(a, b) {
		t.Errorf("%+v\n%+v", a, b)
	}
	if a, b := search(1), search(2); reflect.DeepEqual(a, b) {
		t.Error("the seed makes no difference")
	}
}

// TestLongResult checks that a search works if the wanted result is too long to be an argument.
func TestLongResult(t *testing.T) {
	q := returning(ask(t, "def f(n):\n    return b'7' * n\n"), "b'"+strings.Repeat("7", 2000)+"'")
	if r := search(t, q, pasts.Options{Runs: 50}); r.Tried == 0 {
		t.Errorf("%+v", r)
	}
}

// TestEnded checks that a search returns what it has found when its context ends.
func TestEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	q := returning(ask(t, "def f(n):\n    return n % 2\n"), "1")
	run := q.Run
	q.Run = func(ctx context.Context, c [][]string) ([]backend.CallOutcome, error) {
		outcomes, err := run(ctx, c)
		cancel()
		return outcomes, err
	}
	r, err := pasts.Search(ctx, q, pasts.Options{})
	if err != nil || len(r.Found) == 0 || r.Tried == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// FuzzSearch checks that a search does not panic, for any function and wanted value.
func FuzzSearch(f *testing.F) {
	for _, source := range []string{
		"def f(a, *b, c=1, **d):\n    for i, (x, y) in enumerate(zip(a, b)):\n        d[x] = y + c\n    return [*a, d]\n",
		"def f(s: 'list[str] | None', n: int = 3):\n    '''\n    >>> f(['a'], n=2)\n    '''\n    return (lambda t: t.join(s))('-' * n)\n",
		"class A:\n    def f(self, k):\n        del self.x[k]\n        return {v: w for v, w in k.items() if v in 'ab'}\n",
	} {
		for _, value := range []string{"{'a': [1, (2.5, None)]}", "'a b,c'", "-3", "{1, 2}", "True", "[[], {}]", "<object>"} {
			f.Add(source, value)
		}
	}
	f.Fuzz(func(t *testing.T, source, value string) {
		p := &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: dsl.SplitLines(source)}}}
		run := func(_ context.Context, candidates [][]string) ([]backend.CallOutcome, error) {
			outcomes := make([]backend.CallOutcome, len(candidates))
			for i, c := range candidates {
				outcomes[i].Value = strings.Join(c, "")
			}
			return outcomes, nil
		}
		for _, function := range python.Read([]byte(source)).Functions() {
			q := pasts.Question{Program: p, Line: function.Line, Returned: &value, Run: run}
			_, _ = pasts.Search(t.Context(), q, pasts.Options{Runs: 300})
		}
	})
}
