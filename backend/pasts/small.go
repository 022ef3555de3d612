package pasts

import (
	"unicode/utf8"

	"github.com/npdb/npdb/python"
)

// commonValues are values that people often pass as arguments, the most frequent ones of each type
// first.
var commonValues = readAll(`
'' 'a' 'abc' 'hello' ' ' 'A' '1' 'Hello World' 'a b' 'ab cd ef' 'aB1 ,.' '123' ',' '-' 'aaaa' 'test' 'x' 'b' 'é' 'hello world' 'Python' '.' '/' 'apple' 'abcdef'
0 1 2 3 -1 4 5 6 7 8 9 10 12 15 20 50 100 -2 1000 -10
[] [1,2,3] ['a','b','c'] [1] ['a'] [1,2,3,4,5] [0] [''] [2,1] [1,1] [-1] [1,2,3,4,5,6] ['b','a'] ['aa','b','ccc'] [[1,2],[3]] [('a',1),('b',2)] [5,3,8,1] ['hello','world'] [0,0,0,0,0,0,0,0,0,0] [[1,2,3],[4,5,6]] ['apple','banana','cherry'] [3,1,2]
{} {'a':1,'b':2} {'a':1} {'a':1,'b':2,'c':3} {1:2} {'a':'b'} {'a':[]} {1:'a',2:'b'} {'x':1,'y':1,'z':0} {'key':'value'} {'a':[1,2],'b':[3]} {'name':'John','age':30}
(1,2) (1,2,3) () ('a','b') ('a',1)
{1,2,3} set() {'a','b'}
True False None 1.5 0.5 2.0 -1.0 0.0 10.5
`)

// readAll parses literals that are separated by white space.
func readAll(text string) (all []value) {
	for _, field := range fieldsOf(text) {
		if v, ok := python.ReadPlain(field); ok {
			all = append(all, v)
		}
	}
	return all
}

// fieldsOf splits a text at white space outside of quotes.
func fieldsOf(text string) (fields []string) {
	start, quoted := -1, false
	for i, c := range []byte(text) {
		if c == '\'' {
			quoted = !quoted
		}
		switch blank := (c == ' ' || c == '\n') && !quoted; {
		case blank && start >= 0:
			fields = append(fields, text[start:i])
			start = -1
		case !blank && start < 0:
			start = i
		}
	}
	return fields
}

const longestLiteral = 30

// smallValues returns the literals of the program, values derived from them, and common values.
func smallValues(literals []value) (out []made) {
	var texts []string
	for _, l := range literals {
		if l.Kind != python.StrKind || utf8.RuneCountInString(l.Str) < longestLiteral {
			out = append(out, made{l, fromLiteral})
		}
		if l.Kind == python.StrKind && l.Str != "" && len(l.Str) < longestLiteral {
			texts = append(texts, l.Str)
		}
	}
	for _, v := range commonValues {
		out = append(out, made{v, fromCommon})
	}
	add := func(v value) { out = append(out, made{v, fromLiteral}) }
	for _, s := range texts {
		for _, t := range []string{"a" + s + "b", s + "a", "a" + s, s + s, "hello" + s + "world"} {
			add(python.PlainStr(t))
		}
		add(list(python.PlainStr(s)))
		for _, v := range []value{python.PlainInt(1), python.PlainStr("a"), python.PlainInt(2)} {
			d, _ := dict([]value{python.PlainStr(s)}, []value{v})
			add(d)
		}
	}
	for _, l := range literals {
		if l.Kind == python.IntKind {
			add(python.PlainInt(l.Int + 1))
			add(python.PlainInt(l.Int - 1))
		}
	}
	return out
}
