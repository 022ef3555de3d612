package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/export"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/statetree"
)

// The extensions of the files that export writes.
const (
	textsEnding  = ".jsonl"
	reportEnding = ".md"
)

// Export writes the session's texts and a report to files: both to File with their extensions
// added, or only the one whose extension File has. If nothing was predicted, there are no texts. If File
// is "", its name is made from the program's name and the time.
type Export struct {
	File string `json:"file,omitempty"`
}

func (c Export) String() string { return words("export", c.File) }

func (c Export) run(_ context.Context, s *Session) error {
	if s.journaling.replaying != nil {
		return nil // a replay must not write them again
	}
	if isPage(c.File) {
		path := c.File
		if dir := s.cfg.Options.Dir; dir != "" && !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if err := s.viewer.exportPage(path); err != nil {
			return err
		}
		s.draft.sayf("Written: %s. Any browser shows it.", escape.Line(path))
		return nil
	}
	stem, ending := s.bills.exportName(c.File)
	switch predicted := len(s.bills.ledger.Entries) > 0; {
	case !predicted && (!s.viewer.found() || ending == textsEnding):
		return errorf(NotFound, "Nothing was predicted yet that could be exported (marks and logpoints are exported to FILE.md)")
	case !predicted:
		ending = reportEnding
	}
	files := map[string]func() []byte{textsEnding: s.bills.exportTexts, reportEnding: s.viewer.exportReport}
	var written []string
	for _, e := range []string{textsEnding, reportEnding} {
		if ending != "" && e != ending {
			continue
		}
		err := writeExport("export", stem+e, func(w io.Writer) error {
			_, err := w.Write(files[e]())
			return err
		})
		if err != nil {
			for _, path := range written {
				err = errors.Join(err, os.Remove(path))
			}
			return err
		}
		written = append(written, stem+e)
	}
	s.draft.sayf("Written: %s", strings.Join(written, ", "))
	return nil
}

// exportName returns the path of the exported files without extension. ending is the extension if
// only one file is wanted, "" for both.
func (bl *bills) exportName(arg string) (stem, ending string) {
	for _, e := range []string{textsEnding, reportEnding} {
		if name, ok := strings.CutSuffix(arg, e); ok && name != "" {
			arg, ending = name, e
			break
		}
	}
	if arg == "" {
		name := strings.TrimSuffix(filepath.Base(bl.programName()), ".py")
		arg = "npdb-" + strings.ReplaceAll(name, " ", "") + "-" + time.Now().Format("20060102-150405")
	}
	if dir := bl.cfg.Options.Dir; dir != "" && !filepath.IsAbs(arg) {
		arg = filepath.Join(dir, arg)
	}
	return arg, ending
}

// writeExport creates a file and writes content to it. It fails if the file exists. what names the content
// for errors.
func writeExport(what, path string, content func(w io.Writer) error) error {
	_, err := plainfile.WriteNew(path, content)
	switch {
	case errors.Is(err, fs.ErrExist):
		return errorf(Refused, "%s exists already and is not overwritten: give another name", escape.Line(path))
	case err != nil:
		return errorf(Refused, "The %s cannot be written: %v", what, err)
	}
	return nil
}

// programName returns the program's name without its folders, because exported files may be passed
// on.
func (bl *bills) programName() string {
	switch o := bl.cfg.Options; {
	case o.Module != "":
		return "-m " + o.Module
	case o.Script != "":
		return filepath.Base(o.Script)
	}
	return "-c"
}

func (bl *bills) exportTexts() []byte {
	var b bytes.Buffer
	if err := export.Write(&b, bl.texts()); err != nil {
		panic(err) // cannot fail: a Buffer accepts everything, and every text can be encoded
	}
	return b.Bytes()
}

// texts returns the nd/1 texts that contain the models' answers. A text that is the beginning of
// another one is left out. An answer that several texts contain is listed in the first of them.
func (bl *bills) texts() []export.Text {
	at := map[*dsl.Node]*nav.Entry{}
	inner := map[*dsl.Node]bool{}
	for i := range bl.ledger.Entries {
		e := &bl.ledger.Entries[i]
		if e.Node == nil {
			continue
		}
		at[e.Node] = e
		for n := e.Node.Parent(); n != nil && !inner[n]; n = n.Parent() {
			inner[n] = true
		}
	}
	var texts []export.Text
	listed := map[*dsl.Node]bool{}
	for i := range bl.ledger.Entries {
		e := &bl.ledger.Entries[i]
		if e.Node == nil || inner[e.Node] {
			continue
		}
		t := export.Text{Program: bl.programName(), Model: bl.modelName(), Mode: export.ModelOnly, Text: e.Node.Text()}
		if e.Pair != nil {
			t.Mode, t.Against = export.Truth, bl.againstName()
		}
		for n := e.Node; n != nil && !listed[n]; n = n.Parent() {
			listed[n] = true
			if found := at[n]; found != nil && (found.Pair == nil) == (e.Pair == nil) {
				t.Replies = append(t.Replies, asExported(found, bl.cfg.Neural.Spelling()))
			}
		}
		slices.Reverse(t.Replies)
		texts = append(texts, t)
	}
	return texts
}

