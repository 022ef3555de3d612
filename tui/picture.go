package tui

import (
	"context"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// The size of a picture of the screen, in columns and rows.
const (
	pictureColumns = 110
	pictureRows    = 32
)

// picture draws what the screen would show of a session, as text, for reports. It
// has a model of its own and touches none that is shown.
func picture(c Config) func(*session.View) string {
	c.Session = session.Config{Options: c.Session.Options}
	c.Start = nil
	return func(v *session.View) string {
		m, err := New(context.Background(), c)
		if err != nil {
			return "" // the screen itself could not be shown then
		}
		m.w, m.h, m.view = pictureColumns, pictureRows, v
		m.joined = v.Mode == session.Both
		m.shape.beside = m.joined
		m.layout = arrange(m.w, m.h, m.shape)
		for _, f := range v.Frames {
			if f.File >= 0 && m.docs[f.Path] == nil {
				file := v.Files[f.File]
				m.docs[f.Path] = &document{name: file.Name, lines: dsl.SplitLines(string(file.Source))}
			}
		}
		for _, p := range m.panes {
			p.stopped(m)
		}
		rows := strings.Split(ansi.Strip(m.View().Content), "\n")
		for i := range rows {
			rows[i] = strings.TrimRight(rows[i], " ")
		}
		return strings.Join(rows, "\n")
	}
}
