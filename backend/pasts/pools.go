package pasts

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/npdb/npdb/python"
)

// Values of Found.From: how a candidate was made.
const (
	fromNatural  = "a usual value"
	fromCommon   = "a common value"
	fromLiteral  = "a literal of the code"
	fromMutation = "mutation"
	fromResidual = "the result's difference"
	fromSample   = "a sample of the model"
	fromCall     = "another call"
	fromGiven    = "given"
	fromSplit    = "the result, split between two arguments"
	fromAffix    = "the result with a piece at its end, and the piece"
	fromTwice    = "made of the result in two steps"
	fromTurned   = "the result, split between two arguments, one of them reversed"
	fromPart     = "an argument and a part of it"
	fromRemoved  = "the result without an item, and the item"
	fromItself   = "the result itself"
)

// mostText is the largest length of an argument's repr.
const mostText = 1500

// option is a value for one parameter. Options with a lower cost are tried first.
type option struct {
	made
	text string
	cost float64
}

// Parts of the cost of an option. Those that apply to it are added up.
const (
	perVote   = 0.4 // for each vote that a kind of value has fewer than the kind with the most votes
	mostVotes = 6.0
	perPlace  = 0.3 // times the logarithm of the number of earlier values of the same kind
	ofSmall   = 0.4 // for values that are not derived from the wanted result
	// For the first value of natural, and for each further one.
	ofNatural, perNatural = 0.4, 0.15

	ofRare  = 3.5 // for None, bools and floats
	ofEqual = 0.2 // for each constant before this one that the program compares the parameter with
)

// misfit measures how badly the types of a value and of its items suit the uses of a parameter: 0 if no
// other types suit better.
func misfit(v value, e *python.Evidence, depth int) float64 {
	best := slices.Max(e.Votes[:])
	cost := min(mostVotes, (best-e.Votes[v.Kind])*perVote)
	if depth == 0 || len(v.Items) == 0 {
		return cost
	}
	inner, n := 0.0, min(len(v.Items), 8)
	for i := range n {
		inner += misfit(v.Items[i], e.Elements(), depth-1)
		if v.Kind == python.DictKind {
			inner += misfit(v.Keys[i], e.Keys(), 0)
		}
	}
	return cost + 0.5*inner/float64(n)
}

// pool returns the options for a parameter, in the order of their costs.
func (s *search) pool(e *python.Evidence) []option {
	p := &pooling{evidence: e, seen: map[string]bool{}}
	for i, v := range e.Equal {
		p.add(made{v, "compared with"}, float64(i)*ofEqual)
	}
	for _, v := range s.elsewhere {
		p.add(made{v, "seen elsewhere"}, 0.1)
	}
	for i, v := range natural(e) {
		p.add(made{v, fromNatural}, ofNatural+perNatural*float64(i))
	}
	places := map[python.Kind]int{}
	for _, m := range s.derived {
		p.add(m, perPlace*math.Log1p(float64(places[m.value.Kind])))
		places[m.value.Kind]++
	}
	clear(places)
	for _, v := range s.small {
		cost := ofSmall + perPlace*math.Log1p(float64(places[v.value.Kind]))
		if v.value.Kind <= python.BoolKind || v.value.Kind == python.FloatKind {
			cost = ofRare
			if best, ok := e.Best(); ok && best == v.value.Kind {
				cost = ofSmall
			}
		}
		p.add(v, cost)
		places[v.value.Kind]++
	}
	slices.SortStableFunc(p.options, func(a, b option) int { return cmp.Compare(a.cost, b.cost) })
	return p.options
}

type pooling struct {
	evidence *python.Evidence
	options  []option
	seen     map[string]bool
}

func (p *pooling) add(m made, cost float64) {
	text := m.value.Text()
	if p.seen[text] || len(text) > mostText {
		return
	}
	p.seen[text] = true
	p.options = append(p.options, option{m, text, cost + misfit(m.value, p.evidence, 2)})
}

// combinations enumerates lists with one option for each parameter, in the order of the sums of their
// costs.
type combinations struct {
	pools [][]option
	heap  combinationHeap
	seen  map[string]bool
}

type combination struct {
	at   []int
	cost float64
}

type combinationHeap []combination

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (h combinationHeap) Len() int           { return len(h) }
func (h combinationHeap) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h combinationHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *combinationHeap) Push(x any) { *h = append(*h, x.(combination)) }

// Pop implements heap.Interface.
func (h *combinationHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

func newCombinations(pools [][]option) *combinations {
	c := &combinations{pools: pools, seen: map[string]bool{}}
	if !slices.ContainsFunc(pools, func(p []option) bool { return len(p) == 0 }) {
		c.push(make([]int, len(pools)))
	}
	return c
}

func (c *combinations) push(at []int) {
	key := make([]byte, 0, 2*len(at))
	cost := 0.0
	for i, j := range at {
		if j >= len(c.pools[i]) {
			return
		}
		key = append(key, byte(j), byte(j>>8))
		cost += c.pools[i][j].cost
	}
	if !c.seen[string(key)] {
		c.seen[string(key)] = true
		heap.Push(&c.heap, combination{at, cost})
	}
}

// next returns the next combination. ok is false if there are no more.
func (c *combinations) next() (options []option, ok bool) {
	if len(c.heap) == 0 {
		return nil, false
	}
	top := heap.Pop(&c.heap).(combination)
	for i, j := range top.at {
		options = append(options, c.pools[i][j])
		next := slices.Clone(top.at)
		next[i]++
		c.push(next)
	}
	return options, true
}
