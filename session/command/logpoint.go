package command

import (
	"strconv"
	"strings"

	"github.com/npdb/npdb/session"
)

// logpoint parses the argument of logpoint: -d [N], or a location and a text. A comma or a space
// and a quote separate the two; quotes around the text are dropped.
func logpoint(name, arg string) (session.Command, error) {
	if arg == "" {
		return session.Logs{}, nil
	}
	if number, ok := strings.CutPrefix(arg+" ", "-d "); ok {
		number = strings.TrimSpace(number)
		if number == "" {
			return session.DropLog{}, nil
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return nil, usage(name, arg)
		}
		return session.DropLog{Number: n}, nil
	}
	place, text, _ := strings.Cut(arg, ",")
	if quote := strings.IndexAny(arg, `"'`); quote > 0 && strings.HasSuffix(arg[:quote], " ") && !strings.Contains(arg[:quote], ",") {
		place, text = arg[:quote], arg[quote:]
	}
	text = strings.TrimSpace(text)
	if n := len(text); n >= 2 && strings.ContainsRune(`"'`, rune(text[0])) && text[n-1] == text[0] {
		text = text[1 : n-1]
	}
	at, err := target(strings.TrimSpace(place))
	return session.Log{At: at, Text: text}, err
}
