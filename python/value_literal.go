package python

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"strings"
)

var cutForm = regexp.MustCompile(`… \+[0-9][0-9,]* `)

// literalNames are the reprs of floats that are no literals of Python's.
var literalNames = map[string]pyValue{
	"inf": math.Inf(1), "nan": math.NaN(), "infj": complex(0, math.Inf(1)), "nanj": complex(0, math.NaN()),
}

// notLiteral is the panic of a text that is no literal; it follows the text in a
// message.
type notLiteral string

// read is the value of a text: what ast.literal_eval reads and besides set(),
// frozenset(…), inf, nan and all complex numbers. reason is not empty where the
// text is no literal.
func (ev *evaluation) read(text string) (value pyValue, reason string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case notLiteral:
			value, reason = nil, string(e)
		case *EvalError: // an unhashable key
			value, reason = nil, "is no literal"
		default:
			panic(e)
		}
	}()
	node, err := parseExpression(strings.Trim(text, " \t"))
	var raised *EvalError
	switch {
	case err == nil:
		return ev.literal(node), ""
	case errors.As(err, &raised) && raised.Message == tooNested:
		return nil, "is nested too deeply to be read"
	case cutForm.MatchString(text):
		return nil, "was cut"
	}
	var limit *LimitError
	if errors.As(err, &limit) {
		panic(limit)
	}
	return nil, "is no literal"
}

func (ev *evaluation) literal(node exprNode) pyValue {
	ev.step()
	switch node := node.(type) {
	case *constExpr:
		if _, ok := node.value.(pyEllipsis); ok {
			// An Ellipsis object reads Ellipsis; dots stand for a cycle.
			panic(notLiteral("holds itself or was shortened, its text does not say what stands there"))
		}
		return node.value
	case *listExpr:
		return ev.list(ev.literals(node.items))
	case *tupleExpr:
		return ev.tuple(ev.literals(node.items))
	case *setExpr:
		return ev.newSet(false, ev.literals(node.items))
	case *dictExpr:
		d := newDict()
		for i, key := range node.keys {
			if key == nil {
				panic(notLiteral("is no literal"))
			}
			d.put(ev, ev.literal(key), ev.literal(node.values[i]))
		}
		return d
	case *nameExpr:
		if value, ok := literalNames[node.name]; ok {
			return value
		}
	case *callExpr:
		return ev.literalSet(node)
	case *unaryExpr:
		if node.op == "-" || node.op == "+" {
			return signed(node.op, literalNumber(node.operand))
		}
	case *binaryExpr:
		if node.op == "+" || node.op == "-" {
			return literalComplex(node)
		}
	}
	panic(notLiteral("is no literal"))
}

func (ev *evaluation) literals(nodes []exprNode) []pyValue {
	out := make([]pyValue, len(nodes))
	for i, node := range nodes {
		out[i] = ev.literal(node)
	}
	return out
}

// literalSet reads set(), frozenset() and frozenset({…}).
func (ev *evaluation) literalSet(node *callExpr) pyValue {
	name, ok := node.function.(*nameExpr)
	switch {
	case !ok || name.name != "set" && name.name != "frozenset":
	case len(node.args) == 0:
		return ev.newSet(name.name == "frozenset", nil)
	case len(node.args) == 1 && name.name == "frozenset" && node.args[0].name == "" && node.args[0].stars == 0:
		if items, ok := node.args[0].value.(*setExpr); ok {
			return ev.newSet(true, ev.literals(items.items))
		}
	}
	panic(notLiteral("is no literal"))
}

// literalNumber reads a number without a sign.
func literalNumber(node exprNode) pyValue {
	var value pyValue
	switch node := node.(type) {
	case *constExpr:
		value = node.value
	case *nameExpr:
		value = literalNames[node.name]
	}
	switch value.(type) {
	case *big.Int, float64, complex128:
		return value
	}
	panic(notLiteral("is no literal"))
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
	return complex(real(c), -imag(c)) // the repr -2j has the real part 0.0
}

// literalComplex reads a complex number's real and imaginary part.
func literalComplex(node *binaryExpr) pyValue {
	im, ok := literalNumber(node.right).(complex128)
	if !ok {
		panic(notLiteral("is no literal"))
	}
	left, negative := node.left, false
	if u, ok := left.(*unaryExpr); ok && u.op == "-" {
		left, negative = u.operand, true
	}
	re := literalNumber(left)
	if _, ok := re.(complex128); ok {
		panic(notLiteral("is no literal"))
	}
	x, y := toFloat(re), imag(im)
	if negative {
		x = -x // as a float: the real part of (-0-2j) is -0.0
	}
	if node.op == "-" {
		y = -y
	}
	return complex(x, y)
}
