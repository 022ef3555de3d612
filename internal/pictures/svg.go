package main

import (
	"cmp"
	"fmt"
	"html"
	"image/color"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// The size of a cell of the picture, and the margin around the screen.
const (
	cellW, cellH = 8.4, 17.0
	margin       = 8.0
	baseline     = 13.0
)

// The colors for text and background where npdb sets none.
const foreground, background = "#d7dae0", "#14161b"

// svg draws the screen as an SVG file. Each text element states its length, so that columns align with any font.
func (f *frame) svg(title string) []byte {
	var b strings.Builder
	base := f.base()
	width, height := float64(f.w)*cellW+2*margin, float64(len(f.rows))*cellH+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	b.WriteString("<style>text{white-space:pre}</style>\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", base)
	fmt.Fprintf(&b, `<g font-family="ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" fill="%s">`+"\n", foreground)
	for y, row := range f.rows {
		top := margin + float64(y)*cellH
		for _, p := range painted(row) {
			if p.color != base {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" fill="%s"/>`+"\n", margin+float64(p.column)*cellW, top, float64(p.width)*cellW, cellH, p.color)
			}
		}
		for _, r := range row {
			text := strings.Trim(r.text, " ")
			if text == "" {
				continue
			}
			lead := len(r.text) - len(strings.TrimLeft(r.text, " "))
			columns := r.width - (len(r.text) - len(text))
			fg, _ := colors(r.style)
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" textLength="%.1f"%s>%s</text>`+"\n",
				margin+float64(r.column+lead)*cellW, top+baseline, float64(columns)*cellW, attributes(r.style, fg), html.EscapeString(text))
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return []byte(b.String())
}

// paint is a part of a row with one background.
type paint struct {
	column, width int
	color         string
}

// painted returns the backgrounds of a row.
func painted(row []run) (parts []paint) {
	for _, r := range row {
		_, bg := colors(r.style)
		bg = cmp.Or(bg, background)
		if n := len(parts) - 1; n >= 0 && parts[n].color == bg {
			parts[n].width += r.width
		} else {
			parts = append(parts, paint{r.column, r.width, bg})
		}
	}
	return parts
}

// base returns the background that fills most of the screen.
func (f *frame) base() (most string) {
	cells := map[string]int{}
	for _, row := range f.rows {
		for _, p := range painted(row) {
			if cells[p.color] += p.width; cells[p.color] > cells[most] {
				most = p.color
			}
		}
	}
	return most
}

// colors returns the colors of a style, "" where it has none.
func colors(s uv.Style) (fg, bg string) {
	fg, bg = hex(s.Fg), hex(s.Bg)
	if s.Attrs&uv.AttrReverse != 0 {
		if fg, bg = bg, fg; fg == "" {
			fg = background
		}
		if bg == "" {
			bg = foreground
		}
	}
	return fg, bg
}

func hex(c color.Color) string {
	if c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// attributes returns the SVG attributes of a text in a style.
func attributes(s uv.Style, fg string) string {
	var list []string
	if fg != "" {
		list = append(list, " fill=\""+fg+"\"")
	}
	for attr, text := range map[uint8]string{
		uv.AttrBold: ` font-weight="bold"`, uv.AttrItalic: ` font-style="italic"`,
		uv.AttrStrikethrough: ` text-decoration="line-through"`, uv.AttrFaint: ` opacity="0.6"`,
	} {
		if s.Attrs&attr != 0 {
			list = append(list, text)
		}
	}
	if s.Underline != 0 {
		list = append(list, ` text-decoration="underline"`)
	}
	slices.Sort(list)
	return strings.Join(list, "")
}
