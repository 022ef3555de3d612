package python

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Kind is the type of a Plain.
type Kind uint8

// The kinds of plain values. OtherKind is the kind of all other literals: bytes, complex numbers,
// ints of more than 64 bits, frozensets.
const (
	OtherKind Kind = iota
	NoneKind
	BoolKind
	IntKind
	FloatKind
	StrKind
	ListKind
	TupleKind
	SetKind
	DictKind
)

var kindNames = [...]string{"object", "NoneType", "bool", "int", "float", "str", "list", "tuple", "set", "dict"}

// String returns the name of the Python type.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return kindNames[OtherKind]
	}
	return kindNames[k]
}

// Plain is the value of a literal as Go data, for code that creates values. The zero value is not a
// value.
type Plain struct {
	Kind  Kind
	Int   int64   // if an int or bool; 1 for True
	Float float64 // if a float
	Str   string  // if a str; for OtherKind the repr
	// Items are the items of a list, tuple or set, or the values of a dict. Do not change them.
	Items []Plain
	Keys  []Plain // of a dict
}

// ReadPlain parses the repr of a literal. ok is false if text is not a literal.
func ReadPlain(text string) (p Plain, ok bool) {
	v := plainLiteral(text)
	if v == nil {
		err := within(context.Background(), Names{}, func(ev *evaluation) {
			if read, reason := ev.read(text); reason == "" {
				v = read
			}
		})
		if err != nil || v == nil {
			return Plain{}, false
		}
	}
	return plainOf(v), true
}

func plainOf(v pyValue) Plain {
	switch v := v.(type) {
	case pyNone:
		return Plain{Kind: NoneKind}
	case bool:
		return PlainBool(v)
	case *big.Int:
		if v.IsInt64() {
			return PlainInt(v.Int64())
		}
	case float64:
		return Plain{Kind: FloatKind, Float: v}
	case pyStr:
		return PlainStr(string(v))
	case *pyList:
		return Plain{Kind: ListKind, Items: plainsOf(v.items)}
	case *pyTuple:
		return Plain{Kind: TupleKind, Items: plainsOf(v.items)}
	case *pySet:
		if !v.frozen {
			return Plain{Kind: SetKind, Items: plainsOf(v.items)}
		}
	case *pyDict:
		return Plain{Kind: DictKind, Keys: plainsOf(v.keys), Items: plainsOf(v.values)}
	}
	text, _ := Datum{v}.Text()
	return Plain{Str: text}
}

func plainsOf(values []pyValue) []Plain {
	out := make([]Plain, len(values))
	for i, v := range values {
		out[i] = plainOf(v)
	}
	return out
}

// PlainInt returns an int.
func PlainInt(i int64) Plain { return Plain{Kind: IntKind, Int: i} }

// PlainStr returns a str.
func PlainStr(s string) Plain { return Plain{Kind: StrKind, Str: s} }

// PlainBool returns a bool.
func PlainBool(b bool) Plain {
	p := Plain{Kind: BoolKind}
	if b {
		p.Int = 1
	}
	return p
}

// CanonicalText returns the repr of a literal with the elements of its sets in a fixed order. It
// returns any other text unchanged.
func CanonicalText(text string) string {
	if v, ok := ReadPlain(text); ok {
		return v.Text()
	}
	return text
}

// Text returns the repr of the value. Elements of sets are sorted, so that equal sets have the same
// repr.
func (p Plain) Text() string {
	var b strings.Builder
	p.write(&b)
	return b.String()
}

func (p Plain) write(b *strings.Builder) {
	switch p.Kind {
	case NoneKind:
		b.WriteString("None")
	case BoolKind:
		if p.Int != 0 {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case IntKind:
		b.WriteString(strconv.FormatInt(p.Int, 10))
	case FloatKind:
		b.WriteString(floatText(p.Float))
	case StrKind:
		writeStrRepr(b, pyStr(p.Str))
	case OtherKind:
		b.WriteString(p.Str)
	default:
		p.writeItems(b)
	}
}

var brackets = map[Kind][2]string{ListKind: {"[", "]"}, TupleKind: {"(", ")"}, SetKind: {"{", "}"}, DictKind: {"{", "}"}}

func (p Plain) writeItems(b *strings.Builder) {
	if p.Kind == SetKind && len(p.Items) == 0 {
		b.WriteString("set()")
		return
	}
	items := p.Items
	if p.Kind == SetKind {
		items = slices.SortedFunc(slices.Values(items), func(a, b Plain) int { return cmp.Compare(a.Text(), b.Text()) })
	}
	b.WriteString(brackets[p.Kind][0])
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.Kind == DictKind {
			p.Keys[i].write(b)
			b.WriteString(": ")
		}
		item.write(b)
	}
	if p.Kind == TupleKind && len(items) == 1 {
		b.WriteByte(',')
	}
	b.WriteString(brackets[p.Kind][1])
}
