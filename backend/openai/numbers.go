package openai

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// repaired replaces NaN and the infinities, which Python's json writes but JSON lacks, by null.
// Valid JSON is returned unchanged.
func repaired(data []byte) []byte {
	if json.Valid(data) {
		return data
	}
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		n := 1
		switch c := data[i]; {
		case c == '"':
			n = stringLength(data[i:])
		case isWordByte(c):
			for i+n < len(data) && isWordByte(data[i+n]) {
				n++
			}
			if isNoNumber(data[i : i+n]) {
				out = append(out, "null"...)
				i += n
				continue
			}
		}
		out = append(out, data[i:i+n]...)
		i += n
	}
	return out
}

// stringLength returns the length of the JSON string at the start of data. The string may
// be incomplete.
func stringLength(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

func isWordByte(c byte) bool {
	return c == '-' || c == '+' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.'
}

// isNoNumber reports whether a word is NaN or an infinity.
func isNoNumber(word []byte) bool {
	switch strings.ToLower(string(bytes.TrimLeft(word, "+-"))) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

// number reads a JSON number in the forms that servers send: also as a string, or with a decimal
// point. Any other value, NaN and the infinities included, counts as unknown.
type number struct {
	value float64
	known bool
}

// UnmarshalJSON never fails. A value that is not a number becomes unknown.
func (n *number) UnmarshalJSON(data []byte) error {
	*n = number{}
	value, err := strconv.ParseFloat(string(bytes.Trim(data, `"`)), 64)
	if err == nil && !math.IsNaN(value) && !math.IsInf(value, 0) {
		*n = number{value, true}
	}
	return nil
}

// mostTokens is larger than any model's window. Larger numbers count as unknown.
const mostTokens = 1 << 40

// count returns n as a number of tokens, or -1 if it is unknown.
func (n number) count() int {
	if !n.known || n.value < 0 || n.value >= mostTokens {
		return -1
	}
	return int(n.value)
}

// pointer returns the number, or nil if it is unknown.
func (n number) pointer() *float64 {
	if !n.known {
		return nil
	}
	return &n.value
}

// tokenIDs reads a list of token numbers. It is nil if one of them is not valid.
type tokenIDs []int

// UnmarshalJSON never fails. An invalid list becomes nil.
func (ids *tokenIDs) UnmarshalJSON(data []byte) error {
	*ids = nil
	var list []number
	if json.Unmarshal(data, &list) != nil {
		return nil //nolint:nilerr // token ids are optional
	}
	all := make(tokenIDs, len(list))
	for i, n := range list {
		if all[i] = n.count(); all[i] < 0 || float64(all[i]) != n.value {
			return nil
		}
	}
	*ids = all
	return nil
}
