package embedded

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/npdb/npdb/dsl"
)

//go:embed vocabulary.json
var vocabularyFile []byte

// bytesOfVocabulary is how many tokens are single bytes: the first ones.
const bytesOfVocabulary = 256

// vocabulary is the tokenizer. A text is cut from left to right, each time into the
// longest token that stands there.
type vocabulary struct {
	words     []string
	beginning [256][]int // tokens of two bytes and more by their first, the longest first
	special   [16]bool   // of the tokens after the bytes: it is a mark, and no text
	marks     map[dsl.Token]int
	hash      string // tells one vocabulary from another
}

// ours is the vocabulary that this build has.
var ours = func() *vocabulary {
	v, err := newVocabulary(vocabularyFile)
	if err != nil {
		panic(err)
	}
	return v
}()

func newVocabulary(file []byte) (*vocabulary, error) {
	var said struct{ Tokens []string }
	if err := json.Unmarshal(file, &said); err != nil {
		return nil, fmt.Errorf("vocabulary.json: %w", err)
	}
	v := &vocabulary{marks: map[dsl.Token]int{}}
	for b := range bytesOfVocabulary {
		v.words = append(v.words, string([]byte{byte(b)}))
	}
	v.words = append(v.words, said.Tokens...)
	seen := make(map[string]bool, len(v.words))
	for id, word := range v.words {
		if word == "" || seen[word] {
			return nil, fmt.Errorf("vocabulary.json: the token %q is empty or occurs twice", word)
		}
		seen[word] = true
		if len(word) > 1 {
			v.beginning[word[0]] = append(v.beginning[word[0]], id)
		}
		if place := id - bytesOfVocabulary; place >= 0 && strings.HasPrefix(word, "<|") {
			if place >= len(v.special) {
				return nil, fmt.Errorf("vocabulary.json: the mark %s is not among the first", word)
			}
			v.special[place] = true
		}
	}
	for _, ids := range &v.beginning {
		sort.Slice(ids, func(a, b int) bool { return len(v.words[ids[a]]) > len(v.words[ids[b]]) })
	}
	for _, t := range dsl.Tokens() {
		name := dsl.ND1.Name(t)
		id := v.longest(name)
		if v.words[id] != name {
			return nil, fmt.Errorf("vocabulary.json lacks %s", name)
		}
		v.marks[t] = id
	}
	sum := sha256.Sum256([]byte(strings.Join(said.Tokens, "\n")))
	v.hash = hex.EncodeToString(sum[:])
	return v, nil
}

// longest returns the token that a text begins with.
func (v *vocabulary) longest(text string) int {
	for _, id := range v.beginning[text[0]] {
		if strings.HasPrefix(text, v.words[id]) {
			return id
		}
	}
	return int(text[0])
}

// encode appends the tokens of a text.
func (v *vocabulary) encode(dst []int, text string) []int {
	for text != "" {
		id := v.longest(text)
		dst = append(dst, id)
		text = text[len(v.words[id]):]
	}
	return dst
}

// begin appends those tokens of a text that are its first ones whatever follows it, and
// says how many bytes they have: the text's end may belong to a longer token.
func (v *vocabulary) begin(dst []int, text string) (ids []int, bytes int) {
	for bytes < len(text) {
		rest := text[bytes:]
		for _, id := range v.beginning[rest[0]] {
			if word := v.words[id]; len(word) > len(rest) && strings.HasPrefix(word, rest) {
				return dst, bytes
			}
		}
		id := v.longest(rest)
		dst = append(dst, id)
		bytes += len(v.words[id])
	}
	return dst, bytes
}

// isMark reports whether a token is one of nd/1's separators, or another that stands for
// no text.
func (v *vocabulary) isMark(id int) bool {
	place := id - bytesOfVocabulary
	return place >= 0 && place < len(v.special) && v.special[place]
}
