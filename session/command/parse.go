package command

import "strings"

// identChars lists the characters that belong to a command's name besides letters and digits. As in
// pdb, they make lines such as `c.a` and `x=1` Python statements instead of commands.
const identChars = `_=.[](),"'+-*/%@&|<>~^`

// parseLine splits a line into a command's name and its argument. A name of "" means that the line
// is Python or empty: it begins with "!" or with a character that no name has.
func parseLine(line string) (name, arg string) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '!' {
		return "", line
	}
	if line[0] == '?' {
		return "help", strings.TrimSpace(line[1:])
	}
	i := 0
	for i < len(line) && isIdentChar(line[i]) {
		i++
	}
	return line[:i], strings.TrimSpace(line[i:])
}

func isIdentChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(identChars, c) >= 0
}

// splitCommands splits a line at its first ";;", even inside quotes, as pdb does.
func splitCommands(line string) (first, rest string) {
	if i := strings.Index(line, ";;"); i >= 0 {
		return strings.TrimRight(line[:i], " \t"), strings.TrimSpace(line[i+2:])
	}
	return line, ""
}
