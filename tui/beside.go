package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// compare shows prediction and CPython side by side, or closes that view. Where
// there is one of them only, the other is asked to join.
func (m *Model) compare() tea.Cmd {
	if m.view == nil {
		return nil
	}
	if m.view.Mode != session.Both {
		return m.run("mode both")
	}
	m.shape.beside, m.shape.scored = !m.shape.beside || m.shape.scored, false
	m.panes[localsPane].(*locals).scroll = scroll{}
	return m.relayout()
}

// besides reports whether the locals show both sides.
func (m *Model) besides() bool {
	return m.view != nil && m.view.Beside != nil && m.shape.beside
}

// besideTitle says where the two first parted, or why there is no prediction.
func (m *Model) besideTitle() (name, more string) {
	name = "side by side"
	if m.shape.scored {
		name = "score"
	}
	switch b := m.view.Beside; {
	case b.Failure != "" && !m.shape.scored:
		return name, "· no prediction: " + b.Failure
	case b.Parted != nil:
		return name, "· " + m.partedWords(b.Parted)
	case b.Moves > 0:
		return name, "· they have not parted"
	}
	return name, ""
}

// partedWords name the first divergence in few words: "parted line 42 after 4 moves:
// source 'anng' ≠ 'ann'". The values are at the end, and are what may be cut.
func (m *Model) partedWords(d *session.Divergence) string {
	where := "at the end"
	if d.Line > 0 {
		where = fmt.Sprintf("line %d", d.Line)
		if len(m.view.Files) > 0 && m.view.Files[0].Name != d.File {
			where += " of " + d.File
		}
	}
	v := d.Verdict
	what := v.Name
	if what == "" && v.Field != compare.Outcome {
		what = v.Field.String()
	}
	switch {
	case v.Kind == compare.Missing && v.Field == compare.Outcome:
		what = "no answer"
	case v.Kind == compare.Missing:
		what += " missing"
	case v.Kind == compare.Extra:
		what += " not there"
	default:
		const words, least = 70, 8
		room := max((m.layout.panes[localsPane].W-words)/2, least)
		excerpt := func(text, other string) string {
			return spansText(m.measure.CutSpans(m.differing(other, text, draw.Style{}, room), room))
		}
		predicted, real := v.Excerpts()
		what += " " + excerpt(predicted, real) + " " + markParted + " " + excerpt(real, predicted)
	}
	return fmt.Sprintf("parted %s after %s: %s", where, plural(d.Moves, "move"), strings.TrimSpace(what))
}

// besideReveal brings what matters at a new stop into sight while the keys act on
// another pane: the first row that differs, else the first that has changed. Where
// that is in sight already nothing moves.
func (p *locals) besideReveal(m *Model, rows []besideRow) {
	if p.two.shown == m.view {
		return
	}
	p.two.shown = m.view
	if m.shape.focus == localsPane {
		return
	}
	p.cursor = p.top
	at := slices.IndexFunc(rows, func(r besideRow) bool { return r.kind.Wrong() })
	if at < 0 {
		at = slices.IndexFunc(rows, func(r besideRow) bool { return r.changed })
	}
	if at >= 0 {
		p.cursor = at
	}
}

// besideSight says which rows are in sight, and what differs or has changed in the
// others.
func (p *locals) besideSight(m *Model) (shown, news string) {
	if m.shape.scored {
		return p.shown(len(m.scoreLines())), ""
	}
	rows := p.besideRows(m)
	out := append(slices.Clone(rows[:min(p.top, len(rows))]), rows[min(p.top+p.rows, len(rows)):]...)
	differ, changed := 0, 0
	for i := range out {
		if r := &out[i]; r.kind.Wrong() {
			differ++
		} else if r.changed {
			changed++
		}
	}
	switch {
	case differ == 1:
		news = "1 more differs"
	case differ > 1:
		news = fmt.Sprintf("%d more differ", differ)
	case changed > 0:
		news = fmt.Sprintf("%d more changed", changed)
	}
	return p.shown(len(rows)), news
}

// newsRole is how the news of what is out of sight look: what differs comes first.
func (p *locals) newsRole(m *Model) themes.Role {
	if m.besides() && slices.ContainsFunc(p.besideRows(m), func(r besideRow) bool { return r.kind.Wrong() }) {
		return themes.Differs
	}
	return themes.Changed
}

// besideHints are the keys that matter where the two sides or the score show.
func (m *Model) besideHints(columns int) []keys.Hint {
	var list []hinted
	if m.shape.focus == localsPane && !m.shape.scored {
		list = append(list, hinted{"open", []string{"expand"}}, hinted{"set", []string{"set"}})
	}
	list = append(list,
		hinted{"step", []string{"step"}},
		hinted{"next", []string{"next"}},
		hinted{"back", []string{"step-back", "next-back"}},
		hinted{"parted", []string{"next-divergence", "previous-divergence"}},
	)
	if m.shape.scored {
		list = append(list, hinted{"side by side", []string{"score"}})
	} else {
		list = append(list, hinted{"close", []string{"compare"}}, hinted{"raw", []string{"raw-reply"}}, hinted{"score", []string{"score"}})
	}
	return m.hintsOf(columns, append(list,
		hinted{"continue", []string{"continue"}},
		hinted{"command", []string{"command-line"}},
		hinted{"quit", []string{"quit"}},
		hinted{"help", []string{"help"}},
	))
}
