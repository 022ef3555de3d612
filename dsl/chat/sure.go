package chat

import (
	"encoding/json"
	"slices"
	"strconv"
)

// sureName is the field with the model's confidence.
const sureName = "confidence"

// sureAsk is the sentence after a command that requests the model's confidence.
const sureAsk = `Give each state one more field, the last: "` + sureName + `", an integer from 0 to 100: how sure you are that all of it is right.`

// AskSure makes the last message request the model's confidence. Call it after AskStates. Earlier
// messages stay the same, so a server's prefix cache stays valid.
func AskSure(messages []Message) []Message {
	messages = slices.Clone(messages)
	last := &messages[len(messages)-1]
	last.Content += "\n" + sureAsk
	return messages
}

// SureSchema returns a state's schema with a field for the confidence that AskSure requests. Strict
// schemas cannot limit the number to 0 to 100.
func SureSchema(schema map[string]any) map[string]any {
	own := schema["properties"].(fields)
	return record(append(slices.Clip(own), field{sureName, map[string]any{"type": "integer"}}))
}

// Sure returns the confidence in an answer, from 0 to 1. It returns nil if the answer contains
// none, or if it is not a percentage. Decode must have accepted the answer.
func Sure(text string) *float64 {
	given, _, err := object(text, "outcome")
	if err != nil {
		return nil
	}
	var told json.Number
	if json.Unmarshal(given[sureName], &told) != nil {
		return nil
	}
	n, err := strconv.Atoi(told.String())
	if err != nil || n < 0 || n > 100 {
		return nil
	}
	p := float64(n) / 100
	return &p
}
