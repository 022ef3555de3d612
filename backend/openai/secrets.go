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

// secrets holds texts that must not appear in messages, because servers and proxies may repeat what
// they were sent.
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
	// The longest come first, because one secret may contain another.
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(all)
}

// quotedJSON returns a text as a JSON string in which "<" and similar characters are escaped, as
// most servers write it.
func quotedJSON(s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil { // cannot fail for a string
		return []byte(`""`)
	}
	return quoted
}

// hiddenSecret is the text that replaces a secret.
const hiddenSecret = "[secret]"

// scrub replaces the secrets in a text.
func (s secrets) scrub(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, hiddenSecret)
	}
	return text
}

// minHidden is the smallest length, in bytes, of secrets that are replaced in a model's reply. Shorter
// ones, such as "EMPTY" or the name of a team, also occur in harmless values.
const minHidden = 8

// hider replaces the secrets in a reply that arrives in pieces.
type hider struct {
	secrets secrets
	held    string // the last part of the text so far that may begin a secret
	found   bool
}

// hide returns a hider for the reply to a prompt. It does not replace a secret that the prompt
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

// feed returns the text that can be shown after the next piece, with secrets replaced.
func (h *hider) feed(piece string) string {
	if len(h.secrets) == 0 {
		return piece
	}
	text := h.held + piece
	h.held = ""
	var shown strings.Builder
	for i := 0; i < len(text); {
		match := ""
		for _, secret := range h.secrets { // the longest secret comes first
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

// rest returns the text that feed has held back. If that is a long part of a secret, rest replaces it.
func (h *hider) rest() string {
	text := h.held
	h.held = ""
	if len(text) >= minHidden {
		h.found = true
		return hiddenSecret
	}
	return text
}

// in returns a complete text with secrets replaced.
func (h *hider) in(text string) string { return h.feed(text) + h.rest() }

// maxQuoted is the maximum number of runes of a server's text that a message quotes.
const maxQuoted = 300

// quote prepares a server's text for a message of one line: it removes secrets and control characters,
// and limits the length. It also removes words that contain ***, because servers that mask a key show
// its first and last characters.
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
