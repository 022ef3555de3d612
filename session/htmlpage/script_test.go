package htmlpage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace"
)

// programs are recorded and shown by the tests of the script. Each has something that the page must get right.
var programs = map[string]string{
	"generators": `
def count(n):
    for i in range(n):
        got = yield i
        if got:
            n += 1

def chain():
    yield from count(2)
    yield from (x * x for x in range(3))

import asyncio
async def child(n):
    await asyncio.sleep(0)
    return n

async def main():
    return await asyncio.gather(child(1), child(2))

total = 0
for x in chain():
    total += x
g = count(5)
next(g)
g.send(True)
g.close()
print(asyncio.run(main()))
`,
	"aliases": `
class Node:
    def __init__(self, name):
        self.name, self.links = name, []

class Shown(Node):
    def __repr__(self):
        return f'<{self.name}>'

class Asked:
    def __init__(self): self.x = 1
    def __repr__(self):
        y = str(self.x)
        return y

def grow(node, box):
    node.links.append(len(node.links))
    box['n'] = node
    box.setdefault('all', []).append('é\u2028𝒳' * 3)
    return box

def outer():
    n = 0
    def inner():
        nonlocal n
        n += 1
        return n
    inner(); inner()
    return n

root, box = Node('a'), {}
own, asked = Shown('b'), Asked()
both = [root, own, box, asked]
for i in range(4):
    grow(root, box)
    grow(own, box)
    asked.x += i
outer()
del root
root = 'again' * 40
root += '!'
big = list(range(2000))
big[5] = -1
global_counter = 0
def bump():
    global global_counter
    global_counter += 1
    print('é', global_counter, end=' ')
for _ in range(3):
    bump()
`,
	"raises": `
class Close:
    def __enter__(self): return self
    def __exit__(self, *exc): return False

def deep(n):
    if n == 0:
        raise ValueError('bottom <script>')
    return deep(n - 1)

def safe():
    try:
        deep(2)
    except ValueError as e:
        return str(e)

print(safe())
with Close():
    deep(3)
`,
}

// record runs a program to its end.
func record(t *testing.T, text string) *trace.Recording {
	t.Helper()
	rec, landing := begin(t, text)
	finish(t, rec, landing)
	return rec
}

func begin(t *testing.T, text string) (*trace.Recording, trace.Landing) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o := trace.Options{Python: pythons.Any(t), Script: path, Dir: filepath.Dir(path), Reprs: trace.ReprsAsked}
	rec, landing, err := trace.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return rec, landing
}

func finish(t *testing.T, rec *trace.Recording, landing trace.Landing) {
	t.Helper()
	var err error
	for !landing.End {
		if landing, err = rec.Advance(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
}

// shown returns the script's own view of a recording: a function that calls one of the test's.
func shown(t *testing.T, d *data) func(call string, args ...any) any {
	t.Helper()
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	vm := goja.New()
	// In a function, because goja is slow with classes and constants of a script.
	if _, err := vm.RunString("(function(){" + script(scripts[:4]) + testScript + "})()"); err != nil {
		t.Fatal(err)
	}
	call := func(name string, args ...any) any {
		f, ok := goja.AssertFunction(vm.Get(name))
		if !ok {
			t.Fatalf("no function %s", name)
		}
		values := make([]goja.Value, len(args))
		for i, a := range args {
			values[i] = vm.ToValue(a)
		}
		v, err := f(goja.Undefined(), values...)
		if err != nil {
			t.Fatal(err)
		}
		return v.Export()
	}
	call("load", string(raw))
	return call
}

// testScript answers questions about all events in one text each.
const testScript = `
let rec;
const state = (i) => rec.stack(i).map((f) => {
  const code = rec.code(f.act);
  const locals = rec.locals(f.act, i).map((l) => l.name + (l.hidden ? ' (hidden)' : '') + (l.unasked ? ' ~ ' : ' = ') + l.text);
  return code.name + ':' + f.line + ' ' + rec.data.files[code.file].name + '\n  ' + locals.join('\n  ');
}).join('\n');
globalThis.load = (text) => { rec = new Recorded(JSON.parse(text)); };
globalThis.state = (i) => state(i) + '\n-> ' + (rec.returned(i) || {}).text;
globalThis.lead = (i, end, edge, move, back, breaks) => {
  const to = moved(rec, { event: i, end, fatal: false, edge }, move, back, new Set(breaks));
  return (to.end ? 'end' : to.event) + ' ' + to.why;
};
globalThis.parts = (text) => JSON.stringify(partsOf(text));
globalThis.change = (text, was) => JSON.stringify(partChanged(text, was));
globalThis.find = (text) => JSON.stringify(search(rec, text));
`

// stateText returns the text that the script must give of an event.
func stateText(rec *trace.Recording, i int) string {
	tree := rec.Tree()
	var b strings.Builder
	for _, f := range tree.Stack(i) {
		fmt.Fprintf(&b, "%s:%d %s\n  ", escape.Line(f.Function), f.Line, escape.Line(f.File))
		code := tree.Code(tree.CodeOf(f.Activation))
		var lines []string
		for _, h := range tree.Holdings(f.Activation, i) {
			text, unasked := tree.Excerpt(h.Value, i, mostChars)
			line := escape.Line(code.Names[h.Slot])
			if h.Hidden {
				line += " (hidden)"
			}
			if unasked {
				line += " ~ "
			} else {
				line += " = "
			}
			lines = append(lines, line+escape.Text(text))
		}
		b.WriteString(strings.Join(lines, "\n  ") + "\n")
	}
	value := "undefined"
	if v, ok := tree.Returned(i); ok {
		text, _ := tree.Excerpt(v, i, mostChars)
		value = escape.Text(text)
	}
	return b.String() + "-> " + value
}

// TestStates checks that the script shows the stack, all names of all frames and the value of each event
// as the tree has them, on pages of the whole recording and of parts of it.
func TestStates(t *testing.T) {
	for name, text := range programs {
		t.Run(name, func(t *testing.T) {
			rec := record(t, text)
			n := rec.Tree().Len()
			for _, o := range []Options{{}, {Most: n / 3, Last: true}, {Most: n / 2, Shown: trace.Position{Event: n / 2}}} {
				compareStates(t, rec, o)
			}
		})
	}
}

func compareStates(t *testing.T, rec *trace.Recording, o Options) {
	t.Helper()
	d := collect(rec, o)
	if o.Most > 0 && len(d.Kinds) != o.Most {
		t.Fatalf("%d events, want %d", len(d.Kinds), o.Most)
	}
	ask := shown(t, d)
	for k := range len(d.Kinds) {
		if got, want := ask("state", k), stateText(rec, d.First+k); got != want {
			t.Fatalf("%+v, event %d:\n%s\nwant\n%s", o, k, got, want)
		}
	}
}

func themesFor(t testing.TB) (dark, light *themes.Theme) {
	t.Helper()
	dark, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	if light, err = themes.Load(themes.Default, false); err != nil {
		t.Fatal(err)
	}
	return dark, light
}

func pageOf(t *testing.T, rec Recording, o Options) string {
	t.Helper()
	o.Dark, o.Light = themesFor(t)
	var b bytes.Buffer
	if err := Write(&b, rec, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
