package openai

import (
	"slices"
	"strings"
)

// Words by which servers say why a reply ends, besides OpenAI's own, in lower case.
var finishes = map[string]string{
	"max_tokens": finishLength, "max_output_tokens": finishLength, "model_length": finishLength,
	"safety": finishFilter, "recitation": finishFilter,
	"null": "", "none": "", // in each piece, as a word
}

const (
	finishStop   = "stop"
	finishLength = "length"
	finishFilter = "content_filter"
)

// finishNamed returns why a reply ends, in OpenAI's words where there is one; "" as long as
// it does not.
func finishNamed(w word) string {
	said := strings.ToLower(strings.TrimSpace(string(w)))
	if known, ok := finishes[said]; ok {
		return known
	}
	return said
}

// endsReply reports whether a word is known to end a reply. After another one more text may
// follow: then the end of the stream counts.
func endsReply(finish string) bool {
	return slices.Contains([]string{
		finishStop, finishLength, finishFilter, "abort", "error", "tool_calls", "function_call",
		"eos", "eos_token", "end_turn", "stop_sequence",
	}, finish)
}
