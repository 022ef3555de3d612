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

// bytesOfVocabulary is the number of tokens that are single bytes. They have the first ids.
const bytesOfVocabulary = 256

// vocabulary is the tokenizer. It takes the longest matching token, from left to right.
type vocabulary struct {
	words     []string
	beginning [256][]int // ids of longer tokens by their first byte, longest token first
	special   [16]bool   // for each of the first tokens after the bytes: it is a special token
	marks     map[dsl.Token]int
	hash      string // identifies the vocabulary
}

// ours is the vocabulary of this build.
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

// longest returns the id of the longest token at the start of a text.
func (v *vocabulary) longest(text string) int {
	for _, id := range v.beginning[text[0]] {
		if strings.HasPrefix(text, v.words[id]) {
			return id
		}
	}
	return int(text[0])
}

// encode appends the token ids of a text.
func (v *vocabulary) encode(dst []int, text string) []int {
	for text != "" {
		id := v.longest(text)
		dst = append(dst, id)
		text = text[len(v.words[id]):]
	}
	return dst
}

// begin appends the ids of the first tokens of a text, as far as they are the same for every
// continuation of the text. It returns the length of these tokens in bytes. The last bytes of the text
// may become part of a longer token.
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

// isMark reports whether a token is a special token, such as <|frame_sep|>.
func (v *vocabulary) isMark(id int) bool {
	place := id - bytesOfVocabulary
	return place >= 0 && place < len(v.special) && v.special[place]
}
