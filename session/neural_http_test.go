//go:build unix

package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npdb/npdb/backend/openai"

	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session"
)

// program writes a program's files, of which the first is debugged, and returns a walker
// on it.
func program(t *testing.T, interpreter, url string, files ...string) walker {
	t.Helper()
	dir := t.TempDir()
	w := walker{t: t, interpreter: interpreter, url: url}
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			w.path, w.source = path, []byte(files[i+1])
		}
	}
	return w
}

// ways returns a walker by nd/1, and one by chat with eight states in a reply.
func (w walker) ways() []walker {
	chats := w
	chats.dialect, chats.stops = openai.Chat, 8
	return []walker{w, chats}
}

// same walks in both modes and checks that the answers are the same and none is an error.
// It returns the states of both.
func (w *walker) same(real, neural session.Config, commands ...string) []answer {
	w.t.Helper()
	r, p := w.walk(real, commands), w.walk(neural, commands)
	for i := range r {
		why := differ(r[i], p[i])
		if p[i].Error != nil {
			why = "an error"
		}
		if why != "" {
			w.t.Fatalf("%s after %q\nreal:      %s\npredicted: %s", why, commands[:i], r[i].line, p[i].line)
		}
	}
	return p
}

const editable = `def scale(values, by=2):
    out = []
    for v in values:
        out.append(v * by)
    return out

n = 3
a = scale([1, n])
b = scale(list(a), by=n)
c = sum(b)
`

// TestNeuralCommandsAreReal checks commands that a walk of single moves does not contain:
// edits, breakpoints with conditions and counts, until, and the way back through the
// history.
func TestNeuralCommandsAreReal(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{})
	for name, commands := range map[string][]string{
		"edits":              {"n", "n", "!n = 5", "!extra = {'k': [1]}", "n", "s", "!values = [7]", "!out = 'early'", "n", "n", "n", "n", "r", "n"},
		"edits in a loop":    {"b 4", "c", "!by = 10", "!v = -1", "n", "r", "c", "c"},
		"conditions":         {"b 4, v > 1 and by in (2, 3)", "c", "p v", "cl 1", "b 5, len(out) == 2 and out[0] > 5", "c", "p out[0]", "c"},
		"conditions, back":   {"b 4, v == 1", "c", "cl 1", "c", "b 4, v == 6", "rc", "p by"},
		"counts and until":   {"b 4", "ignore 1 1", "c", "cl 1", "until", "n", "until 10", "c"},
		"back, forth, marks": {"tbreak 5", "c", "n", "back 2", "forth", "n", "rc", "rewind", "s", "rs"},
		"a frame above":      {"n", "n", "s", "s", "u", "p n", "d", "p by", "u", "n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, w := range program(t, interpreter, url, "prog.py", editable).ways() {
				w.same(w.real(), w.neural(), commands...)
			}
		})
	}
}

// TestNeuralSeveralFiles walks through a program with its own package.
func TestNeuralSeveralFiles(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{})
	all := program(t, interpreter, url,
		"main.py", "import shop.cart\nfrom shop.prices import price\n\ntotal = price('tea')\ncart = shop.cart.fill(2)\ntotal += cart\n",
		"shop/__init__.py", "name = 'shop'\n",
		"shop/cart.py", "from .prices import price\n\n\ndef fill(n):\n    total = 0\n    for i in range(n):\n        total += price('bun')\n    return total\n",
		"shop/prices.py", "TABLE = {'tea': 3, 'bun': 2}\n\n\ndef price(what):\n    return TABLE[what]\n",
		"unrelated.py", "raise SystemExit('nobody imports this')\n",
	)
	for _, w := range all.ways() {
		got := w.same(w.real(), w.neural(), "s", "s", "s", "r", "n", "n", "b shop/prices.py:5", "c", "c", "r", "rs", "rf", "cl 1", "c", "rs")
		seen := map[string]bool{}
		for _, a := range got {
			for _, f := range a.Stack {
				seen[f.File] = true
			}
		}
		for _, file := range []string{"main.py", "shop/__init__.py", "shop/cart.py", "shop/prices.py"} {
			if !seen[file] {
				t.Errorf("the walk did not come to %s: %v", file, seen)
			}
		}
	}
}

