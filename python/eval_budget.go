package python

import (
	"context"
	"strings"
	"time"
)

const (
	timeLimit       = 2 * time.Second // of one question whose context has no deadline
	textLimit       = 4 << 20         // bytes of values to read, and of a result
	expressionLimit = 64 << 10        // bytes of an expression
	memoryLimit     = 256 << 20       // bytes that one evaluation may make, all in all
	depthLimit      = 8000            // nodes, calls and values inside one another
	entrySize       = 64              // bytes that an entry of a dict or set counts for
	valueSize       = 24              // bytes that an item of a list counts for
)

// evaluation is the evaluation of one question: its limits and the names that it sees.
type evaluation struct {
	ctx   context.Context
	steps int // since the last look at ctx
	room  int // bytes that may still be made
	depth int
	// changes allows methods that change their value, because nobody else has the values.
	changes bool
	// given reports that the texts that are read may come from the user or a model, not from CPython.
	given  bool
	interp *Interpreter // the program that the expressions are part of; nil for none

	recorded map[string]string        // texts by name
	unknown  func(name string) string // why a name without a text may have a value; nil if none has
	values   map[string]pyValue       // those that were read
	builtins map[string]*pyBuiltin
	methods  map[string]map[string]builtinFunc // by type, by name
	changers map[string]map[string]builtinFunc // likewise, of what changes its value
}

func newEvaluation(ctx context.Context) *evaluation {
	return &evaluation{ctx: ctx, room: memoryLimit, builtins: builtinTable(), methods: methodTable(), changers: changeTable()}
}

// since reports whether the program's Python is 3.minor or newer.
func (ev *evaluation) since(minor int) bool {
	return ev.interp == nil || ev.interp.version.Minor >= minor
}

// step counts a piece of work, and panics if the time is up.
func (ev *evaluation) step() {
	if ev.steps++; ev.steps&0x3ff != 0 {
		return
	}
	if err := ev.ctx.Err(); err != nil {
		panic(endedError{givenUp(ev.ctx)})
	}
}

// spend counts bytes before they are allocated.
func (ev *evaluation) spend(bytes int) {
	ev.step()
	if bytes > ev.room || bytes < 0 {
		panic(tooLarge("more than %d MiB of memory", memoryLimit>>20))
	}
	ev.room -= bytes
}

// list makes a list and counts its memory.
func (ev *evaluation) list(items []pyValue) *pyList {
	ev.spend(len(items) * valueSize)
	return &pyList{items}
}

func (ev *evaluation) tuple(items []pyValue) *pyTuple {
	ev.spend(len(items) * valueSize)
	return &pyTuple{items}
}

// text makes a string and counts its memory afterwards; large ones are counted before.
func (ev *evaluation) text(s string) pyStr {
	ev.spend(len(s))
	return pyStr(s)
}

// enter counts a level of depth until the function it returns is called.
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

// shorten returns a text's first characters on one line, for a message.
func shorten(text string) string {
	const limit = 60
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
