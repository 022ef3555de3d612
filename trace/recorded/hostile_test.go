package recorded

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/python/evaltest"
)

// What asks for too much ends with a LimitError; the next question is answered.
func TestEvalIsBounded(t *testing.T) {
	tests := []struct {
		name, expr string
		locals     []dsl.Local
	}{
		{"a text", "'a' * 10**12", nil},
		{"a list", "[0] * 10**12", nil},
		{"a number", "10**10**10", nil},
		{"a number's digits", "str(1 << 10**9)", nil},
		{"a loop", "sum(range(10**13))", nil},
		{"loops in loops", "[[[0 for i in range(10**4)] for j in range(10**4)] for k in range(10**4)]", nil},
		{"doubling", "[s := 'a'] + [s := s + s for i in range(60)]", nil},
		{"a width", "f'{1:{10**10}}'", nil},
		{"a set's text", "sorted(map(str, range(10**9)))", nil},
		{"a result", "'a' * (80 << 20)", nil},
		{"texts", "x + y", evaltest.Locals("x", "'"+strings.Repeat("a", 40<<20)+"'", "y", "'"+strings.Repeat("b", 40<<20)+"'")},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		for _, test := range tests {
			if got, err := e.Eval(patient(t), "1 + 1", nil); err != nil || got != "2" {
				t.Fatalf("before %s: got %s, %v", test.name, got, err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			got, err := e.Eval(ctx, test.expr, test.locals)
			cancel()
			var limit *python.LimitError
			if !errors.As(err, &limit) {
				t.Errorf("%s: got %.100s, %v; want a LimitError", test.name, got, err)
			}
		}
	})
}

// Texts that would break Python's parser or recursion are refused or given up;
// none of them hangs and the worker is there afterwards.
func TestEvalOfBrokenTexts(t *testing.T) {
	texts := []string{
		strings.Repeat("-", 100000) + "1", strings.Repeat("(", 100000), strings.Repeat("[", 90) + "1" + strings.Repeat(",", 3),
		strings.Repeat("1+", 50000) + "1j", "{[]: 1}", "{{}}", "'" + strings.Repeat("\\", 9999), "\x00", "\xff\xfe", "1 if 1 else 2",
		"{**{}}", "[*[1]]", "frozenset(*[1])", "frozenset({1}, **{})", "set(*[])", "-'a'", "+True", "-None", "1j+1j", "1+1", "j", "...", "0x10", "1_0",
		"lambda: 0", "__import__('os')", "[x for x in y]", "f''", "`", "", " ", "\n", "1\n2", "…", "1… +3 chars", "<a>", "\u2028",
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		for _, text := range texts {
			got, err := e.Eval(patient(t), "value", evaltest.Locals("value", text))
			var refused *python.RefusedError
			var limit *python.LimitError
			var died *WorkerError
			accepted := map[string]string{"0x10": "16", "1_0": "10", "+True": "True"}[text]
			switch {
			case accepted != "" && got == accepted:
			case errors.As(err, &refused), errors.As(err, &limit):
			case errors.As(err, &died) && len(text) > 50000: // a parser may overflow its stack
			default:
				t.Errorf("%.40q: got %.100s, %v", text, got, err)
			}
			if got, err := e.Eval(patient(t), "value", evaltest.Locals("value", "1")); err != nil || got != "1" {
				t.Fatalf("after %.40q: got %s, %v", text, got, err)
			}
		}
	})
}

// Expressions over random text never leave the four ways to answer.
func FuzzEval(f *testing.F) {
	for _, expr := range []string{
		"x + 1", "().__class__.__bases__", "'{0.__class__}'.format(x)", "[a := 1]", "f'{x!r:>{x}}'", "lambda k=x: k", "x\n", "\x00", "type(x)(x)",
		"(lambda: (yield))()", "x[1:2, ...]", "print", "{**x}", "b'\\xff'", "1 is 1", "not x", "'%s' % x",
	} {
		f.Add(expr, "3")
		f.Add(expr, "{'a': [1, 2.5, (None,)]}")
	}
	f.Add("x", "[inf, nan, {1, 2}, frozenset({3}), (1+infj)]")
	e := newEvaluator(f, anyPython(f))
	f.Fuzz(func(t *testing.T, expr, text string) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		got, err := e.Eval(ctx, expr, evaltest.Locals("x", text))
		var refused *python.RefusedError
		var raised *python.EvalError
		var limit *python.LimitError
		switch {
		case err == nil:
			if strings.ContainsAny(got, "\x00\x1b\n\r") {
				t.Errorf("%q over %q: a repr with control characters, %q", expr, text, got)
			}
		case errors.As(err, &refused), errors.As(err, &raised), errors.As(err, &limit):
		default:
			t.Errorf("%q over %q: %v", expr, text, err)
		}
	})
}
