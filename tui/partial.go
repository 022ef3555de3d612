package tui

import (
	"fmt"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
)

// partial is the state that a prediction has told so far; nil while there is none.
func (m *Model) partial() *dsl.Stop {
	if m.running == nil || m.running.partial == nil {
		return nil
	}
	u := m.running.partial
	if u.Restarted || u.Known&dsl.KnownStack == 0 || u.Reply.Stop == nil {
		return nil
	}
	return u.Reply.Stop
}

// drawPartial shows the locals of a prediction as they stream in.
func (p *locals) drawPartial(m *Model, a *draw.Area, stop *dsl.Stop) {
	w, h := a.Size()
	style := m.style(themes.Predicted)
	names := 1
	for _, l := range stop.Locals {
		names = max(names, m.measure.Width(l.Name))
	}
	names = min(names, mostNameColumns)
	for y, l := range stop.Locals[:min(len(stop.Locals), h)] {
		a.Text(3, y, m.measure.Cut(l.Name, names), m.style(themes.LocalName))
		at := min(3+names+2, w/2)
		a.Text(at, y, m.measure.Cut(l.Value, max(w-at-1, 0)), style)
	}
	if len(stop.Locals) < h {
		a.Text(3, len(stop.Locals), fmt.Sprintf("%s predicting %s", spinner[m.running.spinning%len(spinner)], stop.Function), m.style(themes.Dim))
	}
}
