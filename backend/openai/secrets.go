package openai

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secrets are what must not stand in any message: servers and proxies like to
// say back what they were sent.
type secrets []string

func secretsOf(c Config, e endpoint) secrets {
	var all secrets
	add := func(s string) {
		if s = strings.TrimSpace(s); s == "" {
			return
		}
		all = append(all, s, url.QueryEscape(s), url.PathEscape(s))
		for _, quoted := range []string{strconv.Quote(s), string(quotedJSON(s))} {
			all = append(all, quoted[1:len(quoted)-1])
		}
	}
	add(c.Key)
	add(strings.TrimPrefix(strings.TrimPrefix(authorization(c.Key, e), "Bearer "), "Basic "))
	if e.user != nil {
		add(e.user.Username())
		password, _ := e.user.Password()
		add(password)
	}
	for _, v := range c.Headers {
		add(v)
		if _, credential, ok := strings.Cut(v, " "); ok { // of "Bearer …"
			add(credential)
		}
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(all)
}

// quotedJSON is a text as servers write it in JSON; as most do, "<" and its like
// are escaped.
func quotedJSON(s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil { // no string has one
		return []byte(`""`)
	}
	return quoted
}

// scrub takes the secrets out of a text.
func (s secrets) scrub(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, "[secret]")
	}
	return text
}

// maxQuoted bounds what a message quotes of a server, in runes.
const maxQuoted = 300

// quote makes a server's text fit for a message of one line: without secrets,
// control characters and length. Servers that mask a key themselves leave its
// ends to be seen, so such a word goes whole.
func (s secrets) quote(text string) string {
	words := strings.FieldsFunc(s.scrub(text), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == utf8.RuneError
	})
	for i, w := range words {
		if strings.Contains(w, "***") {
			words[i] = "[secret]"
		}
	}
	line := strings.Join(words, " ")
	if runes := []rune(line); len(runes) > maxQuoted {
		line = string(runes[:maxQuoted]) + "…"
	}
	return line
}
