package redact

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Placeholder replaces each secret.
const Placeholder = "<redacted>"

// DefaultNames are patterns for names whose values are secret. They match names as words writes
// them. The end of a name decides, so token_count, password_field and author do not match.
var DefaultNames = []string{
	`(passw(or[dt]|d|rd)?|passphrase|passcode|secret|credential|(api|private|secret|access|account|signing|encryption)_?key)s?` + defaultEnding,
	`(^|_)(auth_?|access_?|bearer_?|refresh_?|session_?)?(token|auth|authorization|pwd|pw)` + defaultEnding,
	`(^|_)(db|database|sql|mysql|pg|postgres|redis|mongo|smtp|imap|mail|email|ftp|ssh|ldap|proxy|admin|root|login)_pass` + defaultEnding,
	`(^|_)creds?` + defaultEnding,
	keyNames,
}

// keyNames matches names that end in key. Their values are redacted only if they look like
// credentials, because loops over dictionaries, sorting and databases have keys too.
const keyNames = `(^|_)key$`

// defaultEnding matches what may follow in a secret's name: password_hash, api_key_2.
const defaultEnding = `(_?(value|text|str|bytes|b64|plain|raw|hash|prod|dev|test|live|old|new|default|[0-9]+))*$`

// DefaultValues are patterns for texts that are secret under any name: keys of well-known services,
// private keys, JSON Web Tokens and passwords in URLs.
var DefaultValues = []string{
	`\bsk-[A-Za-z0-9_-]{12,}`, // OpenAI, Anthropic and compatible services
	`\b[sr]k_(live|test)_[A-Za-z0-9]{12,}`,
	`\bgh[pousr]_[A-Za-z0-9]{16,}`,
	`\bgithub_pat_[A-Za-z0-9_]{16,}`,
	`\bglpat-[A-Za-z0-9_-]{16,}`,
	`\bAKIA[A-Z0-9]{16}\b`,
	`\bASIA[A-Z0-9]{16}\b`,
	`\bAIza[A-Za-z0-9_-]{30,}`,
	`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`,
	`\bhf_[A-Za-z0-9]{20,}`,
	`\bnpm_[A-Za-z0-9]{30,}`,
	`\bpypi-[A-Za-z0-9_-]{30,}`,
	`\bwhsec_[A-Za-z0-9+/=]{16,}`,
	`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
	`\bya29\.[A-Za-z0-9_-]{16,}`,
	`\bdop_v1_[a-f0-9]{16,}`,
	`\bhttps://hooks\.slack\.com/services/[A-Za-z0-9/_-]{16,}`,
	`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?s:.*?)(-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)`,
	`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`,
	`\b[Bb]earer [A-Za-z0-9._~+/-]{16,}=*`,
	`\b[Bb]asic [A-Za-z0-9._~+/-]{16,}=*`,
	`\b[a-z][a-z0-9+.-]*://[^\s/:@'"]*:[^\s/@'"{%$]+@`,
}

// Rules holds the patterns of names and values that are secret.
type Rules struct{ Names, Values []*regexp.Regexp }

// form is a pattern of values. has is a text that every match contains, "" if none is known.
// Looking for it first is many times faster than the pattern.
type form struct {
	*regexp.Regexp
	has string
}

func forms(values []*regexp.Regexp) []form {
	out := make([]form, len(values))
	for i, re := range values {
		out[i] = form{Regexp: re}
		if tree, err := syntax.Parse(re.String(), syntax.Perl); err == nil {
			out[i].has = needed(tree)
		}
	}
	return out
}

// needed returns the longest literal text that is found to be part of every match of a pattern.
func needed(re *syntax.Regexp) string {
	longest := ""
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpConcat:
		for _, part := range re.Sub {
			if text := needed(part); len(text) > len(longest) {
				longest = text
			}
		}
	}
	return longest
}

// mayBe returns false if the pattern cannot match the text, because the text lacks has.
func (f form) mayBe(text string) bool { return f.has == "" || strings.Contains(text, f.has) }

// strength says how certain it is that a name belongs to a secret.
type strength uint8

const (
	harmless strength = iota
	keyed             // key; dictionaries, sorting and databases have keys too
	weak              // token or auth alone; parsers have tokens too
	likely            // get_token(), which may return a parser's token
	strong
)

// of returns the strength of a name.
func (r *Redactor) of(name string) strength {
	if name == "" {
		return harmless
	}
	is, ok := r.names[name]
	if !ok {
		if len(r.names) == mostCached {
			clear(r.names)
		}
		is = r.rules.of(words(name))
		r.names[name] = is
	}
	return is
}

// parsers matches names that a parser may use for its tokens.
var parsers = regexp.MustCompile(`^((next|previous|prev|last|current|cur|peek|first|start|end|expected|lookahead)_)?token$|^auth$`)

// gives returns the strength that a function's name implies for its return value. It is harmless if
// the name says that the function does something with a secret: check_password.
func (r *Redactor) gives(function string) strength {
	name := words(function[strings.LastIndexByte(function, '.')+1:])
	if doing.MatchString(name) {
		return harmless
	}
	what := getting.ReplaceAllString(name, "")
	is := r.of(what)
	if is == weak && what != name {
		return likely
	}
	return is
}

var (
	doing   = regexp.MustCompile(`^(set|reset|change|check|verify|validate|update|forgot|has|is|save|store|delete|remove|print|show|test)_`)
	getting = regexp.MustCompile(`^(get|make|create|fetch|load|new|generate|gen|build|issue|request|obtain|compute|derive|ask|default|find|lookup)_`)
)

