package nav

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/suggest"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Watched is the expression that a watchpoint watches in one run.
type Watched struct {
	*query.Followed
	Local bool // the expression has names of a function, so it ends with the activation
	tree  *statetree.Tree
	act   uint32
	frame statetree.StackFrame // the frame in which it was set
}

// Watch starts a watchpoint on an expression in the scope of a frame.
func (w *Walker) Watch(b *breakpoint.Breakpoint, frame statetree.StackFrame, event int) (*Watched, error) {
	p := w.Past()
	f, err := p.Follow(b.Watch, Scope(p, frame), event)
	if err != nil {
		return nil, err
	}
	at := &Watched{Followed: f, tree: p.Tree(), frame: frame}
	if at.act, at.Local = f.Local(); !at.Local {
		at.act = f.Module()
	}
	w.watched[b] = at
	return at, nil
}

// EndWatches deletes the watchpoints whose names do not exist in the new run yet: names of
// functions, and of modules other than the main one.
func (w *Walker) EndWatches() {
	for _, b := range slices.Clone(w.table.List) {
		if at := w.watched[b]; at != nil && (at.Local || at.frame.File != at.tree.Files()[0].Name) {
			w.table.Remove(b)
			delete(w.watched, b)
			w.host.Notice("Watchpoint %d is deleted: %s was a name of a frame of the run before", b.Number, b.Subject())
		}
	}
}

// waits returns the enabled watchpoints and catchpoints that can stop a move.
func (t *Stops) waits() []*breakpoint.Breakpoint {
	if t.find != "" || t.w.Past() == nil {
		return nil
	}
	var out []*breakpoint.Breakpoint
	for _, b := range t.w.table.Enabled() {
		if b.Catch != "" || b.Watch != "" && t.w.rewatch(b) {
			out = append(out, b)
		}
	}
	return out
}

// rewatch starts a watchpoint again in a new run. It returns false if that fails, because its names
// do not exist there.
func (w *Walker) rewatch(b *breakpoint.Breakpoint) bool {
	t := w.Past().Tree()
	if at := w.watched[b]; at != nil && at.tree == t {
		return true
	}
	if t.Len() == 0 {
		return false
	}
	_, err := w.Watch(b, t.Stack(0)[0], 0)
	return err == nil
}

// stop converts a watchpoint for the tracer. ok is false if it watches names of a function that is
// not on the stack.
func (at *Watched) stop(b *breakpoint.Breakpoint, stack []statetree.StackFrame) (stop trace.Stop, ok bool) {
	of := func(act uint32) int {
		return slices.IndexFunc(stack, func(f statetree.StackFrame) bool { return f.Activation == act })
	}
	stop = trace.Stop{For: trace.OnChange, Expr: b.Watch, Activation: -1, Condition: b.Condition, Ignore: b.Ignore}
	i := of(at.act)
	if at.Local {
		stop.Activation = int(at.act)
	}
	if own := of(at.frame.Activation); own >= 0 {
		i = own
	}
	if i < 0 {
		stop.Activation, stop.OfModule = int(at.act), true
		return stop, !at.Local
	}
	stop.Up = len(stack) - 1 - i
	return stop, true
}

// sight is an event at which a watchpoint or a catchpoint may stop a move.
type sight struct {
	event int
	b     *breakpoint.Breakpoint
}

// waiting finds the events at which watchpoints and catchpoints may stop a move, the nearest first.
// It caches the next event of each until the move has passed that event.
type waiting struct {
	w       *Walker
	inverse bool
	limit   int
	list    []*breakpoint.Breakpoint
	found   []int // the next event of each breakpoint in list
	asked   []bool
}

func (t *Stops) waitingFor(limit int, inverse bool) *waiting {
	w := &waiting{w: t.w, inverse: inverse, limit: limit, list: t.waits()}
	w.found, w.asked = make([]int, len(w.list)), make([]bool, len(w.list))
	return w
}

// next returns the nearest event after at, or before it for an inverse move, at which a watchpoint
// or a catchpoint may stop.
func (w *waiting) next(at int) (best sight, ok bool) {
	for i, b := range w.list {
		if !w.asked[i] || w.found[i] >= 0 && !w.ahead(w.found[i], at) {
			w.found[i], w.asked[i] = w.stopOf(b, at), true
		}
		e := w.found[i]
		if e < 0 || !w.ahead(w.limit, e) {
			continue
		}
		if !ok || w.ahead(best.event, e) {
			best, ok = sight{e, b}, true
		}
	}
	return best, ok
}

