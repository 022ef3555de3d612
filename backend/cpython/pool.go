package cpython

import (
	"context"
	"slices"
	"sync"
)

// pool holds all recordings, up to a limit. Each recording belongs to a subject. A subject is used by
// one question at a time.
type pool struct {
	limit int

	mu       sync.Mutex
	subjects map[uint64]*subject
	live     int           // number of recordings, starting ones included
	clock    uint64        // increases with each use of a recording
	changed  chan struct{} // closed when a subject is released or a recording has ended
}

func newPool(limit int) *pool {
	return &pool{limit: limit, subjects: map[uint64]*subject{}, changed: make(chan struct{})}
}

// take waits until no question uses the subject with this key, and reserves it for the caller. If there
// is no such subject, take creates it with fresh.
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

// give releases a subject after a question. It removes a subject without recordings.
func (p *pool) give(key uint64, s *subject) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.busy = false
	if len(s.runs) == 0 {
		delete(p.subjects, key)
	}
	p.tell()
}

// room reserves a slot for one more recording of the subject mine. At the limit, it closes the least
// recently used recording of mine, or of a subject that no question uses. A waiting caller holds no
// recording, so room cannot deadlock.
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

// touch marks a recording as used now.
func (p *pool) touch(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock++
	r.used = p.clock
}

// gone releases the slot of a recording that has ended.
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

// closeAll closes all recordings. No question may be in progress.
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
