package serve

import (
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// tokenizer is a small vocabulary. The ids 0 to 255 are bytes. The special tokens are those of
// nd/1, and those at the beginning and end of a text or message; they have the same ids as in the
// Code World Model's vocabulary.
type tokenizer struct {
	special  map[string]int
	spelling map[int]string
}

const (
	beginOfText = 128000
	endOfText   = 128001
	beginOfRole = 128006 // begins the header of a message, with its role
	endOfRole   = 128007
	endOfTurn   = 128009 // ends a message
	vocabulary  = 128256 // all ids are smaller than this
)

func newTokenizer(f *dsl.Format) *tokenizer {
	t := &tokenizer{special: map[string]int{}, spelling: map[int]string{}}
	t.name(beginOfText, "<|begin_of_text|>")
	t.name(endOfText, "<|end_of_text|>")
	t.name(beginOfRole, "<|start_header_id|>")
	t.name(endOfRole, "<|end_header_id|>")
	t.name(endOfTurn, "<|eot_id|>")
	for _, token := range dsl.Tokens() {
		t.name(token.CWMID(), f.Name(token))
	}
	return t
}

func (t *tokenizer) name(id int, spelling string) {
	t.special[spelling] = id
	t.spelling[id] = spelling
}

// encode converts a text to ids. It recognizes special tokens in the text, as vLLM does in a
// prompt. If begin is true, the first id is that of the beginning of a text.
func (t *tokenizer) encode(text string, begin bool) []int {
	ids := make([]int, 0, len(text)+1)
	if begin {
		ids = append(ids, beginOfText)
	}
	for i := 0; i < len(text); {
		if text[i] == '<' {
			if end := strings.Index(text[i:], "|>"); end > 0 {
				if id, ok := t.special[text[i:i+end+2]]; ok {
					ids = append(ids, id)
					i += end + 2
					continue
				}
			}
		}
		ids = append(ids, int(text[i]))
		i++
	}
	return ids
}

// conversation converts messages to ids in Llama 3's format, up to the beginning of the answer. It
// does not recognize special tokens in the text of a message, but converts them to bytes.
func (t *tokenizer) conversation(messages []chat.Message) []int {
	ids := []int{beginOfText}
	header := func(role string) {
		ids = append(ids, beginOfRole)
		ids = append(ids, t.bytes(role)...)
		ids = append(ids, endOfRole, '\n', '\n')
	}
	for _, m := range messages {
		header(m.Role)
		ids = append(append(ids, t.bytes(m.Content)...), endOfTurn)
	}
	header("assistant")
	return ids
}

// bytes converts a text to ids without recognizing special tokens.
func (t *tokenizer) bytes(text string) []int {
	ids := make([]int, len(text))
	for i := range len(text) {
		ids[i] = int(text[i])
	}
	return ids
}

// text returns the spelling of a token, or "" for an id without one.
func (t *tokenizer) text(id int) string {
	if id >= 0 && id < 256 {
		return string([]byte{byte(id)})
	}
	return t.spelling[id]
}

// isSpecial reports whether a token is not part of the plain text.
func (t *tokenizer) isSpecial(id int) bool { return id >= 256 }

// decode converts ids to a text.
func (t *tokenizer) decode(ids []int) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(t.text(id))
	}
	return b.String()
}

// shown returns a token's text for logprobs. A byte that is not a character by itself becomes the
// replacement character.
func (t *tokenizer) shown(id int) string {
	return strings.ToValidUTF8(t.text(id), string(utf8.RuneError))
}
