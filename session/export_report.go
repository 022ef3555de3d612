package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/export"
	"github.com/npdb/npdb/session/walk"
	"github.com/npdb/npdb/trace/statetree"
)

// mostPictures is how many divergences a report shows the state of.
const mostPictures = 3

func (s *Session) exportReport() []byte {
	r := export.Report{
		Program: s.programName(), Model: s.modelName(), When: time.Now(), Moves: len(s.ledger.Entries), Escape: escape.Text,
		Score: s.ledger.Score.Lines(besideWidth),
	}
	for i := range s.ledger.Entries {
		p := s.ledger.Entries[i].Pair
		if p == nil {
			continue
		}
		r.Referee = "CPython"
		if !p.Parts() {
			continue
		}
		if r.First == "" && p.Verdicts.Count() > 0 {
			r.First = p.Divergence()
		}
		place := "the end"
		if p.Line > 0 {
			place = fmt.Sprintf("%s:%d", p.File, p.Line)
		}
		r.Rows = append(r.Rows, export.Row{Move: i + 1, Action: p.Action.String(), Place: place, Failure: p.Failure, Verdicts: p.Verdicts})
	}
	if other := s.cfg.Against; other != nil {
		r.Referee = other.Called(walk.OtherModel)
	}
	r.Pictures = s.pictures()
	var b strings.Builder
	if err := r.Markdown(&b); err != nil {
		panic(err) // a Builder takes everything
	}
	return []byte(b.String())
}

// pictures show the first stops of this run at which prediction and truth differ.
func (s *Session) pictures() []export.Picture {
	w := s.beside()
	if w == nil {
		return nil
	}
	draw := s.cfg.Picture
	if draw == nil {
		draw = picture
	}
	var out []export.Picture
	last := -1
	for i := range s.history {
		at := w.PairAt(i)
		if at <= last || !w.Pairs()[at].Parts() {
			continue
		}
		last = at
		out = append(out, export.Picture{Title: fmt.Sprintf("Move %d", at+1), Text: draw(s.viewAt(w, i))})
		if len(out) == mostPictures {
			break
		}
	}
	return out
}

// viewAt is the view of a place of the history, whatever is shown.
func (s *Session) viewAt(w *walk.Both, i int) *View {
	pos, selected, shown := s.pos, s.selected, s.shown
	defer func() { s.pos, s.selected, s.shown = pos, selected, shown }()
	s.pos, s.selected, s.shown = s.history[i].Position, 0, i
	defer w.Glance(i, s.pos)()
	return s.View()
}

// The picture's measures.
const (
	pictureAround = 2  // lines of source before and after
	pictureColumn = 28 // for a value
)

// picture draws a view as text: the stack, the source around the place, and the
// values of both sides.
func picture(v *View) string {
	var b strings.Builder
	for i, f := range v.Frames {
		mark := "  "
		if i == v.Selected {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%s(%d)%s()\n", mark, f.Frame.File, f.Line, f.Function)
	}
	if v.State != nil && v.Selected >= 0 {
		b.WriteByte('\n')
		pictureSource(&b, v)
	}
	said := v.Beside
	fmt.Fprintf(&b, "\n%s\n", said.Sentence)
	rows := [][3]string{{"", "predicted", said.Referee}}
	for _, d := range said.Verdicts {
		name := d.Name
		if d.Field != compare.Local {
			name = "(" + d.Field.String() + ")"
		}
		if d.Field != compare.Local && d.Kind == compare.Same && d.Field != compare.Value {
			continue
		}
		predicted, real := export.Sides(d)
		mark := "  "
		if d.Kind != compare.Same {
			mark = "! "
		}
		rows = append(rows, [3]string{mark + name, predicted, real})
	}
	width := 0
	for _, r := range rows {
		width = max(width, len([]rune(r[0])))
	}
	for _, r := range rows {
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", width, r[0], pictureColumn, r[1], r[2])
	}
	return b.String()
}

// pictureSource draws the source around the place, and where the model is.
func pictureSource(b *strings.Builder, v *View) {
	here := v.Frames[v.Selected]
	i := slices.IndexFunc(v.Files, func(f statetree.File) bool { return f.Name == here.Frame.File })
	if i < 0 {
		return
	}
	lines := dsl.SplitLines(string(v.Files[i].Source))
	predicted := 0
	if st := v.Beside.State; st != nil && st.File == here.Frame.File {
		predicted = st.Line
	}
	for n := max(here.Line-pictureAround, 1); n <= min(here.Line+pictureAround, len(lines)); n++ {
		mark := "  "
		switch n {
		case here.Line:
			mark = "->"
		case predicted:
			mark = "~>"
		}
		fmt.Fprintf(b, "%5d %s %s\n", n, mark, lines[n-1])
	}
}