// pass searches for the next event of a watchpoint or catchpoint that did not stop the move.
func (w *waiting) pass(of sight) {
	for i, b := range w.list {
		if b == of.b {
			w.found[i] = w.stopOf(b, of.event)
		}
	}
}

// ahead reports whether event comes after event of, in the direction of the move.
func (w *waiting) ahead(event, of int) bool { return event != of && (event > of) != w.inverse }

// stopOf returns the next event at which a watchpoint or a catchpoint may stop, -1 if there is
// none. Forwards, a watchpoint stops after the change, and where the activation with its names
// ends. Backwards, it stops before the line that makes the change, and where that activation
// begins.
func (w *waiting) stopOf(b *breakpoint.Breakpoint, at int) int {
	if b.Catch != "" {
		return w.raiseOf(b, at)
	}
	of := w.w.watched[b]
	begin, end := of.tree.Lifetime(of.act)
	found := -1
	if w.inverse {
		if c, ok := of.Last(min(at, of.tree.Len()-1), w.w.host.Stopping); ok && c.Event-1 > w.limit && (!of.Local || c.Event > begin) {
			found = c.Event - 1
		}
		if of.Local && begin < at && begin > found {
			found = begin
		}
		return found
	}
	if c, ok := of.Next(at, w.limit-1, w.w.host.Stopping); ok && (!of.Local || c.Event > begin) {
		found = c.Event
	}
	if of.Local && end > at && (found < 0 || end < found) {
		found = end
	}
	return found
}

// raiseOf returns the next event at which an exception of a catchpoint's type is raised, -1 if
// there is none.
func (w *waiting) raiseOf(b *breakpoint.Breakpoint, at int) int {
	t := w.w.Past().Tree()
	for {
		next, ok := t.NextRaise(at)
		if w.inverse {
			next, ok = t.PrevRaise(at)
		}
		if !ok {
			return -1
		}
		if catches(t, b, next) {
			return next
		}
		at = next
	}
}

// conditionOf evaluates the condition of a watchpoint or a catchpoint. A watchpoint's is evaluated
// after the change, in the scope of the watched expression; a catchpoint's in the frame that
// raises.
func (w *Walker) conditionOf(ctx context.Context, b *breakpoint.Breakpoint, event int, inverse bool) (bool, error) {
	if b.Watch == "" {
		return w.truth(ctx, event, b.Condition)
	}
	at := event
	if inverse {
		at++
	}
	p := w.Past()
	scope := Scope(p, w.watched[b].frame)
	c, err := p.Condition(b.Condition)
	if err == nil {
		var holds bool
		if holds, err = p.TruthIn(ctx, c, scope, at); err == nil {
			return holds, nil
		}
	}
	var refused *python.RefusedError
	if !errors.As(err, &refused) {
		return false, err
	}
	holds, err := python.Truth(ctx, b.Condition, recordedNames(p, scope, at, b.Condition))
	return holds, OverTexts(p, b.Condition, err)
}

// AtScopeEnd reports whether a watchpoint stops at an event only because the activation with its
// names begins or ends there.
func (w *Walker) AtScopeEnd(b *breakpoint.Breakpoint, event int, inverse bool) bool {
	if b.Watch == "" || !w.watched[b].Local {
		return false
	}
	at := w.watched[b]
	begin, end := at.tree.Lifetime(at.act)
	c := w.ChangeAt(b, event, inverse)
	return (inverse && event == begin || !inverse && event == end) && (c.Old.Same(c.New) || c.Event == begin)
}

// ChangeAt returns the change for which a watchpoint stops at an event. A backward move stops one
// event before the change.
func (w *Walker) ChangeAt(b *breakpoint.Breakpoint, event int, inverse bool) query.Change {
	if inverse {
		event++
	}
	return w.watched[b].ChangeAt(event)
}

