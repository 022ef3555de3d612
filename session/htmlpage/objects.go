package htmlpage

import (
	"cmp"
	"slices"

	"github.com/npdb/npdb/trace/statetree"
)

// objects are the objects that names hold. The page has the text of each whenever it changes and a
// name on the stack, or a global, holds it.
type objects struct {
	f        *follower
	byKey    map[key]*object
	byObject map[statetree.Object][]*object
	known    int // number of objects that the page knows
	last     int // event of the last entry of data.Objects

	parents map[statetree.Object][]statetree.Object // objects that contain an object at some event
	scanned map[statetree.Object]bool
	changed map[int][]statetree.Object // by event: the objects whose own content changes there
	pending []*object                  // those whose text may have to be written
}

// key identifies an object. If secrets are hidden, its text depends on the name that holds it, and
// the same object is several ones.
type key struct {
	object statetree.Object
	name   string
}

type object struct {
	key
	number  int  // -1 if the page does not know it yet
	held    int  // number of names that can be seen and hold it
	stale   bool // its text may have changed
	shown   string
	text    int // number of that text, -1 if none
	unasked bool
}

// mostAbove limits how many objects around a changed one are looked at.
const mostAbove = 2000

func (s *objects) get(o statetree.Object, name string) *object {
	k := key{object: o}
	if s.f.redact != nil {
		k.name = name
	}
	x := s.byKey[k]
	if x == nil {
		x = &object{key: k, number: -1, stale: true, text: -1}
		s.byKey[k] = x
		s.byObject[o] = append(s.byObject[o], x)
		s.scan(o)
	}
	return x
}

// hold adds n to the number of names that hold a value and can be seen.
func (s *objects) hold(v statetree.Value, name string, n int) {
	if o, ok := v.Object(); ok {
		x := s.get(o, name)
		x.held += n
		s.pend(x)
	}
}

// force makes update write the text of a value that no name may hold.
func (s *objects) force(v statetree.Value, name string) {
	if o, ok := v.Object(); ok {
		x := s.get(o, name)
		x.held++
		s.pend(x)
		s.update(s.f.at)
		x.held--
	}
}

func (s *objects) pend(x *object) {
	if x.stale && x.held > 0 {
		s.pending = append(s.pending, x)
	}
}

// reference returns the distance of an object from the next new one, 0 if it is new.
func (s *objects) reference(o statetree.Object, name string) int {
	x := s.get(o, name)
	if x.number < 0 {
		x.number = s.known
		s.known++
		return 0
	}
	return s.known - x.number
}

// scan notes when an object and those in it change, from this event on.
func (s *objects) scan(o statetree.Object) {
	next := []statetree.Object{o}
	for len(next) > 0 {
		o := next[len(next)-1]
		next = next[:len(next)-1]
		if s.scanned[o] {
			continue
		}
		s.scanned[o] = true
		for _, at := range s.f.tree.References(o, s.f.at, s.f.to-1, func(child statetree.Object) {
			if above := s.parents[child]; len(above) == 0 || above[len(above)-1] != o {
				s.parents[child] = append(above, o)
			}
			if !s.scanned[child] {
				next = append(next, child)
			}
		}) {
			s.changed[at] = append(s.changed[at], o)
		}
	}
}

// update writes the texts that changed at an event.
func (s *objects) update(at int) {
	s.spoil(s.changed[at])
	delete(s.changed, at)
	slices.SortFunc(s.pending, func(a, b *object) int { return cmp.Compare(a.number, b.number) })
	for _, x := range s.pending {
		if !x.stale || x.held == 0 {
			continue
		}
		x.stale = false
		value := statetree.ObjectValue(x.object)
		text, unasked := s.f.text(value, x.name)
		if x.text >= 0 && text == x.shown && unasked == x.unasked {
			continue
		}
		var distance int
		distance, x.text = s.f.texts.reference(text, x.shown, x.text)
		x.shown, x.unasked = text, unasked
		flag := 0
		if unasked {
			flag = 1
		}
		s.f.Objects = append(s.f.Objects, at-s.f.from-s.last, s.known-x.number, distance*2+flag)
		s.last = at - s.f.from
	}
	s.pending = s.pending[:0]
}

// spoil marks the texts that the content of some objects is part of.
func (s *objects) spoil(changed []statetree.Object) {
	seen := map[statetree.Object]bool{}
	next := slices.Clone(changed)
	for len(next) > 0 {
		o := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[o] {
			continue
		}
		seen[o] = true
		if len(seen) > mostAbove {
			s.spoilAll()
			return
		}
		for _, x := range s.byObject[o] {
			x.stale = true
			s.pend(x)
		}
		next = append(next, s.parents[o]...)
	}
}

func (s *objects) spoilAll() {
	for _, x := range s.byKey {
		x.stale = true
		s.pend(x)
	}
}
