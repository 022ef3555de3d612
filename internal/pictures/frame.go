package main

import (
	"fmt"
	"html"
	"image/color"
	"regexp"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// frame is a screen.
type frame struct {
	w    int
	rows [][]run
}

// run is a part of a row with one style.
type run struct {
	column, width int
	text          string
	style         uv.Style
}

// frame copies the present screen.
func (m *screen) frame() *frame {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := &frame{w: m.vt.Width()}
	for y := range m.vt.Height() {
		var row []run
		for x := 0; x < f.w; {
			c := m.vt.CellAt(x, y)
			text, width, style := " ", 1, uv.Style{}
			if c != nil {
				style = c.Style
				if c.Content != "" {
					text, width = c.Content, max(c.Width, 1)
				}
			}
			if n := len(row) - 1; n >= 0 && row[n].style.Equal(&style) {
				row[n].text, row[n].width = row[n].text+text, row[n].width+width
			} else {
				row = append(row, run{x, width, text, style})
			}
			x += width
		}
		for i, r := range row {
			row[i].text = anonymous(r.text)
		}
		f.rows = append(f.rows, row)
	}
	return f
}

// numbered matches the folder of the tour.
var numbered = regexp.MustCompile(`npdb-tour-\d+`)

// anonymous returns a text without the number of the tour's folder, and as long as before.
func anonymous(text string) string {
	short := numbered.ReplaceAllString(text, "npdb-tour")
	return short + strings.Repeat(" ", len(text)-len(short))
}

// text returns the text of the screen.
func (f *frame) text() string {
	var b strings.Builder
	for _, row := range f.rows {
		var line strings.Builder
		for _, r := range row {
			line.WriteString(r.text)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// The size of a cell of the picture, and the margin around the screen.
const (
	cellW, cellH = 8.4, 17.0
	margin       = 8.0
	baseline     = 13.0
)

// The colors of a terminal that npdb does not set.
const foreground, background = "#d7dae0", "#14161b"

// svg draws the screen. Each run is a text with its length, so that columns align with any font.
func (f *frame) svg(title string) []byte {
	var b strings.Builder
	width, height := float64(f.w)*cellW+2*margin, float64(len(f.rows))*cellH+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	b.WriteString("<style>text{white-space:pre}</style>\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", background)
	fmt.Fprintf(&b, `<g font-family="ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" fill="%s">`+"\n", foreground)
	for y, row := range f.rows {
		top := margin + float64(y)*cellH
		for _, r := range row {
			fg, bg := colors(r.style)
			x := margin + float64(r.column)*cellW
			if bg != "" && bg != background {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" fill="%s"/>`+"\n", x, top, float64(r.width)*cellW, cellH, bg)
			}
			text := strings.TrimRight(r.text, " ")
			if text == "" {
				continue
			}
			lead := len(text) - len(strings.TrimLeft(text, " "))
			text = text[lead:]
			columns := r.width - lead - (len(r.text) - len(strings.TrimRight(r.text, " ")))
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" textLength="%.1f"%s>%s</text>`+"\n",
				x+float64(lead)*cellW, top+baseline, float64(columns)*cellW, attributes(r.style, fg), html.EscapeString(text))
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return []byte(b.String())
}

// colors returns the colors of a style, "" for those of the terminal.
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

// attributes returns the attributes of a text in a style.
func attributes(s uv.Style, fg string) string {
	var list []string
	if fg != "" {
		list = append(list, fmt.Sprintf(` fill="%s"`, fg))
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
