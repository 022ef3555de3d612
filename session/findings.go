package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/npdb/npdb/session/export"
)

// found reports whether the user has marked states or set logpoints.
func (vw *viewer) found() bool {
	return len(vw.visits.tree.Marks()) > 0 || len(vw.logging.list) > 0
}

// marked returns the marked states for a report.
func (vw *viewer) marked() []export.Marked {
	vw.visits.describe()
	var marks []export.Marked
	for _, name := range vw.visits.tree.Marks() {
		v := vw.visits.tree.Visit(vw.visits.tree.Named(name))
		m := export.Marked{Name: name, Note: v.Notes[name], State: v.Number, Event: -1, Place: "the end", Detail: vw.plain(v.Detail)}
		if t := vw.program.sourceOf(v.Position).States(); v.Kind != 0 {
			m.Place = fmt.Sprintf("%s:%d in %s", v.File, v.Line, v.Function)
			source, _ := t.SourceLine(t.At(v.Event).File, v.Line)
			m.Source = vw.plain(strings.TrimSpace(source))
		}
		if vw.program.past() != nil && !v.End {
			m.Event = v.Event
		}
		marks = append(marks, m)
	}
	return marks
}

// logged returns the logpoints and their hits for a report.
func (vw *viewer) logged() []export.Logged {
	var logs []export.Logged
	for _, l := range vw.logging.list {
		out := export.Logged{Title: fmt.Sprintf("Logpoint %d at %s:%d", l.number, filepath.Base(l.at.File), l.at.Line)}
		if l.text != "" {
			out.Title += ": " + l.text
		}
		if p := vw.program.past(); p != nil {
			var hits []Hit
			hits, out.More = vw.logging.hits(context.Background(), l, -1, p.Tree().Len()-1)
			for _, h := range hits {
				out.Hits = append(out.Hits, export.LoggedHit{Event: h.Event, Text: vw.plain(h.Text)})
			}
		}
		logs = append(logs, out)
	}
	return logs
}

// plain hides secrets in a text, as from a model. Without a model nothing is hidden.
func (vw *viewer) plain(text string) string {
	if vw.cfg.Neural == nil {
		return text
	}
	return vw.cfg.Neural.Redact.Plain(text)
}
