package command

import (
	"context"
	"strings"

	"github.com/npdb/npdb/python"
)

// byName maps names and aliases to commands. init fills it, because the table and help refer to
// each other.
var byName map[string]*command

func init() {
	table := commands()
	byName = make(map[string]*command, 2*len(table))
	for i := range table {
		c := &table[i]
		byName[c.name] = c
		for _, a := range c.aliases {
			byName[a] = c
		}
	}
}

// pdbs holds the names of the commands that pdb has too. A line that begins with one of them, or
// with its abbreviation, is that command, as in pdb. All other commands of the table yield to
// Python (see yields).
var pdbs = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(`step next return until continue jump break tbreak clear disable enable ignore
		condition commands where up down args retval exceptions list longlist source p pp whatis display undisplay
		! debug interact help alias unalias restart quit`) {
		set[name] = true
	}
	return set
}()

// lookup returns the command with a name or alias, nil if there is none.
func lookup(name string) *command {
	if name == "!" {
		return nil // parseLine does not split a line that begins with "!"
	}
	return byName[name]
}

// forcing begins a line whose first word is a command and never Python, for example
// "::mark here". On the screen, where ":" opens the command line, the user types one more ":".
const forcing = ":"

// Typed reports whether a line can only be a command of the debugger: it is the command's word alone, or
// the word and an argument that follows a space, as in "until 10". Python reads no such line as a program.
func Typed(line string) bool {
	word, arg, _ := strings.Cut(strings.Trim(line, " \t"), " ")
	if lookup(word) == nil || strings.Contains(line, "\n") {
		return false
	}
	arg = strings.TrimLeft(arg, " \t")
	return arg == "" || !assigns(arg) && !strings.ContainsAny(arg[:1], "([{.,:;+-*/%@&|^<>=!#")
}

// cutForcing removes the colons with which a line begins. forced reports whether there are any.
func cutForcing(line string) (rest string, forced bool) {
	line = strings.TrimLeft(line, " \t")
	rest, forced = strings.CutPrefix(line, forcing)
	rest, _ = strings.CutPrefix(rest, forcing)
	return rest, forced
}

// reading holds the meaning of a line: a command with its argument, or Python if command is nil.
type reading struct {
	command   *command
	word, arg string
	forced    bool // the line is a command or nothing
	yielded   bool // the first word names a command too
	seen      bool // the line yielded because its first word is a name in the selected frame
}

// read decides whether a line is a command or Python. sees reports whether a name has a value in
// the selected frame.
func read(line string, sees func(name string) bool) reading {
	line, forced := cutForcing(line)
	word, arg := parseLine(line)
	r := reading{command: lookup(word), word: word, arg: arg, forced: forced}
	if r.command == nil || forced || pdbs[r.command.name] {
		return r
	}
	if r.yielded, r.seen = yields(word, arg, line, sees); r.yielded {
		r.command = nil
	}
	return r
}

// yields reports whether a line that begins with a command of npdb alone is Python: if it assigns
// to the word, or if it is an expression and the frame sees the word, which seen reports.
func yields(word, arg, line string, sees func(name string) bool) (yields, seen bool) {
	if !python.IsName(word) || strings.HasPrefix(arg, "#") { // diff #3 names a state: nobody types a comment
		return false, false
	}
	if assigns(arg) {
		return true, false
	}
	switch python.ReadTyped(line) {
	case python.Assignment:
		return true, false
	case python.Expression:
		seen = sees(word)
	}
	return seen, seen
}

// assigns reports whether the rest of a line assigns to the name before it. The value may be
// missing, wrong, or continue on the next line: Python reports that.
func assigns(rest string) bool {
	operator, _, ok := strings.Cut(rest, "=")
	if !ok || strings.HasPrefix(rest, "==") {
		return false
	}
	switch operator {
	case "", "+", "-", "*", "/", "//", "%", "@", "&", "|", "^", ">>", "<<", "**":
		return true
	}
	return false
}

// unseen is the second argument of read where no frame is selected yet.
func unseen(string) bool { return false }

// read decides whether a line is a command or Python in the selected frame.
func (i *Interpreter) read(ctx context.Context, line string) reading {
	return read(line, func(name string) bool { return i.Sees(ctx, name) })
}

// tellYielded tells the user, once, that a line was run as Python although its first word names a
// command.
func (i *Interpreter) tellYielded(word string) {
	if !i.told {
		i.told = true
		i.Notice("%s is a name here; ::%s is npdb's command.", word, word)
	}
}
