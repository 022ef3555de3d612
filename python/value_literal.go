package python

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"strings"
)

var cutForm = regexp.MustCompile(`… \+[0-9][0-9,]* `)

// literalNames maps reprs of floats and complex numbers that are not literals in Python to their
// values.
var literalNames = map[string]pyValue{
	"inf": math.Inf(1), "nan": math.NaN(), "infj": complex(0, math.Inf(1)), "nanj": complex(0, math.NaN()),
}

// notLiteral is the value of the panic for a repr that is not a literal. It is the end of a message
// that begins with the repr.
type notLiteral string

// read returns the value with this repr, if the repr is a literal: one that ast.literal_eval
// accepts, set(), frozenset(…), inf, nan or any complex number. Otherwise reason says why it is
// not.
func (ev *evaluation) read(text string) (value pyValue, reason string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case notLiteral:
			value, reason = nil, string(e)
		case *EvalError: // an unhashable key
			value, reason = nil, "is known only as text"
		default:
			panic(e)
		}
	}()
	var e *node
	err := syntaxError("invalid syntax") // the usual beginning of a repr that is not a literal is <; such reprs can be long
	if !strings.HasPrefix(text, "<") {
		e, err = parseExpression(strings.Trim(text, " \t"))
	}
	var raised *EvalError
	switch {
	case err == nil:
		return ev.literal(e), ""
	case errors.As(err, &raised) && raised.Message == tooNested:
		return nil, "is nested too deeply to be read"
	case cutForm.MatchString(text):
		return nil, "was cut"
	}
	var limit *LimitError
	if errors.As(err, &limit) {
		panic(limit)
	}
	return nil, "is known only as text"
}

func (ev *evaluation) literal(e *node) pyValue {
	ev.step()
	switch e.kind {
	case nodeConstant:
		if _, ok := e.value.(pyEllipsis); ok {
			// The repr of the Ellipsis object is Ellipsis, so these dots stand for a cycle or an
			// omission.
			panic(notLiteral("holds itself or was shortened, its text does not say what stands there"))
		}
		return e.value
	case nodeList:
		return ev.list(ev.literals(e.kids))
	case nodeTuple:
		return ev.tuple(ev.literals(e.kids))
	case nodeSet:
		s := ev.newSet(false, ev.literals(e.kids))
		s.shown, s.given = true, ev.given
		return s
	case nodeDict:
		d := newDict()
		for i := 0; i < len(e.kids); i += 2 {
			if e.kids[i] == nil {
				panic(notLiteral("is known only as text"))
			}
			d.put(ev, ev.literal(e.kids[i]), ev.literal(e.kids[i+1]))
		}
		return d
	case nodeName:
		if value, ok := literalNames[e.text]; ok {
			return value
		}
	case nodeCall:
		return ev.literalSet(e)
	case nodeUnary:
		if e.text != "~" {
			return signed(e.text, literalNumber(e.kids[0]))
		}
	case nodeBinOp:
		if e.text == "+" || e.text == "-" {
			return literalComplex(e)
		}
	}
	panic(notLiteral("is known only as text"))
}

func (ev *evaluation) literals(kids []*node) []pyValue {
	out := make([]pyValue, len(kids))
	for i, e := range kids {
		out[i] = ev.literal(e)
	}
	return out
}

// literalSet parses set(), frozenset() and frozenset({…}).
func (ev *evaluation) literalSet(e *node) pyValue {
	frozen := e.kids[0].is("frozenset")
	switch {
	case !frozen && !e.kids[0].is("set"):
	case len(e.kids) == 1:
		return ev.newSet(frozen, nil)
	case len(e.kids) == 2 && frozen && e.kids[1].kind == nodeSet:
		s := ev.newSet(true, ev.literals(e.kids[1].kids))
		s.shown, s.given = ev.given, ev.given
		return s
	}
	panic(notLiteral("is known only as text"))
}

// literalNumber returns the value of a number without a sign.
func literalNumber(e *node) pyValue {
	value := e.value
	if e.kind == nodeName {
		value = literalNames[e.text]
	}
	switch value.(type) {
	case *big.Int, float64, complex128:
		return value
	}
	panic(notLiteral("is known only as text"))
}

func signed(op string, v pyValue) pyValue {
	if op == "+" {
		return v
	}
	switch v := v.(type) {
	case *big.Int:
		return new(big.Int).Neg(v)
	case float64:
		return -v
	}
	c := v.(complex128)
	return complex(real(c), -imag(c)) // -2j has the real part 0.0
}

// literalComplex returns the complex number whose real and imaginary parts the operands of e are.
func literalComplex(e *node) pyValue {
	im, ok := literalNumber(e.kids[1]).(complex128)
	if !ok {
		panic(notLiteral("is known only as text"))
	}
	left := e.kids[0]
	negative := left.kind == nodeUnary && left.text == "-"
	if negative {
		left = left.kids[0]
	}
	re := literalNumber(left)
	if _, ok := re.(complex128); ok {
		panic(notLiteral("is known only as text"))
	}
	x, y := toFloat(re), imag(im)
	if negative {
		x = -x // as a float: the real part of (-0-2j) is -0.0
	}
	if e.text == "-" {
		y = -y
	}
	return complex(x, y)
}
