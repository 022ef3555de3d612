package python

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// codecs maps the supported encodings, in lower case, to the first code point that they cannot
// encode.
var codecs = map[string]rune{
	"utf-8": 0x110000, "utf8": 0x110000, "u8": 0x110000, "ascii": 0x80, "us-ascii": 0x80, "latin-1": 0x100, "latin1": 0x100,
	"iso-8859-1": 0x100,
}

// codec returns an encoding's name, and the first code point that it cannot encode.
func codec(v pyValue) (name string, limit rune) {
	if v == nil {
		return "utf-8", codecs["utf-8"]
	}
	s, ok := v.(pyStr)
	if !ok {
		panic(raised("TypeError", "argument 'encoding' must be str, not %s", typeName(v)))
	}
	name = strings.ReplaceAll(strings.ToLower(string(s)), "_", "-")
	limit, ok = codecs[name]
	if !ok {
		panic(outside(string(s), "is an encoding that is not known"))
	}
	return name, limit
}

// encode returns s.encode(encoding).
func encode(s pyStr, encoding pyValue) pyBytes {
	name, limit := codec(encoding)
	var out []byte
	i := 0
	for _, r := range s.runes() {
		switch {
		case r >= limit:
			panic(raised("UnicodeEncodeError", "'%s' codec can't encode character '%s' in position %d: ordinal not in range(%d)",
				name, escapeRune(r), i, limit))
		case r >= 0xd800 && r <= 0xdfff:
			panic(raised("UnicodeEncodeError", "'%s' codec can't encode character '%s' in position %d: surrogates not allowed",
				name, escapeRune(r), i))
		case limit > 0x100:
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, byte(r))
		}
		i++
	}
	return pyBytes(out)
}

// bytesMethods returns the methods of bytes. Most call the method of str, on a string with the
// bytes as code points.
func bytesMethods() map[string]builtinFunc {
	table := map[string]builtinFunc{
		"decode": func(_ *evaluation, a *arguments) pyValue {
			args := a.take("/self", "encoding?", "errors?")
			if args[2] != nil {
				panic(outside(".decode", "errors are not chosen"))
			}
			return decode(args[0].(pyBytes), args[1])
		},
		"hex": func(_ *evaluation, a *arguments) pyValue {
			args := a.take("/self", "sep?", "bytes_per_sep?")
			if args[1] != nil {
				panic(outside(".hex", "bytes are not separated"))
			}
			return pyStr(hex.EncodeToString([]byte(args[0].(pyBytes))))
		},
	}
	texts := strMethods()
	for _, name := range []string{
		"count", "startswith", "endswith", "find", "rfind", "index", "rindex", "split", "replace", "strip", "lstrip", "rstrip",
		"join", "lower", "upper", "capitalize", "center", "expandtabs", "isalnum", "isalpha", "isascii", "isdigit", "islower",
		"isspace", "istitle", "isupper", "ljust", "partition", "removeprefix", "removesuffix", "rjust", "rpartition", "rsplit",
		"splitlines", "swapcase", "title", "zfill",
	} {
		table[name] = func(ev *evaluation, a *arguments) pyValue {
			as := *a
			as.positional = make([]pyValue, len(a.positional))
			for i, v := range a.positional {
				as.positional[i] = asText(ev, v, name)
			}
			defer loosen()
			return asBytes(texts[name](ev, &as))
		}
	}
	return table
}

// loosen is deferred around a method of str that is called for bytes: CPython's message may name
// other types, so it marks a TypeError as loose.
func loosen() {
	e := recover()
	if err, ok := e.(*EvalError); ok && err.Type == "TypeError" {
		err.loose = true
	}
	if e != nil {
		panic(e)
	}
}

// alikeInTexts holds the methods that do not depend on what kind of character a byte is.
var alikeInTexts = map[string]bool{
	"count": true, "startswith": true, "endswith": true, "find": true, "rfind": true, "index": true, "rindex": true,
	"replace": true, "join": true, "center": true, "ljust": true, "rjust": true, "partition": true, "rpartition": true,
	"removeprefix": true, "removesuffix": true,
}

// asText converts bytes to a string with the same code points, also inside a list. A str instead of
// bytes is a TypeError.
func asText(ev *evaluation, v pyValue, name string) pyValue {
	switch v := v.(type) {
	case pyBytes:
		if !alikeInTexts[name] && (!pyStr(v).ascii() || strings.ContainsAny(string(v), "\x0b\x0c\x1c\x1d\x1e\x1f")) {
			// str has more letters, white space and line ends than bytes.
			panic(outside("."+name, "of bytes beyond ASCII, or of rare spaces, is not evaluated"))
		}
		out := make([]byte, 0, len(v))
		for i := range len(v) {
			out = utf8.AppendRune(out, rune(v[i]))
		}
		return pyStr(out)
	case pyStr:
		panic(loosely("TypeError", "a bytes-like object is required, not 'str'"))
	case *pyTuple, *pyList:
		var items []pyValue
		for item := range ev.each(v) {
			items = append(items, asText(ev, item, name))
		}
		return &pyTuple{items}
	}
	return v
}

func asBytes(v pyValue) pyValue {
	switch v := v.(type) {
	case pyStr:
		out := make([]byte, 0, len(v))
		for _, r := range v.runes() {
			out = append(out, byte(r))
		}
		return pyBytes(out)
	case *pyList:
		items := make([]pyValue, len(v.items))
		for i, item := range v.items {
			items[i] = asBytes(item)
		}
		return &pyList{items}
	case *pyTuple:
		items := make([]pyValue, len(v.items))
		for i, item := range v.items {
			items[i] = asBytes(item)
		}
		return &pyTuple{items}
	}
	return v
}

// decode returns s.decode(encoding).
func decode(s pyBytes, encoding pyValue) pyStr {
	name, limit := codec(encoding)
	if limit > 0x100 {
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(string(s[i:]))
			if r == utf8.RuneError && size == 1 {
				panic(raised("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: invalid start byte", name, s[i], i))
			}
			i += size
		}
		return pyStr(s)
	}
	var out []byte
	for i := range len(s) {
		if rune(s[i]) >= limit {
			panic(raised("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: ordinal not in range(128)", name, s[i], i))
		}
		out = utf8.AppendRune(out, rune(s[i]))
	}
	return pyStr(out)
}
