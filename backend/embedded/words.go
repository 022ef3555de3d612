package embedded

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/npdb/npdb/dsl"
)

// words is a sorted list of names that can occur in a certain part of a reply.
type words []string

func newWords(set map[string]bool) words {
	w := make(words, 0, len(set))
	for name := range set {
		if plain(name) {
			w = append(w, name)
		}
	}
	slices.Sort(w)
	return w
}

// plain reports whether a name needs no escape in nd/1.
func plain(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r < 0x20 || r == '"' || r == '\\' || r == 0x7f || r == '\uFFFD'
	}) && !strings.Contains(name, "<|")
}

// with calls yield with the words that begin with beginning until yield returns true, and reports
// whether it did.
func (w words) with(beginning string, yield func(word string) bool) bool {
	for _, word := range w[sort.SearchStrings(w, beginning):] {
		if !strings.HasPrefix(word, beginning) {
			return false
		}
		if yield(word) {
			return true
		}
	}
	return false
}

var (
	// Compiling Unicode classes takes a millisecond, and most sessions need neither pattern.
	identifier = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[\pL\p{Nl}_][\pL\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*`)
	})
	defined = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:def|class)\s+([\pL\p{Nl}_][\pL\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*)`)
	})
	// conjuring matches code through which a program can use names that do not occur in it.
	conjuring = regexp.MustCompile(`import\s*\*|\b(?:exec|eval|globals|locals|vars|setattr)\s*\(|__dict__|_getframe`)
)

// anonymous holds the function names of code objects that no def names.
var anonymous = []string{"<module>", "<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "__annotate__"}

// naming holds the names that replies can use.
type naming struct {
	functions words // function names of frames
	locals    words
	free      bool // locals may have names that do not occur in the program
}

// names collects the names in the program's source and in its states so far.
func names(at *dsl.Node) naming {
	functions, locals := map[string]bool{}, map[string]bool{".0": true, "__class__": true}
	var n naming
	for _, name := range anonymous {
		functions[name] = true
	}
	program := at.Program()
	for i := range program.Files {
		for _, line := range program.Files[i].Lines {
			for _, name := range identifier().FindAllString(line, -1) {
				locals[name] = true
			}
			for _, found := range defined().FindAllStringSubmatch(line, -1) {
				functions[found[1]] = true
			}
			n.free = n.free || conjuring.MatchString(line)
		}
	}
	for ; at != nil; at = at.Parent() {
		step, ok := at.Step()
		if !ok || step.Reply.Stop == nil {
			continue
		}
		for _, f := range step.Reply.Stop.Stack {
			functions[f.Function] = true
		}
		for _, l := range step.Reply.Stop.Locals {
			locals[l.Name] = true
		}
	}
	n.functions, n.locals = newWords(functions), newWords(locals)
	return n
}
