package python

import "strings"

// ParamKind says how arguments bind to a parameter, as inspect.Parameter.kind.
type ParamKind uint8

// The kinds of parameters, in the order in which Python has them.
const (
	PositionalOnly ParamKind = iota
	PositionalOrKeyword
	VarPositional // *args
	KeywordOnly
	VarKeyword // **kwargs
)

var paramKindNames = [...]string{"positional-only", "positional or keyword", "variadic positional", "keyword-only", "variadic keyword"}

// String describes the kind as Python's inspect does.
func (k ParamKind) String() string {
	if int(k) >= len(paramKindNames) {
		return "unknown"
	}
	return paramKindNames[k]
}

// Param is a parameter of a function.
type Param struct {
	Name       string
	Kind       ParamKind
	Default    string // the text of its expression
	HasDefault bool
}

// Signature is a function and how it is called.
type Signature struct {
	Function
	Params    []Param // in the order of the text
	Generator bool    // its body has a yield
	Async     bool
	Method    bool   // it is defined in the body of a class
	Class     string // the qualified name of that class; "" when it is no method
}

// signature is the signature of a def, without the line of its body.
func (m *lineMarker) signature(s *stmt) Signature {
	d := s.def
	sig := Signature{
		Function:  Function{Name: d.name, QualName: m.qualname(d.name), Line: int(firstLine(s)), EndLine: int(s.last)},
		Generator: d.generator,
		Async:     d.async,
		Class:     m.code.class,
		Method:    m.code.class != "",
	}
	for _, p := range d.params {
		param := Param{Name: p.name, Kind: p.kind}
		if p.value != nil {
			param.HasDefault, param.Default = true, m.text[p.value.pos:p.value.end]
		}
		sig.Params = append(sig.Params, param)
	}
	return sig
}

// Functions are the functions that def and async def make, ascending by Line. What
// the compiler drops as unreachable is not among them.
func (s *Source) Functions() []Signature { return s.functions }

// Function is the function of a qualified name ("f", "Account.pay"), of which the
// last definition wins; else the first one whose last part has that name.
func (s *Source) Function(name string) (Signature, bool) {
	for i := len(s.functions) - 1; i >= 0; i-- {
		if s.functions[i].QualName == name {
			return s.functions[i], true
		}
	}
	for _, f := range s.functions {
		if f.Name == name || strings.HasSuffix(f.QualName, "."+name) {
			return f, true
		}
	}
	return Signature{}, false
}
