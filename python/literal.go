package python

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// numberEnd returns the end of the number at a position, and the fault of an invalid number. A
// keyword may follow the number without a space, as in "1if x else 2".
func numberEnd(text string, pos int) (end int, wrong fault) {
	start := pos
	digits := func(ok func(byte) bool) {
		for pos < len(text) && (ok(text[pos]) || text[pos] == '_') {
			pos++
		}
	}
	digits(isDigit)
	switch {
	case pos == len(text) || !isNameByte(text[pos]) && text[pos] != '.':
	case pos == start+1 && text[start] == '0' && base(text[pos]) > 0:
		letter := text[pos]
		pos++
		digits(func(c byte) bool { return isDigit(c) || digitValue(c) < base(letter) })
	default:
		if text[pos] == '.' {
			pos++
			digits(isDigit)
		}
		if pos+1 < len(text) && text[pos]|0x20 == 'e' {
			exponent := pos + 1
			if text[exponent] == '+' || text[exponent] == '-' {
				exponent++
			}
			if exponent < len(text) && isDigit(text[exponent]) {
				pos = exponent
				digits(isDigit)
			}
		}
		if pos < len(text) && text[pos]|0x20 == 'j' {
			pos++
		}
	}
	if number := text[start:pos]; len(number) > 1 && !isNumber(number) {
		return pos, faultNumber
	}
	if pos < len(text) && isNameByte(text[pos]) {
		word := pos
		for word < len(text) && isNameByte(text[word]) {
			word++
		}
		switch text[pos:word] {
		case "and", "else", "for", "if", "in", "is", "not", "or":
		default:
			return pos, faultNumber
		}
	}
	return pos, faultNone
}

// isNumber reports whether text is a valid number: there are digits around each underscore, all
// digits are valid in its base, and a decimal int has no leading 0.
func isNumber(text string) bool {
	of, digits := 10, text
	if text[0] == '0' && base(text[1]) > 0 {
		of, digits = base(text[1]), text[2:]
		if digits == "" {
			return false
		}
	}
	for i := range len(digits) {
		c := digits[i]
		switch {
		case c == '_' && (i+1 == len(digits) || digitValue(digits[i+1]) >= of || i > 0 && digitValue(digits[i-1]) >= of || i == 0 && of == 10):
			return false
		case of != 10 && c != '_' && digitValue(c) >= of:
			return false
		}
	}
	return of != 10 || text[0] != '0' || strings.Trim(text, "0_") == "" || strings.ContainsAny(text, ".eEjJ")
}

// numberComplaint returns CPython's message for an invalid number.
func numberComplaint(text string) string {
	if len(text) > 1 && text[0] == '0' && base(text[1]) > 0 {
		of := base(text[1])
		name := map[int]string{2: "binary", 8: "octal", 16: "hexadecimal"}[of]
		if i := strings.IndexFunc(text[2:], func(r rune) bool { return isDigit(byte(r)) && digitValue(byte(r)) >= of }); i >= 0 {
			return "invalid digit '" + text[2+i:3+i] + "' in " + name + " literal"
		}
		return "invalid " + name + " literal"
	}
	if text[0] == '0' && strings.Trim(text, "0_") != "" && strings.Trim(text, "0123456789_") == "" {
		return "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"
	}
	if strings.HasSuffix(text, "j") {
		return "invalid imaginary literal"
	}
	return "invalid decimal literal"
}

// base returns the base that a letter after 0 stands for, or 0.
func base(letter byte) int {
	switch letter | 0x20 {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
}

// digitValue returns the value of a digit in bases up to 36, or 99 for any other character.
func digitValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c|0x20-'a') + 10
	}
	return 99
}

