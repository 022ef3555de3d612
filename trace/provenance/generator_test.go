package provenance_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes a random program in two versions: one to record, and one in which each int
// literal knows its line (testdata/shadow.py). The values are 0 to 2, so that different ones look
// the same all the time.
type generator struct {
	*rand.Rand
	plain, shadow strings.Builder
	line          int
	indent        int
	budget        int      // how many statements may still come
	names         []string // of ints that the current code can read
	lists         []string
	dicts         []string
	boxes         []string
	functions     []int // numbers of parameters
	inFunction    bool
	fresh         int
}

const classBox = `class Box:
    def __init__(self, a, b=@):
        self.a = a
        self.b = b

    def get(self):
        return self.a

    def put(self, value):
        self.b = value

def numbers(first, second):
    yield first
    yield second
    for n in [@, first]:
        yield n

def swap(p, q):
    return q, p

def keep(*args, **rest):
    return args[0]

def late(x, xs):
    xs.append(x)
    return x

`

// program returns the two versions of a random program.
func program(seed uint64) (plain, shadow string) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 14)), budget: 120}
	plain0 := "def snap():\n    pass\n"
	g.plain.WriteString(plain0)
	g.shadow.WriteString("\n\n")
	g.line = 2
	for _, line := range strings.Split(strings.TrimSuffix(classBox, "\n"), "\n") {
		g.write(line)
	}
	for range 3 {
		g.function()
	}
	for _, name := range []string{"a", "b", "c"} {
		g.write(name + " = @")
		g.names = append(g.names, name)
	}
	g.write("xs = [a, @, @]")
	g.write("d = {'k': b, 'l': @}")
	g.write("o = Box(c)")
	g.lists, g.dicts, g.boxes = []string{"xs"}, []string{"d"}, []string{"o"}
	for g.budget > 0 {
		g.statement(2)
		if g.IntN(12) == 0 {
			g.write("snap()")
		}
	}
	g.write("snap()")
	return g.plain.String(), g.shadow.String()
}

// write adds a line to both versions. In the line @ stands for a literal, # for a literal operand
// of an operation.
func (g *generator) write(line string) {
	g.line++
	g.budget--
	line = strings.Repeat("    ", g.indent) + line + "\n"
	for {
		at := strings.IndexAny(line, "@#")
		if at < 0 {
			break
		}
		g.plain.WriteString(line[:at])
		g.shadow.WriteString(line[:at])
		n := g.IntN(3)
		fmt.Fprint(&g.plain, n)
		word := "V"
		if line[at] == '#' {
			word = "literal"
		}
		fmt.Fprintf(&g.shadow, "%s(%d, %d)", word, n, g.line)
		line = line[at+1:]
	}
	g.plain.WriteString(line)
	g.shadow.WriteString(line)
}

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) newName() string {
	g.fresh++
	return fmt.Sprintf("v%d", g.fresh)
}

// target returns a name to bind: an old one, or a new one.
func (g *generator) target() string {
	if g.IntN(3) > 0 {
		return pick(g, g.names)
	}
	name := g.newName()
	return name
}

func (g *generator) bind(name string) {
	for _, n := range g.names {
		if n == name {
			return
		}
	}
	g.names = append(g.names, name)
}

// place returns a name, an attribute or an element.
func (g *generator) place() string {
	switch g.IntN(8) {
	case 0:
		if len(g.lists) > 0 {
			return pick(g, g.lists) + pick(g, []string{"[0]", "[1]", "[-1]"})
		}
	case 1:
		if len(g.dicts) > 0 {
			return pick(g, g.dicts) + pick(g, []string{"['k']", "['l']"})
		}
	case 2:
		if len(g.boxes) > 0 {
			return pick(g, g.boxes) + pick(g, []string{".a", ".b"})
		}
	}
	return pick(g, g.names)
}

// value returns an expression of an int.
func (g *generator) value() string {
	switch g.IntN(16) {
	case 0, 1:
		return "@"
	case 2:
		return g.place() + pick(g, []string{" + ", " - "}) + g.place()
	case 3:
		return g.place() + pick(g, []string{" + ", " * "}) + "#"
	case 4:
		return g.place() + " or " + g.place()
	case 5:
		return g.place() + " if " + g.place() + " > 0 else " + g.place()
	case 6, 7:
		if call := g.call(); call != "" {
			return call
		}
	case 8:
		if len(g.boxes) > 0 {
			return pick(g, g.boxes) + ".get()"
		}
	case 9:
		if len(g.lists) > 0 {
			return "late(" + g.place() + ", " + pick(g, g.lists) + ")"
		}
	case 10:
		return "keep(" + g.place() + ", " + g.place() + ")"
	}
	return g.place()
}

// call returns a call of one of the program's functions.
func (g *generator) call() string {
	if len(g.functions) == 0 {
		return ""
	}
	f := g.IntN(len(g.functions))
	args := []string{g.place()}
	for k := 1; k < g.functions[f]; k++ {
		switch g.IntN(3) {
		case 0:
			args = append(args, fmt.Sprintf("p%d=%s", k, g.place()))
			return fmt.Sprintf("f%d(%s)", f, strings.Join(args, ", "))
		case 1:
			args = append(args, pick(g, []string{"@", g.place()}))
		default:
			return fmt.Sprintf("f%d(%s)", f, strings.Join(args, ", "))
		}
	}
	return fmt.Sprintf("f%d(%s)", f, strings.Join(args, ", "))
}