// asExported converts an entry of the ledger to a reply of its text.
func asExported(e *nav.Entry, f *dsl.Format) export.Reply {
	// In source and values, the spelling of a token is escaped, so the first one ends the action.
	added, sep := e.Node.Added(), f.Name(dsl.FrameSep)
	_, text, _ := strings.Cut(added, sep)
	step, _ := e.Node.Step()
	r := export.Reply{
		Start: e.Node.Len() - len(text), End: e.Node.Len(), Action: step.Action.String(), Horizon: nav.UnknownHorizon,
	}
	p := e.Pair
	if p == nil {
		r.Confidence = e.Made.Confidence
		return r
	}
	r.Walk, r.Drifted = export.Free, e.Drifted
	if e.Guided {
		r.Walk = export.Guided
	}
	r.Horizon, r.Confidence, r.Predicted, r.Failure = max(p.Horizon, nav.UnknownHorizon), p.Confidence, p.Raw, p.Failure
	if p.Verdicts != nil {
		same := p.Verdicts.Same()
		r.Same = &same
		for _, v := range p.Verdicts {
			if v.Kind != compare.Same {
				r.Verdicts = append(r.Verdicts, v)
			}
		}
	}
	return r
}

// mostPictures is the maximum number of divergences whose state is drawn in a report.
const mostPictures = 3

func (vw *viewer) exportReport() []byte {
	r := export.Report{
		Program: vw.bills.programName(), When: time.Now(), Moves: len(vw.bills.ledger.Entries), Escape: escape.Text,
		Score: vw.bills.ledger.Score.Lines(besideWidth),
	}
	if r.Moves > 0 {
		r.Model = vw.bills.modelName()
	}
	for i := range vw.bills.ledger.Entries {
		p := vw.bills.ledger.Entries[i].Pair
		if p == nil {
			continue
		}
		r.Referee = "CPython"
		if !p.Diverges() {
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
	if other := vw.bills.againstName(); other != "" {
		r.Referee = other
	}
	r.Pictures, r.Marks, r.Logs = vw.pictures(), vw.marked(), vw.logged()
	var b strings.Builder
	if err := r.Markdown(&b); err != nil {
		panic(err) // cannot fail: a Builder accepts everything
	}
	return []byte(b.String())
}

// pictures returns drawings of the first states of this run at which prediction and truth differ.
func (vw *viewer) pictures() []export.Picture {
	w := vw.program.beside()
	if w == nil {
		return nil
	}
	draw := vw.cfg.Picture
	if draw == nil {
		draw = picture
	}
	var out []export.Picture
	last := -1
	for _, v := range vw.visits.tree.List() {
		at := w.PairAt(v.Number)
		if at <= last || !w.Pairs()[at].Diverges() {
			continue
		}
		last = at
		out = append(out, export.Picture{Title: fmt.Sprintf("Move %d", at+1), Text: vw.plain(draw(vw.viewAt(w, v.Number)))})
		if len(out) == mostPictures {
			break
		}
	}
	return out
}

// viewAt returns the view of a visit of the history, without changing what is shown.
func (vw *viewer) viewAt(w *nav.Both, number int) *View {
	pos, selected, tree := vw.position.pos, vw.position.selected, vw.visits.tree
	defer func() { vw.position.pos, vw.position.selected, vw.visits.tree = pos, selected, tree }()
	vw.position.pos, vw.position.selected, vw.visits.tree = tree.Visit(number).Position, 0, tree.Glance(number)
	defer w.Glance(number, vw.position.pos)()
	return vw.View()
}

// The sizes of a drawing.
const (
	pictureAround = 2  // lines of source before and after
	pictureColumn = 28 // columns for a value
)

// picture draws a view as text: the stack, the source around the current line, and the predicted
// and true values.
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

// pictureSource draws the source around the current line, and marks the current and the predicted
// line.
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
