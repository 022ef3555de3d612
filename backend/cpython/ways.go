package cpython

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"strconv"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// way is one of several possibilities that a text leaves open: the environment in which the program
// runs, and the effect of an edit of a list, dict or set. An answer is given only if all ways agree on
// it.
type way struct {
	twin int // 0: npdb's usual environment; other numbers: other environments
	edit edit
}

// edit is the effect that assigning a new value to a name has on the old object.
type edit uint8

const (
	rebinds     edit = iota // binds the name to a new object
	changes                 // changes the object in place, so that iterators and aliases see it
	changesDeep             // changes contained objects in place too
)

// circumstances returns command line arguments and environment variables for the program. A text does
// not contain them, and the reply should not depend on them. They vary the addresses of objects and thus
// the order of sets, the date, and the arguments.
func (w way) circumstances() (args, env []string) {
	if w.twin == 0 {
		return nil, nil
	}
	allocators := []string{"malloc", "pymalloc_debug", "malloc_debug"}
	// Offsets of nearly a day in both directions, so that at any hour one of them has another date.
	zones := []string{"AAA+23:59:59", "BBB-23:59:59", "CCC+5"}
	i := (w.twin - 1) % len(allocators)
	env = []string{"PYTHONMALLOC=" + allocators[i], "TZ=" + zones[i]}
	if w.twin%2 == 1 {
		args = []string{strconv.Itoa(w.twin)}
	}
	return args, env
}

// of returns the key of a subject that is run in this way. The key subject is that in the usual way.
func (w way) of(subject uint64, seed maphash.Seed) uint64 {
	if w == (way{}) {
		return subject
	}
	var h maphash.Hash
	h.SetSeed(seed)
	_ = binary.Write(&h, binary.LittleEndian, [3]uint64{subject, uint64(w.twin), uint64(w.edit)})
	return h.Sum64()
}

// said is the answer obtained in one way.
type said struct {
	reply  dsl.Reply
	edited bool // the user gave a list, dict or set another value in a step of the text
	signs  *signs
	err    error
}

// answer returns the reply to a question if all ways agree on it.
func (p *Predictor) answer(ctx context.Context, q backend.Question) (dsl.Reply, error) {
	t, err := p.trails.to(q.At)
	if err != nil {
		return dsl.Reply{}, err
	}
	first := p.ask(ctx, q, t, way{})
	if first.err != nil || p.config.Drift {
		return first.reply, first.err
	}
	if name, call := first.signs.chance(first.reply); name != "" {
		return dsl.Reply{}, undetermined("%s comes from %s, which the text does not tell", name, call)
	}
	var ways []way
	for i := range first.signs.needed(first.reply) {
		ways = append(ways, way{twin: i + 1})
	}
	if first.edited {
		ways = append(ways, way{edit: changes}, way{edit: changesDeep})
	}
	others := make([]said, len(ways))
	var asked sync.WaitGroup
	for i := range ways {
		asked.Go(func() { others[i] = p.ask(ctx, q, t, ways[i]) })
	}
	asked.Wait()
	for i, other := range others {
		var why *undeterminedError
		switch undecided := errors.As(other.err, &why); {
		case undecided && why.otherEdit:
			continue // the text shows that edits do not have this effect
		case undecided && ways[i].twin > 0:
			return dsl.Reply{}, undetermined("the program does not do the same in two runs: in one, %s", why.why)
		case other.err != nil:
			return dsl.Reply{}, other.err
		case sameReply(first.reply, other.reply):
			continue
		case ways[i].edit != rebinds:
			return dsl.Reply{}, undetermined("the text does not tell whether an edit changed an object or made another one")
		}
		return dsl.Reply{}, undetermined("the program does not do the same in two runs: %s", replyDifference(first.reply, other.reply))
	}
	return first.reply, nil
}

// ask answers a question in one way.
func (p *Predictor) ask(ctx context.Context, q backend.Question, t trail, w way) said {
	key := w.of(t.subject, p.trails.seed)
	s, err := p.pool.take(ctx, key, func() *subject {
		o, _ := beginningOf(startOf(q.At)).origin() // cannot fail: trails.whole has checked it
		return &subject{of: p, program: q.At.Program(), origin: o, way: w}
	})
	if err != nil {
		return said{err: err}
	}
	defer p.pool.give(key, s)
	defer s.tidy()
	at, err := s.locate(ctx, t)
	if err != nil {
		return said{err: err}
	}
	if s.signs == nil && w == (way{}) {
		s.signs = readSigns(s.program)
	}
	reply, err := s.unanimous(ctx, at.all, q.Action)
	return said{reply: reply, edited: at.edited, signs: s.signs, err: err}
}

// replyDifference describes how two replies differ.
func replyDifference(a, b dsl.Reply) string {
	if a.Stop == nil || b.Stop == nil || !samePlace(a.Stop, b.Stop) {
		return "they go different ways"
	}
	for _, l := range append(differences(a.Stop, b.Stop), differences(b.Stop, a.Stop)...) {
		return "they differ in " + l.Name
	}
	return "they differ in a value"
}
