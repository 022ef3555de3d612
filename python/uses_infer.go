package python

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// usesReader infers the types of the values in a function from how they are used. It votes for
// kinds, and values that flow into each other share their votes. It never excludes a kind, because
// Python has operators for many types.
type usesReader struct {
	text     string
	names    map[string]*Evidence
	returned *Evidence
	all      []*Evidence // all that have links
	literals []Plain
}

const (
	maxEvidence  = 4 // maximal depth of evidence about elements
	spreadRounds = 4 // number of links over which votes spread
	mostLinked   = 3000
	shared       = 0.7 // share of the votes that a linked value gets
	maxLiterals  = 60  // per function
)

// vote adds weight to the votes for kinds, and subtracts half of it from all others.
func (e *Evidence) vote(weight float64, kinds ...Kind) {
	for k := range e.Votes {
		if slices.Contains(kinds, Kind(k)) {
			e.Votes[k] += weight
		} else {
			e.Votes[k] -= weight / 2
		}
	}
}

// suits votes for the type of a value, and for the types of its parts.
func (e *Evidence) suits(p Plain, weight float64) {
	e.vote(weight, p.Kind)
	for i, item := range p.Items {
		if i == 8 {
			break
		}
		e.Elements().suits(item, weight/float64(min(8, len(p.Items))))
		if p.Kind == DictKind {
			e.Keys().suits(p.Keys[i], weight/float64(min(8, len(p.Items))))
		}
	}
}

// link makes two values share their votes.
func (r *usesReader) link(a, b *Evidence) {
	if a == b || a == nil || b == nil || slices.Contains(a.links, b) {
		return
	}
	a.links, b.links = append(a.links, b), append(b.links, a)
	r.all = append(r.all, a, b)
}

// spread spreads votes along links: each value gets a share of the mean votes of the values to
// which it is linked.
func (r *usesReader) spread() {
	for i := 0; i < len(r.all) && len(r.all) < mostLinked; i++ { // the loop adds links between elements to r.all
		for _, other := range r.all[i].links {
			if e := r.all[i]; e.elements != nil || other.elements != nil {
				r.link(e.Elements(), other.Elements())
			}
		}
	}
	own := make(map[*Evidence][DictKind + 1]float64, len(r.all))
	for _, e := range r.all {
		own[e] = e.Votes
	}
	for range spreadRounds {
		for _, e := range r.all {
			var sum [DictKind + 1]float64
			for _, other := range e.links {
				for k, v := range other.Votes {
					sum[k] += v
				}
			}
			for k := range sum {
				e.Votes[k] = own[e][k] + shared*sum[k]/float64(len(e.links))
			}
		}
	}
}

// settle lowers the votes for str of a container whose elements probably have another type, since
// the elements of a str have the type str.
func (e *Evidence) settle(depth int) {
	if depth == 0 {
		return
	}
	for _, inner := range []*Evidence{e.elements, e.keys} {
		if inner != nil {
			inner.settle(depth - 1)
		}
	}
	if e.elements != nil {
		if best, ok := e.elements.Best(); ok && best != StrKind && e.Votes[StrKind] > 0 {
			e.Votes[StrKind] -= 3
		}
	}
}

func (r *usesReader) param(p *node) *Evidence {
	e := &Evidence{}
	r.names[p.text] = e
	switch p.value {
	case VarPositional:
		e.vote(20, TupleKind)
		return e
	case VarKeyword:
		e.vote(20, DictKind)
		e.Keys().vote(20, StrKind)
		return e
	}
	e.named(p.text)
	if annotation := p.kids[0]; annotation != nil {
		e.annotated(annotation)
	}
	if value := p.fallback(); value != nil {
		if d, ok := ReadPlain(r.text[value.pos:value.end]); ok {
			e.Equal = append(e.Equal, d)
			if d.Kind != NoneKind {
				e.suits(d, 3)
			}
		}
	}
	return e
}

