package trace

import (
	"fmt"

	"github.com/npdb/npdb/trace/saved"
	"github.com/npdb/npdb/trace/statetree"
)

// A recording with Options.Keep is divided into parts. The State Tree holds the last part. Of each earlier
// part only the compressed log is kept, and the oldest parts are dropped. Each part begins with a
// checkpoint, so that a file can begin with any part.

// keeping holds the parts before the one in the tree.
type keeping struct {
	most    int // events to keep, at least
	parts   []keptPart
	dropped int          // number of events before those of parts
	begins  [][]byte     // chunks of the checkpoint at the beginning of the part in the tree
	writer  saved.Writer // of checkpoints
	// before and numbers are the tree and the decoder of the part before the one in the tree, to find an
	// exception that was raised there.
	before  *statetree.Tree
	numbers decoder
}

type keptPart struct {
	begins [][]byte // chunks of its checkpoint
	chunks [][]byte
	events int
}

// keptShare is the number of parts into which the events to keep are divided. One part more than that
// is kept, because only whole parts are dropped.
const keptShare = 4

// leastPart and objectsPerEvent bound the cost of checkpoints: a part has at least leastPart events, and
// at least one event for every objectsPerEvent objects.
const (
	leastPart       = 256
	objectsPerEvent = 8
)

// defaultForgetFrom is the number of objects at which the tracer begins to forget objects that no name
// reaches.
const defaultForgetFrom = 10_000

// keep makes the recording keep the newest events only.
func (r *Recording) keep(most int) {
	if most <= 0 {
		return
	}
	r.kept = &keeping{most: most}
	r.decode.keeps = true
	r.decode.until = r.kept.length(r.tree)
}

// length returns the number of events that a part gets whose checkpoint contains the objects of tree.
func (k *keeping) length(tree *statetree.Tree) int {
	return max(leastPart, k.most/keptShare, tree.Objects()/objectsPerEvent)
}

// earlier returns the number of events that are not in the tree, dropped ones included.
func (k *keeping) earlier() (n int) {
	if k == nil {
		return 0
	}
	n = k.dropped
	for _, p := range k.parts {
		n += p.events
	}
	return n
}

// earlier returns the number of events that are no longer in the tree.
func (r *Recording) earlier() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept.earlier()
}

// events returns the number of events so far.
func (r *Recording) events() int { return r.earlier() + r.tree.Len() }

// Events returns the number of events so far, and how many of them are kept.
func (r *Recording) Events() (all, kept int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all = r.kept.earlier() + r.tree.Len()
	if r.kept == nil {
		return all, all
	}
	return all, all - r.kept.dropped
}

// raisedBefore is like raisedAt for the part before the one in the tree. The event is counted from the
// beginning of the program. ok is false if there is none.
func (r *Recording) raisedBefore(where string) (event int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.kept
	if k == nil || k.before == nil {
		return 0, false
	}
	event = raisedIn(k.before, k.numbers.acting, len(k.numbers.acts), where)
	return event + k.earlier() - k.before.Len(), event >= 0
}

// bytes returns the memory that the parts and the last checkpoint use.
func (k *keeping) bytes() (n int64) {
	if k == nil {
		return 0
	}
	add := func(chunks [][]byte) {
		for _, chunk := range chunks {
			n += int64(len(chunk))
		}
	}
	add(k.begins)
	for _, p := range k.parts {
		add(p.begins)
		add(p.chunks)
	}
	return n
}

// add adds the part that has ended, and drops the oldest parts as long as the others have the number of
// events to keep.
func (k *keeping) add(p keptPart) {
	k.parts = append(k.parts, p)
	have := k.earlier() - k.dropped
	for have-k.parts[0].events >= k.most {
		have -= k.parts[0].events
		k.dropped += k.parts[0].events
		k.parts = k.parts[1:]
	}
}

// cut ends the part in the tree and begins the next one with a checkpoint. The caller has locked r.mu.
func (r *Recording) cut() error {
	k, events := r.kept, r.tree.Len()
	before := r.decode
	k.before, k.numbers = r.tree.Restart(), before
	r.outputs.restart()
	k.add(keptPart{k.begins, r.log.Cut(), events})
	r.edge = Position{Event: -1, PostMortem: r.edge.PostMortem}
	r.decode = decoder{tree: r.tree, name: before.name, output: before.output, keeps: true, gaps: before.gaps}
	err := writeCheckpoint(&before, k.before, func(records []byte) error {
		k.writer.Add(saved.KindRecords, records)
		n, err := r.understand(records)
		if err == nil && n < len(records) {
			err = fmt.Errorf("a checkpoint has no record at byte %d", n)
		}
		return err
	})
	k.begins = k.writer.Cut()
	r.decode.until = k.length(r.tree)
	return err
}
