package python

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// codec is an encoding: its name in messages, and the first code point that it cannot encode.
type codec struct {
	name  string
	limit rune
}

// codecs maps names of the supported encodings, in lower case with "-" for "_", to the encodings.
var codecs = map[string]codec{
	"utf-8": {"utf-8", 0x110000}, "utf8": {"utf-8", 0x110000}, "u8": {"utf-8", 0x110000},
	"ascii": {"ascii", 0x80}, "us-ascii": {"ascii", 0x80},
	"latin-1": {"latin-1", 0x100}, "latin1": {"latin-1", 0x100}, "iso-8859-1": {"latin-1", 0x100},
}

// codecOf returns the encoding that an argument names; nil is the default.
func codecOf(v pyValue) codec {
	if v == nil {
		return codecs["utf-8"]
	}
	s, ok := v.(pyStr)
	if !ok {
		panic(raised("TypeError", "argument 'encoding' must be str, not %s", typeName(v)))
	}
	c, ok := codecs[strings.ReplaceAll(strings.ToLower(string(s)), "_", "-")]
	if !ok {
		panic(outside(string(s), "is an encoding that is not known"))
	}
	return c
}

// encodes reports whether the encoding has the character.
func (c codec) encodes(r rune) bool {
	return r < c.limit && (r < 0xd800 || r > 0xdfff)
}

// encode returns s.encode(encoding).
func encode(s pyStr, encoding pyValue) pyBytes {
	c := codecOf(encoding)
	var out []byte
	text := s.runes()
	for i, r := range text {
		switch {
		case !c.encodes(r):
			panic(c.cannotEncode(text, i))
		case c.limit > 0x100:
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, byte(r))
		}
	}
	return pyBytes(out)
}

// cannotEncode returns the error for the characters from i on that the encoding does not have.
func (c codec) cannotEncode(text []rune, i int) *EvalError {
	last := i
	for last+1 < len(text) && !c.encodes(text[last+1]) {
		last++
	}
	what := fmt.Sprintf("character '%s' in position %d", escapeRune(text[i]), i)
	if last > i {
		what = fmt.Sprintf("characters in position %d-%d", i, last)
	}
	why := fmt.Sprintf("ordinal not in range(%d)", c.limit)
	if c.limit > 0x100 {
		why = "surrogates not allowed"
	}
	return raised("UnicodeEncodeError", "'%s' codec can't encode %s: %s", c.name, what, why)
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
		"lower", "upper", "capitalize", "center", "expandtabs", "isalnum", "isalpha", "isascii", "isdigit", "islower",
		"isspace", "istitle", "isupper", "ljust", "partition", "removeprefix", "removesuffix", "rjust", "rpartition", "rsplit",
		"splitlines", "swapcase", "title", "zfill",
	} {
		table[name] = func(ev *evaluation, a *arguments) pyValue {
			as := arguments{name: a.name, names: a.names, named: map[string]pyValue{}}
			for i, v := range a.positional {
				if i == 1 && searches[name] {
					v = byteOf(v)
				}
				as.positional = append(as.positional, asText(v, name))
			}
			for key, v := range a.named {
				as.named[key] = asText(v, name)
			}
			defer loosen(name)
			return asBytes(texts[name](ev, &as))
		}
	}
	table["join"] = func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		return joinBytes(ev, args[0].(pyBytes), args[1])
	}
	return table
}

// searches holds the methods whose first argument may be a byte's number.
var searches = map[string]bool{"count": true, "find": true, "rfind": true, "index": true, "rindex": true}

// byteOf converts a byte's number to bytes. It returns other values unchanged.
func byteOf(v pyValue) pyValue {
	i, ok := toInt(v)
	switch {
	case !ok:
		return v
	case !i.IsUint64() || i.Uint64() > 255:
		panic(raised("ValueError", "byte must be in range(0, 256)"))
	}
	return pyBytes([]byte{byte(i.Uint64())})
}

// joinBytes implements sep.join(values).
func joinBytes(ev *evaluation, sep pyBytes, values pyValue) pyBytes {
	if !iterable(values) {
		panic(raised("TypeError", "can only join an iterable"))
	}
	var out []byte
	i := 0
	for item := range ev.each(values) {
		b, ok := item.(pyBytes)
		if !ok {
			panic(raised("TypeError", "sequence item %d: expected a bytes-like object, %s found", i, typeName(item)))
		}
		ev.spend(len(b) + len(sep))
		if i > 0 {
			out = append(out, sep...)
		}
		out = append(out, b...)
		i++
	}
	return pyBytes(out)
}

// loosen is deferred around a method of str that is called for bytes. The message of a TypeError may
// name other types in CPython, so loosen marks the error as loose.
func loosen(name string) {
	e := recover()
	if err, ok := e.(*EvalError); ok {
		switch {
		case err.Type == "TypeError":
			err.loose = true
		case err.Type == "ValueError" && strings.HasSuffix(name, "index"):
			err.Message = "subsection not found"
		}
	}
	if e != nil {
		panic(e)
	}
}

// alikeInTexts holds the methods that do not depend on what kind of character a byte is.
var alikeInTexts = map[string]bool{
	"count": true, "startswith": true, "endswith": true, "find": true, "rfind": true, "index": true, "rindex": true,
	"replace": true, "center": true, "ljust": true, "rjust": true, "partition": true, "rpartition": true,
	"removeprefix": true, "removesuffix": true,
}

// asText converts an argument of a method from bytes to a string with the same code points. A str
// instead of bytes is a TypeError.
func asText(v pyValue, name string) pyValue {
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
	case *pyTuple: // the prefixes of startswith, or the suffixes of endswith
		items := make([]pyValue, len(v.items))
		for i, item := range v.items {
			if _, ok := item.(pyBytes); !ok {
				panic(outside("."+name, "with something else than bytes in a tuple is not evaluated"))
			}
			items[i] = asText(item, name)
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
	c := codecOf(encoding)
	if c.limit > 0x100 {
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(string(s[i:]))
			if r == utf8.RuneError && size == 1 {
				err := raised("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: invalid start byte", c.name, s[i], i)
				err.loose = s[i] >= 0xc2 && s[i] <= 0xf4 // what is wrong is the bytes after it
				panic(err)
			}
			i += size
		}
		return pyStr(s)
	}
	var out []byte
	for i := range len(s) {
		if rune(s[i]) >= c.limit {
			panic(raised("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: ordinal not in range(%d)", c.name, s[i], i, c.limit))
		}
		out = utf8.AppendRune(out, rune(s[i]))
	}
	return pyStr(out)
}