// function writes a function, which later code can call.
func (g *generator) function() {
	n := len(g.functions)
	params := []string{"p0"}
	g.names = []string{"p0"}
	count := 1 + g.IntN(3)
	for k := 1; k < count; k++ {
		params = append(params, fmt.Sprintf("p%d=@", k))
		g.names = append(g.names, fmt.Sprintf("p%d", k))
	}
	g.lists, g.dicts, g.boxes = nil, nil, nil
	g.write(fmt.Sprintf("def f%d(%s):", n, strings.Join(params, ", ")))
	g.indent, g.inFunction = 1, true
	if g.IntN(2) == 0 {
		g.write("ys = [p0, @]")
		g.lists = []string{"ys"}
	}
	if g.IntN(3) == 0 {
		g.write("def inner():")
		g.indent++
		if g.IntN(2) == 0 {
			g.write("nonlocal p0")
			g.write("p0 = @")
		}
		g.write("return p0")
		g.indent--
		g.write("q = inner()")
		g.names = append(g.names, "q")
	}
	for range 2 + g.IntN(4) {
		g.statement(1)
	}
	if g.IntN(4) == 0 {
		g.write("snap()")
	}
	g.write("return " + g.value())
	g.indent, g.inFunction, g.names, g.lists = 0, false, nil, nil
	g.functions = append(g.functions, count)
}

// block writes an indented block.
func (g *generator) block(depth int) {
	g.indent++
	names, line := len(g.names), g.line
	for range 1 + g.IntN(3) {
		g.statement(depth - 1)
	}
	if g.line == line {
		g.write("pass")
	}
	g.names = g.names[:names] // the block may not run
	g.indent--
}

// statement writes a statement; depth bounds the nesting of blocks.
func (g *generator) statement(depth int) {
	switch k := g.IntN(30); {
	case k < 7:
		name, value := g.target(), g.value()
		g.write(name + " = " + value)
		g.bind(name)
	case k < 9:
		g.write(pick(g, g.names) + pick(g, []string{" += ", " -= "}) + pick(g, []string{g.place(), "#"}))
	case k == 9:
		x, y := pick(g, g.names), pick(g, g.names)
		if x != y {
			g.write(fmt.Sprintf("%s, %s = %s, %s", x, y, y, x))
		}
	case k == 10:
		x, y := pick(g, g.names), pick(g, g.names)
		if x != y {
			g.write(fmt.Sprintf("%s, %s = swap(%s, %s)", x, y, g.place(), g.place()))
		}
	case k == 11 && depth > 0:
		g.write("if " + g.place() + " > 0:")
		g.block(depth)
		if g.IntN(2) == 0 {
			g.write("else:")
			g.block(depth)
		}
	case k < 14 && depth > 0:
		g.loop(depth)
	case k == 14 && depth > 0:
		g.write("try:")
		g.indent++
		g.write(pick(g, g.names) + " = " + g.value())
		g.write("if " + g.place() + " > 0: raise ValueError")
		g.write(pick(g, g.names) + " = " + g.value())
		g.indent--
		g.write("except ValueError:")
		g.block(depth)
	case k < 22 && len(g.lists) > 0:
		g.list(pick(g, g.lists))
	case k < 24 && len(g.dicts) > 0:
		g.dict(pick(g, g.dicts))
	case k < 26 && len(g.boxes) > 0:
		o := pick(g, g.boxes)
		g.write(pick(g, []string{o + ".a = " + g.value(), o + ".put(" + g.place() + ")", o + ".b += " + g.place(), "setattr(" + o + ", 'a', " + g.place() + ")", "o = Box(" + g.place() + ")"}))
	case k == 26:
		name := g.target()
		g.write(fmt.Sprintf("if (%s := %s) > 0: pass", name, g.place()))
		g.bind(name)
	case k == 27:
		g.write(fmt.Sprintf("%s = %s; %s = %s", pick(g, g.names), g.place(), pick(g, g.names), g.place()))
	case k == 28:
		g.write(fmt.Sprintf("if %s > 0: %s = %s", g.place(), pick(g, g.names), g.value()))
	default:
		name := g.target()
		g.write(name + " = keep(")
		g.write("    " + g.place() + ",")
		g.write("    " + g.place() + ")")
		g.bind(name)
	}
}

// loop writes a loop.
func (g *generator) loop(depth int) {
	name := g.newName()
	switch k := g.IntN(7); {
	case k == 0 && len(g.lists) > 0:
		g.write(fmt.Sprintf("for %s in %s[:3]:", name, pick(g, g.lists)))
	case k < 3 && len(g.lists) > 0:
		g.write(fmt.Sprintf("for %s in list(%s):", name, pick(g, g.lists)))
	case k == 3:
		g.write(fmt.Sprintf("for %s in numbers(%s, %s):", name, g.place(), g.place()))
	case k == 4 && len(g.lists) > 0:
		g.write(fmt.Sprintf("for _i, %s in enumerate(tuple(%s)):", name, pick(g, g.lists)))
	case k == 5 && len(g.dicts) > 0:
		g.write(fmt.Sprintf("for _k, %s in list(%s.items()):", name, pick(g, g.dicts)))
	default:
		g.write(fmt.Sprintf("for %s in [%s, %s, @]:", name, g.place(), g.place()))
	}
	g.names = append(g.names, name)
	g.indent++
	if g.IntN(3) == 0 {
		g.write("if " + name + " > 1: " + pick(g, []string{"break", "continue"}))
	}
	g.indent--
	g.block(depth)
	g.names = g.names[:len(g.names)-1]
}