// catches reports whether the exception raised at an event has a catchpoint's type or is derived
// from it, as far as the program's source and Python's built-in exceptions show. Exceptions that
// just end a loop or a generator are caught only if the type names them or if they end the program.
func catches(t *statetree.Tree, b *breakpoint.Breakpoint, event int) bool {
	st := t.State(event)
	if st.Value == nil {
		return b.Catch == breakpoint.AnyException
	}
	kind, files := raisedType(t, event, *st.Value), t.Files()
	if b.Catch != breakpoint.AnyException && !derives(files, kind, b.Catch) {
		return false
	}
	for _, end := range []string{"StopIteration", "StopAsyncIteration", "GeneratorExit"} {
		if derives(files, kind, end) {
			return derives(files, b.Catch, end) || ends(t, event)
		}
	}
	return true
}

// ends reports whether the exception raised at an event ended the program.
func ends(t *statetree.Tree, event int) bool {
	first := t.At(0).Activation
	last := t.FatalException(first)
	if last < event {
		return false
	}
	if raised, ok := t.PrevRaise(last + 1); !ok || raised != event {
		return false
	}
	_, end := t.Lifetime(first)
	return end > last && end < t.Len() && t.At(end).Kind == dsl.Unwound
}

// raisedType returns the type of the exception that was raised at an event and has this repr.
func raisedType(states States, event int, repr string) string {
	words, ok := states.Words(event)
	if name, _, called := strings.Cut(repr, "("); !ok && called && strings.HasSuffix(repr, ")") {
		return name
	}
	if !ok {
		words = repr
	}
	kind, _, _ := strings.Cut(words, ":")
	return strings.TrimSpace(kind)
}

// bases maps each built-in exception to its base class.
var bases = func() map[string]string {
	tree := `BaseException: Exception GeneratorExit KeyboardInterrupt SystemExit BaseExceptionGroup
		Exception: ArithmeticError AssertionError AttributeError BufferError EOFError ImportError LookupError MemoryError NameError OSError ReferenceError RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError TypeError ValueError Warning ExceptionGroup
		ArithmeticError: FloatingPointError OverflowError ZeroDivisionError
		ImportError: ModuleNotFoundError ImportCycleError
		LookupError: IndexError KeyError
		NameError: UnboundLocalError
		OSError: BlockingIOError ChildProcessError ConnectionError FileExistsError FileNotFoundError InterruptedError IsADirectoryError NotADirectoryError PermissionError ProcessLookupError TimeoutError
		ConnectionError: BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError
		RuntimeError: NotImplementedError RecursionError PythonFinalizationError
		SyntaxError: IndentationError
		IndentationError: TabError
		ValueError: UnicodeError
		UnicodeError: UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError
		Warning: BytesWarning DeprecationWarning EncodingWarning FutureWarning ImportWarning PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning UnicodeWarning UserWarning`
	of := map[string]string{}
	for line := range strings.Lines(tree) {
		base, derived, _ := strings.Cut(strings.TrimSpace(line), ":")
		for name := range strings.FieldsSeq(derived) {
			of[name] = base
		}
	}
	return of
}()

// NearException suggests the built-in exception whose name is closest to an unknown one. It returns
// "" if none is close, or if Python or the program has an exception of this name.
func NearException(files []statetree.File, name string) string {
	if name == "BaseException" || bases[name] != "" || strings.Contains(name, ".") {
		return ""
	}
	for _, f := range files {
		for _, m := range classLine.FindAllSubmatch(f.Source, -1) {
			if string(m[1]) == name {
				return ""
			}
		}
	}
	return suggest.Nearest(name, slices.Sorted(maps.Keys(bases)))
}

// classLine matches the first line of a class with base classes.
var classLine = regexp.MustCompile(`(?m)^[ \t]*class[ \t]+(\w+)[ \t]*\(([^)]*)\)`)

// derives reports whether a type equals another one or is derived from it. The program's classes
// are read from the first lines of their definitions.
func derives(files []statetree.File, kind, from string) bool {
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	if kind == from || last(kind) == last(from) {
		return true
	}
	classes := map[string][]string{}
	for _, f := range files {
		for _, m := range classLine.FindAllSubmatch(f.Source, -1) {
			for base := range strings.SplitSeq(string(m[2]), ",") {
				name := string(m[1])
				classes[name] = append(classes[name], last(strings.TrimSpace(base)))
			}
		}
	}
	seen := map[string]bool{}
	var reaches func(name string) bool
	reaches = func(name string) bool {
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
		if name == last(from) {
			return true
		}
		for _, base := range classes[name] {
			if reaches(base) {
				return true
			}
		}
		return reaches(bases[name])
	}
	return reaches(last(kind))
}
