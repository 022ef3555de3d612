package main

import (
	"bytes"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// formatter writes the tokens of code with CSS classes, to which codeColors gives colors.
var formatter = chromahtml.New(chromahtml.WithClasses(true))

// codeRenderer renders blocks of code with syntax highlighting.
type codeRenderer struct{}

// RegisterFuncs registers the renderer for fenced blocks of code.
func (codeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.FencedCodeBlock)
		lexer := lexers.Get(string(block.Language(source)))
		if lexer == nil {
			lexer = lexers.Fallback
		}
		tokens, err := chroma.Coalesce(lexer).Tokenise(nil, string(block.Lines().Value(source)))
		if err != nil {
			return ast.WalkStop, err
		}
		return ast.WalkContinue, formatter.Format(w, styles.Get("github"), tokens)
	})
}

// codeColors returns a style sheet for code, for light and dark screens.
func codeColors() (string, error) {
	var b bytes.Buffer
	for _, of := range []struct{ screen, style string }{{"light", "github"}, {"dark", "github-dark"}} {
		b.WriteString("@media (prefers-color-scheme: " + of.screen + ") {\n")
		if err := formatter.WriteCSS(&b, styles.Get(of.style)); err != nil {
			return "", err
		}
		b.WriteString("}\n")
	}
	return b.String(), nil
}
