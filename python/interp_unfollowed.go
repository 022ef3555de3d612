package python

import (
	"slices"
	"strings"
)

// The interpreter refuses a program that contains one of unfollowedNames or imports one of
// unfollowedModules: they can run code that no line of the source calls.
var (
	unfollowedNames   = []string{"async", "__del__", "weakref", "settrace", "setprofile"}
	unfollowedModules = []string{"gc", "signal", "threading"}
)

// unfollowedName returns the first of unfollowedNames among the tokens, or "". It ignores comments
// and strings, except the string '__del__': setattr and type can define that method by its name.
func (p *parser) unfollowedName() string {
	for _, t := range p.tokens {
		switch text := p.textOf(t); {
		case t.kind == tokenName && slices.Contains(unfollowedNames, text):
			return text
		case t.kind == tokenString && tokenText(StringToken, text) == "__del__":
			return "__del__"
		}
	}
	return ""
}

// unfollowedImport returns the first of unfollowedModules that a block imports, at any depth, or
// "".
func unfollowedImport(body []*stmt) string {
	for _, s := range body {
		for _, i := range s.imports {
			if module, _, _ := strings.Cut(i.Module, "."); i.Level == 0 && slices.Contains(unfollowedModules, module) {
				return "import " + module
			}
		}
		for _, b := range s.blocks() {
			if name := unfollowedImport(b); name != "" {
				return name
			}
		}
	}
	return ""
}
