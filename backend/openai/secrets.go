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

// secrets are texts that must not appear in messages, because servers and proxies may
// repeat what they were sent.
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
		if _, credential, ok := strings.Cut(v, " "); ok { // the part after "Bearer"
			add(credential)
		}
	}
	// Longest first, because one may contain another.
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(all)
}

// quotedJSON returns a text as a JSON string, in which "<" and the like are escaped, as
// most servers do.
func quotedJSON(s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil { // strings cannot fail
		return []byte(`""`)
	}
	return quoted
}

// hiddenSecret replaces a secret.
const hiddenSecret = "[secret]"

// scrub replaces the secrets in a text.
func (s secrets) scrub(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, hiddenSecret)
	}
	return text
}

// minHidden is the minimum length, in bytes, of a secret that is hidden in a model's
// output. Shorter ones such as "EMPTY" or a team's name also occur in harmless values.
const minHidden = 8

// hider replaces the secrets in a reply that arrives in pieces.
type hider struct {
	secrets secrets
	held    string // possible beginning of a secret
	found   bool
}

// hide returns a hider for the reply to a prompt. It does not hide texts that the prompt
// itself contains.
func (s secrets) hide(prompt string) hider {
	h := hider{}
	for _, secret := range s {
		if len(secret) >= minHidden && !strings.Contains(prompt, secret) {
			h.secrets = append(h.secrets, secret)
		}
	}
	return h
}

// feed takes the next piece and returns the text that can be shown so far.
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

// rest returns the held text at the end of the reply, unless it is a long part of a secret.
func (h *hider) rest() string {
	text := h.held
	h.held = ""
	if len(text) >= minHidden {
		h.found = true
		return hiddenSecret
	}
	return text
}

// in replaces the secrets in a complete text.
func (h *hider) in(text string) string { return h.feed(text) + h.rest() }

// maxQuoted bounds the text of a server that a message quotes, in runes.
const maxQuoted = 300

// quote prepares a server's text for a message of one line: it removes secrets and control
// characters and limits the length. Servers that mask a key show its ends, so masked words
// are removed too.
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
