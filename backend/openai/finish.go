package openai

import (
	"slices"
	"strings"
)

// finishes maps finish reasons of other servers, in lower case, to OpenAI's.
var finishes = map[string]string{
	"max_tokens": finishLength, "max_output_tokens": finishLength, "model_length": finishLength,
	"safety": finishFilter, "recitation": finishFilter,
	"null": "", "none": "", // sent with each piece before the end
}

const (
	finishStop   = "stop"
	finishLength = "length"
	finishFilter = "content_filter"
)

// finishNamed returns a finish reason in OpenAI's terms if possible, or "" while the reply
// continues.
func finishNamed(reason string) string {
	said := strings.ToLower(strings.TrimSpace(reason))
	if known, ok := finishes[said]; ok {
		return known
	}
	return said
}

// endsReply reports whether a finish reason is known to end a reply. After an unknown reason more
// text may follow, so such a reply ends with the stream.
func endsReply(finish string) bool {
	return slices.Contains([]string{
		finishStop, finishLength, finishFilter, "abort", "error", "tool_calls", "function_call",
		"eos", "eos_token", "end_turn", "stop_sequence",
	}, finish)
}
