package statetree

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"github.com/npdb/npdb/dsl"
)

// savedVersion is the version of the format of saved trees. Any change of what a page or the root
// holds needs a new one.
const savedVersion = 1

// mostText limits the length of a text of a loaded tree that is stored as a difference, because a
// few differences can make a very long text.
const mostText = 64 << 20

// Save passes the pages of the tree to put, which stores a page and returns where, and returns the
// root, from which Load makes the tree again. A page is only valid during the call. The pages are
// made for a compressor: similar bytes are next to each other.
//
// Queries may run at the same time. A tree that is not finished is saved as it is now.
func (t *Tree) Save(put func(page []byte) (at uint64, err error)) (root []byte, err error) {
	defer func() {
		if err == nil {
			err = t.Err()
		}
	}()
	t.mu.RLock()
	defer t.done()
	a := &archive{put: put, root: binary.AppendUvarint(nil, savedVersion)}
	t.archive(a)
	if a.err != nil {
		return nil, fmt.Errorf("cannot save the index: %w", a.err)
	}
	return a.root, nil
}

// Load returns the tree that was saved with this root. Nothing may be appended to it. Queries call
// page, from several goroutines, to read the pages that they use, by their address; what page
// returns must not change afterwards. The pages that were used last are kept, up to the given
// number of bytes.
//
// The index may hold anything: see Err. An error says that the root is not valid, or that another
// version of npdb has saved it.
func Load(root []byte, page func(at uint64) ([]byte, error), memory int64) (t *Tree, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			t, err = nil, damageOf(fault)
		}
	}()
	a := &archive{loading: true, root: root}
	var version uint64
	if a.uint(&version); version != savedVersion {
		return nil, fmt.Errorf("the index of the recording has version %d, and this npdb reads version %d", version, savedVersion)
	}
	t = New()
	t.cached = &pageCache{read: page, memory: memory}
	a.cache = t.cached
	t.archive(a)
	t.held += int64(len(root)) + a.held
	return t, nil
}

// archive saves or loads the whole tree.
func (t *Tree) archive(a *archive) {
	a.flag(&t.finished)
	a.flag(&t.hole)
	a.number(&t.limits.chars)
	a.number(&t.limits.items)
	t.own.archive(a)
	t.archiveSources(a)
	t.archiveEvents(a)
	t.archiveTexts(a)
	t.archiveObjects(a)
	t.archiveAsides(a)
	t.archivePostings(a)
	a.expect(len(a.root) == 0, "its directory is too long")
}

func (r *representations) archive(a *archive) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a.flag(&r.off)
}

func (t *Tree) archiveSources(a *archive) {
	list(a, &t.files, func(f *file) {
		text(a, &f.Path)
		text(a, &f.Real)
		text(a, &f.Name)
		text(a, &f.Source)
		if a.loading {
			f.starts = lineStarts(f.Source)
			f.postings = make([]*posting, len(f.starts))
			t.held += int64(len(f.Source) + 16*len(f.starts))
		}
	})
	list(a, &t.codes, func(c *Code) {
		a.number(&c.File)
		a.expect(c.File < len(t.files), "a function is in no file")
		text(a, &c.Name)
		text(a, &c.QualName)
		a.number(&c.FirstLine)
		a.number(&c.LastLine)
		a.texts(&c.Names)
		a.number(&c.Args)
		a.flag(&c.Fast)
		a.flag(&c.Generator)
	})
}

func (t *Tree) archiveEvents(a *archive) {
	e := &t.events
	n, places := e.n(), e.places.n
	a.number(&n)
	a.expect(n < int(none), "it has too many events")
	a.number(&places)
	a.number(&t.activations.n)
	a.number(&t.resumptions.n)
	columnOf(a, &e.head, n, numbers[head]("events", false, nil))
	columnOf(a, &e.place, n, numbers("places of events", true, func(p uint32) bool { return int(p) < places }))
	columnOf(a, &e.previous, n, backwards("order of events"))
	columnOf(a, &e.changes, n, numbers[uint32]("addresses of changes", true, nil))
	columnOf(a, &e.base, (n+fan-1)/fan, addresses("addresses of changes"))
	columnOf(a, &e.places, places, t.placeLayout())
	ledgerOf(a, &e.farLines, ledgerLayout("lines", nil))
	arenaOf(a, &t.changes, "changes", true)
	t.archiveDepths(a)
	columnOf(a, &t.activations, t.activations.n, t.activationLayout())
	columnOf(a, &t.resumptions, t.resumptions.n, t.resumptionLayout())
	ledgerOf(a, &t.exceptions, ledgerLayout("exceptions", t.isEvent))
	ledgerOf(a, &t.said, ledgerLayout("messages", nil))
	list(a, &t.holes, func(edge *int) { a.number(edge) })
	table(a, &t.stood, cmp.Compare[uint32], func(act *uint32, at *[]stood) {
		small(a, act)
		list(a, at, func(s *stood) {
			a.number(&s.event)
			a.number(&s.line)
		})
	})
	table(a, &t.globals, cmp.Compare[int], func(code *int, spaces *[]namespace) {
		a.number(code)
		list(a, spaces, func(s *namespace) {
			small(a, &s.from)
			small(a, &s.module)
			a.expect(s.module == none || int(s.module) < t.activations.n, "a module does not exist")
		})
	})
}

