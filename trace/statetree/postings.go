package statetree

import (
	"sort"

	"github.com/npdb/npdb/dsl"
)

const (
	postingFirst = 4    // events in the first chunk of a posting
	postingMost  = 4096 // maximum number in a later chunk
)

// posting lists events, ascending, in chunks of doubling size that are never copied: the line
// events of one line of a file, or the events at which exceptions are raised.
type posting struct {
	chunks [][]uint32
	// In a loaded tree the events are saved[from:to].
	saved    *column[uint32]
	from, to int
}

// push adds the next event and returns the number of bytes allocated for it.
func (p *posting) push(event uint32) (grown int64) {
	last := len(p.chunks) - 1
	if last < 0 || len(p.chunks[last]) == cap(p.chunks[last]) {
		size := postingFirst
		if last >= 0 {
			size = min(2*cap(p.chunks[last]), postingMost)
		}
		p.chunks = append(p.chunks, make([]uint32, 0, size))
		grown = int64(size)*4 + 24
		last++
	}
	p.chunks[last] = append(p.chunks[last], event)
	return grown
}

// after returns the first event after i.
func (p *posting) after(i int) (int, bool) {
	if p.saved != nil {
		return p.event(p.search(i + 1))
	}
	c := sort.Search(len(p.chunks), func(c int) bool {
		chunk := p.chunks[c]
		return int(chunk[len(chunk)-1]) > i
	})
	if c == len(p.chunks) {
		return 0, false
	}
	chunk := p.chunks[c]
	k := sort.Search(len(chunk), func(k int) bool { return int(chunk[k]) > i })
	return int(chunk[k]), true
}

// before returns the last event before i.
func (p *posting) before(i int) (int, bool) {
	if p.saved != nil {
		return p.event(p.search(i) - 1)
	}
	c := sort.Search(len(p.chunks), func(c int) bool { return int(p.chunks[c][0]) >= i }) - 1
	if c < 0 {
		return 0, false
	}
	chunk := p.chunks[c]
	k := sort.Search(len(chunk), func(k int) bool { return int(chunk[k]) >= i }) - 1
	return int(chunk[k]), true
}

// search returns the row of the first event of a loaded posting that is i or later.
func (p *posting) search(i int) (row int) {
	return p.from + sort.Search(p.to-p.from, func(k int) bool { return int(*p.saved.at(p.from + k)) >= i })
}

// event returns the event in a row of a loaded posting, or false if the row is not one of it.
func (p *posting) event(row int) (int, bool) {
	if row < p.from || row >= p.to {
		return 0, false
	}
	return int(*p.saved.at(row)), true
}

// each calls visit with each event from first to last.
func (p *posting) each(first, last uint32, visit func(event uint32)) {
	at := sort.Search(len(p.chunks), func(c int) bool {
		chunk := p.chunks[c]
		return chunk[len(chunk)-1] >= first
	})
	for _, chunk := range p.chunks[at:] {
		for _, event := range chunk {
			switch {
			case event > last:
				return
			case event >= first:
				visit(event)
			}
		}
	}
	if p.saved == nil {
		return
	}
	for row := p.search(int(first)); row < p.to; row++ {
		event := *p.saved.at(row)
		if event > last {
			return
		}
		visit(event)
	}
}

// posted returns the posting of a line, or nil if the line has no event.
func (t *Tree) posted(at dsl.Location) *posting {
	if at.File < 0 || at.File >= len(t.files) {
		return nil
	}
	if f := &t.files[at.File]; at.Line >= 1 && at.Line <= len(f.postings) {
		return f.postings[at.Line-1]
	}
	return t.far[at]
}

// posting returns the posting of a line and creates it if necessary.
func (t *Tree) posting(at dsl.Location) *posting {
	if p := t.posted(at); p != nil {
		return p
	}
	p := &posting{}
	if f := &t.files[at.File]; at.Line >= 1 && at.Line <= len(f.postings) {
		f.postings[at.Line-1] = p
	} else {
		t.far[at] = p
	}
	t.held += 32
	return p
}