// TestNeuralEntryIsReal checks that --entry's arguments, which are bound from the text
// alone, are bound as in CPython.
func TestNeuralEntryIsReal(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{})
	const source = `import functools

LIMIT = 10

def plain(a, b=2):
    return a, b

def keywords(a, *, b, c=3):
    return a + b + c

def starred(a, *rest, **options):
    return rest

def posonly(a, /, b):
    return a - b

@functools.lru_cache(maxsize=None)
def cached(a):
    return a * 2

def traced(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner

class Shape:
    def area(self, w, h=1):
        return w * h

    @staticmethod
    def unit(w=1):
        return w

def words(text, sep=', ', table={'a': [1, (2, None)]}):
    return text.split(sep)

def outer(n):
    def inner(m):
        return m + n
    return inner(n)
`
	for _, entry := range []string{
		"plain(b=1, a='x')", "plain([1, [2, (3,)]], {'k': {4}})", "plain(-1, 2**70)",
		"keywords(1, b=2.5)", "keywords(1, b=1_000, c=0x1f)",
		"starred(1)", "starred(1, 2, None, x=4, y=b'\\xff')",
		"posonly(5, b=1 + 1)", "Shape.unit()",
		`words('a, "b"')`, `words("it's\n\x00\u1234", sep="'", table={})`, `words('''x "y" 'z' ''')`,
		"outer(3)",
	} {
		t.Run(entry, func(t *testing.T) {
			t.Parallel()
			for _, w := range program(t, interpreter, url, "prog.py", source).ways() {
				real, neural := w.real(), w.neural()
				real.Options.Entry, neural.Options.Entry = entry, entry
				w.same(real, neural, "s", "n", "rf", "r", "n")
			}
		})
	}
}

// TestNeuralCompaction checks that a text that exceeds a small window is replaced by a new
// one, that this is reported, and that the oracle knows the program's position from it.
func TestNeuralCompaction(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{Window: 1200})
	w := program(t, interpreter, url, "prog.py", "total = 0\nfor i in range(20):\n    total += i\nprint(total)\n")
	c := w.neural()
	c.Neural.Predictor = predictor(t, url, openai.ND1, 1, 128)
	answers := w.same(w.real(), c, times("n", 40)...)
	first := slices.IndexFunc(answers, func(a answer) bool { return bytes.Contains(a.line, []byte("was compacted")) })
	if first < 5 {
		t.Errorf("the text was compacted at answer %d; it was to go on for some steps before", first)
	}
}

// TestNeuralModule begins in a package, like python -m.
func TestNeuralModule(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{})
	all := program(t, interpreter, url,
		"shop/main.py", "from shop.store import goods\nimport top\ntotal = goods.cost('bun') + top.extra\n",
		"shop/store/goods.py", "PRICES = {'bun': 2}\n\ndef cost(what):\n    return PRICES[what]\n",
		"top.py", "extra = 1\n",
	)
	for _, w := range all.ways() {
		real, neural := w.real(), w.neural()
		for _, c := range []*session.Config{&real, &neural} {
			c.Options.Dir, c.Options.Script, c.Options.Module = filepath.Dir(c.Options.Dir), "", "shop.main"
		}
		w.same(real, neural, "s", "n", "r", "n", "s", "s", "n", "s", "r", "rn", "c", "rs")
	}
}

// TestNeuralPostMortemIsReal checks that neural mode stops post mortem where CPython does.
func TestNeuralPostMortemIsReal(t *testing.T) {
	interpreter, url := serveOracle(t, serve.Config{})
	const source = `def check(n):
    if n > 1:
        raise ValueError(n)
    return n

def all_of(values):
    found = []
    for v in values:
        found.append(check(v))
    return found

try:
    check(5)
except ValueError as e:
    caught = str(e)
total = all_of([0, 1, 2])
print(total)
`
	for name, commands := range map[string][]string{
		"continue":      {"c 2", "w", "p n", "c"},
		"steps":         {"s", "s", "s", "s", "s", "s", "s", "s", "n", "n", "n", "n", "n", "n", "n"},
		"over":          {"n", "n", "n", "n", "n", "n", "n", "n", "n"},
		"return":        {"b all_of", "c", "r", "r", "r", "r", "r"},
		"breakpoints":   {"b 4", "c", "c", "c", "c"},
		"and back":      {"c", "rs", "rs", "rn", "rf", "r"},
		"until its end": {"b 9", "c", "until 10", "n", "n", "n", "n"},
		"reverse-until": {"b 9", "c", "c", "cl 1", "reverse-until 6", "s", "s", "reverse-until"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, w := range program(t, interpreter, url, "prog.py", source).ways() {
				answers := w.same(w.real(), w.neural(), commands...)
				real := w.walk(w.real(), commands)
				for i := range real {
					if mark := []byte(`"post_mortem": true`); bytes.Contains(real[i].line, mark) != bytes.Contains(answers[i].line, mark) {
						t.Errorf("after %q\nreal:      %s\npredicted: %s", commands[:i], real[i].line, answers[i].line)
					}
				}
			}
		})
	}
}
