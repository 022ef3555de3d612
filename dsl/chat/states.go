package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/npdb/npdb/dsl"
)

// statesName is the field with the list of states in an answer.
const statesName = "states"

// manyTimes follows a command whose answer may list several states.
const manyTimes = " up to %d times"

// The sentences below a command that request a list of states.
const (
	oneState   = `Answer with a list of that one state: {"states": [STATE]}.`
	manyStates = `Answer with a list of states: {"states": [STATE, …]}. The first is the one that the command leads to, the second the one that it leads to from there, and so on, up to %d in all; each tells what the answer to a command of its own would tell. The list ends with an end or a start, and before a state of which you are not sure.`
)

// statesAsk returns the sentences that request a list of at most most states.
func statesAsk(most int) string {
	if most == 1 {
		return oneState
	}
	return fmt.Sprintf(manyStates, most)
}

// AskStates makes the last message request a list of states: the result of its command, then the
// result of the same command from there, and so on, at most most of them (1 or more). The earlier
// messages stay the same, so a server's prefix cache stays valid. DecodeStates parses the answer.
func AskStates(messages []Message, most int) []Message {
	messages = slices.Clone(messages)
	last := &messages[len(messages)-1]
	if most > 1 {
		last.Content += fmt.Sprintf(manyTimes, most)
	}
	last.Content += "\n" + statesAsk(most)
	return messages
}

// StatesSchema returns the schema of an answer to AskStates, given the schema of one state. Strict
// schemas cannot limit the list's length, so it is the same for every number of states.
func StatesSchema(state map[string]any) map[string]any {
	return record(fields{{statesName, list(state)}})
}

// listAsked parses the request that AskStates added to a command. It returns the maximum number of
// states, and the command and the text below it without that request. most is 0 if there is no such
// request.
func listAsked(command, below string) (most int, _, _ string, err error) {
	action, times, many := strings.Cut(command, " up to ")
	if many {
		if _, err := fmt.Sscanf(" up to "+times, manyTimes, &most); err != nil || most < 2 || " up to "+times != fmt.Sprintf(manyTimes, most) {
			return 0, "", "", wrong("%q does not say how many times, as \"up to 8 times\" does", times)
		}
	}
	first, rest, _ := strings.Cut(below, "\n")
	switch {
	case many && first == statesAsk(most):
		return most, action, rest, nil
	case many:
		return 0, "", "", wrong("a command that is given up to %d times is to be followed by how these states are listed", most)
	case first == oneState:
		return 1, action, rest, nil
	}
	return 0, command, below, nil
}

// Part is one state in an answer to AskStates: its step, and the span of its JSON object.
type Part struct {
	Step dsl.Step
	At   dsl.Span
}

// DecodeStates parses a model's answer to AskStates: a list of states, or one state. The request was
// sent at the node at. The first state is decoded there, and each other state at the node of the
// state before it.
//
// The result has from 1 to most parts. An answer may be cut off, so the list ends before the first
// later state that is invalid, incomplete or unknown; an unknown state is returned only if it is the
// first, and then alone. An end or a start is always the last part. The error is an *Error.
func DecodeStates(at *dsl.Node, a dsl.Action, most int, text string) ([]Part, error) {
	objects, err := listed(text)
	if err != nil {
		return nil, err
	}
	if objects == nil {
		_, from, err := object(text, "outcome")
		if err != nil {
			return nil, err
		}
		var one json.RawMessage
		_ = json.NewDecoder(strings.NewReader(text[from:])).Decode(&one) // cannot fail: object parsed it
		objects = []dsl.Span{{From: from, To: from + len(one)}}
	}
	var parts []Part
	for _, one := range objects[:min(len(objects), max(most, 1))] {
		step, err := Decode(at, a, text[one.From:one.To])
		if err != nil && len(parts) == 0 {
			return nil, err
		}
		if err != nil || step.Reply.Outcome == dsl.Unknown && len(parts) > 0 {
			break
		}
		parts = append(parts, Part{step, one})
		if step.Reply.Outcome != dsl.Landed {
			break
		}
		if at, err = at.Append(step); err != nil {
			break
		}
	}
	return parts, nil
}

// listed returns the spans of the complete states in an answer's list, or nil if the answer has no
// list. As with object, thoughts, words and a code fence may surround the list. Two different lists
// are an error.
func listed(text string) (found []dsl.Span, err error) {
	end := len(strings.TrimRightFunc(text, unicode.IsSpace))
	rest, err := afterThoughts(text)
	if err != nil {
		return nil, err
	}
	for tried := 0; tried < maxTried; tried++ {
		next := begins(rest)
		if next < 0 {
			break
		}
		rest = rest[next:]
		from := end - len(rest)
		objects, length := statesIn(rest)
		for i := range objects {
			objects[i].From, objects[i].To = objects[i].From+from, objects[i].To+from
		}
		switch {
		case objects == nil:
		case found == nil:
			found = objects
		case !slices.EqualFunc(found, objects, func(a, b dsl.Span) bool {
			return same([]byte(text[a.From:a.To]), []byte(text[b.From:b.To]))
		}):
			return nil, wrong("there are two lists of states in the answer, and they differ: it is to be one")
		}
		rest = rest[length:]
	}
	if found != nil && len(found) == 0 {
		return nil, wrong("the list of %q has no whole state: its first is the one that the command leads to", statesName)
	}
	return found, nil
}

// statesIn returns the spans of the complete states in the list of the object that begins text, or
// nil if the object has no list. length is the number of bytes that were read, at least 1.
func statesIn(text string) (objects []dsl.Span, length int) {
	d := json.NewDecoder(strings.NewReader(text))
	_, _ = d.Token() // the brace
	if key, err := d.Token(); err != nil || key != statesName {
		var one json.RawMessage
		_ = json.NewDecoder(strings.NewReader(text)).Decode(&one)
		return nil, max(len(one), 1)
	}
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return nil, 1
	}
	objects = []dsl.Span{}
	for d.More() {
		var one json.RawMessage
		if d.Decode(&one) != nil {
			break
		}
		to := int(d.InputOffset())
		objects = append(objects, dsl.Span{From: to - len(one), To: to})
	}
	return objects, max(int(d.InputOffset()), 1)
}

// EncodeStates writes an answer to AskStates: the replies to action a. The first reply is written
// at the node at, each other one at the node of the reply before it. The error is a
// *dsl.EncodeError.
func EncodeStates(at *dsl.Node, a dsl.Action, replies []dsl.Reply) (string, error) {
	states := make([]json.RawMessage, 0, len(replies))
	for _, r := range replies {
		text, err := Encode(at, a, r)
		if err != nil {
			return "", err
		}
		states = append(states, json.RawMessage(text))
		if r.Outcome != dsl.Landed {
			break
		}
		if at, err = at.Append(dsl.Step{Action: a, Reply: r}); err != nil {
			return "", err
		}
	}
	return encode(map[string]any{statesName: states})
}