func (t *Tree) archiveDepths(a *archive) {
	n := t.depths.n
	a.number(&n)
	a.expect(n == t.events.n(), "the depths of events are missing")
	if a.loading {
		t.depths.n = n
	}
	for l := 0; n > 1; l++ {
		n = (n + fan - 1) / fan
		if a.loading {
			t.depths.levels = append(t.depths.levels, &column[uint32]{})
		}
		columnOf(a, t.depths.levels[l], n, numbers[uint32]("depths", true, nil))
	}
}

func (t *Tree) archiveTexts(a *archive) {
	s := t.texts
	n := s.len()
	a.number(&n)
	columnOf(a, &s.low, n, numbers[uint32]("addresses of texts", true, nil))
	columnOf(a, &s.high, n, numbers[uint8]("addresses of texts", false, nil))
	arenaOf(a, &s.data, "texts", false)
	keys := &column[uint32]{}
	if !a.loading {
		keys = t.keys()
	}
	count := keys.n
	a.number(&count)
	columnOf(a, keys, count, numbers("keys", false, func(id uint32) bool { return int(id) < n }))
	if a.loading {
		s.keys, s.most = keys, mostText+4*t.limits.chars
	}
}

func (t *Tree) archiveObjects(a *archive) {
	o := &t.objects
	list(a, &o.forms, func(f *Form) { f.archive(a) })
	list(a, &o.shown, func(names *[]handle) {
		list(a, names, func(h *handle) { small(a, h) })
	})
	a.expect(len(o.shown) == len(o.forms), "a form lacks its names")
	objects, versions := o.len(), o.versions.n
	a.number(&objects)
	a.number(&versions)
	columnOf(a, &o.latest, objects, numbers("objects", true, func(v uint32) bool { return v == none || int(v) < versions }))
	columnOf(a, &o.versions, versions, t.versionLayout())
	columnOf(a, &o.high, versions, numbers[uint8]("addresses of objects", false, nil))
	arenaOf(a, &o.data, "content of objects", true)
}

func (f *Form) archive(a *archive) {
	small(a, &f.Kind)
	a.expect(f.Kind <= Items, "a form has an unknown kind")
	for _, s := range []*string{&f.Name, &f.Open, &f.Close, &f.Empty, &f.Single, &f.Cycle, &f.Bare} {
		text(a, s)
	}
	small(a, &f.Style)
	a.texts(&f.Shown)
	a.flag(&f.HasOwn)
	a.number(&f.Own.File)
	a.number(&f.Own.Line)
	r := &f.Reads
	for _, v := range []*bool{&r.Name, &r.Str, &r.Exact, &r.Elements, &r.Attributes} {
		a.flag(v)
	}
	a.texts(&r.Described)
}

func (t *Tree) archiveAsides(a *archive) {
	s := &t.asides
	n := s.rows.n
	a.number(&n)
	columnOf(a, &s.rows, n, t.asideLayout())
	isRow := func(row uint32) bool { return int(row) < n }
	ledgerOf(a, &s.latest, ledgerLayout("changes of outer names", isRow))
	ledgerOf(a, &s.first, ledgerLayout("changes of outer names", t.isStamp))
	arenaOf(a, &s.data, "changes of outer names", true)
}

// archivePostings saves the events of all postings as one column.
func (t *Tree) archivePostings(a *archive) {
	all := &column[uint32]{}
	for i := range t.files {
		f := &t.files[i]
		lines := f.linesWithEvents()
		list(a, &lines, func(line *int) {
			a.number(line)
			a.expect(*line < len(f.postings), "a line does not exist")
			a.posting(&f.postings[*line], all)
		})
	}
	byPlace := func(x, y dsl.Location) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	}
	table(a, &t.far, byPlace, func(at *dsl.Location, p **posting) {
		a.number(&at.File)
		a.number(&at.Line)
		a.posting(p, all)
	})
	raised := &t.raised
	if a.posting(&raised, all); a.loading {
		t.raised = *raised
	}
	columnOf(a, all, all.n, numbers("lines of events", true, func(i uint32) bool { return i != none && t.isEvent(i) }))
}

// posting saves a posting as the next events of all, or loads it from there.
func (a *archive) posting(p **posting, all *column[uint32]) {
	from := all.n
	if !a.loading {
		(*p).each(0, none, all.push)
		n := all.n - from
		a.number(&n)
		return
	}
	n := 0
	a.number(&n)
	a.expect(n < int(none), "a line has too many events")
	all.n += n
	*p = &posting{saved: all, from: from, to: all.n}
}
