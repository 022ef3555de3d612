package embedded

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/python"
)

// TestTrueRepliesAreAllowed checks that every reply of the vectors is allowed, and that its tokens are
// the same if determined text is appended at once.
func TestTrueRepliesAreAllowed(t *testing.T) {
	free, all := 0, 0
	for _, v := range vectors.All() {
		last, _, err := dsl.ND1.Read(v.Wire)
		if err != nil {
			t.Fatal(err)
		}
		for n := last; n.Parent().Parent() != nil; n = n.Parent() {
			step, _ := n.Step()
			reply, err := n.Parent().Reply(step.Action, step.Reply)
			if err != nil {
				t.Fatal(err)
			}
			p := newScene(n.Parent(), step.Action, python.Version{}).begin()
			tokens := ours.encode(nil, reply)
			all += len(tokens)
			for rest := tokens; len(rest) > 0; {
				after := p
				text := after.determined()
				ids, _ := ours.begin(nil, text)
				if !strings.HasPrefix(ours.decode(rest), text) || !strings.HasPrefix(ours.decode(rest), ours.decode(ids)) {
					t.Fatalf("%s: %q is said to be determined in %q", v.Name, text, reply)
				}
				for i, id := range ids {
					if rest[i] != id || !p.token(ours, id) {
						t.Fatalf("%s: token %q in %q", v.Name, ours.words[id], reply)
					}
				}
				if rest = rest[len(ids):]; len(rest) == 0 {
					break
				}
				if !p.token(ours, rest[0]) {
					t.Fatalf("%s: after %v, %q is not allowed in %q", v.Name, step.Action, ours.words[rest[0]], reply)
				}
				free++
				rest = rest[1:]
			}
			if !p.done() {
				t.Fatalf("%s: %q does not end", v.Name, reply)
			}
		}
	}
	t.Logf("%d of %d tokens are not determined", free, all)
}

// babble writes a reply of random allowed tokens. After patience tokens it prefers tokens that end the
// reply.
func babble(p spot, rng *rand.Rand, patience int) (string, error) {
	var b strings.Builder
	for tokens := 0; ; tokens++ {
		after := p
		ids, _ := ours.begin(nil, after.determined())
		for _, id := range ids {
			if !p.token(ours, id) {
				return b.String(), fmt.Errorf("the determined token %q is not allowed", ours.words[id])
			}
			b.WriteString(ours.words[id])
		}
		if p.done() {
			return b.String(), nil
		}
		var allowed []int
		for id := range ours.words {
			if after = p; after.token(ours, id) {
				allowed = append(allowed, id)
			}
		}
		if len(allowed) == 0 {
			return b.String(), errStuck
		}
		id := allowed[rng.IntN(len(allowed))]
		if tokens > patience && p.part != dsl.PartFrameLine { // only a random token can be an existing breakpoint line
			id = closing(&p, allowed)
		}
		if tokens > patience+5000 {
			return b.String(), errTooMany
		}
		p.token(ours, id)
		b.WriteString(ours.words[id])
	}
}

// closing returns the allowed token that brings the reply closest to its end.
func closing(p *spot, allowed []int) int {
	marks := []string{"}", "]", "|", `"`}
	if p.part.Rule().Holds == dsl.AValue {
		marks = []string{`"`}
	}
	for _, word := range marks {
		if id := ours.longest(word); slices.Contains(allowed, id) {
			return id
		}
	}
	return allowed[0]
}

// actions returns all ten actions.
func actions(lines ...dsl.Location) []dsl.Action {
	var all []dsl.Action
	for m := range dsl.Moves() {
		a := dsl.Action{Move: m}
		if m.TakesLines() {
			a.Lines = lines
		}
		all = append(all, a)
	}
	return all
}

// checkReply parses a reply and appends it to the node, like a caller that asked for it.
func checkReply(at *dsl.Node, a dsl.Action, reply string) error {
	d := at.Decode(a)
	if err := d.Feed(reply); err != nil {
		return err
	}
	step, ok := d.Step()
	if !ok || d.Read() != len(reply) {
		return fmt.Errorf("it ends after %d of %d bytes", d.Read(), len(reply))
	}
	_, err := at.Append(step)
	return err
}

// TestAllowedRepliesAreStates checks that replies of random allowed tokens can be parsed and appended.
func TestAllowedRepliesAreStates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, v := range vectors.All()[:8] {
		last, _, err := dsl.ND1.Read(v.Wire)
		if err != nil {
			t.Fatal(err)
		}
		for n, i := last, 0; n.Parent() != nil && i < 6; n, i = n.Parent(), i+1 {
			for _, a := range actions(dsl.Location{Line: 1}, dsl.Location{Line: 3}) {
				reply, err := babble(newScene(n, a, python.Version{}).begin(), rng, 200)
				if err == nil {
					err = checkReply(n, a, reply)
				}
				if err != nil {
					t.Fatalf("%v at the end of\n%s\nis answered with\n%s\n%v", a, n.Text(), reply, err)
				}
			}
		}
	}
}

const severalFiles = "<|trace_context_start|><|file_sep|>\"main.py\"\n" +
	"a:1|import m\na:2|m.f(1)\n<|file_sep|>\"m.py\"\nb:1|def f(x):\nb:2|    return x <\\| 1\nb:3|\nb:4|\nb:5|\nb:6|\nb:7|\nb:8|\nb:9|\nb:10|y = '<\\\\'\n<|frame_sep|>" +
	`<|line_sep|><|stack_sep|>[["<module>", "a:2"]]{"ü": "'\u003c|'"}<|action_sep|>` + "a:2|m.f(1)\n<|frame_sep|>"

func TestAllowedRepliesOfSeveralFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	n, _, err := dsl.ND1.Read(severalFiles)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		a := actions(dsl.Location{File: 1, Line: 10}, dsl.Location{Line: 99})[i%10]
		reply, err := babble(newScene(n, a, python.Version{}).begin(), rng, 60)
		if err == nil {
			err = checkReply(n, a, reply)
		}
		if err != nil {
			t.Fatalf("%v is answered with\n%s\n%v", a, reply, err)
		}
		if i%3 == 0 {
			d := n.Decode(a)
			if d.Feed(reply) != nil {
				continue
			}
			step, _ := d.Step()
			if n, err = n.Append(step); err != nil {
				t.Fatal(err)
			}
			if n.Len() > 6000 {
				n, _, _ = dsl.ND1.Read(severalFiles)
			}
		}
	}
}
