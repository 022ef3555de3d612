package cpython

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// answer is the reply to a question.
func (p *Predictor) answer(ctx context.Context, q backend.Question) (dsl.Reply, error) {
	var none dsl.Reply
	nodes := lineage(q.At)
	if len(nodes) < 2 {
		return none, undetermined("the text has no state yet")
	}
	first, ok := nodes[1].Step()
	if !ok {
		return none, undetermined("the text was compacted: what led to its states is not in it")
	}
	if err := begins(first.Reply); err != nil {
		return none, err
	}
	texts := p.identify(nodes)
	s, err := p.pool.take(ctx, texts[1], func() *subject {
		return &subject{of: p, program: q.At.Program(), first: first.Reply}
	})
	if err != nil {
		return none, err
	}
	defer p.pool.give(texts[1], s)
	defer s.tidy()
	at, err := s.locate(ctx, nodes, texts)
	if err != nil {
		return none, err
	}
	to, stays, err := s.move(ctx, at, q.Action)
	if err != nil {
		return none, err
	}
	return s.reply(ctx, to, stays)
}

// begins refuses texts that do not begin where a program does.
func begins(first dsl.Reply) error {
	s := first.Stop
	switch {
	case s == nil:
		return nil
	case len(s.Stack) == 1 && (s.Event == dsl.Call || s.Event == dsl.Line && s.Function == "<module>"):
		return nil
	}
	return undetermined("the text begins in the middle of a program: what led there is not in it")
}

// lineage lists a node and what it came from, the context first.
func lineage(n *dsl.Node) []*dsl.Node {
	var nodes []*dsl.Node
	for ; n != nil; n = n.Parent() {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	return nodes
}

// identify gives each text a number of its own, which is the same for every
// node of that text: a hash of all that was added so far.
func (p *Predictor) identify(nodes []*dsl.Node) []uint64 {
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, f := range nodes[0].Program().Files { // the only file's name is not in the text
		_, _ = h.WriteString(f.Name)
		_ = h.WriteByte(0)
	}
	texts := make([]uint64, len(nodes))
	var before [8]byte
	for i, n := range nodes {
		_, _ = h.WriteString(n.Added())
		texts[i] = h.Sum64()
		binary.LittleEndian.PutUint64(before[:], texts[i])
		h.Reset()
		_, _ = h.Write(before[:])
	}
	return texts
}

// locate finds the place of a text: that of the longest beginning of it which
// is known, and on from there by its steps.
func (s *subject) locate(ctx context.Context, nodes []*dsl.Node, texts []uint64) (place, error) {
	last := len(nodes) - 1
	var at place
	i := last
	for ; i > 0; i-- {
		if known, ok := s.places.get(texts[i]); ok {
			at = known
			break
		}
	}
	if i == 0 {
		var err error
		if at, err = s.begin(ctx); err != nil {
			return at, err
		}
		i = 1
	}
	for i < last && at.unsaid == nil {
		i++
		step, _ := nodes[i].Step()
		to, err := s.follow(ctx, at, step)
		var why *undeterminedError
		if errors.As(err, &why) {
			to.unsaid = err
		} else if err != nil {
			return at, err
		}
		at = to
	}
	s.places.put(texts[last], at)
	return at, at.unsaid
}

// follow is the place after one step of the text.
func (s *subject) follow(ctx context.Context, at place, step dsl.Step) (place, error) {
	if step.Edit {
		return s.edit(ctx, at, step.Reply.Stop)
	}
	if step.Reply.Outcome == dsl.Unknown || step.Reply.Outcome == dsl.AtStart {
		return at, nil // the format's rule: the place stays
	}
	to, stays, err := s.move(ctx, at, step.Action)
	if err != nil || !s.of.config.Drift {
		return to, err
	}
	if stays {
		to = at
	}
	return s.believe(ctx, to, step.Reply)
}

// edit is the place after the user has edited the state at a place.
func (s *subject) edit(ctx context.Context, at place, edited *dsl.Stop) (place, error) {
	if at.pos.End || at.pos.PostMortem {
		return at, undetermined("an edit where the program is over")
	}
	truth, err := s.stop(ctx, at)
	if err != nil {
		return at, err
	}
	if !samePlace(truth, edited) || !sameText(truth.Value, edited.Value) || len(truth.Locals) > len(visible(edited.Locals)) {
		return at, undetermined("an edit at line %d of %s changes more than values of locals", edited.Line, edited.Function)
	}
	set := differences(truth, edited)
	if len(set) == 0 {
		return at, nil
	}
	to, err := s.change(ctx, at, change{set: set})
	if err != nil {
		return at, err
	}
	if truth, err = s.stop(ctx, to); err != nil {
		return at, err
	}
	if left := differences(truth, edited); len(left) > 0 {
		return at, undetermined("the edit of %s at line %d cannot be made: its text is no literal, or not what the value looks like", left[0].Name, edited.Line)
	}
	return to, nil
}

func sameText(a, b *string) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}
