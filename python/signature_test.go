package python

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

const signatureSource = `
import functools

def plain(a, b=1, *args, c, d="x", **kwargs): pass
def positional(a, /, b, *, c=(1,
                              2)): pass
async def waits(x: int = 3) -> "str": await x
def generates(n: list[int]):
    for i in range(n):
        yield i

def delegates(): return (yield from generates(3))
def not_a_generator():
    f = lambda: (yield)
    def inner():
        yield 1
    return f, inner

class Account:
    def pay(self, amount=lambda x, y=2: (x, y), *, to={"a": [1]}): pass
    @staticmethod
    def make(*args): pass
    class Inner:
        async def deep(self):
            yield 1

@functools.wraps(
    plain
)
def plain(second, /): pass
`

func describe(s Signature) string {
	var b strings.Builder
	b.WriteString(s.QualName + "(")
	for i, p := range s.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.Name + ": " + p.Kind.String())
		if p.HasDefault {
			b.WriteString(" = " + p.Default)
		}
	}
	b.WriteString(")")
	for text, is := range map[string]bool{" generator": s.Generator, " async": s.Async, " of " + s.Class: s.Method} {
		if is && text != " async" {
			b.WriteString(text)
		}
	}
	if s.Async {
		b.WriteString(" async")
	}
	return b.String()
}

func TestSignatures(t *testing.T) {
	want := []string{
		`plain(a: positional or keyword, b: positional or keyword = 1, args: variadic positional, c: keyword-only, d: keyword-only = "x", kwargs: variadic keyword)`,
		"positional(a: positional-only, b: positional or keyword, c: keyword-only = (1,\n                              2))",
		`waits(x: positional or keyword = 3) async`,
		`generates(n: positional or keyword) generator`,
		`delegates() generator`,
		`not_a_generator()`,
		`not_a_generator.<locals>.inner() generator`,
		`Account.pay(self: positional or keyword, amount: positional or keyword = lambda x, y=2: (x, y), to: keyword-only = {"a": [1]}) of Account`,
		`Account.make(args: variadic positional) of Account`,
		`Account.Inner.deep(self: positional or keyword)`,
		`plain(second: positional-only)`,
	}
	var got []string
	for _, f := range Read([]byte(signatureSource)).Functions() {
		if f.QualName == "Account.Inner.deep" {
			if !f.Async || !f.Generator || !f.Method || f.Class != "Account.Inner" {
				t.Errorf("got %+v", f)
			}
			f.Async, f.Generator, f.Method = false, false, false
		}
		got = append(got, describe(f))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFunctionByName(t *testing.T) {
	s := Read([]byte(signatureSource))
	for name, line := range map[string]int{"plain": 27, "Account.pay": 20, "pay": 20, "Inner.deep": 24, "deep": 24, "inner": 15} {
		if f, ok := s.Function(name); !ok || f.Line != line {
			t.Errorf("%s: got %v %+v, want line %d", name, ok, f.Function, line)
		}
	}
	for _, name := range []string{"", "Account", "ay", "nothing"} {
		if f, ok := s.Function(name); ok {
			t.Errorf("%q: got %+v, want none", name, f.Function)
		}
	}
}

// inspectScript is a Python program. Its arguments are modules; it prints the parameters of their
// functions, as the module inspect returns them.
const inspectScript = `
import importlib, inspect, json, sys
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    found = {}
    for f in vars(module).values():
        members = vars(f).values() if inspect.isclass(f) else [f]
        for f in members:
            if inspect.isfunction(f) and f.__module__ == name and not hasattr(f, "__wrapped__") and "<" not in f.__code__.co_filename:
                params = [[p.name, p.kind.description, p.default is not p.empty] for p in inspect.signature(f).parameters.values()]
                found[f"{f.__qualname__}:{f.__code__.co_firstlineno}"] = [params, inspect.isgeneratorfunction(f) or inspect.isasyncgenfunction(f)]
    print(json.dumps({"file": module.__file__, "found": found}))
`

func TestSignaturesAgreeWithInspect(t *testing.T) {
	interpreters := pythons.Between(t, 10, 14)
	args := []string{
		"-I", "-c", inspectScript, "argparse", "ast", "asyncio.tasks", "calendar", "configparser", "contextlib", "csv",
		"dataclasses", "difflib", "functools", "heapq", "json.encoder", "logging", "random", "shutil", "statistics", "subprocess", "tempfile", "typing",
	}
	out, err := exec.Command(interpreters[len(interpreters)-1].Path, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for line := range strings.Lines(string(out)) {
		var module struct {
			File  string
			Found map[string][2]any
		}
		if err := json.Unmarshal([]byte(line), &module); err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(module.File)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Read(source).Functions() {
			key, _ := json.Marshal(f.Line)
			want, ok := module.Found[f.QualName+":"+string(key)]
			if !ok {
				continue
			}
			params := [][3]any{}
			for _, p := range f.Params {
				params = append(params, [3]any{p.Name, p.Kind.String(), p.HasDefault})
			}
			got, _ := json.Marshal([2]any{params, f.Generator})
			expected, _ := json.Marshal(want)
			if string(got) != string(expected) {
				t.Errorf("%s: %s:\n got %s\nwant %s", filepath.Base(module.File), f.QualName, got, expected)
			}
			compared++
		}
	}
	if compared < 500 {
		t.Errorf("%d functions compared, want some hundred", compared)
	}
}
