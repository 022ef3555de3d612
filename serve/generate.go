package serve

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// token is one token of a choice: its id, and the text that it adds to the output. Because text may
// be delayed, a token can add no text, or that of several tokens.
type token struct {
	id      int
	text    string
	logprob float64
}

// choice is one of the answers in a response, and the reason why it ends.
type choice struct {
	tokens []token
	finish string // "stop" or "length"
	reason any    // the stop string or token id that ended the choice; nil at the end of the text
	vague  bool   // the log probabilities of the tokens are unknown
}

func (c *choice) text() string {
	var b strings.Builder
	for _, t := range c.tokens {
		b.WriteString(t.text)
	}
	return b.String()
}

func (c *choice) ids() []int {
	ids := make([]int, len(c.tokens))
	for i, t := range c.tokens {
		ids[i] = t.id
	}
	return ids
}

// generate cuts the text of an answer as the request specifies: at a stop string, a stop token, the
// end of the text, or the maximum number of tokens. Like vLLM's detokenizer, it delays text that
// may be the beginning of a stop string, and the bytes of an incomplete character.
func generate(t *tokenizer, ids []int, r *request, most int) *choice {
	g := generator{tokenizer: t, request: r, skip: r.SkipSpecial == nil || *r.SkipSpecial}
	for _, stop := range r.stops {
		g.longest = max(g.longest, len(stop)-1)
	}
	for _, id := range ids {
		if len(g.tokens) == most {
			break
		}
		if g.next(id) {
			return &g.choice
		}
	}
	g.finish = "length"
	g.flush()
	return &g.choice
}

type generator struct {
	choice
	*tokenizer
	*request
	skip    bool
	longest int    // maximum number of bytes that are delayed, because they may begin a stop string
	held    string // delayed text
}

// next adds one more token to the choice. over reports whether the choice ends with it.
func (g *generator) next(id int) (over bool) {
	stops := slices.Contains(g.StopTokenIDs, id)
	g.tokens = append(g.tokens, token{id: id})
	if id == endOfText || id == endOfTurn || stops {
		g.finish = "stop"
		if stops {
			g.reason = id
		}
		if g.IncludeStop && (!g.skip || !g.isSpecial(id)) {
			g.held += g.tokenizer.text(id)
		}
		g.flush()
		return true
	}
	if g.skip && g.isSpecial(id) {
		return false
	}
	g.held += g.tokenizer.text(id)
	at, found := len(g.held), ""
	for _, stop := range g.stops {
		if i := strings.Index(g.held, stop); i >= 0 && i < at {
			at, found = i, stop
		}
	}
	if found != "" {
		if g.IncludeStop {
			at += len(found)
		}
		g.held, g.finish, g.reason = g.held[:at], "stop", found
		g.flush()
		return true
	}
	g.show(whole(g.held, len(g.held)-g.longest))
	return false
}

// whole returns the length of the longest prefix of at most n bytes that ends with a complete
// character.
func whole(text string, n int) int {
	n = max(n, 0)
	if n == len(text) {
		start := n
		for start > 0 && n-start < utf8.UTFMax && !utf8.RuneStart(text[start-1]) {
			start--
		}
		if start > 0 && !utf8.FullRuneInString(text[start-1:]) {
			return start - 1
		}
		return n
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// show adds the first n bytes of the delayed text to the last token.
func (g *generator) show(n int) {
	g.tokens[len(g.tokens)-1].text = strings.ToValidUTF8(g.held[:n], string(utf8.RuneError))
	g.held = g.held[n:]
}

func (g *generator) flush() {
	if len(g.tokens) > 0 {
		last := &g.tokens[len(g.tokens)-1]
		last.text += strings.ToValidUTF8(g.held, string(utf8.RuneError))
		g.held = ""
	}
}
