package python

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// formatFields implements str.format, with fields such as {}, {0}, {name}, {0[1]} and {x!r:>5}.
// Literals have no data attributes, so {0.name} is refused.
func (ev *evaluation) formatFields(a *arguments) pyValue {
	t := &template{ev: ev, args: a, next: 0}
	return ev.text(t.fill(string(a.positional[0].(pyStr)), 2))
}

// formatMap implements str.format_map. It looks every field name up in the mapping, even a number.
func formatMap(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	t := &template{ev: ev, args: a, mapping: args[1]}
	return ev.text(t.fill(string(args[0].(pyStr)), 2))
}

// template is a format string, and the arguments that fill its fields.
type template struct {
	ev   *evaluation
	args *arguments // the first one is the format string itself
	next int        // index of the argument for the next field without a number; -1 after a numbered field
	// mapping is the argument of format_map; nil for format.
	mapping pyValue
}

// fill replaces the fields of a format string. Format specifiers can contain fields too, up to
// depth-1 levels deep.
func (t *template) fill(text string, depth int) string {
	if depth <= 0 {
		panic(raised("ValueError", "Max string recursion exceeded"))
	}
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "{}")
		if at < 0 {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:at])
		mark, rest := text[at], text[at+1:]
		switch {
		case rest != "" && rest[0] == mark:
			b.WriteByte(mark)
			text = rest[1:]
			continue
		case mark == '}':
			panic(raised("ValueError", "Single '}' encountered in format string"))
		case rest == "":
			panic(raised("ValueError", "Single '{' encountered in format string"))
		}
		end, open := 0, 1
		for ; end < len(rest); end++ {
			if rest[end] == '{' {
				open++
			} else if rest[end] == '}' {
				if open--; open == 0 {
					break
				}
			}
		}
		if end == len(rest) {
			panic(raised("ValueError", "expected '}' before end of string"))
		}
		part := t.field(rest[:end], depth)
		t.ev.spend(len(part))
		b.WriteString(part)
		text = rest[end+1:]
	}
	return b.String()
}

var fieldForm = regexp.MustCompile(`(?s)^([^!:\[\].]*)((?:\[[^\]]*\]|\.[^!:\[.]*)*)(?:!([^:]*))?(?::(.*))?$`)

var fieldPart = regexp.MustCompile(`(?s)^\[([^\]]*)\]`)

func (t *template) field(text string, depth int) string {
	m := fieldForm.FindStringSubmatch(text)
	if m == nil {
		panic(outside("format", "the field {"+shorten(text)+"} is not understood"))
	}
	value := t.value(m[1])
	for path := m[2]; path != ""; {
		index := fieldPart.FindStringSubmatch(path)
		if index == nil {
			panic(refused("format", "the field {"+shorten(text)+"} reaches for an attribute"))
		}
		var key pyValue = pyStr(index[1])
		if i, err := strconv.Atoi(index[1]); err == nil && isDigits(index[1]) {
			key = newInt(i)
		}
		if index[1] == "" {
			panic(raised("ValueError", "Empty attribute in format string"))
		}
		value = t.ev.subscript(value, key)
		path = path[len(index[0]):]
	}
	if strings.Contains(text, "!") && len(m[3]) == 0 && !strings.Contains(m[4], "!") {
		panic(raised("ValueError", "end of string while looking for conversion specifier"))
	}
	if m[3] != "" && m[3] != "r" && m[3] != "s" && m[3] != "a" {
		panic(raised("ValueError", "Unknown conversion specifier %s", m[3]))
	}
	value, spec := t.ev.convert(value, m[3]), m[4]
	if strings.Contains(spec, "{") {
		spec = t.fill(spec, depth-1)
	}
	return string(t.ev.format(value, spec))
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// value returns the value of the field called name.
func (t *template) value(name string) pyValue {
	if t.mapping != nil {
		if name == "" || isDigits(name) {
			panic(raised("ValueError", "Format string contains positional fields"))
		}
		return t.ev.subscript(t.mapping, pyStr(name))
	}
	i := t.next
	switch {
	case name == "" && t.next < 0:
		panic(raised("ValueError", "cannot switch from manual field specification to automatic field numbering"))
	case name == "":
		t.next++
	case isDigits(name):
		if t.next > 0 {
			panic(raised("ValueError", "cannot switch from automatic field numbering to manual field specification"))
		}
		t.next = -1
		i, _ = strconv.Atoi(name)
	default:
		v, ok := t.args.named[name]
		if !ok {
			panic(raised("KeyError", "%s", t.ev.repr(pyStr(name))))
		}
		return v
	}
	if i >= len(t.args.positional)-1 {
		panic(raised("IndexError", "Replacement index %d out of range for positional args tuple", i))
	}
	return t.args.positional[i+1]
}

var percentForm = regexp.MustCompile(`(?s)^(?:\(([^()]*)\))?([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?(.)`)

// percent implements text % values.
func (ev *evaluation) percent(text pyStr, values pyValue) pyValue {
	tuple, isTuple := values.(*pyTuple)
	if !isTuple {
		tuple = newTuple(values)
	}
	next := 0
	take := func() pyValue {
		if next >= len(tuple.items) {
			panic(raised("TypeError", "not enough arguments for format string"))
		}
		next++
		return tuple.items[next-1]
	}
	mapping := isMapping(values)
	var b strings.Builder
	rest := string(text)
	for {
		at := strings.IndexByte(rest, '%')
		if at < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:at])
		rest = rest[at+1:]
		m := percentForm.FindStringSubmatch(rest)
		if m == nil {
			panic(raised("ValueError", "incomplete format"))
		}
		hasKey := strings.HasPrefix(rest, "(")
		rest = rest[len(m[0]):]
		if m[5] == "%" {
			if m[0] != "%" {
				panic(refused("%", "with a width before another %"))
			}
			b.WriteByte('%')
			continue
		}
		var value pyValue
		if hasKey {
			if !mapping {
				panic(raised("TypeError", "format requires a mapping"))
			}
			value = ev.subscript(values, pyStr(m[1]))
		}
		width, precision := m[3], m[4]
		dotted := strings.Contains(m[0], "."+m[4]) && strings.Contains(m[0], ".")
		if width == "*" {
			width = strconv.Itoa(smallIndex(take()))
			if width[0] == '-' {
				m[2] += "-"
				width = width[1:]
			}
		}
		if precision == "*" {
			precision = strconv.Itoa(max(0, smallIndex(take())))
		}
		if value == nil {
			value = take()
		}
		p := -1
		if dotted {
			p = limitedNumber(precision, 0)
		}
		part := ev.conversion(value, m[2], limitedNumber(width, 0), p, m[5])
		ev.spend(len(part))
		b.WriteString(part)
	}
	if next < len(tuple.items) && !mapping {
		panic(raised("TypeError", "not all arguments converted during string formatting"))
	}
	return pyStr(b.String())
}

