//go:build unix

package session_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

const nodesSource = `class Node:
    def __init__(self, v, pos):
        self.v = v
        self.pos = pos
        self.next = None

    def move(self, d):
        self.pos[0] += d
        self.v = self.v * 2
        return self.pos

a = Node(1, [0, 0])
b = Node(2, [5, 5])
a.next = b
alias = a.pos
grid = [[0] * 4 for _ in range(3)]
d = {'k': b, 3: 4, (1, 2): 'x'}
q = [a, b]
for i in range(4):
    b.move(i)
    grid[1][2] = i
    d['n'] = i
    q.append(i)
print(a.pos)
`

// TestObjectsOfThePast checks that before the live edge attributes, elements, lengths and
// identity are those of the event, in every frame.
func TestObjectsOfThePast(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			d := debug(t, python, trace.Options{Script: write(t, t.TempDir(), "nodes.py", nodesSource)})
			d.say("tbreak 24", "c", "find -r i == 2 and self.v == 8", "rs", "s")
			values := func(expr string) string {
				d.say("history " + expr)
				var texts []string
				for _, c := range d.last.Changes {
					texts = append(texts, c.New.Text)
				}
				return strings.Join(texts, " ")
			}
			if got := values("self.v"); got != "8 16" { // this frame does not see the change by move(3)
				t.Errorf("history self.v: %s", got)
			}
			for _, c := range [][2]string{
				{"p self.pos", "[8, 5]"},
				{"p self.v", "8"},
				{"p self.pos[0]", "8"},
				{"p self.pos[-1]", "5"},
				{"p len(self.pos)", "2"},
				{"p self.next is None", "True (from what was recorded)"},
				{"p self.v + 1", "9 (from what was recorded)"},
				{"whatis self", "<class '__main__.Node'> (from what was recorded)"},
				{"whatis self.pos", "<class 'list'>"},
				{"pp self", "Node(v=8, pos=[8, 5], next=None) (from what was recorded)"},
				{"p self.nope", "*** self.nope: .nope is not among the recorded attributes of Node"},
				{"up", "> "},
				{"p a.next.v", "8"},
				{"p grid[1][2]", "1"},
				{"p len(q)", "4"},
				{"p a.next is b", "True (from what was recorded)"},
				{"p alias is a.pos", "True (from what was recorded)"},
				{"p alias is b.pos", "False (from what was recorded)"},
				{"p d['k'].pos", "[8, 5]"},
				{"p d[1, 2]", "'x'"},
				{"p d['n']", "1"},
				{"p q[-1]", "1"},
				{"p d['zz']", "*** KeyError: 'zz'"},
				{"p q[9]", "*** IndexError"},
				{"p 'k' in d and 'zz' not in d", "True (from what was recorded)"},
				{"display b.v", "display b.v: 8"},
				{"last a.next.v", "a.next.v: 4 -> 8\n> "},
				{"last grid[1][2]", "grid[1][2]: 0 -> 1\n> "},
				{"last len(q)", "len(q): 3 -> 4\n> "},
				{"last b", "b: Node(v=8, pos=[6, 5], next=None) -> Node(v=8, pos=[8, 5], next=None)\n> "},
				{"last a.pos", "a.pos = [0, 0], set by\n> "},
			} {
				if got := d.say(c[0]); !strings.HasPrefix(got, c[1]) || !strings.Contains(c[1], "*** ") && !strings.HasSuffix(c[1], "> ") && strings.TrimSpace(got) != c[1] {
					t.Errorf("%s: got %q, want %q", c[0], got, c[1])
				}
			}
			if got := values("b.pos[0]"); got != "5 6 8 11" {
				t.Errorf("history b.pos[0]: %s", got)
			}
		})
	}
}

const derivedSource = `class Most(dict):
    def __len__(self):
        return 99

    def __getitem__(self, key):
        return 42

class Rows(list):
    def __contains__(self, x):
        return True

most = Most(a=1)
rows = [Rows([1, 2]), Rows()]
plain = {'a': [1]}
x = 1
y = 2
`