// usual holds the names that values of a kind usually have.
type usual struct {
	kind  Kind
	names *regexp.Regexp
}

// usualNames returns the names for each kind. Compiling the patterns takes milliseconds, and most
// sessions guess no kinds.
var usualNames = sync.OnceValue(func() []usual {
	return []usual{
		{StrKind, regexp.MustCompile(`(?i)^(text|txt|s|s\d|str\w*|st|\w*strings?\d?|\w*word|sentence|line|\w*chars?|sep\w*|pref\w*|suff\w*|c|ch|value|sub\w*|name|letter|delim\w*|\w*_text|message|msg|title|phrase|code|url|fill\w*|old|new|path|key|tag|email|query|pattern|content|body|token|label|w|t)$`)},
		{ListKind, regexp.MustCompile(`(?i)^(\w*numbers|nums|numlist|lst|arr\w*|l|ls|xs|ys|list\w*|\w*list|items|elems|elements|names|data|vectors?|strings|words|lines|rows|values|keys|matrix|seq\w*|records|scores|tokens)$`)},
		{DictKind, regexp.MustCompile(`(?i)^(d|di|dic|dict\w*|\w*dict\d?|dct|\w*map|mapping|counts|obj|config|options|settings)$`)},
		{IntKind, regexp.MustCompile(`(?i)^(n|k|i|j|m|a|b|x|y|num|size|length|count|index|idx|ind|width|height|limit|position|pos|number|amount|start|end|stop|step|maxsplit|tab\w*|n\w*_?len|id|age|year|total|low|high|lo|hi|depth|level|times|base)$`)},
		{BoolKind, regexp.MustCompile(`(?i)^(is_\w+|has_\w+|flag|verbose|reverse|strict|ascending|descending)$`)},
	}
})

func (e *Evidence) named(name string) {
	for _, u := range usualNames() {
		if u.names.MatchString(name) {
			e.Votes[u.kind] += 1.5
		}
	}
	if len(name) > 3 && strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") { // a plural
		e.Votes[ListKind] += 0.6
		e.Votes[DictKind] += 0.2
	}
}

// annotated votes for the type in an annotation: list[int], Optional[str], "dict".
func (e *Evidence) annotated(a *node) {
	switch a.kind {
	case nodeConstant:
		if text, ok := StringOf(a.text); ok {
			if inner, err := parseExpression(text); err == nil {
				e.annotated(inner)
			}
		} else if a.text == "None" {
			e.Votes[NoneKind]++
		}
	case nodeBinOp: // int | None
		e.annotated(a.kids[0])
		e.annotated(a.kids[1])
	case nodeSubscript:
		e.annotated(a.kids[0])
		args := []*node{a.kids[1]}
		if a.kids[1].kind == nodeTuple {
			args = a.kids[1].kids
		}
		e.parametrized(a.kids[0], args)
	default:
		name, _ := a.dotted()
		if k, ok := kindOfName(name[strings.LastIndexByte(name, '.')+1:]); ok {
			e.vote(6, k)
		}
	}
}

// parametrized votes for the types in the arguments of a generic type, such as int in list[int].
func (e *Evidence) parametrized(base *node, args []*node) {
	name, _ := base.dotted()
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Optional", "Union":
		for _, a := range args {
			e.annotated(a)
		}
	default:
		e.Elements().annotated(args[len(args)-1])
		if len(args) == 2 {
			e.Keys().annotated(args[0])
		}
	}
}

// kindOfName returns the kind of a type with this name, including types of typing and
// collections.abc.
func kindOfName(name string) (Kind, bool) {
	switch name {
	case "Sequence", "Iterable", "Collection", "List", "MutableSequence":
		return ListKind, true
	case "Dict", "Mapping", "MutableMapping", "defaultdict", "Counter", "OrderedDict":
		return DictKind, true
	case "Tuple":
		return TupleKind, true
	case "Set":
		return SetKind, true
	}
	i := slices.Index(kindNames[:], name)
	return Kind(max(0, i)), i > 0
}
