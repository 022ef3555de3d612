package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxTried limits the number of positions at which a JSON object may begin.
const maxTried = 100

// object finds the JSON object with the field key in an answer, and returns its fields and the
// offset at which it begins. The object may be preceded by the model's thoughts, and surrounded by
// words and a code fence. Two different objects with this field are an error.
func object(text, key string) (fields map[string]json.RawMessage, at int, err error) {
	end := len(strings.TrimRightFunc(text, unicode.IsSpace))
	text, err = afterThoughts(text)
	if err != nil {
		return nil, 0, err
	}
	var found map[string]json.RawMessage
	var first []byte
	failed := wrong("there is no JSON object in the answer: it is to be one, and nothing else")
	for tried := 0; tried < maxTried; tried++ {
		next := begins(text)
		if next < 0 {
			break
		}
		text = text[next:]
		var one json.RawMessage
		fields := map[string]json.RawMessage{}
		err := json.NewDecoder(strings.NewReader(text)).Decode(&one)
		if err == nil {
			err = json.Unmarshal(one, &fields)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			failed = wrong("the JSON object of the answer is cut off")
			break
		}
		switch has := fields[key] != nil; {
		case has && found == nil:
			if err := whole(one); err != nil {
				return nil, 0, err
			}
			found, first, at = fields, one, end-len(text)
		case has && !same(first, one):
			return nil, 0, wrong("there are two JSON objects in the answer, and they differ: it is to be one")
		case tried > 0: // the error already describes the first object
		case err != nil:
			failed = wrong("the JSON object of the answer cannot be read: %v", err)
		default:
			failed = wrong("the JSON object of the answer has no %q", key)
		}
		text = text[max(len(one), 1):] // if the object is invalid, skip only its brace
	}
	if found == nil {
		return nil, 0, failed
	}
	return found, at, nil
}

// afterThoughts returns the text after </think>, which ends a model's thoughts. The <think> before
// them may be missing. A text that begins with { or a code fence has no thoughts.
func afterThoughts(text string) (string, error) {
	const opens, closes = "<think>", "</think>"
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "```") {
		return text, nil
	}
	if _, after, ok := strings.Cut(text, closes); ok {
		return after, nil
	}
	if strings.HasPrefix(text, opens) {
		return "", wrong("the answer ends within its thoughts: after them a JSON object is to come")
	}
	return text, nil
}

// begins returns the offset of the next brace that may begin a JSON object, or -1. It skips other
// braces, such as those of a Python set.
func begins(text string) int {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '{')
		if i < 0 {
			return -1
		}
		from += i
		if rest := strings.TrimLeft(text[from+1:], " \t\r\n"); rest == "" || rest[0] == '"' || rest[0] == '}' {
			return from
		}
		from++
	}
}

// same reports whether two JSON objects are equal except for white space.
func same(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// whole returns an error if encoding/json would change the text of an object: it contains invalid
// UTF-8 or half of a surrogate pair.
func whole(object []byte) error {
	if !utf8.Valid(object) {
		return wrong("the JSON object of the answer is not UTF-8")
	}
	for i := 0; i < len(object); i++ {
		if object[i] != '\\' {
			continue
		}
		r, ok := escaped(object[i:])
		if !ok {
			i++ // skip an escape of one character
			continue
		}
		if utf16.IsSurrogate(r) {
			low, _ := escaped(object[i+6:])
			if utf16.DecodeRune(r, low) == utf8.RuneError {
				return wrong(`%s is half of a character: a backslash that repr() writes is \\ in JSON`, object[i:i+6])
			}
			i += 6
		}
		i += 5
	}
	return nil
}

// escaped returns the code of the \uXXXX escape at the beginning of a text, or false if there is
// none.
func escaped(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(v), err == nil
}
