package live

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// script is a model whose next token depends only on the previous one. next lists, for each word,
// the words that may follow, the most likely one first. Words are single tokens; all other text
// consists of bytes, after which nothing follows. So the model gives the same reply in every run,
// in the same time.
type script struct {
	words []word
	next  map[string][]string
	chat  string // the chat template, in Jinja
}

// word is a token. A control token is not part of the text.
type word struct {
	text    string
	control bool
}

const (
	scriptWidth   = 384 // size of an embedding: that of token i has a one at position i
	scriptContext = 1 << 16
	scriptEnd     = "<|end|>"
)

// letters returns the characters that represent the 256 bytes in a byte-level vocabulary like
// GPT-2's.
func letters() []string {
	out := make([]string, 256)
	hidden := rune(256)
	for b := range 256 {
		switch {
		case b >= 33 && b < 127, b >= 161 && b < 173, b >= 174:
			out[b] = string(rune(b))
		default:
			out[b] = string(hidden)
			hidden++
		}
	}
	return out
}

// gguf writes numbers, texts and lists in the format GGUF, version 3.
type gguf struct{ bytes.Buffer }

func (g *gguf) put(values ...any) {
	for _, v := range values {
		if s, ok := v.(string); ok {
			g.put(uint64(len(s)))
			g.WriteString(s)
		} else if err := binary.Write(g, binary.LittleEndian, v); err != nil {
			panic(err) // a type without a fixed size
		}
	}
}

// The types of values in GGUF.
const (
	ggufUint32 uint32 = 4
	ggufInt32  uint32 = 5
	ggufFloat  uint32 = 6
	ggufBool   uint32 = 7
	ggufString uint32 = 8
	ggufArray  uint32 = 9
)

// write writes the model to a file, in llama's architecture with one layer of zeros, and returns
// the file's path.
func (s *script) write(t testing.TB) string {
	t.Helper()
	tokens, kinds := letters(), make([]int32, 256)
	at := map[string]int{}
	for i := range kinds {
		kinds[i] = 1 // a normal token
	}
	for _, w := range append([]word{{scriptEnd, true}}, s.words...) {
		at[w.text] = len(tokens)
		tokens = append(tokens, w.text)
		kinds = append(kinds, map[bool]int32{true: 3, false: 4}[w.control]) // control, or user-defined
	}
	if len(tokens) > scriptWidth {
		t.Fatalf("%d tokens, of at most %d", len(tokens), scriptWidth)
	}
	embedding := make([]float32, len(tokens)*scriptWidth)
	head := make([]float32, len(tokens)*scriptWidth)
	for i := range tokens {
		embedding[i*scriptWidth+i] = 1
		follows := s.next[tokens[i]]
		if len(follows) == 0 {
			follows = []string{scriptEnd}
		}
		for rank, f := range follows {
			head[at[f]*scriptWidth+i] = 1 - float32(rank)/10 // the norm multiplies by 19.6, the square root of scriptWidth
		}
	}
	var head1 gguf // the key-value pairs
	pairs := uint64(0)
	pair := func(key string, value ...any) {
		pairs++
		head1.put(key)
		head1.put(value...)
	}
	pair("general.architecture", ggufString, "llama")
	pair("general.name", ggufString, "npdb-test")
	pair("general.file_type", ggufUint32, uint32(0))
	for key, n := range map[string]uint32{
		"context_length": scriptContext, "embedding_length": scriptWidth, "block_count": 1, "feed_forward_length": scriptWidth,
		"attention.head_count": 4, "attention.head_count_kv": 4, "rope.dimension_count": scriptWidth / 4, "vocab_size": uint32(len(tokens)),
	} {
		pair("llama."+key, ggufUint32, n)
	}
	pair("llama.attention.layer_norm_rms_epsilon", ggufFloat, float32(1e-6))
	pair("llama.rope.freq_base", ggufFloat, float32(10000))
	pair("tokenizer.ggml.model", ggufString, "gpt2")
	pair("tokenizer.ggml.pre", ggufString, "llama-bpe")
	pair("tokenizer.ggml.tokens", ggufArray, ggufString, uint64(len(tokens)))
	for _, token := range tokens {
		head1.put(token)
	}
	pair("tokenizer.ggml.token_type", ggufArray, ggufInt32, uint64(len(kinds)), kinds)
	// GGUF requires at least one merge. These two bytes never follow each other in UTF-8.
	pair("tokenizer.ggml.merges", ggufArray, ggufString, uint64(1), letters()[0xff]+" "+letters()[0xfe])
	for _, key := range []string{"bos", "eos"} {
		pair("tokenizer.ggml."+key+"_token_id", ggufUint32, uint32(at[scriptEnd]))
	}
	pair("tokenizer.ggml.add_bos_token", ggufBool, false)
	if s.chat != "" {
		pair("tokenizer.chat_template", ggufString, s.chat)
	}

	var infos, data gguf
	tensors := uint64(0)
	tensor := func(name string, numbers []float32, rows int) {
		tensors++
		infos.put(name)
		if rows == 1 {
			infos.put(uint32(1), uint64(len(numbers)))
		} else {
			infos.put(uint32(2), uint64(len(numbers)/rows), uint64(rows))
		}
		infos.put(uint32(0), uint64(data.Len()))
		data.put(numbers)
		data.Write(make([]byte, -data.Len()&31))
	}
	ones := make([]float32, scriptWidth)
	for i := range ones {
		ones[i] = 1
	}
	tensor("token_embd.weight", embedding, len(tokens))
	for _, name := range []string{"attn_norm", "ffn_norm"} {
		tensor("blk.0."+name+".weight", ones, 1)
	}
	for _, name := range []string{"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"} {
		tensor("blk.0."+name+".weight", make([]float32, scriptWidth*scriptWidth), scriptWidth)
	}
	tensor("output_norm.weight", ones, 1)
	tensor("output.weight", head, len(tokens))

	var file gguf
	file.WriteString("GGUF")
	file.put(uint32(3), tensors, pairs)
	file.Write(head1.Bytes())
	file.Write(infos.Bytes())
	file.Write(make([]byte, -file.Len()&31))
	file.Write(data.Bytes())
	path := filepath.Join(t.TempDir(), "script.gguf")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
