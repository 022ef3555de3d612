// Package values parses the text of a Python value: its elements, a summary of one line, its
// differences to another value, and matches of a search.
//
// The text is a repr, which may be any text. Nothing here fails: what cannot be parsed is one
// piece. Package python's lexer is not used, since it stops at what is not Python and here only
// brackets matter.
package values