// of returns the strength of a name, which must be written as words writes it.
func (r *Rules) of(name string) strength {
	for _, re := range r.Names {
		if re.MatchString(name) {
			switch {
			case re.String() == keyNames:
				return keyed
			case parsers.MatchString(name):
				return weak
			}
			return strong
		}
	}
	return harmless
}

// words returns a name in lower case with a _ between its words: apiKey, API-Key and __api_key all
// become api_key.
func words(name string) string {
	var b strings.Builder
	all := []rune(name)
	for i, c := range all {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			b.WriteByte('_')
			continue
		case i > 0 && unicode.IsUpper(c) && (unicode.IsLower(all[i-1]) || unicode.IsDigit(all[i-1]) ||
			unicode.IsUpper(all[i-1]) && i+1 < len(all) && unicode.IsLower(all[i+1])):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.Trim(b.String(), "_")
}

// The minimum lengths of texts that are secret because of their name. Shorter texts are common
// words, and redacting them would hide too much. Numbers with few digits are usually counts.
const (
	leastText   = 4
	leastArgued = 6 // for arguments of a call, which may only describe the secret
	leastKey    = 8 // for names of weak strength
	leastDigits = 6
	// leastCredible is the minimum length for names that match keyNames.
	leastCredible = 12
)

// scheme matches the word before the secret in an HTTP header.
var scheme = regexp.MustCompile(`(?i)^\s*(bearer|basic|digest|token)\s*$`)

// fields matches the placeholders of a format string.
var fields = regexp.MustCompile(`%(\(\w*\))?[sdr]|\{\w*\}`)

// secret reports whether a text is secret because of the name that it belongs to.
func (r *Redactor) secret(text string, at place) bool {
	switch {
	case at.is == harmless || len(text) < leastText || text == Placeholder || scheme.MatchString(text):
		return false
	// A format string without other text is not a secret: "%s:%s".
	case strings.ContainsAny(text, "%{") && len(fields.ReplaceAllString(text, "")) < leastText:
		return false
	// An argument may be the secret's name or a prompt for it: "API_KEY", "Password: ".
	case at.argued && (len(text) < leastArgued || r.of(text) != harmless || strings.HasPrefix(text, "--")):
		return false
	case at.is == keyed:
		return credible(text)
	case at.is == likely:
		return mixed(text) && !strings.ContainsFunc(text, unicode.IsSpace)
	case at.is == weak:
		return len(text) >= leastKey && strings.ContainsFunc(text, unicode.IsDigit) && !strings.ContainsFunc(text, unicode.IsSpace)
	}
	return true
}

// mixed reports whether a text contains both letters and digits.
func mixed(text string) bool {
	return strings.ContainsFunc(text, unicode.IsLetter) && strings.ContainsFunc(text, unicode.IsDigit)
}

// parts matches the separators between words and numbers of an identifier.
var parts = regexp.MustCompile(`[^A-Za-z0-9+=]+`)

// credible reports whether a text looks like a service's key: one of its parts has at least 12
// characters and switches between letters and digits at least three times. A word followed by a
// number does not count.
func credible(text string) bool {
	if strings.ContainsFunc(text, unicode.IsSpace) {
		return false
	}
	for _, part := range parts.Split(text, -1) {
		changes := 0
		for i := 1; i < len(part); i++ {
			if unicode.IsDigit(rune(part[i])) != unicode.IsDigit(rune(part[i-1])) {
				changes++
			}
		}
		if len(part) >= leastCredible && changes >= 3 {
			return true
		}
	}
	return false
}

// told matches a name, "=" or ":", and a value within a text: password=hunter2. Quotes around them,
// as in JSON and Python, are allowed.
var told = regexp.MustCompile(`([\w-]+)(\\?["']?\s?[=:]\s?\\?["']?(?i:(?:bearer|basic|digest|token)\s+)?)([^\s'"&;,%{<$(\\]{6,})`)

// flagged matches a command-line flag and its value: --password hunter2.
var flagged = regexp.MustCompile(`--([\w-]+)(\s+["']?)([^\s'"&;,%{<$(\\-][^\s'"&;,%{<$(\\]{5,})`)

// tells returns the matches of told and flagged whose name belongs to a secret, in the order of the
// text. Group 3, at [6]:[7], is the secret.
func (r *Redactor) tells(text string) [][]int {
	var found [][]int
	if strings.ContainsAny(text, "=:") {
		found = r.named(found, told, text)
	}
	if strings.Contains(text, "--") {
		found = r.named(found, flagged, text)
		slices.SortFunc(found, func(a, b []int) int { return a[6] - b[6] })
		found = slices.CompactFunc(found, func(a, b []int) bool { return b[6] < a[7] })
	}
	return found
}

// named appends the matches of a pattern whose name belongs to a secret. If a name does not, its
// value is searched as well: a URL may end with ?token=hunter2.
func (r *Redactor) named(found [][]int, pattern *regexp.Regexp, text string) [][]int {
	for from := 0; ; {
		at := pattern.FindStringSubmatchIndex(text[from:])
		if at == nil {
			return found
		}
		for i := range at {
			at[i] += from
		}
		is, value, between := r.of(text[at[2]:at[3]]), text[at[6]:at[7]], text[at[4]:at[5]]
		// In "password": "hunter2", quotes end the name and begin the value.
		quoted := strings.ContainsAny(between[:1], `"'\`) && strings.ContainsAny(between[len(between)-1:], `"'`)
		if is == harmless || is == keyed && !credible(value) || !strings.ContainsFunc(value, unicode.IsDigit) && (is == weak || !quoted) {
			from = at[6]
			continue
		}
		found = append(found, at)
		from = at[7]
	}
}
