package highlight

import (
	"embed"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"

	"github.com/npdb/npdb/dsl"
)

// lexerFiles holds the definition of chroma's Python lexer. Chroma's own package would load those
// of all languages at each start of npdb.
//
//go:embed chroma/python.xml
var lexerFiles embed.FS

var lexer = sync.OnceValue(func() chroma.Lexer {
	return chroma.NewLexerRegistry().Register(chroma.MustNewXMLLexer(lexerFiles, "chroma/python.xml"))
})

// Token is a part of a line.
type Token struct {
	Text string
	Kind Kind
}

// maxTokens limits the tokens of a file: lexing takes about 4 µs for each, and files of megabytes
// are generated.
const maxTokens = 1_000_000

// Lines returns the tokens of each line of a file. The lines are those of dsl.SplitLines, and the
// tokens of a line make up its text. What the lexer cannot read is Text.
//
// It takes long (0.4 s for 10,000 lines), so it does not belong into an update loop.
func Lines(source string) [][]Token {
	lines := dsl.SplitLines(source)
	f := filler{lines: lines, tokens: make([][]Token, len(lines))}
	f.lex()
	for i := range lines {
		f.finish(i)
	}
	classify(f.tokens)
	return f.tokens
}

// filler assigns a lexer's tokens to their lines. The lexer reads characters, U+FFFD for each
// invalid byte, so lines are cut by counting characters.
type filler struct {
	lines  []string
	tokens [][]Token
	line   int
	at     int // bytes of that line that already have tokens
}

// lex runs the lexer as far as it goes.
func (f *filler) lex() {
	// A pattern that takes too long panics. What was read before is kept.
	defer func() { _ = recover() }()
	text := strings.Join(f.lines, "\n")
	next, err := lexer().Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return
	}
	for n := 0; n < maxTokens; n++ {
		t := next()
		if t == chroma.EOF {
			return
		}
		f.add(t.Value, kindOf(t.Type))
	}
}

// add assigns one token, which may span several lines.
func (f *filler) add(text string, kind Kind) {
	for {
		part, rest, more := strings.Cut(text, "\n")
		if f.line == len(f.lines) {
			return
		}
		line, end := f.lines[f.line], f.at
		for range utf8.RuneCountInString(part) {
			_, n := utf8.DecodeRuneInString(line[end:])
			end += n
		}
		f.append(line[f.at:end], kind)
		f.at = end
		if !more {
			return
		}
		f.finish(f.line)
		f.line, f.at, text = f.line+1, 0, rest
	}
}

// finish adds the rest of a line as text.
func (f *filler) finish(line int) {
	if line == f.line {
		f.append(f.lines[line][f.at:], Text)
		f.at = len(f.lines[line])
	} else if line > f.line && f.lines[line] != "" {
		f.tokens[line] = []Token{{f.lines[line], Text}}
	}
}

// append adds a part to the current line. It joins the pieces into which the lexer cuts strings
// and comments.
func (f *filler) append(text string, kind Kind) {
	if text == "" {
		return
	}
	tokens := f.tokens[f.line]
	if n := len(tokens); n > 0 && tokens[n-1].Kind == kind {
		switch kind {
		case Text, String, Comment:
			start := f.at - len(tokens[n-1].Text)
			tokens[n-1].Text = f.lines[f.line][start : f.at+len(text)]
			return
		}
	}
	f.tokens[f.line] = append(tokens, Token{text, kind})
}
