//go:build unix

package provenance_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/statetree"
)

// comparison compares npdb's chains with those of the reference (testdata/reference).
type comparison struct {
	g      *refGraph
	tree   *statetree.Tree
	counts map[int][]int // the line events of each line
}

// compared is the result of a comparison.
type compared struct {
	hops  int    // number of hops that agree
	ended string // why npdb's chain ended before the reference's, "" if it did not
	lost  string // why the reference's chain ended before npdb's, "" if it did not
	last  string // how npdb's last hop differs, if the chain ends there with a reason in ended
	wrong string // how a hop differs, "" if none does
	sure  bool   // npdb is certain of all compared hops
}

// chain compares the hops of npdb's chain, the latest first, with the reference's answer to q.
func (c *comparison) chain(hops []provenance.Hop, q refQuestion) (result compared) {
	at := []standing{{store: q.Store, origin: -1, time: q.Time}}
	if q.Holder >= 0 && q.Index >= 0 {
		at = append(at, standing{store: q.Holder, origin: -1, path: []int{q.Index}, time: q.Time})
	}
	result.sure = true
	if h := &hops[0]; q.Holder >= 0 && h.Computed && h.Kind == provenance.Assignment && h.Expression == q.Expression {
		at = []standing{{store: q.Holder, origin: -1, time: q.Time}} // npdb computed the element from the container
		hops = hops[1:]
	}
	for i := range hops {
		h := &hops[i]
		result.sure = result.sure && h.Certain
		if h.Kind == provenance.Unclear && h.End != provenance.NoEnd {
			result.ended = name(h)
			return result
		}
		if c.foreign(h, hops[i+1:], at) {
			result.lost = "changes of an object of a library"
			return result
		}
		if changed, problem := c.mutation(h, at); problem != "" {
			result.wrong = fmt.Sprintf("hop %d: %s", i+1, problem)
			return result
		} else if changed {
			result.hops++
			at = slices.Clone(at)
			for k := range at {
				at[k].time = 0 // this hop listed the object's changes
			}
			continue
		}
		for n := range h.Times {
			next, problem := c.hop(h, at, n > 0)
			switch unknown := h.End == provenance.Unknown || h.End == provenance.Edge || h.End == provenance.Limit; {
			case strings.HasPrefix(problem, lost):
				result.lost = strings.TrimPrefix(problem, lost)
				return result
			case problem != "" && unknown:
				result.ended, result.last = name(h), problem
				return result
			case problem != "":
				result.wrong = fmt.Sprintf("hop %d: %s", i+1, problem)
				return result
			case unknown:
				result.hops++
				result.ended = name(h)
				return result
			case h.End != provenance.NoEnd:
				result.hops++
				return result
			}
			result.hops++
			if at = slices.DeleteFunc(slices.Clone(next), standing.lost); len(at) == 0 {
				result.lost = c.why(next)
				return result
			}
		}
	}
	return result
}

// lost is the prefix of a problem that is no error: the reference's chain ended.
const lost = "lost: "

var quoted = regexp.MustCompile(`^\S+ (had another value|is a built-in name)`)

// name returns why a chain ends, without the names in the reason, so that equal reasons can be counted.
func name(h *provenance.Hop) string {
	return quoted.ReplaceAllString(h.Note, "it $1")
}

// foreign reports whether a hop lists changes of an object whose changes the reference does not see.
func (c *comparison) foreign(h *provenance.Hop, rest []provenance.Hop, at []standing) bool {
	if h.Kind != provenance.Mutation || len(rest) == 0 || rest[0].Expression != h.Expression {
		return false
	}
	return slices.ContainsFunc(at, func(s standing) bool { return s.store >= 0 && c.g.Stores[s.store].Foreign })
}

