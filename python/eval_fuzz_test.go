package python_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/python"
)

// expected reports whether an error is of a type that the evaluator is documented to return.
func expected(err error) bool {
	var refused *python.RefusedError
	var raised *python.EvalError
	var limit *python.LimitError
	return err == nil || errors.As(err, &refused) || errors.As(err, &raised) || errors.As(err, &limit)
}

// FuzzEval checks that any expression quickly returns a value or an expected error. The repr of a
// value contains no control characters. If it is a literal, parsing it and taking its repr again
// does not change it.
func FuzzEval(f *testing.F) {
	for _, expr := range []string{
		"x + 1", "().__class__.__bases__", "'{0.__class__}'.format(x)", "[a := 1]", "f'{x!r:>{x}}'", "lambda k=x: k", "x\n", "\x00", "type(x)(x)",
		"(lambda: (yield))()", "x[1:2, ...]", "print", "{**x}", "b'\\xff'", "1 is 1", "not x", "'%s' % x", "'%(a)5.2f' % {'a': x}", "'{:{}}'.format(x, 3)",
		"x.split(',', 1)[::-1]", "sorted(x, key=lambda a: a)", "int('0x1f', 0) ** x", "round(x, -1)", "1e999 // x", "{i: j for i, *j in x if i}", "f(x)", "del x", "x += [1]",
		"range(10**30)[5:-1:3]", "x[-1:0:-1]", "complex('1+2j')", "'\\ud800'.encode()", "bytes([x])", "f'{x:=+#012_.3e}'", "format(x, '.5g')", "x in {1: 2}.items()",
		"'ab'.center(9)", "zip(x, x, strict=True)", "{*x} ^ {1}", "'a' 'b' f'{x}'", "x = {x: x}", "dict([x])", "float('-inf') % x", "divmod(x, -0.0)", "'%*.*f' % (5, 2, x)",
	} {
		f.Add(expr, "3")
		f.Add(expr, "{'a': [1, 2.5, (None,)]}")
		f.Add(expr, "'a, b'")
	}
	f.Add("x", "[inf, nan, {1, 2}, frozenset({3}), (1+infj)]")
	f.Fuzz(func(t *testing.T, expr, text string) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		here := locals("x", text)
		got, err := python.Eval(ctx, expr, here)
		if !expected(err) {
			t.Errorf("%q over %q: %v", expr, text, err)
		}
		if err == nil {
			if strings.ContainsAny(got, "\x00\x1b\n\r") {
				t.Errorf("%q over %q: a repr with control characters, %q", expr, text, got)
			}
			if again, err := python.Eval(ctx, "x", locals("x", got)); err == nil && again != got {
				t.Errorf("%q over %q: %s, read again %s", expr, text, got, again)
			}
		}
		if _, err := python.Pretty(ctx, expr, here); !expected(err) {
			t.Errorf("pp %q over %q: %v", expr, text, err)
		}
		if _, _, err := python.Assign(ctx, expr, here); !expected(err) {
			t.Errorf("!%q over %q: %v", expr, text, err)
		}
	})
}

// FuzzParseCall checks that any call binds to any parameters, or returns an expected error.
func FuzzParseCall(f *testing.F) {
	for _, call := range []string{"f([1, 2], n=3)", "f(_)", "f(*[1], **{'a': _})", "f(x for x in [1])", "A.b(a=_, b=2)", "f(", "f(lambda: _)", "f(1)(2)"} {
		f.Add(call, "a, /, b=2, *c, d, e=[], **g")
	}
	f.Add("f(a=1)", "a, b=x")
	f.Add("A([])", "A,*A000,*0000")
	f.Fuzz(func(t *testing.T, call, params string) {
		c, err := python.ParseCall(call)
		if !expected(err) {
			t.Errorf("%q: %v", call, err)
		}
		s, ok := python.Read([]byte("def f(" + params + "):\n    pass\n")).Function("f")
		if err != nil || !ok {
			return
		}
		bound, missing, err := c.Bind(s)
		if !expected(err) {
			t.Errorf("%q to %q: %v", call, params, err)
		}
		if err == nil && len(bound) != len(s.Params) {
			t.Errorf("%q to %q: %d locals of %d parameters", call, params, len(bound), len(s.Params))
		}
		for _, i := range missing {
			if bound[i].Value != "" {
				t.Errorf("%q to %q: %s is missing and has a value", call, params, bound[i].Name)
			}
		}
	})
}
