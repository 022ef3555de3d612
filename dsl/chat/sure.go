package chat

import (
	"encoding/json"
	"slices"
	"strconv"
)

// sureName is the field with the model's confidence.
const sureName = "confidence"

// sureAsk asks for the model's confidence, after a command.
const sureAsk = `Give each state one more field, the last: "` + sureName + `", an integer from 0 to 100: how sure you are that all of it is right.`

// AskSure makes the last message ask for the model's confidence. It comes after AskStates. Earlier
// messages stay the same, so a server's prefix cache stays valid.
func AskSure(messages []Message) []Message {
	messages = slices.Clone(messages)
	last := &messages[len(messages)-1]
	last.Content += "\n" + sureAsk
	return messages
}

// SureSchema returns the schema of an answer to it. It bounds no number, for strict schemas
// cannot.
func SureSchema(schema map[string]any) map[string]any {
	own := schema["properties"].(fields)
	return record(append(slices.Clip(own), field{sureName, map[string]any{"type": "integer"}}))
}

// Sure returns the confidence stated in an answer that Decode accepts, from 0 to 1; nil if there
// is none or it is not a percentage.
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
