package openai

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/pkoukk/tiktoken-go"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// Vocabulary converts between text and a model's token numbers, for servers that do not do that.
type Vocabulary struct {
	bpe      *tiktoken.Tiktoken
	special  map[string]int
	spelling map[int]string
}

// llama3 matches the parts into which the tokenizers of Llama 3 and of the Code World Model split a
// text before tokenizing (facebookresearch/cwm, tokenizer).
const llama3 = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// Token numbers of the two special tokens of the Code World Model that nd/1 does not have.
const (
	cwmBeginning = 128000
	cwmEnd       = 128001
)

// ReadVocabulary reads the file tokenizer.model of the Code World Model's weights. Each of its
// lines has the bytes of a token in base64, and the token's number.
func ReadVocabulary(path string) (*Vocabulary, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ranks := map[string]int{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text, number, ok := strings.Cut(lines.Text(), " ")
		token, err := base64.StdEncoding.DecodeString(text)
		rank, other := strconv.Atoi(number)
		if !ok || err != nil || other != nil || len(token) == 0 {
			return nil, fmt.Errorf("%s: line %d is no token of a tokenizer.model: its bytes in base64, and its number", path, n)
		}
		ranks[string(token)] = rank
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	for b := range 256 {
		if _, ok := ranks[string([]byte{byte(b)})]; !ok {
			return nil, fmt.Errorf("%s: the byte %d has no token: this is no whole tokenizer.model", path, b)
		}
	}
	v := &Vocabulary{special: map[string]int{cwm.Beginning: cwmBeginning, cwm.StopOfTrace: cwmEnd}, spelling: map[int]string{}}
	for _, t := range dsl.Tokens() {
		v.special[dsl.ND1.Name(t)] = t.CWMID()
	}
	for text, id := range v.special {
		v.spelling[id] = text
	}
	core, err := tiktoken.NewCoreBPE(ranks, map[string]int{}, llama3)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	v.bpe = tiktoken.NewTiktoken(core, &tiktoken.Encoding{Name: path, MergeableRanks: ranks}, nil)
	return v, nil
}

// mark matches what looks like a special token.
var mark = regexp.MustCompile(`<\|[a-z_]+\|>`)

// IDs returns the token numbers of a text that may contain special tokens.
func (v *Vocabulary) IDs(text string) []int {
	var ids []int
	for text != "" {
		at := mark.FindStringIndex(text)
		for at != nil {
			if _, ok := v.special[text[at[0]:at[1]]]; ok {
				break
			}
			next := mark.FindStringIndex(text[at[1]:])
			if next != nil {
				next[0], next[1] = next[0]+at[1], next[1]+at[1]
			}
			at = next
		}
		if at == nil {
			return append(ids, v.bpe.EncodeOrdinary(text)...)
		}
		if at[0] > 0 {
			ids = append(ids, v.bpe.EncodeOrdinary(text[:at[0]])...)
		}
		ids = append(ids, v.special[text[at[0]:at[1]]])
		text = text[at[1]:]
	}
	return ids
}

// pieces returns the token numbers of pieces of text, each tokenized separately.
func (v *Vocabulary) pieces(_ context.Context, pieces []string, _ bool) (ids []int, _ *backend.Error) {
	for _, piece := range pieces {
		ids = append(ids, v.IDs(piece)...)
	}
	return ids, nil
}

// Text returns the text that the token numbers spell.
func (v *Vocabulary) Text(ids []int) string {
	var b strings.Builder
	from := 0
	for i, id := range ids {
		if text, ok := v.spelling[id]; ok {
			b.WriteString(v.bpe.Decode(ids[from:i]))
			b.WriteString(text)
			from = i + 1
		}
	}
	b.WriteString(v.bpe.Decode(ids[from:]))
	return b.String()
}
