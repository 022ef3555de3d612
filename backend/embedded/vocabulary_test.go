package embedded

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl/vectors"
)

// TestTokensAreThoseOfTraining checks the tokenizer against that of lab/train/tokens.py. Its output in
// testdata/tokens.json is written by python3 -m lab.train.test_export write.
func TestTokensAreThoseOfTraining(t *testing.T) {
	data, err := os.ReadFile("testdata/tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	var said []struct {
		Text   string
		Tokens []int
	}
	if err := json.Unmarshal(data, &said); err != nil {
		t.Fatal(err)
	}
	if len(said) < 5 {
		t.Fatal("there are few vectors")
	}
	for _, v := range said {
		if got := ours.encode(nil, v.Text); !slices.Equal(got, v.Tokens) {
			t.Errorf("%q is cut into %v, want %v", v.Text, got, v.Tokens)
		}
		if got := ours.decode(v.Tokens); got != v.Text {
			t.Errorf("the tokens spell %q, want %q", got, v.Text)
		}
	}
}

// TestBeginIsSafe checks that begin returns the first tokens of a whole text, wherever the text is cut.
func TestBeginIsSafe(t *testing.T) {
	for _, v := range vectors.All()[:8] {
		whole := ours.encode(nil, v.Wire)
		for cut := 0; cut <= len(v.Wire); cut += 3 {
			ids, bytes := ours.begin(nil, v.Wire[:cut])
			if len(ids) > len(whole) || !slices.Equal(ids, whole[:len(ids)]) || ours.decode(ids) != v.Wire[:bytes] {
				t.Fatalf("the first %d bytes of %s begin with %v", cut, v.Name, ids)
			}
		}
	}
}

// decode returns the text of tokens.
func (v *vocabulary) decode(ids []int) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(v.words[id])
	}
	return b.String()
}
