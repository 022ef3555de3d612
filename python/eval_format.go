package python

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// formatSpec is a parsed format specifier of the standard types.
type formatSpec struct {
	fill, align string
	sign        string
	zeroed      bool // z: write negative zero as zero
	alternate   bool // #
	width       int
	grouping    string // "", "," or "_"
	precision   int    // -1 if there is none
	kind        string // the presentation type
	padded      bool   // a 0 before the width
}

var specForm = regexp.MustCompile(specBegins + `([bcdeEfFgGnosxX%]?)$`)

// specBegin matches the part of a format specifier before the presentation type.
var specBegin = regexp.MustCompile(specBegins)

const specBegins = `(?s)^(?:(.)?([<>=^]))?([-+ ]?)(z?)(#?)(0?)(\d*)([,_]?)(?:\.(\d+))?`

// widthLimit is the largest supported width and precision.
const widthLimit = 1 << 20

// joined returns the value of an f-string.
func (ev *evaluation) joined(e *node, in *scope) pyValue {
	var b strings.Builder
	for _, part := range e.kids {
		s := ev.eval(part, in).(pyStr)
		ev.spend(len(s))
		b.WriteString(string(s))
	}
	return pyStr(b.String())
}

// field returns the formatted text of a replacement field of an f-string.
func (ev *evaluation) field(e *node, in *scope) pyValue {
	value := ev.convert(ev.eval(e.kids[0], in), e.text)
	spec := pyStr("")
	if len(e.kids) > 1 {
		spec = ev.joined(e.kids[1], in).(pyStr)
	}
	return ev.format(value, string(spec))
}

func (ev *evaluation) convert(v pyValue, conversion string) pyValue {
	switch conversion {
	case "r":
		return ev.reprText(v)
	case "s":
		return ev.str(v)
	case "a":
		return ev.text(asciiText(string(ev.reprText(v))))
	}
	return v
}

// badSpec returns the exception for an invalid format specifier.
func badSpec(v pyValue, text string) *EvalError {
	rest := text[len(specBegin.FindString(text)):]
	switch {
	case strings.ContainsAny(rest, ",_z."):
		return loosely("ValueError", "Invalid format specifier '%s' for object of type '%s'", text, typeName(v))
	case utf8.RuneCountInString(rest) == 1:
		return raised("ValueError", "Unknown format code '%s' for object of type '%s'", rest, typeName(v))
	}
	return raised("ValueError", "Invalid format specifier '%s' for object of type '%s'", text, typeName(v))
}

// format returns format(v, text), where text is the format specifier.
func (ev *evaluation) format(v pyValue, text string) pyStr {
	if text == "" {
		return ev.text(string(ev.str(v)))
	}
	switch v.(type) {
	case bool, *big.Int, float64, pyStr, complex128:
	default:
		panic(raised("TypeError", "unsupported format string passed to %s.__format__", typeName(v)))
	}
	m := specForm.FindStringSubmatch(text)
	if m == nil {
		panic(badSpec(v, text))
	}
	spec := formatSpec{
		fill: m[1], align: m[2], sign: m[3], zeroed: m[4] != "", alternate: m[5] != "", padded: m[6] != "",
		grouping: m[8], precision: -1, kind: m[10],
	}
	spec.width = limitedNumber(m[7], 0)
	spec.precision = limitedNumber(m[9], -1)
	if spec.fill == "" {
		spec.fill = " "
		if spec.padded {
			spec.fill = "0"
		}
	}
	if spec.padded && spec.align == "" && typeName(v) != "str" {
		spec.align = "="
	}
	ev.spend(spec.width + max(0, spec.precision))
	switch v := v.(type) {
	case pyStr:
		return ev.formatText(v, spec)
	case float64:
		return pyStr(formatFloat(v, spec))
	case complex128:
		panic(outside("format", "complex numbers are not formatted"))
	}
	i, _ := toInt(v)
	return pyStr(ev.formatInt(i, spec))
}

