package themes

import (
	"embed"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/suggest"
)

// The least contrast that a derived color has to each background it may be on:
// WCAG 2.2's for text (1.4.3) and, for what may be passed over, its lesser one
// for graphics (1.4.11).
const (
	lettersContrast = 4.5
	faintContrast   = 3
)

// tokens are the roles that chroma's styles know.
var tokens = map[Role]chroma.TokenType{
	SyntaxKeyword:     chroma.Keyword,
	SyntaxString:      chroma.LiteralString,
	SyntaxEscape:      chroma.LiteralStringEscape,
	SyntaxNumber:      chroma.LiteralNumber,
	SyntaxConstant:    chroma.KeywordConstant,
	SyntaxComment:     chroma.Comment,
	SyntaxName:        chroma.Name,
	SyntaxBuiltin:     chroma.NameBuiltin,
	SyntaxFunction:    chroma.NameFunction,
	SyntaxClass:       chroma.NameClass,
	SyntaxDecorator:   chroma.NameDecorator,
	SyntaxOperator:    chroma.Operator,
	SyntaxPunctuation: chroma.Punctuation,
	LineNumber:        chroma.LineNumbers,
}

// surfaces are the backgrounds that are laid over rows: how far each is from the
// screen's background to the text's color.
var surfaces = map[Role]float64{
	Doubtful:    0.07,
	FrameLine:   0.09,
	CurrentLine: 0.13,
	Unsure:      0.16,
	Selection:   0.18,
}

// bars are backgrounds that have letters of their own, by the same measure.
var bars = map[Role]float64{StatusBar: 0.2, Cursor: 0.3}

// chromaFiles are those of chroma's package styles, which would read them all at
// each start of npdb.
//
//go:embed chroma/*.xml
var chromaFiles embed.FS

// chromaStyles are chroma's styles by their names.
var chromaStyles = sync.OnceValue(func() map[string]*chroma.Style {
	files, err := chromaFiles.ReadDir("chroma")
	if err != nil {
		panic(err) // the files are part of the binary
	}
	styles := map[string]*chroma.Style{}
	for _, entry := range files {
		file, err := chromaFiles.Open("chroma/" + entry.Name())
		if err != nil {
			panic(err)
		}
		style, err := chroma.NewXMLStyle(file)
		if err != nil {
			panic(err) // chroma's tests have read it
		}
		_ = file.Close()
		styles[strings.ToLower(style.Name)] = style
	}
	return styles
})

// FromChroma returns a theme made from one of chroma's styles (see ChromaNames); of
// a pair for a dark and a light background, named without saying which, the one
// that dark says. What chroma's styles know nothing of is derived: backgrounds from
// the style's own, and other colors from npdb's, by those of the style that are of a
// similar hue. All are made as much lighter or darker as being legible takes.
func FromChroma(name string, dark bool) (*Theme, error) {
	style := chromaStyle(strings.ToLower(name), dark)
	if style == nil {
		return nil, fmt.Errorf("chroma has no style %s", suggest.Quote(name, ChromaNames()))
	}
	own, err := (&loader{user: embed.FS{}}).load(Default, style.Mode() == chroma.Dark)
	if err != nil {
		return nil, err
	}
	d := newDerivation(style, own)
	return d.theme(style, own), nil
}

// modes are what the names of the two of a pair may end in.
var modes = map[string]chroma.Mode{"-dark": chroma.Dark, "-light": chroma.Light}

// chromaStyle returns the style of a name, nil if there is none. A name that is also the
// beginning of the other one's, as github is of github-dark, is that of the pair; so
// is solarized. With -dark or -light at its end either can be had.
func chromaStyle(name string, dark bool) *chroma.Style {
	mode, suffix := chroma.Light, "-light"
	if dark {
		mode, suffix = chroma.Dark, "-dark"
	}
	styles := chromaStyles()
	style := styles[name]
	switch {
	case ofPair(style):
		return inMode(style, mode)
	case style != nil:
		return style
	case styles[name+"-dark"] != nil && styles[name+"-light"] != nil:
		return styles[name+suffix]
	}
	for suffix, mode := range modes {
		if pair, ok := strings.CutSuffix(name, suffix); ok && ofPair(styles[pair]) {
			return inMode(styles[pair], mode)
		}
	}
	return nil
}

// inMode returns a style, or its counterpart where that is the one of a mode.
func inMode(style *chroma.Style, mode chroma.Mode) *chroma.Style {
	other := chromaStyles()[style.Counterpart]
	if style.Mode() == mode || other == nil || other.Mode() != mode {
		return style
	}
	return other
}

// ofPair reports whether a style's name is that of it and its counterpart.
func ofPair(style *chroma.Style) bool {
	return style != nil && style.Counterpart != "" && strings.HasPrefix(style.Counterpart, strings.ToLower(style.Name))
}