// numberValue returns the value of a valid number. The error is a *LimitError.
func numberValue(text string) (pyValue, error) {
	if len(text) < 18 && strings.IndexFunc(text, func(r rune) bool { return !isDigit(byte(r)) }) < 0 {
		n, _ := strconv.ParseInt(text, 10, 64)
		return big.NewInt(n), nil
	}
	text = strings.ReplaceAll(text, "_", "")
	digits, of := text, 10
	switch last := text[len(text)-1]; {
	case len(text) > 2 && text[0] == '0' && base(text[1]) > 0:
		digits, of = text[2:], base(text[1])
	case last == 'j' || last == 'J':
		f, _ := strconv.ParseFloat(text[:len(text)-1], 64)
		return complex(0, f), nil
	case strings.ContainsAny(text, ".eE"):
		f, _ := strconv.ParseFloat(text, 64) // infinite if out of range
		return f, nil
	}
	if len(digits) > intBits/3 {
		return nil, tooLarge("a number of %d digits", len(digits))
	}
	i, _ := new(big.Int).SetString(digits, of)
	if i.BitLen() > intBits {
		return nil, tooLarge("a number of %d bits", i.BitLen())
	}
	return i, nil
}

// stringParts returns the prefix of a string literal, in lower case, and its quotes.
func stringParts(text string) (prefix, quotes string) {
	at := strings.IndexAny(text, `'"`)
	prefix, quotes = strings.ToLower(text[:at]), text[at:at+1]
	if strings.HasPrefix(text[at+1:], quotes+quotes) {
		quotes = text[at : at+3]
	}
	return prefix, quotes
}

// stringValue returns the value of a string literal without fields: a pyBytes if the prefix
// contains b, else a pyStr.
func stringValue(text string) (pyValue, error) {
	prefix, quotes := stringParts(text)
	inside := text[len(prefix)+len(quotes) : len(text)-len(quotes)]
	raw := strings.Contains(prefix, "r")
	if !strings.Contains(prefix, "b") {
		value, err := unescape(inside, raw, false)
		return pyStr(value), err
	}
	if !pyStr(inside).ascii() {
		return nil, syntaxError("bytes can only contain ASCII literal characters")
	}
	value, err := unescape(inside, raw, true)
	return pyBytes(value), err
}

// unescape returns the value of the text between a string's quotes.
func unescape(text string, raw, isBytes bool) (string, error) {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	if raw || strings.IndexByte(text, '\\') < 0 {
		return text, nil
	}
	return escapes(text, isBytes)
}

var simpleEscapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

func escapes(text string, isBytes bool) (string, error) {
	out := make([]byte, 0, len(text))
	put := func(r rune) {
		if isBytes {
			out = append(out, byte(r))
		} else {
			out = appendRune(out, r)
		}
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) { // a backslash at the end is literal: in an f-string a field follows
			out = append(out, text[i])
			continue
		}
		i++
		c := text[i]
		digits := 0
		switch {
		case c >= '0' && c <= '7':
			end := i + 1
			for end < len(text) && end < i+3 && text[end] >= '0' && text[end] <= '7' {
				end++
			}
			r, _ := strconv.ParseInt(text[i:end], 8, 32)
			put(rune(r))
			i = end - 1
			continue
		case c == '\n':
			continue
		case c == 'x':
			digits = 2
		case c == 'u' && !isBytes:
			digits = 4
		case c == 'U' && !isBytes:
			digits = 8
		case c == 'N' && !isBytes:
			return "", refused(`\N`, "names of characters are not known here")
		default:
			if simple, ok := simpleEscapes[c]; ok {
				out = append(out, simple)
			} else {
				out = append(out, '\\', c)
			}
			continue
		}
		r, err := hexEscape(text, i, digits, isBytes)
		if err != nil {
			return "", err
		}
		put(r)
		i += digits
	}
	return string(out), nil
}

// hexEscape returns the code point of a \x, \u or \U escape.
func hexEscape(text string, i, digits int, isBytes bool) (rune, error) {
	end := i + 1 + digits
	if end <= len(text) && !strings.ContainsAny(text[i+1:end], "+_") {
		if r, err := strconv.ParseUint(text[i+1:end], 16, 32); err == nil {
			if r > utf8.MaxRune {
				return 0, syntaxError("(unicode error) 'unicodeescape' codec can't decode bytes: illegal Unicode character")
			}
			return rune(r), nil
		}
	}
	if isBytes {
		return 0, syntaxError(`(value error) invalid \x escape at position %d`, i-1)
	}
	return 0, syntaxError(`(unicode error) 'unicodeescape' codec can't decode bytes in position %d: truncated \%cXX escape`, i-1, text[i])
}
