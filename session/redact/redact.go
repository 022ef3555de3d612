package redact

import (
	"cmp"
	"crypto/sha256"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/npdb/npdb/python"
)

// Redactor redacts one program and its states, for one model. Its methods may be called
// from several goroutines; nil redacts nothing.
type Redactor struct {
	rules Rules
	forms []form

	mu        sync.Mutex
	lines     map[string][]string        // of what is sent, by file
	callables map[string]python.Callable // of the program, by name
	known     map[string]bool            // what was found to be secret
	folded    []string                   // the same in lower case
	anywhere  []string                   // of it, what is one as a part of other texts too, the longest first
	cache     map[string]string
	names     map[string]strength
	literals  int
	cached    int                        // bytes in cache
	values    map[[sha256.Size]byte]bool // that were redacted, by name and text
}

// New returns a redactor that has seen nothing yet.
func New(rules Rules) *Redactor {
	return &Redactor{
		rules: rules, forms: forms(rules.Values),
		known: map[string]bool{}, cache: map[string]string{}, names: map[string]strength{}, values: map[[sha256.Size]byte]bool{},
	}
}

// Told returns how many literals of the source and how many values were redacted so far.
func (r *Redactor) Told() (literals, values int) {
	if r == nil {
		return 0, 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.literals, len(r.values)
}

// Text redacts a piece of Python: an expression or a statement that the user typed.
func (r *Redactor) Text(text string) string {
	if r == nil {
		return text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text(text)
}

// Plain takes what is known to be secret, or has the form of it, out of a text of any kind,
// also where values were cut short for it.
func (r *Redactor) Plain(text string) string {
	if r == nil {
		return text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.shown(text)
}

// Value redacts the text of the value of a name.
func (r *Redactor) Value(name, text string) string {
	if r == nil {
		return text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value(name, text)
}

// How many texts are kept with what they are redacted to, and how many bytes of them: most
// values of a state are those of the one before it.
const (
	mostCached = 4096
	mostBytes  = 64 << 20
)

// value redacts the text of a value; "" is the name of one that has none.
func (r *Redactor) value(name, text string) string {
	return r.valueAt(place{is: r.of(name)}, name, text)
}

// returned redacts the text of the value that a function returns.
func (r *Redactor) returned(function, text string) string {
	return r.valueAt(place{is: r.gives(function)}, function+"()", text)
}

// valueAt redacts the text of a value at a place. name is the key of the place in the cache.
func (r *Redactor) valueAt(at place, name, text string) string {
	if text == "" {
		return text
	}
	key := name + "\x00" + text
	out, ok := r.cache[key]
	for before := -1; !ok && before != len(r.known); { // what is found last may stand further to the left
		before = len(r.known)
		s := r.scan(text, at, true)
		out = s.out.String()
		if at.is == strong && out == text && (opaque(text) || bare(text)) {
			out = "'" + Placeholder + "'"
		}
		out = r.loose(out)
	}
	if !ok {
		if len(r.cache) == mostCached || r.cached > mostBytes {
			r.forget()
		}
		r.cache[key] = out
		r.cached += len(key) + len(out)
	}
	if out != text {
		r.values[sha256.Sum256([]byte(key))] = true
	}
	return out
}

// forget drops what texts are redacted to.
func (r *Redactor) forget() {
	clear(r.cache)
	r.cached = 0
}

// text redacts a statement or an expression.
func (r *Redactor) text(text string) string {
	s := r.scan(text, place{}, false)
	return s.out.String()
}

// opaque reports whether the text of a value is one that an object of the program's made up
// and that may say anything.
func opaque(text string) bool {
	if !strings.HasPrefix(text, "<") {
		return false
	}
	for _, known := range []string{"<function ", "<class ", "<module ", "<bound method ", "<method", "<built-in ", "<generator ", "<coroutine "} {
		if strings.HasPrefix(text, known) {
			return false
		}
	}
	return !strings.Contains(text, " object at ") && !strings.HasSuffix(text, " object>")
}

// constant is the text of a value that says nothing by itself: a number, None, what npdb has
// not stored.
var constant = regexp.MustCompile(`^(None|True|False|Ellipsis|NotImplemented|inf|nan|[-+0-9.eEjx_()… ]*|… .*)$`)

// bare reports whether the text of a value is one that an object of the program's made up, as
// no literal is written.
func bare(text string) bool {
	return len(text) >= leastText && !strings.ContainsAny(text, `'"([{<`) && !constant.MatchString(text)
}

// learn takes down that a text is secret. It is looked for as a part of others only where
// that is no accident.
func (r *Redactor) learn(text string) {
	if len(text) < leastText || r.known[text] {
		return
	}
	r.known[text] = true
	if r.of(text) == harmless {
		r.folded = append(r.folded, strings.ToLower(text))
	}
	r.forget()                                              // values that were looked at before it was known
	if lines := strings.Split(text, "\n"); len(lines) > 1 { // of a private key
		for _, line := range lines {
			r.learn(strings.TrimSpace(line))
		}
	}
	upper, lower, other := false, false, false
	for _, c := range text {
		upper, lower = upper || unicode.IsUpper(c), lower || unicode.IsLower(c)
		other = other || !unicode.IsLetter(c)
	}
	if len(text) >= leastArgued && (other || upper && lower) && r.of(text) == harmless {
		r.anywhere = append(r.anywhere, text)
		slices.SortFunc(r.anywhere, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	}
}

// matches reports whether a text has a secret in it, whatever it is called. whole tells
// that one which is as long as the text counts, however short.
func (r *Redactor) matches(text string, whole bool) bool {
	if whole && text != Placeholder && (r.known[text] || r.derived(text)) {
		return true
	}
	for _, secret := range r.anywhere {
		if strings.Contains(text, secret) {
			return true
		}
	}
	found := false
	for _, f := range r.forms {
		if !f.mayBe(text) {
			continue
		}
		if m := f.FindString(text); m != "" {
			found = true
			r.learn(m)
		}
	}
	for _, at := range r.tells(text) {
		found = true
		r.learn(text[at[6]:at[7]])
	}
	return found
}

// leastSlice is the length of the shortest slice of a secret that is redacted.
const leastSlice = 5

// derived reports whether a text is a known secret, or a slice of at least half of one, in any
// case and in either direction: secret.upper(), secret[2:], secret[::-1].
func (r *Redactor) derived(text string) bool {
	if len(text) < leastSlice || len(r.folded) == 0 || r.of(text) != harmless {
		return false
	}
	small := strings.ToLower(text)
	back := []byte(small)
	slices.Reverse(back)
	for _, secret := range r.folded {
		if len(secret) >= len(small) && 2*len(small) >= len(secret) && (strings.Contains(secret, small) || strings.Contains(secret, string(back))) {
			return true
		}
	}
	return false
}

// loose takes secrets out of a text that is no Python: a comment, what an object calls
// itself.
func (r *Redactor) loose(text string) string {
	for _, f := range r.forms {
		if !f.mayBe(text) {
			continue
		}
		text = f.ReplaceAllStringFunc(text, func(m string) string {
			r.learn(m)
			return Placeholder + strings.Repeat("\n", strings.Count(m, "\n"))
		})
	}
	for _, secret := range r.anywhere {
		text = strings.ReplaceAll(text, secret, Placeholder)
	}
	return text
}

// shown takes secrets out of a text in which values may stand cut short.
func (r *Redactor) shown(text string) string {
	text = r.loose(text)
	for secret := range r.known { // within quotes at both sides, so that their order does not count
		for _, quote := range []string{"'", `"`} {
			text = strings.ReplaceAll(text, quote+secret+quote, quote+Placeholder+quote)
		}
	}
	for _, secret := range r.anywhere {
		begins := secret[:leastArgued]
		for from := 0; ; {
			at := strings.Index(text[from:], begins)
			if at < 0 {
				break
			}
			at += from
			end := at + len(begins)
			for end < len(text) && end-at < len(secret) && text[end] == secret[end-at] {
				end++
			}
			text = text[:at] + Placeholder + text[end:]
			from = at + len(Placeholder)
		}
	}
	return text
}

// comment is loose, of what may tell a secret with its name.
func (r *Redactor) comment(text string) string {
	found := r.tells(text)
	for i := len(found) - 1; i >= 0; i-- {
		from, to := found[i][6], found[i][7]
		r.learn(text[from:to])
		text = text[:from] + Placeholder + text[to:]
	}
	return r.loose(text)
}