// ChromaNames returns the names that FromChroma takes, sorted: chroma's, those of
// its pairs, and with -dark and -light at their ends those of the two.
func ChromaNames() []string {
	var names []string
	styles := chromaStyles()
	for name, style := range styles {
		names = append(names, name)
		if ofPair(style) {
			names = append(names, name+"-dark", name+"-light")
		}
		if pair, ok := strings.CutSuffix(name, "-dark"); ok && styles[pair+"-light"] != nil {
			names = append(names, pair)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// derivation is what a theme made from a style of chroma's is derived by.
type derivation struct {
	text        draw.Style // foreground and background of the screen
	surfaces    map[Role]color.Color
	backgrounds []color.Color // the screen's and the surfaces: all that letters may be on
	palette     []color.Color // the style's colors
}

func newDerivation(style *chroma.Style, own *Theme) *derivation {
	entry := style.Get(chroma.Background)
	fg, bg := own.styles[Text].Fg, own.styles[Text].Bg
	if entry.Background.IsSet() {
		bg = fromChroma(entry.Background)
	}
	if entry.Colour.IsSet() {
		fg = fromChroma(entry.Colour)
	}
	fg = readable(fg, lettersContrast, bg)
	d := &derivation{surfaces: map[Role]color.Color{}, backgrounds: []color.Color{bg}}
	for r, part := range surfaces {
		d.surfaces[r] = mix(bg, fg, part)
		d.backgrounds = append(d.backgrounds, d.surfaces[r])
	}
	d.text = draw.Style{Fg: readable(fg, lettersContrast, d.backgrounds...), Bg: bg}
	for r := range roleCount {
		if token, ok := tokens[r]; ok && style.Get(token).Colour.IsSet() {
			d.palette = append(d.palette, fromChroma(style.Get(token).Colour))
		}
	}
	return d
}

func (d *derivation) theme(style *chroma.Style, own *Theme) *Theme {
	t := &Theme{
		Name:  strings.ToLower(style.Name),
		About: "chroma's style " + style.Name,
		Dark:  own.Dark,
	}
	for r := range roleCount {
		switch {
		case r == Text:
			t.styles[r] = d.text
		case d.surfaces[r] != nil:
			t.styles[r] = draw.Style{Bg: d.surfaces[r], Attr: own.styles[r].Attr}
		case bars[r] != 0:
			bg := mix(d.text.Bg, d.text.Fg, bars[r])
			t.styles[r] = draw.Style{Fg: readable(d.text.Fg, lettersContrast, bg), Bg: bg, Attr: own.styles[r].Attr}
		case tokens[r] != 0:
			t.styles[r] = d.token(r, style.Get(tokens[r]))
		default:
			t.styles[r] = d.like(r, own.styles[r], d.similar)
		}
	}
	for _, group := range distinct {
		d.setApart(t, own, group)
	}
	return t
}

// setApart makes the colors of a group's roles differ, if they have become one:
// it takes npdb's own, and where these are too near each other as well, on a
// background of middling lightness or beside a text of the same color, it takes
// the color for the background. Text is left as it is.
func (d *derivation) setApart(t, own *Theme, group []Role) {
	if least(t, group) >= distinctColors {
		return
	}
	for i, r := range group {
		if r == Text {
			continue
		}
		t.styles[r] = d.like(r, own.styles[r], func(c color.Color) color.Color { return c })
		if least(t, group[:i+1]) < distinctColors {
			t.styles[r] = draw.Style{Fg: d.text.Bg, Bg: t.styles[r].Fg, Attr: own.styles[r].Attr}
		}
	}
}

// token returns the style of a role that chroma's styles know. Backgrounds of
// tokens are left out: they would hide which line is current.
func (d *derivation) token(r Role, e chroma.StyleEntry) draw.Style {
	s := draw.Style{Fg: d.text.Fg}
	if e.Colour.IsSet() {
		s.Fg = d.legible(r, fromChroma(e.Colour))
	}
	for _, a := range []struct {
		is   chroma.Trilean
		attr draw.Attr
	}{{e.Bold, draw.Bold}, {e.Italic, draw.Italic}, {e.Underline, draw.Underline}} {
		if a.is == chroma.Yes {
			s.Attr |= a.attr
		}
	}
	return s
}

// like returns a style of npdb's own in the colors that pick says.
func (d *derivation) like(r Role, own draw.Style, pick func(color.Color) color.Color) draw.Style {
	s := own
	if own.Bg != nil {
		s.Bg = pick(own.Bg)
		if own.Fg != nil {
			s.Fg = readable(own.Fg, lettersContrast, s.Bg)
		}
		return s
	}
	if own.Fg != nil {
		s.Fg = d.legible(r, pick(own.Fg))
	}
	return s
}

func (d *derivation) legible(r Role, c color.Color) color.Color {
	switch roleTable[r].kind {
	case faint:
		return readable(c, faintContrast, d.backgrounds...)
	case line:
		return c
	}
	return readable(c, lettersContrast, d.backgrounds...)
}

// similar returns the style's color that is nearest in hue to c, or c if none
// is within 20 degrees or c is gray.
func (d *derivation) similar(c color.Color) color.Color {
	const near = 20
	_, colorfulness, hue := exact(c).OkLch()
	if colorfulness < gray {
		return c
	}
	best, least := c, float64(near)
	for _, p := range d.palette {
		_, full, h := exact(p).OkLch()
		if away := hueDistance(h, hue); full >= gray && away < least {
			best, least = p, away
		}
	}
	return best
}

// distinct are roles whose colors must be told from each other.
var distinct = [][]Role{
	{Text, Here, Changed, Differs},
	{Changed, Differs, Predicted},
	{TimelineBreakpoint, TimelineException, TimelineHere},
}

// distinctColors is how far apart, at the least, the colors of distinct roles
// are (see apart).
const distinctColors = 0.08

// least returns the least distance of the colors of a group's roles.
func least(t *Theme, group []Role) float64 {
	d := math.Inf(1)
	for i, a := range group {
		for _, b := range group[:i] {
			d = min(d, apartStyles(t, a, b))
		}
	}
	return d
}

// apartStyles returns how far two roles are apart by foreground or by background,
// whichever is more.
func apartStyles(t *Theme, a, b Role) float64 {
	base := t.styles[Text]
	x, y := t.styles[a].Over(base), t.styles[b].Over(base)
	return max(apart(x.Fg, y.Fg), apart(x.Bg, y.Bg))
}

func fromChroma(c chroma.Colour) color.Color {
	return color.RGBA{c.Red(), c.Green(), c.Blue(), 0xff}
}
