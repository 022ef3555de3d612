package recorded

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python/evaltest"
)

// The text of a literal, read and rendered again, is the recorded text.
func TestLiteralsComeBackUnchanged(t *testing.T) {
	texts := literal(3)
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		rapid.Check(t, func(rt *rapid.T) {
			text := texts.Draw(rt, "text")
			for _, expr := range []string{"value", "[value][0]"} {
				got, err := e.Eval(patient(t), expr, evaltest.Locals("other", "<no literal>", "value", text))
				if err != nil || got != text {
					rt.Fatalf("%s over %s: got %s, %v", expr, text, got, err)
				}
			}
		})
	})
}

// literal generates texts as CPython's repr writes them, nested up to depth.
func literal(depth int) *rapid.Generator[string] {
	atoms := []*rapid.Generator[string]{
		rapid.SampledFrom([]string{"None", "True", "False", "inf", "-inf", "nan", "set()", "frozenset()", "()", "[]", "{}", "''", "b''"}),
		rapid.Map(rapid.Int64(), func(i int64) string { return strconv.FormatInt(i, 10) }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 9, 40), func(b []byte) string { return new(big.Int).SetBytes(b).String() }),
		rapid.Map(rapid.Float64(), floatRepr),
		rapid.Map(rapid.String(), stringRepr),
		rapid.Map(rapid.SliceOf(rapid.Byte()), bytesRepr),
		rapid.Custom(func(t *rapid.T) string {
			return complexRepr(rapid.Float64().Draw(t, "real"), rapid.Float64().Draw(t, "imag"))
		}),
	}
	if depth == 0 {
		return rapid.OneOf(atoms...)
	}
	inner := literal(depth - 1)
	items := rapid.SliceOfN(inner, 1, 4)
	join := func(texts []string) string { return strings.Join(texts, ", ") }
	// Elements of sets and keys are hashable, and equal only when the same:
	// 1, 1.0 and True would be one.
	keys := rapid.SliceOfNDistinct(rapid.Map(rapid.StringMatching(`[a-zé\n]{0,6}`), stringRepr), 1, 6, rapid.ID)
	tuples := rapid.SliceOfNDistinct(rapid.Map(rapid.Int(), func(i int) string { return fmt.Sprintf("(%d, '')", i) }), 1, 6, rapid.ID)
	return rapid.OneOf(append(atoms,
		rapid.Map(items, func(texts []string) string { return "[" + join(texts) + "]" }),
		rapid.Map(items, func(texts []string) string {
			if len(texts) == 1 {
				return "(" + texts[0] + ",)"
			}
			return "(" + join(texts) + ")"
		}),
		rapid.Map(keys, func(texts []string) string { return "{" + join(texts) + "}" }),
		rapid.Map(tuples, func(texts []string) string { return "frozenset({" + join(texts) + "})" }),
		rapid.Custom(func(t *rapid.T) string {
			var pairs []string
			for _, key := range keys.Draw(t, "keys") {
				pairs = append(pairs, key+": "+inner.Draw(t, "item"))
			}
			return "{" + join(pairs) + "}"
		}),
	)...)
}

// floatRepr returns the repr of a finite float (CPython, Python/pystrtod.c, format
// code r): the shortest digits, an exponent below 1e-4 and from 1e16 on.
func floatRepr(f float64) string {
	text := floatDigits(f)
	if !strings.ContainsAny(text, ".en") {
		text += ".0"
	}
	return text
}

func floatDigits(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	case f != 0 && (math.Abs(f) < 1e-4 || math.Abs(f) >= 1e16):
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// complexRepr returns the repr of a complex number (CPython, Objects/complexobject.c).
func complexRepr(re, im float64) string {
	if re == 0 && !math.Signbit(re) {
		return floatDigits(im) + "j"
	}
	tail := floatDigits(im)
	if !strings.HasPrefix(tail, "-") {
		tail = "+" + tail
	}
	return "(" + floatDigits(re) + tail + "j)"
}

// stringRepr returns the repr of a text (CPython, Objects/unicodeobject.c); what may
// be unassigned in one of the Unicode versions is left out.
func stringRepr(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case string(r) == quote, r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ', r >= 0x7f && r <= 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x7f, r == 'é', r == '日':
			b.WriteRune(r)
		}
	}
	return quote + b.String() + quote
}

// bytesRepr returns the repr of bytes (CPython, Objects/bytesobject.c).
func bytesRepr(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		if c >= 0x7f {
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			text := stringRepr(string(rune(c)))
			b.WriteString(text[1 : len(text)-1])
		}
	}
	text := b.String()
	switch {
	case strings.Contains(text, "'") && !strings.Contains(text, `"`):
		return `b"` + text + `"`
	default:
		return "b'" + strings.ReplaceAll(text, "'", `\'`) + "'"
	}
}
