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

// The minimum contrast between a derived color and each background on which it may be drawn. For
// text it is that of WCAG 2.2 (1.4.3); for less important text it is the lower one for graphics
// (1.4.11).
const (
	lettersContrast = 4.5
	faintContrast   = 3
)

// tokens maps the roles that chroma's styles define to chroma's tokens.
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

// surfaces are the roles that are the background of whole rows. Such a background is a mixture of
// the screen's background and the text's color; the number is the share of the text's color.
var surfaces = map[Role]float64{
	Doubtful:    0.07,
	FrameLine:   0.09,
	CurrentLine: 0.13,
	Unsure:      0.16,
	Selection:   0.18,
}

// bars are the roles with both a background and a text color. The number is the share of the text's
// color in the background, as in surfaces.
var bars = map[Role]float64{StatusBar: 0.2, Cursor: 0.3}

// chromaFiles are copies of the files in chroma's package styles. Importing that package would
// parse all of them at each start of npdb.
//
//go:embed chroma/*.xml
var chromaFiles embed.FS

// chromaStyles maps the names of chroma's styles to the styles.
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
			panic(err) // chroma's own tests have parsed it
		}
		_ = file.Close()
		styles[strings.ToLower(style.Name)] = style
	}
	return styles
})

// FromChroma returns a theme derived from one of chroma's styles (see ChromaNames). If the name
// stands for a pair of a dark and a light style, dark selects one of them. Colors that the style
// does not define are derived: backgrounds from the style's background, other colors from npdb's
// theme, replaced by colors of the style with a similar hue. All colors are made lighter or darker
// until they are legible.
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

// modes maps the endings of a style's name to the mode that they stand for.
var modes = map[string]chroma.Mode{"-dark": chroma.Dark, "-light": chroma.Light}

// chromaStyle returns the style called name, or nil. A name can stand for a pair of a dark and a
// light style in two ways: it is the name of one style and the beginning of the other's, like
// github and github-dark; or it only exists with an ending, like solarized-dark and
// solarized-light. Then dark selects one of the pair. A name that ends with -dark or -light selects
// one style regardless of dark.
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

// inMode returns whichever of a style and its counterpart has the given mode, or the style if
// neither has.
func inMode(style *chroma.Style, mode chroma.Mode) *chroma.Style {
	other := chromaStyles()[style.Counterpart]
	if style.Mode() == mode || other == nil || other.Mode() != mode {
		return style
	}
	return other
}

// ofPair reports whether a style's name also stands for its counterpart.
func ofPair(style *chroma.Style) bool {
	return style != nil && style.Counterpart != "" && strings.HasPrefix(style.Counterpart, strings.ToLower(style.Name))
}

// ChromaNames returns the names that FromChroma accepts, sorted: those of chroma's styles,
// those of pairs of a dark and a light style, and those of pairs with -dark or -light at the
// end.
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

// derivation derives the colors of a theme from a chroma style.
type derivation struct {
	text        draw.Style // foreground and background of the screen
	surfaces    map[Role]color.Color
	backgrounds []color.Color // all backgrounds of text: the screen's and the surfaces
	palette     []color.Color // the colors that the style gives to tokens
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

// setApart changes the colors of a group's roles in t if they are too similar: it replaces them by
// the colors of npdb's theme. If these are too similar as well, for example on a background of
// medium lightness, it uses a role's color as the background instead. It never changes the role
// Text.
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

// token returns the style of a role for which chroma defines a token. It ignores the background of
// the chroma token, which would hide the background of the current line.
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

// like returns a style of npdb's theme with another color: pick replaces the background or, if
// there is none, the foreground. The foreground is then made legible.
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

// similar returns the color of the chroma style whose hue is nearest to that of c. It returns c if
// no hue is within 20 degrees, or if c is gray.
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

// distinct lists groups of roles whose colors the user must be able to distinguish.
var distinct = [][]Role{
	{Text, Here, Changed, Differs},
	{Changed, Differs, Predicted},
	{TimelineBreakpoint, TimelineException, TimelineHere},
}

// distinctColors is the minimum distance of the colors of distinct roles (see apart).
const distinctColors = 0.08

// least returns the smallest distance between the colors of a group's roles.
func least(t *Theme, group []Role) float64 {
	d := math.Inf(1)
	for i, a := range group {
		for _, b := range group[:i] {
			d = min(d, apartStyles(t, a, b))
		}
	}
	return d
}

// apartStyles returns the distance of two roles: of their foregrounds or of their backgrounds,
// whichever is larger.
func apartStyles(t *Theme, a, b Role) float64 {
	base := t.styles[Text]
	x, y := t.styles[a].Over(base), t.styles[b].Over(base)
	return max(apart(x.Fg, y.Fg), apart(x.Bg, y.Bg))
}

func fromChroma(c chroma.Colour) color.Color {
	return color.RGBA{c.Red(), c.Green(), c.Blue(), 0xff}
}
