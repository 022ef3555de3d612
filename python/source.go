package python

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// Source is a parsed source file. Do not change it or the slices that it returns.
type Source struct {
	lines      []string
	executable []int
	functions  []Signature
	imports    []Import
	first      int
	outgoing   map[int32]Outgoing
	again      []span
	nested     []span
	abridged   Abridged
}

// Read parses a source file. source is the file's content: UTF-8, or Latin-1 if it is so declared
// (PEP 263) or is not valid UTF-8. Read never fails: it skips what it cannot parse.
//
// It takes linear time: 20 ms for 10,000 lines.
func Read(source []byte) *Source {
	text := decodeSource(source)
	s := &Source{lines: dsl.SplitLines(text)}
	p := newParser(text)
	body := p.statements(false)
	s.abridged = abridge(text, s.lines, p.tokens, body)
	m := &lineMarker{text: text, lines: make([]bool, len(s.lines)+1)}
	s.first = int(m.module(body))
	s.functions = m.found
	s.imports = importsOf(body)
	r := &outgoingReader{own: s.functions, lines: map[int32]Outgoing{}}
	r.block(body)
	s.outgoing, s.again, s.nested = r.lines, r.again, r.nested
	for line, marked := range m.lines {
		if marked {
			s.executable = append(s.executable, line)
		}
	}
	return s
}

// Lines returns the lines of the source without their line ends.
func (s *Source) Lines() []string { return s.lines }

// First returns the line of the module's first line event, counted from 1. It returns 0 if the
// module has none.
func (s *Source) First() int { return s.first }

// Outline returns where a tracer can stop, as far as this can be derived from the source.
func (s *Source) Outline() Outline {
	o := Outline{Executable: s.executable}
	for _, f := range s.functions {
		o.Functions = append(o.Functions, f.Function)
	}
	return o
}

// Outline describes where a tracer can stop in a source file. Lines are counted from 1.
type Outline struct {
	// Executable are the lines that have a line event in some code object of the file, in ascending
	// order. Lines of def and class are included.
	Executable []int
	// Functions are the functions defined by def and async def, ordered by Line. It omits functions
	// that the compiler drops as unreachable.
	Functions []Function
}

// Function is a function of a source file.
type Function struct {
	Name     string
	QualName string // "Account.pay", "f.<locals>.g" (PEP 3155)
	Line     int    // co_firstlineno: the line of the first decorator, or of def
	BodyLine int    // the first line of the body that has a line event
	EndLine  int    // the last line of the definition
}

// ParamKind describes how arguments bind to a parameter, like inspect.Parameter.kind.
type ParamKind uint8

// The kinds of parameters, in the order in which they appear in a def.
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
	Default    string // the source of the default
	HasDefault bool
}

// Signature is a function with its parameters and its kind.
type Signature struct {
	Function
	Params    []Param // in source order
	Generator bool    // the body contains a yield
	Async     bool
	Method    bool   // the def is in a class body
	Class     string // qualified name of that class; "" if it is not a method
}

// signature returns the signature of a def. BodyLine is not set yet.
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
		param := Param{Name: p.text, Kind: p.value.(ParamKind)}
		if value := p.fallback(); value != nil {
			param.HasDefault, param.Default = true, m.text[value.pos:value.end]
		}
		sig.Params = append(sig.Params, param)
	}
	return sig
}

// Functions returns the functions defined by def and async def, ordered by Line. It omits functions
// that the compiler drops as unreachable.
func (s *Source) Functions() []Signature { return s.functions }

// Function returns the function with a qualified name ("f", "Account.pay"); of several, the last
// definition. If there is none, it returns the first function whose unqualified name is name.
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

// declaration matches an encoding declaration (PEP 263).
var declaration = regexp.MustCompile(`^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)`)

var byteOrderMark = []byte("\ufeff")

// decodeSource returns a source file as UTF-8, without its byte order mark. It decodes the file as
// Latin-1 if that is its declared encoding (PEP 263) or if the file is not valid UTF-8.
func decodeSource(source []byte) string {
	if rest, ok := bytes.CutPrefix(source, byteOrderMark); ok {
		source = rest
	} else if isLatin1(source) {
		return fromLatin1(source)
	}
	if !utf8.Valid(source) {
		return fromLatin1(source)
	}
	return string(source)
}

// NotUTF8 reports whether Python rejects a source file because it is not valid UTF-8 and declares
// no other encoding. line and b are the first invalid byte and its line.
func NotUTF8(source []byte) (line int, b byte, refused bool) {
	switch encoding := declared(source); {
	case utf8.Valid(source), !bytes.HasPrefix(source, byteOrderMark) && encoding != "" && encoding != "utf-8" && encoding != "utf8":
		return 0, 0, false
	}
	at := 0
	for size := 0; ; at += size {
		var r rune
		if r, size = utf8.DecodeRune(source[at:]); r == utf8.RuneError && size == 1 {
			return len(dsl.SplitLines(string(source[:at]) + "x")), source[at], true
		}
	}
}

// isLatin1 reports whether a source file declares the encoding Latin-1.
func isLatin1(source []byte) bool {
	switch declared(source) {
	case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "8859", "cp819", "l1":
		return true
	}
	return false
}

// declared returns the encoding that one of the first two lines declares, or "".
func declared(source []byte) string {
	for range 2 {
		end := bytes.IndexAny(source, "\r\n")
		line := source
		if end >= 0 {
			line = source[:end]
		}
		if found := declaration.FindSubmatch(line); found != nil {
			return strings.ReplaceAll(strings.ToLower(string(found[1])), "_", "-")
		}
		if text := bytes.TrimLeft(line, " \t\f"); end < 0 || len(text) > 0 && text[0] != '#' {
			return ""
		}
		source = source[end+lineEnd(string(source[end:min(end+2, len(source))]), 0):]
	}
	return ""
}

func fromLatin1(source []byte) string {
	var b strings.Builder
	b.Grow(len(source) + len(source)/8)
	for _, c := range source {
		b.WriteRune(rune(c))
	}
	return b.String()
}
