package python

import (
	"math/big"
	"strconv"
	"strings"
)

// numberLength is the length of the number that a text begins with.
func (p *exprParser) numberLength(text string) int {
	digits := func(i int, ok func(c byte) bool) int {
		for i < len(text) && (ok(text[i]) || text[i] == '_' && i+1 < len(text) && ok(text[i+1]) && i > 0 && text[i-1] != '.') {
			i++
		}
		return i
	}
	decimal := func(c byte) bool { return c >= '0' && c <= '9' }
	n := 0
	if len(text) > 2 && text[0] == '0' && strings.ContainsRune("xXoObB", rune(text[1])) {
		n = digits(2, func(c byte) bool { return digitValue(c) < base(text[1]) })
		if n == 2 {
			p.fail("invalid %s literal", map[int]string{2: "binary", 8: "octal", 16: "hexadecimal"}[base(text[1])])
		}
	} else {
		n = digits(0, decimal)
		whole := text[:n]
		if n < len(text) && text[n] == '.' {
			n = digits(n+1, decimal)
		}
		if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
			exponent := n + 1
			if exponent < len(text) && (text[exponent] == '+' || text[exponent] == '-') {
				exponent++
			}
			if exponent < len(text) && decimal(text[exponent]) {
				n = digits(exponent, decimal)
			}
		}
		imaginary := n < len(text) && (text[n] == 'j' || text[n] == 'J')
		if imaginary {
			n++
		}
		if whole == text[:n] && whole[0] == '0' && strings.Trim(whole, "0_") != "" {
			p.fail("leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
		}
	}
	if word := nameLength(text[n:]); word > 0 || n < len(text) && decimal(text[n]) {
		switch text[n : n+word] {
		case "and", "else", "for", "if", "in", "is", "not", "or":
		default:
			p.fail("invalid decimal literal")
		}
	}
	return n
}

// base is the base that a letter after 0 stands for.
func base(letter byte) int {
	switch letter {
	case 'x', 'X':
		return 16
	case 'o', 'O':
		return 8
	}
	return 2
}

// digitValue is the value of a digit in bases up to 36, 99 for none.
func digitValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 99
}

// numberOf is the value of a number's text, without underscores.
func numberOf(text string) pyValue {
	last := text[len(text)-1]
	switch {
	case len(text) > 2 && text[0] == '0' && strings.ContainsRune("xXoObB", rune(text[1])):
		i, _ := new(big.Int).SetString(text[2:], base(text[1]))
		return boundedInt(i)
	case last == 'j' || last == 'J':
		f, _ := strconv.ParseFloat(text[:len(text)-1], 64)
		return complex(0, f)
	case strings.ContainsAny(text, ".eE"):
		f, _ := strconv.ParseFloat(text, 64) // beyond all floats: inf
		return f
	}
	if len(text) > intBits/3 {
		panic(tooLarge("a number of %d digits", len(text)))
	}
	i, _ := new(big.Int).SetString(text, 10)
	return boundedInt(i)
}

func boundedInt(i *big.Int) *big.Int {
	if i.BitLen() > intBits {
		panic(tooLarge("a number of %d bits", i.BitLen()))
	}
	return i
}
