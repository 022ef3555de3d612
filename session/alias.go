package session

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// expansions bounds how deep aliases stand for aliases, those behind a ";;" too:
// pdb would go on for ever with an alias of itself.
const expansions = 100

// pending is a line that is to be run, and how many expansions of aliases it is
// the rest of.
type pending struct {
	line  string
	depth int
}

// expand replaces an alias at the beginning of a line, with its parameters, and
// splits the line at ";;".
func (s *Session) expand(now pending) (first string, rest pending, err error) {
	line, depth := now.line, now.depth
	args := strings.Fields(line)
	for len(args) > 0 {
		body, ok := s.aliases[args[0]]
		if !ok {
			if args[0] == "alias" {
				return line, pending{}, nil
			}
			first, more := splitCommands(line)
			return first, pending{more, depth}, nil
		}
		if depth++; depth > expansions {
			return "", pending{}, errorf(BadArgument, "The alias '%s' stands for itself", args[0])
		}
		if line, err = substitute(body, args); err != nil {
			return "", pending{}, err
		}
		args = strings.Fields(line)
	}
	return "", pending{}, nil
}

// substitute fills an alias's %1 to %9 and %* from the words of a line, the
// alias's name first.
func substitute(body string, args []string) (string, error) {
	line := body
	for i := 1; i < 10; i++ {
		place := "%" + strconv.Itoa(i)
		if strings.Contains(line, place) {
			if i >= len(args) {
				return "", errorf(BadArgument, "Not enough arguments for alias '%s'", args[0])
			}
			line = strings.ReplaceAll(line, place, args[i])
		} else if !strings.Contains(line, "%*") {
			if i < len(args) {
				return "", errorf(BadArgument, "Too many arguments for alias '%s'", args[0])
			}
			break
		}
	}
	return strings.ReplaceAll(line, "%*", strings.Join(args[1:], " ")), nil
}

func (s *Session) cmdAlias(_ context.Context, arg string) error {
	args := strings.Fields(arg)
	switch len(args) {
	case 0:
		for _, name := range slices.Sorted(maps.Keys(s.aliases)) {
			s.sayf("%s = %s", name, s.aliases[name])
		}
		return nil
	case 1:
		body, ok := s.aliases[args[0]]
		if !ok {
			return errorf(NotFound, "Unknown alias '%s'", args[0])
		}
		s.sayf("%s = %s", args[0], body)
		return nil
	}
	body := strings.Join(args[1:], " ")
	if !strings.Contains(body, "%*") {
		consecutive := true
		for i := 1; i < 10; i++ {
			if used := strings.Contains(body, "%"+strconv.Itoa(i)); !used {
				consecutive = false
			} else if !consecutive {
				return errorf(BadArgument, "Replaceable parameters must be consecutive")
			}
		}
	}
	s.aliases[args[0]] = body
	return nil
}

func (s *Session) cmdUnalias(_ context.Context, arg string) error {
	args := strings.Fields(arg)
	if len(args) == 0 {
		return usage("unalias", arg)
	}
	delete(s.aliases, args[0])
	return nil
}
