package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// near returns a random literal of the same kind with a similar value, which may also be equal.
func (l literal) near(rng *rand.Rand) literal {
	switch l.kind {
	case literalBool:
		return literal{kind: literalBool, word: map[string]string{"True": "False", "False": "True"}[l.word]}
	case literalInt:
		l.word = nearInt(rng, l.word)
	case literalFloat:
		l.word = nearFloat(rng, l.word)
	case literalStr, literalBytes:
		l.chars = nearChars(rng, l.chars, l.kind)
	case literalList, literalTuple, literalDict, literalSet:
		l.items = nearItems(rng, l)
	}
	return l
}

func nearInt(rng *rand.Rand, word string) string {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n > 1<<53 || n < -1<<53 { // change one digit of a large number
		digits := []byte(word)
		digits[len(digits)-1-rng.IntN(len(digits)-2)] = byte('0' + rng.IntN(10))
		return string(digits)
	}
	switch rng.IntN(8) {
	case 0, 1:
		n++
	case 2, 3:
		n--
	case 4:
		n = -n
	case 5:
		n = int64(rng.IntN(3) - 1)
	case 6:
		n += int64(rng.IntN(21) - 10)
	case 7:
		n *= 2
	}
	return strconv.FormatInt(n, 10)
}

func nearFloat(rng *rand.Rand, word string) string {
	x, _ := strconv.ParseFloat(word, 64)
	switch rng.IntN(6) {
	case 0:
		x++
	case 1:
		x--
	case 2:
		x = -x
	case 3:
		x = 0
	case 4:
		x *= 2
	case 5:
		x /= 2
	}
	if math.IsInf(x, 0) { // inf has no literal
		x = 0
	}
	return floatText(x)
}

// floatText formats a float like Python's repr: the shortest text that parses to it, with an exponent
// from 1e16 on and below 1e-4.
func floatText(x float64) string {
	short := strconv.FormatFloat(x, 'e', -1, 64)
	exponent, _ := strconv.Atoi(short[strings.IndexByte(short, 'e')+1:])
	if exponent < -4 || exponent >= 16 {
		return short
	}
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

func nearChars(rng *rand.Rand, chars []string, kind literalKind) []string {
	chars = slices.Clone(chars)
	letter := string(rune('a' + rng.IntN(26)))
	if len(chars) == 0 {
		return []string{letter}
	}
	i := rng.IntN(len(chars))
	switch rng.IntN(8) {
	case 0:
		return slices.Delete(chars, i, i+1)
	case 1:
		return slices.Insert(chars, i, chars[i])
	case 2:
		chars[i] = chars[rng.IntN(len(chars))]
	case 3:
		chars[i] = letter
	case 4:
		return append(chars, letter)
	case 5:
		slices.Reverse(chars)
	case 6:
		for k, c := range chars {
			// Escapes, and characters other than ASCII letters, stay unchanged.
			if up := strings.ToUpper(c); len(c) == 1 {
				if up == c {
					up = strings.ToLower(c)
				}
				chars[k] = up
			}
		}
	case 7:
		return chars[:i]
	}
	return chars
}

// nearItems changes a container: the value of one item, the number of items, or their
// order.
func nearItems(rng *rand.Rand, l literal) []literal {
	items, width := slices.Clone(l.items), 1
	if l.kind == literalDict {
		width = 2
	}
	what := rng.IntN(6)
	if l.kind == literalTuple && rng.IntN(8) > 0 { // programs usually expect a tuple to keep its length
		what = 0
	}
	if len(items) == 0 {
		if l.kind == literalDict || l.kind == literalTuple {
			return items
		}
		return []literal{{kind: literalInt, word: strconv.Itoa(rng.IntN(10))}}
	}
	i := width * rng.IntN(len(items)/width)
	value := i + width - 1
	switch {
	case what == 3:
		return slices.Delete(items, i, i+width)
	case what == 4 && l.kind != literalDict:
		items = append(items, items[i].near(rng))
	case what == 5 && l.kind == literalList:
		j := rng.IntN(len(items))
		items[i], items[j] = items[j], items[i]
	default:
		items[value] = items[value].near(rng)
	}
	if l.kind == literalSet {
		return withoutTwins(items)
	}
	return items
}

// withoutTwins removes the items of a set that have the same text as an earlier item.
func withoutTwins(items []literal) []literal {
	seen := map[string]bool{}
	return slices.DeleteFunc(items, func(l literal) bool {
		text := l.text()
		twin := seen[text]
		seen[text] = true
		return twin
	})
}
