package pasts

import (
	"regexp"
	"strings"
	"sync"

	"github.com/npdb/npdb/python"
)

// Words as people write them in arguments. Lists and dicts are built from them too.
var (
	words  = []string{"apple", "banana", "cherry", "orange", "grape", "lemon"}
	others = []string{"hello", "world", "python", "code", "test", "data"}
	names  = []string{"a", "b", "c", "d", "e", "f"}
)

const (
	naturalDepth = 3
	rows         = 5 // items of such a list
	entries      = 3 // entries of such a dict
)

// natural returns values of usual lengths whose types suit how the program uses the parameter and its
// items.
func natural(e *python.Evidence) (out []value) {
	best, ok := e.Best()
	if !ok {
		return nil
	}
	switch best {
	case python.StrKind:
		out = naturalTexts(e)
	case python.IntKind:
		out = ints(3, 5, 2, 10, 7)
	case python.FloatKind:
		out = floats(2.5, 3.14, 10.0)
	case python.BoolKind:
		out = []value{python.PlainBool(true), python.PlainBool(false)}
	default:
		for variant := range 4 {
			out = append(out, container(best, e, variant, naturalDepth))
		}
	}
	return out
}

// naturalTexts returns texts. Some contain the constants with which the program compares their
// characters.
func naturalTexts(e *python.Evidence) (out []value) {
	special := ""
	for _, c := range e.Elements().Equal {
		if c.Kind == python.StrKind && len(special) < 12 {
			special += c.Str
		}
	}
	if special != "" {
		out = textsOf([]string{"hello" + special + "world", special + "banana", "test" + special})
	}
	return append(out, textsOf([]string{"hello", "Hello World", "banana", "abcabc", "Python 3", "the quick fox", "12345", "test string", "AbCdEf"})...)
}

// container returns a list, tuple, set or dict of kind k. variant selects among different contents.
func container(k python.Kind, e *python.Evidence, variant, depth int) value {
	if k == python.DictKind {
		keys, ok := e.Keys().Best()
		if !ok || keys > python.TupleKind {
			keys = python.StrKind
		}
		d, _ := dict(column(keys, e.Keys(), entries, variant, depth-1), column(kindOr(e.Elements(), python.IntKind), e.Elements(), entries, variant, depth-1))
		return d
	}
	fallback := python.IntKind
	if variant%2 == 1 {
		fallback = python.StrKind
	}
	items := column(kindOr(e.Elements(), fallback), e.Elements(), rows, variant, depth-1)
	for i, c := range e.Elements().Equal {
		if i < 2 && variant < 2 {
			items[2*i+1] = c
		}
	}
	return value{Kind: k, Items: items}
}

func kindOr(e *python.Evidence, fallback python.Kind) python.Kind {
	if k, ok := e.Best(); ok {
		return k
	}
	return fallback
}

// column returns n values of kind k, for the items of a container.
func column(k python.Kind, e *python.Evidence, n, variant, depth int) []value {
	out := make([]value, n)
	numbers := [][]int64{{1, 2, 3, 4, 5, 6}, {5, 3, 8, 1, 2, 9}, {1, 2, 2, 3, 1, 4}, {10, 20, 30, 40, 50, 60}}[variant%4]
	texts := [][]string{words, names, others, {"ab", "cde", "a", "fgh", "ij", "k"}}[variant%4]
	for i := range out {
		switch k {
		case python.StrKind:
			out[i] = python.PlainStr(texts[i])
		case python.FloatKind:
			out[i] = value{Kind: k, Float: float64(numbers[i]) + 0.5}
		case python.BoolKind:
			out[i] = python.PlainBool(i%2 == 0)
		case python.ListKind, python.TupleKind, python.SetKind, python.DictKind:
			if out[i] = python.PlainInt(numbers[i]); depth > 0 {
				out[i] = container(k, e, variant+i, depth)
				out[i].Items = out[i].Items[:min(len(out[i].Items), 2+i%2)]
				out[i].Keys = out[i].Keys[:min(len(out[i].Keys), len(out[i].Items))]
			}
		default:
			out[i] = python.PlainInt(numbers[i])
		}
	}
	return out
}

// Names of parameters that usually are single characters, and of those that usually are short texts.
// Compiling the patterns takes milliseconds, and most sessions need neither.
var (
	oneCharNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(\w*_)?(c|ch|chr|char|character|letter|sep|separator|delim\w*|digit|fill\w*|symbol)\d?$`)
	})
	shortTextNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(\w*_)?(pre|prefix|suf|suff|suffix|sub|substr\w*|old\w*|new\w*|end|ending|word|chars|tag|key|ext|x|pattern|t|find|to_\w+|from_\w+)\d?$`)
	})
)

// usualLength returns the usual length of a text that is passed to a parameter of this name.
func usualLength(name string) float64 {
	switch name = strings.Trim(name, "_"); {
	case oneCharNames().MatchString(name):
		return 1
	case shortTextNames().MatchString(name):
		return 3
	}
	return usualText
}