// mutation reports whether a hop lists the changes of an object since a place got it. problem is not "" if
// the reference expects such a hop, but h is not one.
func (c *comparison) mutation(h *provenance.Hop, at []standing) (changed bool, problem string) {
	expected := 0
	for _, s := range at {
		if s.store < 0 || len(s.path) > 0 || s.time == 0 {
			continue
		}
		st := &c.g.Stores[s.store]
		var last [3]int
		for _, change := range st.Changes {
			if change[0] > st.Time && change[0] <= s.time {
				last = change
			}
		}
		if last[0] == 0 {
			continue
		}
		expected++
		if h.Kind == provenance.Mutation && last[1] <= h.By.Line && h.By.Line <= last[2] {
			return true, ""
		}
		problem = fmt.Sprintf("its object was changed last at line %d", last[1])
	}
	if expected == len(at) {
		return false, problem
	}
	return false, ""
}

// hop compares one hop with each place in at, and returns the places of the next hop. It returns a problem
// if the hop agrees with none of them. again reports that npdb folded this hop into a later one of the same
// statement: then the run and the value of h are those of the later hop, and are not compared.
func (c *comparison) hop(h *provenance.Hop, at []standing, again bool) (next []standing, problem string) {
	matched := false
	for _, s := range at {
		found, p := c.one(h, s, again)
		if p != "" {
			if problem == "" {
				problem = p
			}
			continue
		}
		matched = true
		for _, f := range found {
			if !slices.ContainsFunc(next, f.equal) {
				next = append(next, f)
			}
		}
	}
	if matched {
		return next, ""
	}
	return nil, problem
}

func (c *comparison) one(h *provenance.Hop, s standing, again bool) (next []standing, problem string) {
	origin := s.origin
	if s.store >= 0 {
		st := &c.g.Stores[s.store]
		if problem := c.place(h, st, s, again); problem != "" {
			return nil, problem
		}
		origin = st.Source
	} else if h.Kind != provenance.Assignment {
		return nil, fmt.Sprintf("%s of an expression", h.Kind)
	}
	problem = "no origin"
	for _, o := range c.same(origin, s.path) {
		var found []standing
		switch {
		case h.End != provenance.NoEnd:
			problem = c.end(h, o.origin)
		case h.Computed:
			found, problem = c.computed(h, o.origin, again)
		default:
			found, problem = c.onward(o.origin, o.path), ""
		}
		if problem == "" {
			return found, ""
		}
	}
	return nil, problem
}

// place compares the kind, the statement and the value of a hop with those of a store. It returns the
// difference, or "".
func (c *comparison) place(h *provenance.Hop, st *refStore, s standing, again bool) string {
	if st.Line == 0 || st.How == "unseen" {
		return "" // code that is not followed stored it, as its origin reports
	}
	if h.Kind == provenance.Parameter && h.End == provenance.Unknown {
		return "" // what called the function is not known
	}
	if kinds := c.kinds(st, s); c.g.Origins[st.Source].Kind != "unknown" && !slices.Contains(kinds, h.Kind) {
		return fmt.Sprintf("it is %s, not one of %v", h.Kind, kinds)
	}
	line, last := st.Line, st.Last
	if st.How == "default" {
		line = c.g.Origins[st.Source].Line
		last = line
	}
	if h.By.Line < line || last < h.By.Line {
		return fmt.Sprintf("it is of line %d, not %d", h.By.Line, line)
	}
	if again {
		return ""
	}
	if n := c.ordinal(h.By); st.Ordinal > 0 && st.How != "default" && n > 0 && n != st.Ordinal {
		return fmt.Sprintf("it is of run %d of line %d, not %d", n, h.By.Line, st.Ordinal)
	}
	if want, plain := strings.CutPrefix(st.Value, "="); plain && len(s.path) == 0 && h.Value.OK && h.Value.Text != want {
		return fmt.Sprintf("its value is %s, not %s", h.Value.Text, want)
	}
	return ""
}

// ordinal returns which run of its line a frame is in, from 1, or 0 if the runs cannot be counted by line
// events.
func (c *comparison) ordinal(by statetree.StackFrame) int {
	event := by.Event
	for event >= 0 && c.tree.At(event).Event != dsl.Line {
		event = c.tree.Previous(event)
	}
	if event < 0 || c.tree.At(event).Line != by.Line || len(c.counts[by.Line]) != c.g.Counts[by.Line] {
		return 0
	}
	n, found := slices.BinarySearch(c.counts[by.Line], event)
	if !found {
		return 0
	}
	return n + 1
}

