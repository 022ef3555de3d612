package session

import (
	"io"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

const pageEnding = ".html"

// Page is what export writes into an HTML page: the recording so far, and what the user found in it.
type Page struct {
	Recording   Recording
	Shown       trace.Position
	Bookmarks   []Bookmark
	Breakpoints []dsl.Location // enabled ones that stop at each hit
}

// Bookmark is a recorded state with a name, and what the user wrote about it.
type Bookmark struct {
	trace.Position
	Name, Note string
}

// exportPage writes the recording as a page for a browser.
func (vw *viewer) exportPage(path string) error {
	switch {
	case vw.program.rec == nil || vw.program.rec.Tree().Len() == 0:
		return errorf(Refused, "export: nothing is recorded that a page could show (in neural mode export FILE.md and FILE.jsonl write what was predicted)")
	case vw.cfg.WritePage == nil:
		return errorf(Refused, "export: this npdb writes no pages")
	}
	return writeExport("page", path, func(w io.Writer) error { return vw.cfg.WritePage(w, vw.page()) })
}

// page returns what a page of this session shows.
func (vw *viewer) page() Page {
	p := Page{Recording: vw.program.rec, Shown: vw.position.pos}
	if p.Shown.Inferred != 0 { // a page has recorded states only
		p.Shown = vw.program.rec.LiveEdge()
	}
	for _, v := range vw.visits.tree.List() {
		if v.Inferred != 0 {
			continue
		}
		for _, name := range v.Marks {
			p.Bookmarks = append(p.Bookmarks, Bookmark{Position: v.Position, Name: name, Note: v.Notes[name]})
		}
	}
	files := vw.program.rec.Tree().Files()
	for _, b := range vw.breakpoints.table.List {
		if !b.OnLine() || !b.Enabled || b.Condition != "" || b.Ignore > 0 || b.Temporary {
			continue
		}
		for n, f := range files {
			if f.Path == b.File {
				p.Breakpoints = append(p.Breakpoints, dsl.Location{File: n, Line: b.Line})
			}
		}
	}
	return p
}

// isPage reports whether export writes a page to a file of this name.
func isPage(path string) bool { return strings.HasSuffix(path, pageEnding) && path != pageEnding }

// PageWriter writes a page.
type PageWriter func(w io.Writer, p Page) error