func limitedNumber(text string, otherwise int) int {
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > widthLimit {
		panic(tooLarge("a text of more than %d characters", widthLimit))
	}
	return n
}

// among reports whether the presentation type kind is one of these letters.
func among(kind, letters string) bool {
	return kind != "" && strings.Contains(letters, kind)
}

func (s formatSpec) unknown(kind string) *EvalError {
	return raised("ValueError", "Unknown format code '%s' for object of type '%s'", s.kind, kind)
}

func (ev *evaluation) formatText(s pyStr, spec formatSpec) pyStr {
	switch {
	case spec.kind != "" && spec.kind != "s":
		panic(spec.unknown("str"))
	case spec.sign == " ":
		panic(raised("ValueError", "Space not allowed in string format specifier"))
	case spec.sign != "":
		panic(raised("ValueError", "Sign not allowed in string format specifier"))
	case spec.zeroed:
		panic(raised("ValueError", "Negative zero coercion (z) not allowed in string format specifier"))
	case spec.alternate:
		panic(raised("ValueError", "Alternate form (#) not allowed in string format specifier"))
	case spec.align == "=":
		panic(raised("ValueError", "'=' alignment not allowed in string format specifier"))
	case spec.grouping != "":
		panic(raised("ValueError", "Cannot specify '%s' with 's'.", spec.grouping))
	}
	if spec.precision >= 0 && spec.precision < s.length() {
		s = ev.slice(s, newRange(newInt(0), newInt(spec.precision), newInt(1))).(pyStr)
	}
	if spec.align == "" {
		spec.align = "<"
	}
	return pyStr(spec.pad("", string(s)))
}

// pad fills a text up to the width. With the alignment "=" the fill goes between the sign and the
// digits.
func (s formatSpec) pad(sign, text string) string {
	n := s.width - pyStr(sign+text).length()
	if n <= 0 {
		return sign + text
	}
	switch s.align {
	case "<":
		return sign + text + strings.Repeat(s.fill, n)
	case "^":
		return strings.Repeat(s.fill, n/2) + sign + text + strings.Repeat(s.fill, n-n/2)
	case "=":
		return sign + strings.Repeat(s.fill, n) + text
	}
	return strings.Repeat(s.fill, n) + sign + text
}

// signOf returns the sign to write before a number.
func (s formatSpec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.sign == "-":
		return ""
	}
	return s.sign
}

// group separates groups of digits. Zeros that fill the number up to the width are grouped too.
func (s formatSpec) group(sign, digits, rest string, size int) string {
	if s.grouping == "" {
		return digits
	}
	grouped := func(d string) string {
		var parts []string
		for len(d) > size {
			parts = append([]string{d[len(d)-size:]}, parts...)
			d = d[:len(d)-size]
		}
		return strings.Join(append([]string{d}, parts...), s.grouping)
	}
	out := grouped(digits)
	for s.fill == "0" && s.align == "=" && len(sign)+len(out)+len(rest) < s.width {
		digits = "0" + digits
		out = grouped(digits)
	}
	return out
}

