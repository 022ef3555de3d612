package command

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/session"
)

// expansions limits how many aliases are expanded one inside the other, also after a ";;". An alias
// that contains itself would otherwise loop forever, as in pdb.
const expansions = 100

// pending is a line to run, and the number of alias expansions that produced it.
type pending struct {
	line  string
	depth int
}

// expand replaces an alias at the beginning of a line by its body, fills in the parameters, and
// splits the result at the first ";;". A text of several lines is not changed.
func (i *Interpreter) expand(now pending) (first string, rest pending, err error) {
	line, depth := now.line, now.depth
	if strings.Contains(line, "\n") {
		return line, pending{}, nil // the text of a traceback
	}
	args := strings.Fields(line)
	for len(args) > 0 {
		body, ok := i.aliases[args[0]]
		if !ok {
			if args[0] == "alias" {
				return line, pending{}, nil
			}
			first, more := splitCommands(line)
			return first, pending{more, depth}, nil
		}
		if depth++; depth > expansions {
			return "", pending{}, bad("The alias '%s' stands for itself", args[0])
		}
		if line, err = substitute(body, args); err != nil {
			return "", pending{}, err
		}
		args = strings.Fields(line)
	}
	return "", pending{}, nil
}

// substitute replaces %1 to %9 and %* in an alias's body by the words of the line. args[0] is the
// alias's name.
func substitute(body string, args []string) (string, error) {
	line := body
	for i := 1; i < 10; i++ {
		place := "%" + strconv.Itoa(i)
		if strings.Contains(line, place) {
			if i >= len(args) {
				return "", bad("Not enough arguments for alias '%s'", args[0])
			}
			line = strings.ReplaceAll(line, place, args[i])
		} else if !strings.Contains(line, "%*") {
			if i < len(args) {
				return "", bad("Too many arguments for alias '%s'", args[0])
			}
			break
		}
	}
	return strings.ReplaceAll(line, "%*", strings.Join(args[1:], " ")), nil
}

func (i *Interpreter) alias(_ context.Context, arg string) error {
	args := strings.Fields(arg)
	switch len(args) {
	case 0:
		for _, name := range slices.Sorted(maps.Keys(i.aliases)) {
			i.Say(name + " = " + i.aliases[name])
		}
		return nil
	case 1:
		body, ok := i.aliases[args[0]]
		if !ok {
			return session.Errorf(session.NotFound, "Unknown alias '%s'", args[0])
		}
		i.Say(args[0] + " = " + body)
		return nil
	}
	body := strings.Join(args[1:], " ")
	if !strings.Contains(body, "%*") {
		consecutive := true
		for n := 1; n < 10; n++ {
			if used := strings.Contains(body, "%"+strconv.Itoa(n)); !used {
				consecutive = false
			} else if !consecutive {
				return bad("Replaceable parameters must be consecutive")
			}
		}
	}
	i.aliases[args[0]] = body
	i.Journal("alias " + arg)
	return nil
}

func (i *Interpreter) unalias(_ context.Context, arg string) error {
	args := strings.Fields(arg)
	if len(args) == 0 {
		return usage("unalias", arg)
	}
	delete(i.aliases, args[0])
	i.Journal("unalias " + arg)
	return nil
}
