package traceback

import (
	"regexp"
	"sync"
)

// form is a regular expression that is compiled when it is first used. So npdb starts faster if it
// parses no traceback.
type form struct {
	compiled func() *regexp.Regexp
}

func newForm(text string) *form {
	return &form{compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// MatchString reports whether the text matches.
func (f *form) MatchString(text string) bool { return f.compiled().MatchString(text) }

// FindStringSubmatch returns the first match and its groups; nil if there is none.
func (f *form) FindStringSubmatch(text string) []string { return f.compiled().FindStringSubmatch(text) }

// ReplaceAllString replaces all matches.
func (f *form) ReplaceAllString(text, by string) string {
	return f.compiled().ReplaceAllString(text, by)
}
