package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown parses and renders GitHub's Markdown. HTML in a page, for example a comment, stays as it is.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(codeRenderer{}, 100))),
)

// document is a parsed page.
type document struct {
	source   []byte
	root     ast.Node
	sections []section
}

// section is a heading and the text below it, up to the next heading.
type section struct{ Anchor, Title, Text string }

// read parses the text of a page.
func read(source []byte) *document {
	d := &document{source: source}
	ids := parser.NewContext(parser.WithIDs(&anchors{used: map[string]bool{}}))
	d.root = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(ids))
	for block := d.root.FirstChild(); block != nil; block = block.NextSibling() {
		if heading, ok := block.(*ast.Heading); ok {
			id, _ := heading.AttributeString("id")
			anchor, _ := id.([]byte)
			d.sections = append(d.sections, section{Anchor: string(anchor), Title: d.words(block)})
		} else if n := len(d.sections); n > 0 {
			d.sections[n-1].Text += d.words(block) + "\n"
		}
	}
	return d
}

// title returns the first heading of the page.
func (d *document) title() string {
	if len(d.sections) == 0 {
		return ""
	}
	return d.sections[0].Title
}

// words returns the text of a node and the nodes below it.
func (d *document) words(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(d.source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(d.source))
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				b.Write(n.Lines().Value(d.source))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// links replaces the destination of each link and image with what visit returns for it.
func (d *document) links(visit func(destination string) string) {
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(visit(string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(visit(string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// anchors gives headings the anchors that they have on GitHub.
type anchors struct{ used map[string]bool }

// Generate returns the anchor of a heading.
func (a *anchors) Generate(heading []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(string(heading))) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	anchor := b.String()
	for i := 1; a.used[anchor]; i++ {
		anchor = fmt.Sprintf("%s-%d", b.String(), i)
	}
	a.used[anchor] = true
	return []byte(anchor)
}

// Put marks an anchor as used.
func (a *anchors) Put(anchor []byte) { a.used[string(anchor)] = true }
