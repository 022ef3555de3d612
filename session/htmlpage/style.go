package htmlpage

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/highlight"
)

// roles are the roles of a theme that the style sheet uses. A role has the variables --NAME, its
// color, and --NAME-on, its background.
var roles = []themes.Role{
	themes.Text, themes.Dim, themes.Rule, themes.Title, themes.Focus, themes.StatusBar, themes.StatusName, themes.HintKey,
	themes.Notice, themes.Error, themes.Cursor, themes.Selection, themes.Match, themes.MatchCurrent,
	themes.LineNumber, themes.Here, themes.CurrentLine, themes.Frame, themes.FrameLine, themes.Breakpoint, themes.InlineValue,
	themes.LocalName, themes.Changed, themes.Was, themes.Doubtful, themes.Stdout, themes.Stderr,
	themes.TimelineCall, themes.TimelineBreakpoint, themes.TimelineException, themes.TimelineHere, themes.TimelineShown,
}

// syntax are the roles of the kinds of tokens.
var syntax = map[highlight.Kind]themes.Role{
	highlight.Keyword: themes.SyntaxKeyword, highlight.Constant: themes.SyntaxConstant, highlight.Name: themes.SyntaxName,
	highlight.Attribute: themes.SyntaxName, highlight.Argument: themes.SyntaxName, highlight.Builtin: themes.SyntaxBuiltin,
	highlight.Function: themes.SyntaxFunction, highlight.Class: themes.SyntaxClass, highlight.Module: themes.SyntaxName,
	highlight.Decorator: themes.SyntaxDecorator, highlight.Number: themes.SyntaxNumber, highlight.String: themes.SyntaxString,
	highlight.Escape: themes.SyntaxEscape, highlight.Comment: themes.SyntaxComment, highlight.Operator: themes.SyntaxOperator,
	highlight.Punctuation: themes.SyntaxPunctuation,
}

// styleSheet returns the page's style sheet with the colors of two themes.
func styleSheet(dark, light *themes.Theme) string {
	var b strings.Builder
	fmt.Fprintf(&b, ":root{color-scheme:light dark;%s}\n", variables(light))
	fmt.Fprintf(&b, "@media (prefers-color-scheme:dark){:root:not(.light){%s}}\n", variables(dark))
	fmt.Fprintf(&b, ":root.dark{color-scheme:dark;%s}\n:root.light{color-scheme:light}\n", variables(dark))
	for k := highlight.Text; k <= highlight.Punctuation; k++ {
		if _, ok := syntax[k]; ok {
			fmt.Fprintf(&b, ".%c{color:var(--%s)}", 'a'+byte(k), k)
		}
	}
	fmt.Fprintf(&b, ".%c{font-style:italic}\n", 'a'+byte(highlight.Comment))
	b.WriteString(asset("page.css"))
	return b.String()
}

// variables returns the colors of a theme as CSS variables.
func variables(t *themes.Theme) string {
	var b strings.Builder
	ground := t.Style(themes.Text)
	fallback := draw.Style{Fg: color.White, Bg: color.Black}
	if !t.Dark {
		fallback = draw.Style{Fg: color.Black, Bg: color.White}
	}
	ground = ground.Over(fallback)
	for _, r := range roles {
		s := t.Style(r)
		on := s.Bg
		s = s.Over(ground)
		if s.Attr&draw.Reverse != 0 {
			s.Fg, s.Bg, on = s.Bg, s.Fg, s.Fg
		}
		fmt.Fprintf(&b, "--%s:%s;", r, hex(s.Fg))
		if on == nil {
			fmt.Fprintf(&b, "--%s-on:transparent;", r)
		} else {
			fmt.Fprintf(&b, "--%s-on:%s;", r, hex(on))
		}
	}
	fmt.Fprintf(&b, "--ground:%s;", hex(ground.Bg))
	for k := highlight.Text; k <= highlight.Punctuation; k++ {
		if r, ok := syntax[k]; ok {
			fmt.Fprintf(&b, "--%s:%s;", k, hex(t.Style(r).Over(ground).Fg))
		}
	}
	return b.String()
}

// hex returns a color in CSS. A color of the terminal is that of xterm.
func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
