package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// pause is the time that a cast shows each screen, in seconds.
const pause = 4

// cast returns screens as an asciinema cast, version 2. All screens have the same pause, not npdb's own timing, so
// that the cast is the same each time.
func cast(title string, frames []*frame) ([]byte, error) {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	head := map[string]any{"version": 2, "width": frames[0].w, "height": len(frames[0].rows), "title": title, "env": map[string]string{"TERM": "xterm-256color"}}
	if err := lines.Encode(head); err != nil {
		return nil, err
	}
	shown := make([]string, len(frames[0].rows))
	for i, f := range frames {
		var out strings.Builder
		if i == 0 {
			out.WriteString("\x1b[?25l\x1b[2J") // hide the cursor, clear the screen
		}
		for y, row := range f.rows {
			if line := ansi(row); line != shown[y] {
				shown[y] = line
				fmt.Fprintf(&out, "\x1b[%dH%s", y+1, line)
			}
		}
		if err := lines.Encode([]any{i * pause, "o", out.String()}); err != nil {
			return nil, err
		}
	}
	err := lines.Encode([]any{len(frames) * pause, "o", ""}) // shows the last screen as long as the others
	return b.Bytes(), err
}

// ansi returns a row as text with escape sequences.
func ansi(row []run) string {
	var b strings.Builder
	last := uv.Style{}
	for _, r := range row {
		blank := strings.Trim(r.text, " ") == "" && hex(r.style.Bg) == hex(last.Bg)
		if blank && last.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) == 0 && last.Underline == 0 {
			b.WriteString(r.text) // only the background matters
			continue
		}
		b.WriteString(r.style.Diff(&last) + r.text)
		last = r.style
	}
	return b.String() + "\x1b[m"
}
