package openai

import "testing"

// TestChunkOfOddTypes checks that a text of a wrong type is an error, even if other fields have wrong
// types too, and that log probabilities of a wrong type are ignored.
func TestChunkOfOddTypes(t *testing.T) {
	for _, c := range []struct {
		name, data, text, shape string
		fails                   bool
	}{
		{"an odd id", `{"id": 5, "choices": [{"text": "a"}]}`, "a", "", false},
		{"an odd id and an odd text", `{"id": 5, "choices": [{"text": 7}]}`, "", "", true},
		{"an odd index and an odd delta", `{"choices": [{"finish_reason": 1, "delta": "a"}]}`, "", "", true},
		{"an odd id and odd choices", `{"id": 5, "choices": 7}`, "", "", true},
		{"null texts", `{"id": 5, "choices": [{"text": null, "delta": null, "message": {"content": "b"}}]}`, "b", "", false},
		{"odd tokens", `{"choices": [{"text": "a", "logprobs": {"content": [{"token": 5, "logprob": -1}]}}]}`, "a", "", false},
		{"odd lists", `{"choices": [{"text": "a", "logprobs": {"tokens": "a", "token_logprobs": [-1]}}]}`, "a", "", false},
		{"an odd byte", `{"choices": [{"text": "a", "logprobs": {"content": [{"token": "a", "bytes": ["x"], "logprob": -1}]}}]}`, "a", "", false},
		{"tokens", `{"id": 5, "choices": [{"text": "a", "logprobs": {"content": [{"token": "a", "logprob": -1}]}}]}`, "a", "chat", false},
		{"no log probabilities", `{"choices": [{"text": "a", "logprobs": null}]}`, "a", "", false},
	} {
		got, err := decodeChunk([]byte(c.data))
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err == nil && (got.Choices[0].text() != c.text || got.Choices[0].Logprobs.shape() != c.shape) {
			t.Errorf("%s: %q, %q", c.name, got.Choices[0].text(), got.Choices[0].Logprobs.shape())
		}
	}
}
