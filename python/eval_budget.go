package python

import (
	"context"
	"strings"
	"time"
)

const (
	timeLimit       = 2 * time.Second // of one evaluation whose context has no deadline
	textLimit       = 4 << 20         // bytes of the reprs to read, and of the result
	expressionLimit = 64 << 10        // bytes of an expression
	memoryLimit     = 256 << 20       // bytes that one evaluation may allocate in total
	depthLimit      = 8000            // levels of nested nodes, calls and values
	entrySize       = 64              // bytes counted for an entry of a dict or set
	valueSize       = 24              // bytes counted for an item of a list
)

// evaluation is the state of one evaluation: its limits and the names that it can read.
type evaluation struct {
	ctx   context.Context
	steps int // since ctx was last checked
	room  int // bytes that may still be allocated
	depth int
	// changes permits methods that change their object. They are safe because the values are not
	// shared.
	changes bool
	// given reports that the reprs may come from the user or a model, and not from CPython.
	given  bool
	interp *Interpreter // the interpreter of the program that the expressions belong to, or nil

	recorded map[string]string        // reprs by name
	unknown  func(name string) string // why a name without a repr may have a value; nil if no such name has one
	values   map[string]pyValue       // the values that were read so far, by name
	builtins map[string]*pyBuiltin
	methods  map[string]map[string]builtinFunc // by type and method name
	changers map[string]map[string]builtinFunc // likewise, for methods that change their object
}

func newEvaluation(ctx context.Context) *evaluation {
	return &evaluation{ctx: ctx, room: memoryLimit, builtins: builtinTable(), methods: methodTable(), changers: changeTable()}
}

// since reports whether the program's Python is 3.minor or newer. Without a program it returns
// true.
func (ev *evaluation) since(minor int) bool {
	return ev.interp == nil || ev.interp.version.Minor >= minor
}

// step counts one piece of work, and panics if the context has ended.
func (ev *evaluation) step() {
	if ev.steps++; ev.steps&0x3ff != 0 {
		return
	}
	if err := ev.ctx.Err(); err != nil {
		panic(endedError{givenUp(ev.ctx)})
	}
}

// spend counts bytes before they are allocated, and panics above the limit.
func (ev *evaluation) spend(bytes int) {
	ev.step()
	if bytes > ev.room || bytes < 0 {
		panic(tooLarge("more than %d MiB of memory", memoryLimit>>20))
	}
	ev.room -= bytes
}

// list creates a list and counts its memory.
func (ev *evaluation) list(items []pyValue) *pyList {
	ev.spend(len(items) * valueSize)
	return &pyList{items}
}

func (ev *evaluation) tuple(items []pyValue) *pyTuple {
	ev.spend(len(items) * valueSize)
	return &pyTuple{items}
}

// text creates a string and counts its memory afterwards. Callers count large strings before they
// allocate them.
func (ev *evaluation) text(s string) pyStr {
	ev.spend(len(s))
	return pyStr(s)
}

// enter adds a level of nesting. The function that it returns removes the level.
func (ev *evaluation) enter() func() {
	ev.step()
	if ev.depth++; ev.depth > depthLimit {
		if ev.interp != nil {
			panic(tooLarge("more than %d levels of nesting", depthLimit))
		}
		panic(raised("RecursionError", "maximum recursion depth exceeded"))
	}
	return ev.leave
}

func (ev *evaluation) leave() { ev.depth-- }

// shorten returns the first characters of text on one line, for a message.
func shorten(text string) string {
	const limit = 60
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
