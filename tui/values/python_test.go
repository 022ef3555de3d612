package values

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// program prints random values and their elements, one per line.
const program = `
import collections, datetime, enum, json, pathlib, random, re, types
random.seed(7)
class Color(enum.Enum):
    RED = 1
Point = collections.namedtuple("Point", "x y")
def text():
    return "".join(random.choice("ab'\"\\[](){}<>,: =\n\t\x1b\x00é日…+1") for _ in range(random.randrange(9)))
def atom():
    return random.choice([
        lambda: random.randrange(-9, 9), lambda: random.random(), lambda: None, lambda: 1j, text, text, text,
        lambda: text().encode(), lambda: Color.RED, lambda: int, lambda: re.match(".*", text()), lambda: pathlib.PurePosixPath("/a, b"),
        lambda: datetime.date(2024, 1, 2), lambda: slice(1, 2), lambda: range(3), lambda: ...,
        lambda: types.SimpleNamespace(a=text(), b=[1]), lambda: Point(text(), (1,)), lambda: (lambda: 1),
    ])()
def value(depth):
    if depth == 0 or random.random() < .3:
        return atom()
    n = random.randrange(4)
    return random.choice([
        lambda: [value(depth - 1) for _ in range(n)],
        lambda: tuple(value(depth - 1) for _ in range(n)),
        lambda: {random.choice([text(), n, (text(), 1)]): value(depth - 1) for _ in range(n)},
        lambda: {random.choice([text(), n, (text(), 1)]) for _ in range(n)},
        lambda: collections.deque([value(depth - 1) for _ in range(n)], maxlen=9),
        lambda: collections.defaultdict(int, {text(): value(depth - 1) for _ in range(n)}),
        lambda: frozenset({text() for _ in range(n)}),
    ])()
for _ in range(3000):
    v = value(3)
    if isinstance(v, (list, tuple, set, frozenset, collections.deque, dict)) and not hasattr(v, "_fields") and len(v):
        keys = [repr(k) for k in v] if isinstance(v, dict) else []
        parts = [repr(e) for e in (v.values() if keys else v)]
        print(json.dumps([repr(v), keys, parts]))
`

// TestAgainstPython checks that the reprs that Python itself writes are parsed.
func TestAgainstPython(t *testing.T) {
	command := exec.Command(pythons.Any(t), "-c", program)
	command.Env = append(os.Environ(), "PYTHONHASHSEED=0")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	compared, wrong := 0, 0
	for line := range bytes.Lines(out) {
		var whole string
		var keys, parts []string
		if err := json.Unmarshal(line, &[]any{&whole, &keys, &parts}); err != nil {
			t.Fatal(err)
		}
		n := Parse(whole)
		ok := n.Len() == len(parts) || len(parts) == 1 && n.Len() == 0 && parts[0] == "..."
		for i := 0; ok && i < n.Len(); i++ {
			c := n.Child(i)
			ok = c.Node.Text == parts[i] && (len(keys) == 0 || c.Key == keys[i])
		}
		if compared++; !ok {
			if wrong++; wrong < 5 {
				t.Errorf("%s\n got %s\nwant %q", whole, show(n), parts)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d values were compared", compared)
	}
	if wrong > 0 {
		t.Errorf("%d of %d are taken apart otherwise", wrong, compared)
	}
}