func (ev *evaluation) formatInt(i *big.Int, spec formatSpec) string {
	if among(spec.kind, "eEfFgG%") {
		return formatFloat(toFloat(i), spec)
	}
	switch {
	case spec.precision >= 0:
		panic(loosely("ValueError", "Precision not allowed in integer format specifier"))
	case spec.zeroed:
		panic(raised("ValueError", "Negative zero coercion (z) not allowed in format specifier with integer presentation type"))
	}
	if spec.align == "" {
		spec.align = ">"
	}
	base, prefix, size := 10, "", 3
	switch spec.kind {
	case "", "d":
	case "n":
		if spec.grouping != "" {
			panic(raised("ValueError", "Cannot specify '%s' with 'n'.", spec.grouping))
		}
	case "b":
		base, prefix, size = 2, "0b", 4
	case "o":
		base, prefix, size = 8, "0o", 4
	case "x", "X":
		base, prefix, size = 16, "0"+spec.kind, 4
	case "c":
		switch {
		case spec.sign != "":
			panic(raised("ValueError", "Sign not allowed with integer format specifier 'c'"))
		case spec.alternate:
			panic(raised("ValueError", "Alternate form (#) not allowed with integer format specifier 'c'"))
		case spec.grouping != "":
			panic(raised("ValueError", "Cannot specify '%s' with 'c'.", spec.grouping))
		case !i.IsInt64() || i.Int64() < 0 || i.Int64() > 0x10ffff:
			panic(raised("OverflowError", "%%c arg not in range(0x110000)"))
		}
		return spec.pad("", string(strOf([]rune{rune(i.Int64())})))
	default:
		panic(spec.unknown("int"))
	}
	if spec.grouping == "," && base != 10 {
		panic(raised("ValueError", "Cannot specify ',' with '%s'.", spec.kind))
	}
	if !spec.alternate {
		prefix = ""
	}
	ev.spend(i.BitLen())
	sign := spec.signOf(i.Sign() < 0) + prefix
	digits := new(big.Int).Abs(i).Text(base)
	if spec.kind == "X" {
		digits = strings.ToUpper(digits)
	}
	return spec.pad(sign, spec.group(sign, digits, "", size))
}

func formatFloat(f float64, spec formatSpec) string {
	kind, precision := spec.kind, spec.precision
	switch {
	case kind != "" && !among(kind, "eEfFgGn%"):
		panic(spec.unknown("float"))
	case kind == "n" && spec.grouping != "":
		panic(raised("ValueError", "Cannot specify '%s' with 'n'.", spec.grouping))
	}
	if spec.align == "" {
		spec.align = ">"
	}
	negative := math.Signbit(f) && f == f
	f = math.Abs(f)
	tail := ""
	if kind == "%" {
		f, tail = f*100, "%"
	}
	digits := floatDigits(f, kind, precision, spec.alternate)
	if spec.zeroed && strings.Trim(digits, "0.") == "" {
		negative = false
	}
	if among(kind, "EFG") {
		digits = strings.ToUpper(digits)
	}
	sign := spec.signOf(negative)
	end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(digits)
	}
	whole, rest := digits[:end], digits[end:]+tail
	if whole != "" {
		whole = spec.group(sign, whole, rest, 3)
	}
	return spec.pad(sign, whole+rest)
}

// floatDigits formats a float that is not negative.
func floatDigits(f float64, kind string, precision int, alternate bool) string {
	switch {
	case math.IsInf(f, 0):
		return "inf"
	case f != f:
		return "nan"
	case kind == "" && precision < 0:
		return floatText(f)
	}
	if precision < 0 {
		precision = 6
	}
	precision = min(precision, 1100) // no float has more digits before they are all zero
	switch kind {
	case "e", "E":
		text := strconv.FormatFloat(f, 'e', precision, 64)
		if alternate && precision == 0 {
			text = strings.Replace(text, "e", ".e", 1)
		}
		return text
	case "f", "F", "%":
		text := strconv.FormatFloat(f, 'f', precision, 64)
		if alternate && precision == 0 {
			text += "."
		}
		return text
	}
	return generalDigits(f, kind, precision, alternate)
}

// generalDigits formats a float with the presentation type g, or with a precision and no type.
// Without a type the result has at least one digit after the point, and exponents begin one digit
// earlier.
func generalDigits(f float64, kind string, precision int, alternate bool) string {
	if alternate && precision == 0 {
		panic(refused("#", "with a precision of 0"))
	}
	precision = max(precision, 1)
	text := strconv.FormatFloat(f, 'e', precision-1, 64)
	mantissa, exponentText, _ := strings.Cut(text, "e")
	exponent, _ := strconv.Atoi(exponentText)
	limit := precision
	if kind == "" {
		limit--
	}
	if exponent < -4 || exponent >= limit {
		if !alternate && strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return mantissa + "e" + exponentText
	}
	text = strconv.FormatFloat(f, 'f', max(0, precision-1-exponent), 64)
	if !alternate && strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if kind == "" && !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
