package python

import (
	"math"
	"math/big"
	"strings"
)

// standardModules lists modules of the standard library whose import has no event and no effect
// that a state shows.
var standardModules = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`__future__ abc argparse array ast base64 bisect calendar cmath collections copy csv
		dataclasses datetime decimal doctest enum fractions functools glob hashlib heapq inspect io itertools json logging
		math numbers operator os pathlib pickle pprint queue random re secrets shutil statistics string struct subprocess
		sys tempfile textwrap threading time timeit traceback types typing unicodedata unittest urllib uuid warnings weakref
		zlib contextlib`) {
		names[name] = true
	}
	return names
}()

// imports runs an import statement.
func (in *Interpreter) imports(s *stmt, sc *scope) {
	name := 0
	for _, i := range s.imports {
		root, _, _ := strings.Cut(i.Module, ".")
		if i.Level > 0 || !standardModules[root] {
			panic(refused("", "what an import runs"))
		}
		if len(i.Names) == 0 {
			in.store(s.names[name], &module{i.Module}, sc)
			name++
			continue
		}
		for _, taken := range i.Names {
			if taken == "*" {
				panic(refused("", "which names an import binds"))
			}
			in.store(s.names[name], in.takenFrom(i.Module, taken), sc)
			name++
		}
	}
}

// takenFrom returns what "from module import name" binds.
func (in *Interpreter) takenFrom(module, name string) pyValue {
	switch module {
	case "__future__":
		in.lazy = in.lazy || name == "annotations"
		if name == "annotations" && in.version.Minor >= 11 {
			return &imported{text: "_Feature((3, 7, 0, 'beta', 1), None, 16777216)"}
		}
	case "math", "doctest":
		return in.moduleAttribute(module, name)
	case "typing":
		if typingForms[name] {
			return &imported{text: "typing." + name}
		}
	}
	return &imported{}
}

// moduleAttribute returns module.name.
func (in *Interpreter) moduleAttribute(module, name string) pyValue {
	switch {
	case module == "doctest" && name == "testmod":
		return &pyBuiltin{name, func(_ *evaluation, a *arguments) pyValue { return in.testmod(a) }}
	case module == "doctest" && docOptions[name] > 0:
		return newInt(docOptions[name])
	}
	if module == "math" {
		switch name {
		case "pi":
			return math.Pi
		case "e":
			return math.E
		case "tau":
			return 2 * math.Pi
		case "inf":
			return math.Inf(1)
		case "nan":
			return math.NaN()
		}
		if f, ok := mathFunctions[name]; ok {
			return &pyBuiltin{name, f}
		}
	}
	panic(refused(module+"."+name, "is not computed"))
}

// mathFunctions holds the functions of math whose result does not depend on the C library.
var mathFunctions = map[string]builtinFunc{
	"sqrt": func(_ *evaluation, a *arguments) pyValue {
		x := realOf(a.only(1, 1)[0])
		if x < 0 {
			panic(refused("math.sqrt", "of a negative number")) // the message depends on the version
		}
		return math.Sqrt(x)
	},
	"fabs": func(_ *evaluation, a *arguments) pyValue { return math.Abs(realOf(a.only(1, 1)[0])) },
	"floor": func(_ *evaluation, a *arguments) pyValue {
		v := a.only(1, 1)[0]
		if i, ok := toInt(v); ok {
			return i
		}
		return wholeOf(math.Floor(realOf(v)))
	},
	"ceil": func(_ *evaluation, a *arguments) pyValue {
		v := a.only(1, 1)[0]
		if i, ok := toInt(v); ok {
			return i
		}
		return wholeOf(math.Ceil(realOf(v)))
	},
	"gcd": func(_ *evaluation, a *arguments) pyValue {
		result := new(big.Int)
		for _, v := range a.positional {
			result.GCD(nil, nil, result, new(big.Int).Abs(indexOf(v)))
		}
		return result
	},
	"isqrt": func(_ *evaluation, a *arguments) pyValue {
		i := indexOf(a.only(1, 1)[0])
		if i.Sign() < 0 {
			panic(raised("ValueError", "isqrt() argument must be nonnegative"))
		}
		return new(big.Int).Sqrt(i)
	},
	"factorial": func(ev *evaluation, a *arguments) pyValue {
		n := smallIndex(a.only(1, 1)[0])
		if n < 0 {
			panic(raised("ValueError", "factorial() not defined for negative values"))
		}
		if n > 2000 {
			panic(tooLarge("the factorial of %d", n))
		}
		return new(big.Int).MulRange(1, int64(max(n, 1)))
	},
}

// realOf returns a real number as a float.
func realOf(v pyValue) float64 {
	if !isReal(v) {
		panic(refused("math", "of what is no number"))
	}
	return floatOf(v)
}

// typingForms lists the names of typing whose text is typing.NAME.
var typingForms = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`List Dict Set FrozenSet Tuple Optional Union Callable Iterable Iterator Sequence
		Mapping Type Literal ClassVar Final DefaultDict Deque Generator
		Hashable Sized Collection MutableMapping MutableSequence`) {
		names[name] = true
	}
	return names
}()
