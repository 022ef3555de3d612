package python

import (
	"fmt"
	"slices"
	"strings"
)

// slot says which arguments of a call a parameter takes.
type slot struct {
	from  int      // of the positional ones, -1 for none; of *args the first
	names []string // of the keyword ones: one at most, but for **kwargs
}

// bindArguments finds which of a call's arguments each parameter takes: there
// are so many positional ones, and keyword ones of these names. What CPython
// raises is an *EvalError in the same words.
func bindArguments(function string, params []Param, positional int, names []string) ([]slot, error) {
	slots := make([]slot, len(params))
	place, rest, extra := 0, -1, -1
	for i, p := range params {
		slots[i].from = -1
		switch p.Kind {
		case PositionalOnly, PositionalOrKeyword:
			if place < positional {
				slots[i].from = place
			}
			place++
		case VarPositional:
			if rest >= 0 { // a def that is no Python is read all the same
				return nil, raised("SyntaxError", "* argument may appear only once")
			}
			rest = i
		case VarKeyword:
			extra = i
		}
	}
	if rest >= 0 {
		slots[rest].from = min(place, positional)
	}
	for _, name := range names {
		i := slices.IndexFunc(params, func(p Param) bool {
			return p.Name == name && (p.Kind == PositionalOrKeyword || p.Kind == KeywordOnly)
		})
		switch {
		case i < 0 && extra >= 0:
			slots[extra].names = append(slots[extra].names, name)
		case i < 0:
			return nil, unexpectedKeyword(function, params, name, names)
		case slots[i].from >= 0:
			return nil, raised("TypeError", "%s() got multiple values for argument '%s'", function, name)
		default:
			slots[i].names = []string{name}
		}
	}
	if positional > place && rest < 0 {
		return nil, tooManyPositional(function, params, slots, positional)
	}
	for _, kind := range []string{"positional", "keyword-only"} {
		var missing []string
		for i, p := range params {
			counted := p.Kind == PositionalOnly || p.Kind == PositionalOrKeyword
			if kind == "keyword-only" {
				counted = p.Kind == KeywordOnly
			}
			if counted && slots[i].from < 0 && len(slots[i].names) == 0 && !p.HasDefault {
				missing = append(missing, "'"+p.Name+"'")
			}
		}
		if len(missing) > 0 {
			return nil, raised("TypeError", "%s() missing %d required %s argument%s: %s",
				function, len(missing), kind, plural(len(missing)), listed(missing))
		}
	}
	return slots, nil
}

// listed writes 'a', 'a' and 'b', 'a', 'b', and 'c'.
func listed(words []string) string {
	switch n := len(words); n {
	case 1:
		return words[0]
	case 2:
		return words[0] + " and " + words[1]
	default:
		return strings.Join(words[:n-1], ", ") + ", and " + words[n-1]
	}
}

func unexpectedKeyword(function string, params []Param, name string, names []string) error {
	var wrong []string
	for _, p := range params {
		if p.Kind == PositionalOnly && slices.Contains(names, p.Name) {
			wrong = append(wrong, p.Name)
		}
	}
	if len(wrong) > 0 {
		return raised("TypeError", "%s() got some positional-only arguments passed as keyword arguments: '%s'",
			function, strings.Join(wrong, ", "))
	}
	return raised("TypeError", "%s() got an unexpected keyword argument '%s'", function, name)
}

func tooManyPositional(function string, params []Param, slots []slot, given int) error {
	most, fallbacks, keywordOnly := 0, 0, 0
	for i, p := range params {
		switch p.Kind {
		case PositionalOnly, PositionalOrKeyword:
			most++
			if p.HasDefault {
				fallbacks++
			}
		case KeywordOnly:
			keywordOnly += len(slots[i].names)
		}
	}
	takes, many := fmt.Sprint(most), most != 1
	if fallbacks > 0 {
		takes, many = fmt.Sprintf("from %d to %d", most-fallbacks, most), true
	}
	count := fmt.Sprint(given)
	if keywordOnly > 0 {
		count = fmt.Sprintf("%d positional argument%s (and %d keyword-only argument%s)", given, plural(given), keywordOnly, plural(keywordOnly))
	}
	suffix, was := "", "were"
	if many {
		suffix = "s"
	}
	if given == 1 && keywordOnly == 0 {
		was = "was"
	}
	return raised("TypeError", "%s() takes %s positional argument%s but %s %s given", function, takes, suffix, count, was)
}