// lineEvents lists the line events of each line, apart from those of lambdas and comprehensions.
func lineEvents(tree *statetree.Tree) map[int][]int {
	found := map[int][]int{}
	for event := range tree.Len() {
		at := tree.At(event)
		if code := tree.Code(at.Code); at.Event == dsl.Line && (code.IsModule() || !strings.HasPrefix(code.Name, "<")) {
			found[at.Line] = append(found[at.Line], event)
		}
	}
	return found
}

// kinds lists the kinds that the hop of a store may have.
func (c *comparison) kinds(st *refStore, s standing) []provenance.Kind {
	origin := &c.g.Origins[st.Source]
	switch st.How {
	case "parameter":
		return []provenance.Kind{provenance.Parameter}
	case "default":
		return []provenance.Kind{provenance.Default}
	case "return":
		return []provenance.Kind{provenance.Return}
	case "yield":
		return []provenance.Kind{provenance.Yield}
	case "loop":
		return []provenance.Kind{provenance.Element}
	case "with":
		return []provenance.Kind{provenance.With}
	case "except":
		return []provenance.Kind{provenance.Except}
	case "import":
		return []provenance.Kind{provenance.Import}
	case "def":
		return []provenance.Kind{provenance.Definition}
	case "creation":
		return []provenance.Kind{provenance.Creation}
	case "mutation":
		if origin.Kind == "augmented" {
			return []provenance.Kind{provenance.Augmented}
		}
		return []provenance.Kind{provenance.Mutation}
	}
	switch origin.Kind {
	case "copy":
		return []provenance.Kind{provenance.Copy}
	case "field":
		return []provenance.Kind{provenance.Field}
	case "return": // of a property or of __getitem__, too
		return []provenance.Kind{provenance.Assignment, provenance.Element, provenance.Field}
	case "element":
		return []provenance.Kind{provenance.Element}
	case "augmented":
		return []provenance.Kind{provenance.Augmented}
	}
	return []provenance.Kind{provenance.Assignment, provenance.Element}
}

// end compares the end of a chain with an origin. It returns the difference, or "".
func (c *comparison) end(h *provenance.Hop, origin int) string {
	o := &c.g.Origins[origin]
	is := func(kinds ...string) string {
		if slices.Contains(kinds, o.Kind) {
			return ""
		}
		return fmt.Sprintf("it ends at %s (%s), the reference has %s %s", h.End, h.Note, o.Kind, o.Note)
	}
	if o.Kind == "unknown" {
		return lost + o.Note
	}
	switch h.End {
	case provenance.Literal:
		if o.Kind == "computed" && c.constant(o) {
			return ""
		}
		return is("literal")
	case provenance.Construct:
		return is("display", "comprehension", "instance", "library")
	case provenance.Input:
		return is("library")
	case provenance.Defined:
		return is("definition")
	case provenance.Raised:
		return is("raised")
	case provenance.Fork:
		if problem := is("computed", "library", "augmented", "display", "field", "element"); problem != "" {
			return problem
		}
		return c.inputs(h, o)
	case provenance.Edited:
		return "nothing was edited"
	}
	return ""
}

// constant reports whether an expression has no inputs other than results of library calls.
func (c *comparison) constant(o *refOrigin) bool {
	return !slices.ContainsFunc(o.Inputs, func(in refInput) bool { return c.g.Origins[in.Origin].Kind != "library" })
}

// inputs compares the inputs of a computed value with what the reference read.
func (c *comparison) inputs(h *provenance.Hop, o *refOrigin) string {
	for _, in := range h.Inputs {
		if !in.Value.OK {
			continue
		}
		for _, other := range o.Inputs {
			want, plain := strings.CutPrefix(c.g.Origins[other.Origin].Value, "=")
			if other.Text == in.Expression && plain && want != in.Value.Text {
				return fmt.Sprintf("its input %s is %s, not %s", in.Expression, in.Value.Text, want)
			}
		}
	}
	return ""
}
