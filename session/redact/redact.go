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

// Redactor redacts one program and its states for one model. Its methods may be called from several
// goroutines. A nil Redactor redacts nothing.
type Redactor struct {
	rules Rules
	forms []form

	mu        sync.Mutex
	lines     map[string][]string        // redacted source lines, by file
	callables map[string]python.Callable // the program's callables, by name
	known     map[string]bool            // texts that were found to be secret
	folded    []string                   // known texts in lower case, except names
	// Known texts to replace inside longer texts too, longest first.
	anywhere []string
	cache    map[string]string
	names    map[string]strength
	literals int
	cached   int                        // bytes in cache
	values   map[[sha256.Size]byte]bool // hashes of name and text of each redacted value
}

// New returns a Redactor that knows no secrets yet.
func New(rules Rules) *Redactor {
	return &Redactor{
		rules: rules, forms: forms(rules.Values),
		known: map[string]bool{}, cache: map[string]string{}, names: map[string]strength{}, values: map[[sha256.Size]byte]bool{},
	}
}

// Environment adds the values of environment variables with a secret's name to the texts that r hides, because
// a program may store them under any name. variables has the format of os.Environ.
func (r *Redactor) Environment(variables []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range variables {
		if name, value, _ := strings.Cut(v, "="); r.secret(value, place{is: r.of(name)}) {
			r.learn(value)
		}
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

// Text redacts an expression or a statement in Python, for instance one that the user typed.
func (r *Redactor) Text(text string) string {
	if r == nil {
		return text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text(text)
}

// Plain replaces known secrets, and texts that look like a key, in any kind of text. It also finds
// known secrets that are cut short.
func (r *Redactor) Plain(text string) string {
	if r == nil {
		return text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.shown(text)
}

// Value redacts a value (its repr) that belongs to a name.
func (r *Redactor) Value(name, text string) string {
	if r == nil {
		return text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value(name, text)
}

// Returned redacts the value (its repr) that a function returns.
func (r *Redactor) Returned(function, text string) string {
	if r == nil {
		return text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.returned(function, text)
}

// Secret reports whether values that belong to a name may be secret.
func (r *Redactor) Secret(name string) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of(name) != harmless
}

// mostCached and mostBytes limit the cache of redacted values. The cache pays off because most
// values of a state are the same as in the state before.
const (
	mostCached = 4096
	mostBytes  = 64 << 20
)

// value redacts a value; name is the name that it belongs to, "" for none.
func (r *Redactor) value(name, text string) string {
	return r.valueAt(place{is: r.of(name)}, name, text)
}

// returned redacts the value that a function returns.
func (r *Redactor) returned(function, text string) string {
	return r.valueAt(place{is: r.gives(function)}, function+"()", text)
}

// valueAt redacts a value at a place; name distinguishes the place in the cache.
func (r *Redactor) valueAt(at place, name, text string) string {
	if text == "" {
		return text
	}
	key := name + "\x00" + text
	out, ok := r.cache[key]
	// Repeat: a secret found at the end may occur before.
	for before := -1; !ok && before != len(r.known); {
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

// forget clears the cache of redacted values.
func (r *Redactor) forget() {
	clear(r.cache)
	r.cached = 0
}

// text redacts a statement or an expression in Python.
func (r *Redactor) text(text string) string {
	s := r.scan(text, place{}, false)
	return s.out.String()
}

// opaque reports whether a repr in <> was written by a class of the program, so that it may contain
// anything.
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

// constant matches reprs that reveal nothing: numbers, None, and npdb's note that the value was not
// stored.
var constant = regexp.MustCompile(`^(None|True|False|Ellipsis|NotImplemented|inf|nan|[-+0-9.eEjx_()… ]*|… .*)$`)

// bare reports whether a repr was written by a class of the program without quotes or brackets: it
// is neither a literal nor a constant.
func bare(text string) bool {
	return len(text) >= leastText && !strings.ContainsAny(text, `'"([{<`) && !constant.MatchString(text)
}

// learn records that a text is secret. It is replaced inside longer texts too only if it is
// unlikely to occur there by accident.
func (r *Redactor) learn(text string) {
	if len(text) < leastText || r.known[text] {
		return
	}
	r.known[text] = true
	if r.of(text) == harmless {
		r.folded = append(r.folded, strings.ToLower(text))
	}
	r.forget()                                              // cached values may contain the new secret
	if lines := strings.Split(text, "\n"); len(lines) > 1 { // a private key has several lines
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

// matches reports whether a text contains a secret, no matter which name it belongs to. With whole
// set, a text that is itself a known secret counts even if it is too short to be found inside
// others.
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

// leastSlice is the minimum length of a slice of a secret that is redacted.
const leastSlice = 5

// derived reports whether a text is a known secret or a slice of at least half of one, in any case
// and in either direction: secret.upper(), secret[2:], secret[::-1].
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

// loose replaces secrets in a text that is not Python, for instance a comment or the repr of an
// object.
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

// shown replaces secrets in a text in which values may be cut short.
func (r *Redactor) shown(text string) string {
	text = r.loose(text)
	for secret := range r.known { // replace only quoted secrets, so that their order does not matter
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

// comment replaces secrets in a comment, also those that follow their name: password=hunter2.
func (r *Redactor) comment(text string) string {
	found := r.tells(text)
	for i := len(found) - 1; i >= 0; i-- {
		from, to := found[i][6], found[i][7]
		r.learn(text[from:to])
		text = text[:from] + Placeholder + text[to:]
	}
	return r.loose(text)
}
