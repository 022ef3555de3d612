package cli

import (
	"regexp"
	"strings"
)

// plainArgument matches a text that a shell reads as one argument without quotes.
var plainArgument = regexp.MustCompile(`^[\w./+,@%=:][\w./+,@%=:-]*$`)

// Argument quotes a path for a shell command that npdb prints for the user.
func Argument(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path // not an option
	}
	if plainArgument.MatchString(path) {
		return path
	}
	return EscapeLines("'" + strings.ReplaceAll(path, "'", `'\''`) + "'")
}
