package python

import (
	"strings"
	"unicode"
)

// strMethods returns the methods of str. Some are implemented in eval_split.go.
func strMethods() map[string]builtinFunc {
	table := map[string]builtinFunc{
		"join": func(ev *evaluation, a *arguments) pyValue {
			args := a.only(2, 2)
			return joinTexts(ev, args[0].(pyStr), args[1])
		},
		"encode": func(_ *evaluation, a *arguments) pyValue {
			args := a.take("/self", "encoding?", "errors?")
			if args[2] != nil {
				panic(outside(".encode", "errors are not chosen"))
			}
			return encode(args[0].(pyStr), args[1])
		},
		"format":     func(ev *evaluation, a *arguments) pyValue { return ev.formatFields(a) },
		"format_map": formatMap,
		"expandtabs": func(ev *evaluation, a *arguments) pyValue {
			args := a.take("/self", "tabsize?")
			size := 8
			if args[1] != nil {
				size = smallIndex(args[1])
			}
			return ev.expandTabs(args[0].(pyStr), size)
		},
		"replace": strReplace, "zfill": strZfill,
		"removeprefix": func(_ *evaluation, a *arguments) pyValue {
			args := a.only(2, 2)
			return pyStr(strings.TrimPrefix(string(args[0].(pyStr)), string(textArg(a, args[1]))))
		},
		"removesuffix": func(_ *evaluation, a *arguments) pyValue {
			args := a.only(2, 2)
			return pyStr(strings.TrimSuffix(string(args[0].(pyStr)), string(textArg(a, args[1]))))
		},
		"count": strCount, "startswith": affix(true), "endswith": affix(false),
		"find": strFind(false, false), "rfind": strFind(true, false), "index": strFind(false, true), "rindex": strFind(true, true),
		"split": strSplit(false), "rsplit": strSplit(true), "splitlines": strSplitlines,
		"partition": strPartition(false), "rpartition": strPartition(true),
		"strip": strStrip(true, true), "lstrip": strStrip(true, false), "rstrip": strStrip(false, true),
		"center": strJustify, "ljust": strJustify, "rjust": strJustify,
	}
	for name, f := range map[string]func(s pyStr) pyStr{
		"upper": func(s pyStr) pyStr { return s.mapRunes(upperRune) },
		"lower": pyStr.lower,
		"casefold": func(s pyStr) pyStr {
			return pyStr(strings.ReplaceAll(string(s.mapRunes(lowerRune)), "ß", "ss"))
		},
		"swapcase": func(s pyStr) pyStr {
			return s.mapRunes(func(r rune) string {
				switch {
				case unicode.IsUpper(r):
					return lowerRune(r)
				case isLower(r):
					return upperRune(r)
				}
				return string(appendRune(nil, r))
			})
		},
		"title": pyStr.title,
		"capitalize": func(s pyStr) pyStr {
			if s == "" {
				return s
			}
			r, size := decodeRune(s)
			return pyStr(titleRune(r)) + s[size:].lower()
		},
	} {
		table[name] = func(ev *evaluation, a *arguments) pyValue {
			return ev.text(string(f(a.only(1, 1)[0].(pyStr))))
		}
	}
	for name, f := range map[string]func(r rune) bool{
		"isdigit": func(r rune) bool {
			return unicode.Is(unicode.Nd, r) || strings.ContainsRune("²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", r)
		},
		"isdecimal":   func(r rune) bool { return unicode.Is(unicode.Nd, r) },
		"isnumeric":   unicode.IsNumber,
		"isalpha":     unicode.IsLetter,
		"isalnum":     func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) },
		"isspace":     isSpace,
		"isprintable": isPrintable,
	} {
		table[name] = func(_ *evaluation, a *arguments) pyValue {
			s := a.only(1, 1)[0].(pyStr)
			return s.all(f) || name == "isprintable" && s == ""
		}
	}
	for name, f := range map[string]func(s pyStr) bool{
		"isascii":      pyStr.ascii,
		"isupper":      func(s pyStr) bool { return s.someCased(unicode.IsUpper) },
		"islower":      func(s pyStr) bool { return s.someCased(isLower) },
		"istitle":      pyStr.isTitle,
		"isidentifier": func(s pyStr) bool { return s != "" && nameLength(string(s)) == len(s) },
	} {
		table[name] = func(_ *evaluation, a *arguments) pyValue { return f(a.only(1, 1)[0].(pyStr)) }
	}
	return table
}

func isLower(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }

// someCased reports whether s contains cased characters, and f is true for all of them.
func (s pyStr) someCased(f func(r rune) bool) bool {
	some := false
	for len(s) > 0 {
		r, size := decodeRune(s)
		if isCased(r) {
			if !f(r) {
				return false
			}
			some = true
		}
		s = s[size:]
	}
	return some
}

func (s pyStr) title() pyStr {
	runes := s.runes()
	var b strings.Builder
	cased := false
	for i, r := range runes {
		switch {
		case !cased:
			b.WriteString(titleRune(r))
		case r == 'Σ' && finalSigma(runes, i):
			b.WriteRune('ς')
		default:
			b.WriteString(lowerRune(r))
		}
		cased = isCased(r)
	}
	return pyStr(b.String())
}

func (s pyStr) isTitle() bool {
	some, cased := false, false
	for _, r := range s.runes() {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			if cased {
				return false
			}
			some, cased = true, true
		case isLower(r):
			if !cased {
				return false
			}
			some = true
		default:
			cased = false
		}
	}
	return some
}

// textArg returns an argument that must be a str.
func textArg(a *arguments, v pyValue) pyStr {
	s, ok := v.(pyStr)
	if !ok {
		panic(loosely("TypeError", "%s() argument must be str, not %s", strings.TrimPrefix(a.name, "str."), typeName(v)))
	}
	return s
}

