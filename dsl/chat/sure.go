package chat

import (
	"encoding/json"
	"slices"
	"strconv"
)

// sureName is the field of an answer in which a model says how sure it is.
const sureName = "confidence"

// sureAsk follows a command where the model is to say so.
const sureAsk = `Give each state one more field, the last: "` + sureName + `", an integer from 0 to 100: how sure you are that all of it is right.`

// AskSure makes the last message of a conversation ask how sure the model is. It comes
// after AskStates. Earlier messages stay as they are, so a server's prefix cache stays
// valid.
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

// Sure returns how sure a model says it is in an answer that Decode takes, from 0 to 1; nil where
// it does not say, or says what is no percentage.
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
