package align

import (
	"regexp"
	"strings"

	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/trace/statetree"
)

// rules decide which texts of values are the same.
type rules struct {
	compare compare.Rules
	dirs    [2]string // the programs' folders, "" if they are the same
	lenient bool
	known   map[statetree.Value]statetree.Value
}

// mostKnown limits how many results of comparing texts are kept.
const mostKnown = 1 << 16

func newRules(runs [2]Run, lenient bool) *rules {
	r := &rules{compare: compare.All(), lenient: lenient, known: map[statetree.Value]statetree.Value{}}
	r.compare.FloatNoise = lenient // the same Python computes the same digits
	if a, b := runs[0].Dir, runs[1].Dir; a != b && len(a) > 1 && len(b) > 1 {
		r.dirs = [2]string{a, b}
	}
	return r
}

// temporary is a name that the module tempfile makes up.
var temporary = regexp.MustCompile(`\btmp[a-z0-9_]{8}\b`)

// method is the beginning of the text of a method that is not bound, which versions of Python write in
// different ways.
var method = regexp.MustCompile(`^<?(classmethod|staticmethod)\b`)

// worded is the beginning of the text of an exception whose message the interpreter makes, in other words
// in other versions.
var worded = regexp.MustCompile(`^(ZeroDivision|UnboundLocal|Name|Type|Attribute|Import|ModuleNotFound|Index|Overflow|Syntax)Error\(['"]`)

// sameText reports whether the texts of two values are the same by the rules.
func (r *rules) sameText(a, b string) bool {
	if a == b {
		return true
	}
	if !compare.Values(a, b, r.compare).Kind.Wrong() {
		return true
	}
	if kind := method.FindString(a); r.lenient && kind != "" && strings.TrimPrefix(kind, "<") == strings.TrimPrefix(method.FindString(b), "<") {
		return true
	}
	if kind := worded.FindString(a); r.lenient && kind != "" && kind == worded.FindString(b) {
		return true
	}
	x, y := r.steady(0, a), r.steady(1, b)
	return (x != a || y != b) && !compare.Values(x, y, r.compare).Kind.Wrong()
}

// steady replaces what is another text in each run: the folder of the program, and temporary names.
func (r *rules) steady(k int, text string) string {
	if r.dirs[k] != "" {
		text = strings.ReplaceAll(text, r.dirs[k], "…")
	}
	if strings.Contains(text, "tmp") {
		text = temporary.ReplaceAllString(text, "tmp…")
	}
	return text
}

// sameAtom reports whether two values without content, of the two runs, are the same.
func (r *rules) sameAtom(a, b statetree.Value, text func() (x, y string)) bool {
	if known, ok := r.known[a]; ok && known == b {
		return true
	}
	if !r.sameText(text()) {
		return false
	}
	if len(r.known) == mostKnown {
		clear(r.known)
	}
	r.known[a] = b
	return true
}