func strReplace(ev *evaluation, a *arguments) pyValue {
	args := a.take("/self", "/old", "/new", "count?")
	s, from, to := args[0].(pyStr), textArg(a, args[1]), textArg(a, args[2])
	n := -1
	if args[3] != nil {
		n = smallIndex(args[3])
	}
	hits := strings.Count(string(s), string(from))
	if from == "" {
		hits = s.length() + 1
	}
	if n >= 0 {
		hits = min(hits, n)
	}
	if len(to) > 0 && hits > memoryLimit/len(to) {
		panic(tooLarge("more than %d MiB of memory", memoryLimit>>20))
	}
	ev.spend(len(s) + hits*len(to))
	if from != "" {
		return pyStr(strings.Replace(string(s), string(from), string(to), n))
	}
	var b strings.Builder
	for range hits - 1 {
		_, size := decodeRune(s)
		b.WriteString(string(to) + string(s[:size]))
		s = s[size:]
	}
	if hits > 0 {
		b.WriteString(string(to))
	}
	b.WriteString(string(s))
	return pyStr(b.String())
}

func strCount(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 4)
	s, part := args[0].(pyStr), textArg(a, args[1])
	s, _, ok := ev.within(s, args[2:])
	if !ok {
		return newInt(0)
	}
	if part == "" {
		return newInt(s.length() + 1)
	}
	return newInt(strings.Count(string(s), string(part)))
}

// within returns the part of s between optional start and stop arguments, and the index where the
// part begins. ok is false if start is after stop or after the end of s.
func (ev *evaluation) within(s pyStr, args []pyValue) (part pyStr, start int, ok bool) {
	if len(args) == 0 {
		return s, 0, true
	}
	size := s.length()
	start, stop := bounds(args, size)
	if from, isInt := toInt(args[0]); isInt && from.Cmp(newInt(size)) > 0 || start > stop {
		return "", 0, false
	}
	return ev.slice(s, newRange(newInt(start), newInt(stop), newInt(1))).(pyStr), start, true
}

// affix implements startswith and endswith.
func affix(front bool) builtinFunc {
	return func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 4)
		s, _, ok := ev.within(args[0].(pyStr), args[2:])
		has := func(v pyValue) bool {
			part, isText := v.(pyStr)
			if !isText {
				panic(raised("TypeError", "%s first arg must be str or a tuple of str, not %s", strings.TrimPrefix(a.name, "str."), typeName(v)))
			}
			if front {
				return ok && strings.HasPrefix(string(s), string(part))
			}
			return ok && strings.HasSuffix(string(s), string(part))
		}
		t, isTuple := args[1].(*pyTuple)
		if !isTuple {
			return has(args[1])
		}
		for _, item := range t.items {
			if _, isText := item.(pyStr); !isText {
				panic(raised("TypeError", "tuple for %s must only contain str, not %s", strings.TrimPrefix(a.name, "str."), typeName(item)))
			}
			if has(item) {
				return true
			}
		}
		return false
	}
}

// strFind implements find, rfind, index and rindex.
func strFind(last, must bool) builtinFunc {
	return func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 4)
		part := string(textArg(a, args[1]))
		in, start, ok := ev.within(args[0].(pyStr), args[2:])
		s, at := string(in), -1
		switch {
		case ok && last:
			at = strings.LastIndex(s, part)
		case ok:
			at = strings.Index(s, part)
		}
		if at < 0 {
			if must {
				what := "substring"
				if strings.HasPrefix(a.name, "bytes.") {
					what = "subsection"
				}
				panic(raised("ValueError", "%s not found", what))
			}
			return newInt(-1)
		}
		return newInt(start + in[:at].length())
	}
}

// strJustify implements center, ljust and rjust.
func strJustify(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 3)
	s := args[0].(pyStr)
	width := smallIndex(args[1])
	fill := pyStr(" ")
	if len(args) == 3 {
		fill = textArg(a, args[2])
		if fill.length() != 1 {
			panic(raised("TypeError", "The fill character must be exactly one character long"))
		}
	}
	pad := width - s.length()
	if pad <= 0 {
		return s
	}
	if pad > memoryLimit/4 {
		panic(tooLarge("more than %d MiB of memory", memoryLimit>>20))
	}
	ev.spend(len(s) + pad*len(fill))
	left := 0
	switch a.name[strings.IndexByte(a.name, '.')+1:] {
	case "center":
		left = pad/2 + pad&width&1
	case "rjust":
		left = pad
	}
	return pyStr(strings.Repeat(string(fill), left)) + s + pyStr(strings.Repeat(string(fill), pad-left))
}

func strZfill(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	s := args[0].(pyStr)
	pad := smallIndex(args[1]) - s.length()
	if pad <= 0 {
		return s
	}
	if pad > memoryLimit {
		panic(tooLarge("more than %d MiB of memory", memoryLimit>>20))
	}
	ev.spend(len(s) + pad)
	sign := pyStr("")
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = s[:1], s[1:]
	}
	return sign + pyStr(strings.Repeat("0", pad)) + s
}

func (ev *evaluation) expandTabs(s pyStr, size int) pyStr {
	var b strings.Builder
	column := 0
	for _, r := range s.runes() {
		switch r {
		case '\t':
			if size > 0 {
				n := size - column%size
				ev.spend(n)
				b.WriteString(strings.Repeat(" ", n))
				column += n
			}
			continue
		case '\n', '\r':
			column = -1
		}
		b.Write(appendRune(nil, r))
		column++
	}
	return pyStr(b.String())
}
