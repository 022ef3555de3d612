package redact

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

// Placeholder stands for what was taken out.
const Placeholder = "<redacted>"

// DefaultNames are the patterns of names, as words writes them, whose values are secret.
// What a name ends with counts: a token_count, a password_field and an author are none.
var DefaultNames = []string{
	`(password|passwd|passphrase|secret|credential|api_?key|private_?key|secret_?key|access_?key)s?` + defaultEnding,
	`(^|_)(auth_?|access_?|bearer_?|refresh_?|session_?)?(token|auth|authorization|pwd)` + defaultEnding,
}

// defaultEnding is what may follow in the name of a secret.
const defaultEnding = `(_?(value|text|str|bytes|b64|plain|raw|hash|prod|dev|test|live|old|new|[0-9]+))*$`

// DefaultValues are the patterns of texts that are secret whatever they are called: the
// keys of well-known services, private keys, JSON Web Tokens, passwords in addresses.
var DefaultValues = []string{
	`\bsk-[A-Za-z0-9_-]{12,}`, // OpenAI, Anthropic and those that follow them
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
	`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?s:.*?)(-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)`,
	`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`,
	`\b[Bb]earer [A-Za-z0-9._~+/-]{16,}=*`,
	`\b[Bb]asic [A-Za-z0-9._~+/-]{16,}=*`,
	`\b[a-z][a-z0-9+.-]*://[^\s/:@'"]*:[^\s/@'"{%$]+@`,
}

// Rules say what is secret.
type Rules struct{ Names, Values []*regexp.Regexp }

// form is a pattern of values, and a text that is in all that it matches, "" where there is
// none: to look for that is many times faster.
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

// needed is the longest text that is in all that a pattern matches, as far as that is seen.
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

// mayBe is false for a text that the pattern does not match.
func (f form) mayBe(text string) bool { return f.has == "" || strings.Contains(text, f.has) }

// strength is how sure it is that a name is a secret's.
type strength uint8

const (
	harmless strength = iota
	weak              // token and auth by themselves: parsers have them too
	strong
)

// of is what a name says.
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

// of is what a name says, which is written as words writes it.
func (r *Rules) of(name string) strength {
	for _, re := range r.Names {
		if re.MatchString(name) {
			if name == "token" || name == "auth" {
				return weak
			}
			return strong
		}
	}
	return harmless
}

// words is a name in small letters, with a _ between its words: apiKey, API-Key and
// __api_key are all api_key.
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

// The least lengths of what is secret by its name: shorter words are nobody's, and others
// than the secret's would be hidden with them. Numbers of fewer digits count things.
const (
	leastText   = 4
	leastArgued = 6 // in a call, where the words may be about the secret
	leastKey    = 8 // where the name is weak
	leastDigits = 6
)

// scheme is what stands before a secret in a header.
var scheme = regexp.MustCompile(`(?i)^\s*(bearer|basic|digest|token)\s*$`)

// secret reports whether a text is secret where it stands.
func (r *Redactor) secret(text string, at place) bool {
	switch {
	case at.is == harmless || len(text) < leastText || text == Placeholder || scheme.MatchString(text):
		return false
	case at.argued && (len(text) < leastArgued || r.of(text) != harmless): // "API_KEY", "Password: "
		return false
	case at.is == weak:
		return len(text) >= leastKey && strings.ContainsFunc(text, unicode.IsDigit) && !strings.ContainsFunc(text, unicode.IsSpace)
	}
	return true
}

// told finds, within a text, a secret with its name before it: password=hunter2.
var told = regexp.MustCompile(`([\w-]+)(\s?[=:]\s?)([^\s'"&;,%{<$(]{6,})`)

// tells is told in what is a name's; the position of the secret is that of group 3.
func (r *Redactor) tells(text string) [][]int {
	var found [][]int
	if !strings.ContainsAny(text, "=:") {
		return nil
	}
	for _, at := range told.FindAllStringSubmatchIndex(text, -1) {
		value := text[at[6]:at[7]]
		if r.of(text[at[2]:at[3]]) != harmless && strings.ContainsFunc(value, unicode.IsDigit) {
			found = append(found, at)
		}
	}
	return found
}
