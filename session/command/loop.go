package command

import (
	"strconv"
	"strings"

	"github.com/npdb/npdb/session"
)

// loop parses the argument of loop: -a, -n ROWS, a line, and a filter.
func loop(name, arg string) (session.Command, error) {
	var c session.Loop
	for {
		word, rest := nextWord(arg)
		switch {
		case word == "-a":
			c.All, arg = true, rest
			continue
		case word == "-n":
			number, rest := nextWord(rest)
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 {
				return nil, usage(name, arg)
			}
			c.Rows, arg = n, rest
			continue
		case isLine(word):
			at, err := target(word)
			if err != nil {
				return nil, err
			}
			c.At, arg = at, rest
		}
		c.Filter = arg
		return c, nil
	}
}

// isLine reports whether a word is a line: 12, or FILE:12.
func isLine(word string) bool {
	number := word[strings.LastIndexByte(word, ':')+1:]
	n, err := strconv.Atoi(number)
	return err == nil && n > 0 && !strings.ContainsAny(word, `"'`)
}
