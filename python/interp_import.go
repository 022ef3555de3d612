package python

import (
	"math"
	"slices"
	"strings"
)

// standardModules lists modules of the standard library whose import has no event, and no effect
// that states show.
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

// imports runs an import statement. It binds a lazy import at once, which is right only if states hide
// the name both before and after the import is loaded.
func (in *Interpreter) imports(s *stmt, sc *scope) {
	name := 0
	for n, i := range s.imports {
		root, _, _ := strings.Cut(i.Module, ".")
		own := i.Level > 0 || in.owns(root)
		if i.Lazy && (own || in.version.Minor < 15) {
			panic(refused("", "a lazy import of the program's own, or before Python 3.15"))
		}
		if own {
			in.importOwn(s, n, &name, sc)
			continue
		}
		if !standardModules[root] || in.program.shadows() {
			panic(refused("", "what an import runs"))
		}
		if len(i.Names) == 0 {
			in.store(s.names[name], &module{name: i.Module}, sc)
			name++
			continue
		}
		for _, taken := range i.Names {
			if taken == "*" {
				panic(refused("", "which names an import binds"))
			}
			v := in.takenFrom(i.Module, taken)
			if i.Lazy && !hiddenValue(taken, v) { // states leave out the name until a line reads it
				panic(refused("", "a lazy import of a value"))
			}
			in.store(s.names[name], v, sc)
			name++
		}
	}
}

// takenFrom returns the value that "from module import name" binds.
func (in *Interpreter) takenFrom(module, name string) pyValue {
	switch module {
	case "__future__":
		if name == "annotations" && in.version.Minor >= 11 {
			return &imported{text: "_Feature((3, 7, 0, 'beta', 1), None, 16777216)"}
		}
	case "random":
		if as := importedAs(module, name, in.version); as.text != "" {
			return &imported{text: "<bound method Random." + name + " of <random.Random object>>"}
		}
	}
	if v, ok := in.moduleAttribute(module, name); ok {
		return v
	}
	return importedAs(module, name, in.version)
}

// shadows reports whether a file of the program has the name of a standard module. Other standard
// modules may then import that file.
func (p *Program) shadows() bool {
	return slices.ContainsFunc(p.files, func(f *sourceFile) bool {
		root, _, _ := strings.Cut(strings.TrimSuffix(f.path, ".py"), "/")
		return f.index > 0 && (standardModules[root] || startupModules[root])
	})
}

// moduleFunctions holds the functions of standard modules that the interpreter implements.
var moduleFunctions = map[string]map[string]builtinFunc{"math": mathFunctions, "heapq": heapFunctions}

// stringConstants holds the constants of the module string.
var stringConstants = map[string]string{
	"ascii_lowercase": "abcdefghijklmnopqrstuvwxyz", "ascii_uppercase": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"ascii_letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"digits":        "0123456789", "hexdigits": "0123456789abcdefABCDEF", "octdigits": "01234567",
	"punctuation": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "whitespace": " \t\n\r\v\f",
}

// moduleAttribute returns the value of module.name. ok is false if the interpreter does not
// implement it.
func (in *Interpreter) moduleAttribute(module, name string) (v pyValue, ok bool) {
	if f, ok := moduleFunctions[module][name]; ok {
		return &pyBuiltin{name, f}, true
	}
	switch module + "." + name {
	case "doctest.testmod":
		return &pyBuiltin{name, func(_ *evaluation, a *arguments) pyValue { return in.testmod(a) }}, true
	case "math.pi":
		return math.Pi, true
	case "math.e":
		return math.E, true
	case "math.tau":
		return 2 * math.Pi, true
	case "math.inf":
		return math.Inf(1), true
	case "math.nan":
		return math.NaN(), true
	case "sys.maxsize":
		return newInt(math.MaxInt64), true
	}
	if value := docOptions[name]; module == "doctest" && value > 0 {
		return newInt(value), true
	}
	text, ok := stringConstants[name]
	return pyStr(text), ok && module == "string"
}
