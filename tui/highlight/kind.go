package highlight

import "github.com/alecthomas/chroma/v2"

// Kind is the kind of a token. Themes have a style for each.
type Kind uint8

// Text is white space and everything else. Attribute is a name after a dot, Argument the name
// before an argument's "=", Module a name in an import. Escape stands for something else in a
// string: \n, {, %s.
const (
	Text Kind = iota
	Keyword
	Constant // None, True, False
	Name
	Attribute
	Argument
	Builtin // self and cls too
	Function
	Class // and exceptions
	Module
	Decorator
	Number
	String
	Escape
	Comment
	Operator
	Punctuation
)

var kindNames = [...]string{
	"text", "keyword", "constant", "name", "attribute", "argument", "builtin",
	"function", "class", "module", "decorator", "number", "string",
	"escape", "comment", "operator", "punctuation",
}

func (k Kind) String() string { return kindNames[k] }

// kindOf converts chroma's type of a token.
func kindOf(t chroma.TokenType) Kind {
	switch t {
	case chroma.KeywordConstant:
		return Constant
	case chroma.NameBuiltin, chroma.NameBuiltinPseudo:
		return Builtin
	case chroma.NameFunction, chroma.NameFunctionMagic:
		return Function
	case chroma.NameClass, chroma.NameException:
		return Class
	case chroma.NameNamespace:
		return Module
	case chroma.NameDecorator:
		return Decorator
	case chroma.LiteralStringEscape, chroma.LiteralStringInterpol:
		return Escape
	case chroma.OperatorWord: // and, in, not
		return Keyword
	}
	switch t.SubCategory() {
	case chroma.LiteralString:
		return String
	case chroma.LiteralNumber:
		return Number
	}
	switch t.Category() {
	case chroma.Keyword:
		return Keyword
	case chroma.Name:
		return Name
	case chroma.Comment:
		return Comment
	case chroma.Operator:
		return Operator
	case chroma.Punctuation:
		return Punctuation
	}
	return Text
}