// isMapping reports whether % accepts v as a mapping: it supports subscripts and is neither a tuple
// nor a str.
func isMapping(v pyValue) bool {
	switch v.(type) {
	case *pyDict, *pyList, pyBytes, *pyRange:
		return true
	}
	return false
}

// conversion formats one value for the % operator.
func (ev *evaluation) conversion(v pyValue, flags string, width, precision int, kind string) string {
	spec := formatSpec{fill: " ", align: ">", width: width, precision: precision, kind: kind, alternate: strings.Contains(flags, "#")}
	switch {
	case strings.Contains(flags, "+"):
		spec.sign = "+"
	case strings.Contains(flags, " "):
		spec.sign = " "
	}
	if strings.Contains(flags, "0") {
		spec.fill, spec.align = "0", "="
	}
	if strings.Contains(flags, "-") {
		spec.fill, spec.align = " ", "<"
	}
	switch kind {
	case "s", "r", "a":
		s := ev.convert(v, kind).(pyStr)
		spec = formatSpec{fill: " ", align: spec.align, width: width, precision: precision}
		if spec.align == "=" {
			spec.align = ">"
		}
		return string(ev.formatText(s, spec))
	case "c":
		s, ok := v.(pyStr)
		if i, isInt := toInt(v); isInt {
			if !i.IsInt64() || i.Int64() < 0 || i.Int64() > 0x10ffff {
				panic(raised("OverflowError", "%%c arg not in range(0x110000)"))
			}
			s, ok = strOf([]rune{rune(i.Int64())}), true
		}
		if !ok || s.length() != 1 {
			err := raised("TypeError", "%%c requires int or char")
			err.newer = "%c requires an int or a unicode character, not " + typeName(v)
			if ok {
				err.newer = fmt.Sprintf("%%c requires an int or a unicode character, not a string of length %d", s.length())
			}
			panic(err)
		}
		if spec.align == "=" {
			spec.fill, spec.align = " ", ">"
		}
		return spec.pad("", string(s))
	case "d", "i", "u", "x", "X", "o":
		i, ok := toInt(v)
		if f, isFloat := v.(float64); isFloat && among(kind, "diu") {
			i, ok = wholeOf(math.Trunc(f)), true
		}
		if !ok {
			if among(kind, "diu") {
				panic(raised("TypeError", "%%%s format: a real number is required, not %s", kind, typeName(v)))
			}
			panic(raised("TypeError", "%%%s format: an integer is required, not %s", kind, typeName(v)))
		}
		return ev.percentInt(i, spec)
	case "e", "E", "f", "F", "g", "G":
		if !isReal(v) {
			if _, isText := v.(pyStr); isText {
				panic(raised("TypeError", "must be real number, not str"))
			}
			panic(raised("TypeError", "must be real number, not %s", typeName(v)))
		}
		return formatFloat(toFloat(v), spec)
	}
	r, _ := utf8.DecodeRuneInString(kind)
	panic(loosely("ValueError", "unsupported format character '%s' (0x%x)", kind, r))
}

func (ev *evaluation) percentInt(i *big.Int, spec formatSpec) string {
	precision := spec.precision
	spec.precision = -1
	if among(spec.kind, "iu") {
		spec.kind = "d"
	}
	if precision > 0 {
		digits := spec
		digits.width, digits.sign, digits.alternate = 0, "", false
		text := ev.formatInt(new(big.Int).Abs(i), digits)
		if pad := precision - len(text); pad > 0 {
			prefix := ""
			if spec.alternate && spec.kind != "d" {
				prefix = "0" + spec.kind
			}
			return spec.pad(spec.signOf(i.Sign() < 0)+prefix, strings.Repeat("0", pad)+text)
		}
	}
	return ev.formatInt(i, spec)
}
