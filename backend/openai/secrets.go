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

// quotedJSON returns a text as servers write it in JSON; as most do, "<" and its like
// are escaped.
func quotedJSON(s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil { // no string has one
		return []byte(`""`)
	}
	return quoted
}

// hiddenSecret stands for one.
const hiddenSecret = "[secret]"

// scrub takes the secrets out of a text.
func (s secrets) scrub(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, hiddenSecret)
	}
	return text
}

// minHidden is the least length of a secret that is looked for in what a model says,
// in bytes: shorter ones, such as "EMPTY" or a team's name, are found in values that
// are nobody's secret.
const minHidden = 8

// hider takes the secrets out of a reply, which comes in pieces.
type hider struct {
	secrets secrets
	held    string // what may be the beginning of one
	found   bool
}

// hide returns a hider for the reply to a question. What the question itself says is the
// program's own.
func (s secrets) hide(prompt string) hider {
	h := hider{}
	for _, secret := range s {
		if len(secret) >= minHidden && !strings.Contains(prompt, secret) {
			h.secrets = append(h.secrets, secret)
		}
	}
	return h
}

// feed takes the next piece and returns what can be shown by now.
func (h *hider) feed(piece string) string {
	if len(h.secrets) == 0 {
		return piece
	}
	text := h.held + piece
	h.held = ""
	var shown strings.Builder
	for i := 0; i < len(text); {
		match := ""
		for _, secret := range h.secrets { // the longest first
			if match == "" && strings.HasPrefix(text[i:], secret) {
				match = secret
			} else if len(text)-i < len(secret) && strings.HasPrefix(secret, text[i:]) {
				h.held = text[i:]
				return shown.String()
			}
		}
		if match == "" {
			shown.WriteByte(text[i])
			i++
			continue
		}
		h.found = true
		shown.WriteString(hiddenSecret)
		i += len(match)
	}
	return shown.String()
}

// rest returns what was held back when nothing more comes. A good part of a secret is kept
// back for good.
func (h *hider) rest() string {
	text := h.held
	h.held = ""
	if len(text) >= minHidden {
		h.found = true
		return hiddenSecret
	}
	return text
}

// in takes the secrets out of a whole text.
func (h *hider) in(text string) string { return h.feed(text) + h.rest() }

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
			words[i] = hiddenSecret
		}
	}
	line := strings.Join(words, " ")
	if runes := []rune(line); len(runes) > maxQuoted {
		line = string(runes[:maxQuoted]) + "…"
	}
	return line
}
