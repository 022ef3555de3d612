package python_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// FuzzInterpreter runs any text as a program. It checks that each state has a line of the text, and
// that all errors are the package's own.
func FuzzInterpreter(f *testing.F) {
	for _, source := range []string{
		"", "x", "x = 1\ny = x\n", "def f(n):\n    return n and f(n - 1)\nf(3)\n",
		"for i in range(3):\n    try:\n        1 // i\n    except ZeroDivisionError as e:\n        continue\n    finally:\n        pass\n",
		"class A:\n    def __init__(self):\n        self.x = [1]\n    def __repr__(self):\n        return f'{self.x}'\na = A()\na.x.append(a.x)\n",
		"def g():\n    yield 1\n    yield from [2]\nxs = [\n    x for x in g()\n]\nwhile True:\n    break\nelse:\n    del xs\n",
		"import math\nwith open('x') as h: pass\n", "async def f(): pass\n", "match 1:\n    case x: pass\n", "lambda: (yield)\n", "d = {**{}, 'a': 1}\nd['b'], *c = 1, 2\n",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := python.ReadProgram(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: dsl.SplitLines(source)}}}, python.Version{})
		if err != nil {
			return
		}
		in, err := python.NewInterpreter(p, "p.py")
		if err != nil {
			return
		}
		defer in.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second) // for a loop without an event
		defer cancel()
		for range 200 {
			stop, exit, err := in.Next(ctx)
			var refused *python.RefusedError
			var limit *python.LimitError
			switch {
			case errors.As(err, &refused), errors.As(err, &limit), exit != nil:
				return
			case err != nil:
				t.Fatal(err)
			case stop.Line < 1 || len(stop.Stack) != stop.Depth+1:
				t.Fatalf("%+v", stop)
			}
		}
	})
}
