package cpython

import (
	"context"
	"slices"
	"sync"
)

// pool holds the recordings, up to a number of them. Each belongs to a subject;
// a subject is one question's at a time.
type pool struct {
	limit int

	mu       sync.Mutex
	subjects map[uint64]*subject
	live     int           // recordings, those that are being started included
	clock    uint64        // counts what was used when
	changed  chan struct{} // closed when a subject is given back or a recording is gone
}

func newPool(limit int) *pool {
	return &pool{limit: limit, subjects: map[uint64]*subject{}, changed: make(chan struct{})}
}

// take waits for a subject and makes it the caller's own. A new one is made if
// there is none of the key.
func (p *pool) take(ctx context.Context, key uint64, fresh func() *subject) (*subject, error) {
	for {
		p.mu.Lock()
		s := p.subjects[key]
		if s == nil {
			s = fresh()
			p.subjects[key] = s
		}
		if !s.busy {
			s.busy = true
			p.mu.Unlock()
			return s, nil
		}
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// give ends a question's use of a subject. One without a recording is
// forgotten.
func (p *pool) give(key uint64, s *subject) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.busy = false
	if len(s.runs) == 0 {
		delete(p.subjects, key)
	}
	p.tell()
}

// room makes room for one more recording of a subject: at the limit, the one
// that was used longest ago is ended, of the subject itself or of one that no
// question has. Whoever waits here has no recording, so none waits for ever.
func (p *pool) room(ctx context.Context, mine *subject) error {
	for {
		p.mu.Lock()
		if p.live < p.limit {
			p.live++
			p.mu.Unlock()
			return nil
		}
		if owner, oldest := p.oldest(mine); oldest != nil {
			owner.runs = slices.DeleteFunc(owner.runs, func(r *run) bool { return r == oldest })
			for key, s := range p.subjects {
				if s == owner && !s.busy && len(s.runs) == 0 {
					delete(p.subjects, key)
				}
			}
			p.mu.Unlock()
			oldest.close()
			return nil
		}
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (p *pool) oldest(mine *subject) (owner *subject, oldest *run) {
	for _, s := range p.subjects {
		if s.busy && s != mine {
			continue
		}
		for _, r := range s.runs {
			if oldest == nil || r.used < oldest.used {
				owner, oldest = s, r
			}
		}
	}
	return owner, oldest
}

// touch notes that a recording is used now.
func (p *pool) touch(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock++
	r.used = p.clock
}

// gone notes the end of a recording that room was made for.
func (p *pool) gone() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live--
	p.tell()
}

func (p *pool) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// closeAll ends all recordings. No question is under way.
func (p *pool) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, s := range p.subjects {
		for _, r := range s.runs {
			r.close()
			p.live--
		}
		delete(p.subjects, key)
	}
}
