package python

import (
	"math"
	"strings"
	"unicode/utf8"
)

// joinTexts implements sep.join(values).
func joinTexts(ev *evaluation, sep pyStr, values pyValue) pyStr {
	if !iterable(values) {
		panic(raised("TypeError", "can only join an iterable"))
	}
	var b strings.Builder
	i := 0
	for item := range ev.each(values) {
		s, ok := item.(pyStr)
		if !ok {
			panic(raised("TypeError", "sequence item %d: expected str instance, %s found", i, typeName(item)))
		}
		ev.spend(len(s) + len(sep))
		if i > 0 {
			b.WriteString(string(sep))
		}
		b.WriteString(string(s))
		i++
	}
	return pyStr(b.String())
}

// strSplit implements split and rsplit.
func strSplit(fromRight bool) builtinFunc {
	return func(ev *evaluation, a *arguments) pyValue {
		args := a.take("/self", "sep?", "maxsplit?")
		s := args[0].(pyStr)
		most := math.MaxInt
		if args[2] != nil {
			if n := smallIndex(args[2]); n >= 0 {
				most = n
			}
		}
		var parts []string
		_, none := args[1].(pyNone)
		switch {
		case args[1] == nil || none:
			parts = fields(string(s), most, fromRight)
		default:
			sep := string(textArg(a, args[1]))
			if sep == "" {
				panic(raised("ValueError", "empty separator"))
			}
			parts = cut(string(s), sep, most, fromRight)
		}
		return ev.texts(parts)
	}
}

func (ev *evaluation) texts(parts []string) *pyList {
	items := make([]pyValue, len(parts))
	for i, part := range parts {
		items[i] = ev.text(part)
	}
	return ev.list(items)
}

// cut splits s at sep, at most `most` times, from the right if fromRight.
func cut(s, sep string, most int, fromRight bool) []string {
	if !fromRight {
		if most == math.MaxInt {
			most--
		}
		return strings.SplitN(s, sep, most+1)
	}
	var tail []string
	for ; most > 0; most-- {
		at := strings.LastIndex(s, sep)
		if at < 0 {
			break
		}
		tail = append(tail, s[at+len(sep):])
		s = s[:at]
	}
	tail = append(tail, s)
	for i, j := 0, len(tail)-1; i < j; i, j = i+1, j-1 {
		tail[i], tail[j] = tail[j], tail[i]
	}
	return tail
}

// fields splits s at white space at most `most` times, from the right if fromRight, like str.split
// and str.rsplit. The rest keeps its white space.
func fields(s string, most int, fromRight bool) []string {
	var parts []string
	if !fromRight {
		for s = strings.TrimLeftFunc(s, isSpace); s != ""; s = strings.TrimLeftFunc(s, isSpace) {
			end := strings.IndexFunc(s, isSpace)
			if end < 0 {
				end = len(s)
			}
			if most == 0 {
				return append(parts, s)
			}
			most--
			parts = append(parts, s[:end])
			s = s[end:]
		}
		return parts
	}
	for s = strings.TrimRightFunc(s, isSpace); s != ""; s = strings.TrimRightFunc(s, isSpace) {
		at := strings.LastIndexFunc(s, isSpace)
		begin := 0
		if at >= 0 {
			_, size := utf8.DecodeRuneInString(s[at:])
			begin = at + size
		}
		if most == 0 {
			parts = append(parts, s)
			break
		}
		most--
		parts = append(parts, s[begin:])
		s = s[:begin]
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return parts
}

func strSplitlines(ev *evaluation, a *arguments) pyValue {
	args := a.take("/self", "keepends?")
	if args[1] != nil {
		if _, ok := toInt(args[1]); !ok {
			panic(outside("splitlines", "its argument must be an int, and from 3.13 on any value"))
		}
	}
	return ev.texts(splitLines(string(args[0].(pyStr)), args[1] != nil && truth(args[1])))
}

// splitLines splits s at the line boundaries of str.splitlines.
func splitLines(s string, keepEnds bool) []string {
	var lines []string
	for s != "" {
		at := strings.IndexFunc(s, isLineEnd)
		if at < 0 {
			return append(lines, s)
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		if strings.HasPrefix(s[at:], "\r\n") {
			size = 2
		}
		if keepEnds {
			lines = append(lines, s[:at+size])
		} else {
			lines = append(lines, s[:at])
		}
		s = s[at+size:]
	}
	return lines
}

func strPartition(last bool) builtinFunc {
	return func(_ *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		s, sep := string(args[0].(pyStr)), string(textArg(a, args[1]))
		if sep == "" {
			panic(raised("ValueError", "empty separator"))
		}
		at := strings.Index(s, sep)
		if last {
			at = strings.LastIndex(s, sep)
		}
		switch {
		case at >= 0:
			return newTuple(pyStr(s[:at]), pyStr(sep), pyStr(s[at+len(sep):]))
		case last:
			return newTuple(pyStr(""), pyStr(""), pyStr(s))
		}
		return newTuple(pyStr(s), pyStr(""), pyStr(""))
	}
}

// strStrip implements strip, lstrip and rstrip.
func strStrip(left, right bool) builtinFunc {
	return func(_ *evaluation, a *arguments) pyValue {
		args := a.only(1, 2)
		s := args[0].(pyStr)
		in := isSpace
		if len(args) == 2 {
			if _, none := args[1].(pyNone); !none {
				set := map[rune]bool{}
				for _, r := range textArg(a, args[1]).runes() {
					set[r] = true
				}
				in = func(r rune) bool { return set[r] }
			}
		}
		for left && s != "" {
			r, size := decodeRune(s)
			if !in(r) {
				break
			}
			s = s[size:]
		}
		for right && s != "" {
			at := len(s) - 1
			for at > 0 && s[at]&0xc0 == 0x80 {
				at--
			}
			if r, _ := decodeRune(s[at:]); !in(r) {
				break
			}
			s = s[:at]
		}
		return s
	}
}