// TestDerivedObjectsOfThePast checks that a class derived from dict or list is not treated
// as one because of its text: its methods may behave differently.
func TestDerivedObjectsOfThePast(t *testing.T) {
	d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "derived.py", derivedSource)})
	d.say("tbreak 16", "c", "rs")
	for _, c := range [][2]string{
		{"p most", "{'a': 1}"},
		{"p len(most)", "*** len(most): "},
		{"p most['a']", "*** most['a']: "},
		{"p 'q' in most", "*** 'q' in most: most: <Most {'a': 1}> is known only as text"},
		{"p [len(r) for r in rows]", "*** [len(r) for r in rows]: rows: <Rows [[1, 2], []]> is known only as text"},
		{"p 3 in rows[0]", "*** 3 in rows[0]: "},
		{"p [len(r) for r in plain.values()]", "[1] (from recorded text)"},
		{"p len(rows)", "2"},
		{"break 14, len(most) == 1", "Breakpoint 2"},
		{"rc", "The condition len(most) == 1 of breakpoint 2 stops here: "},
	} {
		if got := d.say(c[0]); !strings.HasPrefix(got, c[1]) {
			t.Errorf("%s: got %q, want %q", c[0], got, c[1])
		}
	}
}

// TestWatchObjects checks that watchpoints on attributes and elements stop at the same
// events live and in the recording.
func TestWatchObjects(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			script := write(t, t.TempDir(), "nodes.py", nodesSource)
			for expr, want := range map[string]string{
				"b.pos":                        "[5, 5] -> [6, 5]|[6, 5] -> [8, 5]|[8, 5] -> [11, 5]",
				"d['n']":                       "no value -> 0|0 -> 1|1 -> 2|2 -> 3",
				"a.next.v, a.next.v > 10":      "8 -> 16|16 -> 32",
				"len(q)":                       "2 -> 3|3 -> 4|4 -> 5|5 -> 6",
				"grid[1][2]":                   "0 -> 1|1 -> 2|2 -> 3",
				"alias":                        "",
				"a.next is b and b.v > len(q)": "False -> True",
			} {
				d := debug(t, python, trace.Options{Script: script})
				d.say("advance 19", "watch "+expr)
				from := d.s.Position()
				check := func(what string, said []string) {
					t.Helper()
					for i, s := range said {
						_, s, _ = strings.Cut(s, ": ")
						_, s, _ = strings.Cut(s, ": ")
						said[i], _, _ = strings.Cut(s, ", by ")
					}
					if got := strings.Join(said, "|"); got != want {
						t.Errorf("%s %s: got %q, want %q", what, expr, got, want)
					}
				}
				live, said := d.stops("c")
				check("live", said)
				d.say("goto " + strconv.Itoa(from.Event))
				again, said := d.stops("c")
				check("recorded", said)
				if !slices.Equal(live, again) {
					t.Errorf("%s: live at %v, recorded at %v", expr, live, again)
				}
			}
		})
	}
}

// TestMissingKeysOfThePast checks that a missing key of a Counter or a defaultdict, which
// has a value, is refused without a KeyError.
func TestMissingKeysOfThePast(t *testing.T) {
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			path := write(t, t.TempDir(), "keys.py", "import collections\ndef f(c, df, d):\n    a = 1\n    a = 2\n"+
				"f(collections.Counter('ab'), collections.defaultdict(list), {'k': object()})\n")
			d := debug(t, p, trace.Options{Script: path})
			d.say("b 4", "c", "rs")
			for _, c := range [][2]string{
				{"p c['zz']", "*** c['zz']: "},
				{"p df['q']", "*** df['q']: "},
				{"p c['a']", "1"},
				{"p 'zz' in c", "False"},
				{"p d['x']", "*** KeyError: 'x'"},
			} {
				if got := d.say(c[0]); !strings.HasPrefix(got, c[1]) {
					t.Errorf("%s: got %q, want %q", c[0], got, c[1])
				}
			}
		})
	}
}
