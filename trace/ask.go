package trace

import (
	"context"
	"fmt"
	"strconv"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// Verb is the kind of a request about a frame of the stopped program.
type Verb string

// The verbs that Ask accepts. Each comment says, after the arrow, what Ask returns for the text
// before the arrow.
const (
	VerbPrint      Verb = "p"          // expression → repr
	VerbPretty     Verb = "pp"         // expression → pprint
	VerbWhatis     Verb = "whatis"     // expression → its type, in pdb's wording
	VerbSource     Verb = "source"     // expression → its source
	VerbExec       Verb = "!"          // statement → its output; the state may change (then Changed)
	VerbInteract   Verb = "interact"   // a line of an interactive interpreter → its output; More if the statement is incomplete
	VerbJump       Verb = "jump"       // a line number in the frame's file → "", and Answer.Landing
	VerbComplete   Verb = "complete"   // a prefix → names, one a line
	VerbFunction   Verb = "function"   // expression naming a function → "PATH\nFIRST BODY LINE\nCO_NAME"
	VerbUserCode   Verb = "user_code"  // a file's path: it counts as user code from now on → "new" if it did not before
	VerbModule     Verb = "module"     // a module's name → the path of its source, along sys.path; nothing is imported
	VerbModules    Verb = "modules"    // "" → "NAME\tPATH" of each imported module with source, a line each, then "\tFOLDER" of sys.path
	VerbImported   Verb = "imported"   // a file's path → "yes" if its module has begun to run
	VerbGrid       Verb = "grid"       // an array or data frame, as a.b['c'] → its cells: see grids.py
	VerbDis        Verb = "dis"        // a line and, for another code object than the frame's, that code object → its instructions: see bytecode.py
	VerbThreads    Verb = "threads"    // "" → the number of threads, then each one: see threads.py
	VerbExceptions Verb = "exceptions" // "" → the exception chain, one a line; a number → select the traceback of that exception (post-mortem)
	VerbArgs       Verb = "args"       // "" → the frame's arguments, "NAME = REPR" a line
	verbBelow      Verb = "below"      // "" → the frames of Below
	verbLocals     Verb = "locals"     // "" → the locals of LocalsBelow
	verbLikeness   Verb = "likeness"   // "" → the whole state, for a comparison of two runs
	verbSettled    Verb = "settled"    // "" → "": the run repeats no other from now on
	verbDebug      Verb = "debug"      // see Debug
)

// Answer is the result of Ask.
type Answer struct {
	Text    string
	More    bool     // VerbExec, VerbInteract: the statement is not complete yet
	Changed bool     // the state at the live edge was edited
	Landing *Landing // VerbJump, VerbExceptions: the new position
}

// Ask sends a request about a frame at the live edge. up is the number of frames from the top
// of the stack outwards (in post-mortem, from the end of the traceback); a negative up selects
// a frame that Below returns. An exception that the request raises in the program is returned
// as an *EvalError. When ctx ends, the evaluation is interrupted in the same way as the
// program.
func (r *Recording) Ask(ctx context.Context, up int, v Verb, text string) (Answer, error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	return r.ask(ctx, up, v, text)
}

// ask is Ask with r.moving locked.
func (r *Recording) ask(ctx context.Context, up int, v Verb, text string) (Answer, error) {
	if r.pending {
		return Answer{}, ErrWaiting
	}
	if r.over {
		return Answer{}, &GoneError{What: string(v)}
	}
	made := edit{v, r.tree.Len() - 1, up, text}
	if err := r.tell(string(v), strconv.Itoa(up), text); err != nil {
		return Answer{}, err
	}
	_, done := r.running(ctx)
	defer done()
	for m := range r.messages {
		switch {
		case m.tag != msgAnswer:
			r.heed(m)
		case m.field(0) == "error":
			r.touched(made)
			return Answer{}, &EvalError{Type: m.field(1), Message: m.field(2)}
		default:
			a := Answer{Text: m.field(1), More: m.field(2) != "", Changed: m.field(3) != ""}
			if v != VerbUserCode || a.Text != "" {
				r.touched(made)
			}
			if v == VerbJump {
				a.Landing = r.stoppedAt(r.edge.Event, Landed)
			}
			if v == VerbExceptions && a.Text != "" && text != "" {
				a.Landing = r.chosen(a.Text)
				a.Text = ""
			}
			return a, nil
		}
	}
	r.ended()
	if r.readErr != nil {
		return Answer{}, r.readErr
	}
	return Answer{}, &GoneError{What: string(v)}
}

// chosen moves to the exception of a chain that VerbExceptions has selected, and returns the
// landing, or nil if the exception has no event. where is explained at raisedAt.
func (r *Recording) chosen(where string) *Landing {
	event := r.raisedAt(where)
	if event < 0 {
		return nil
	}
	r.setEdge(Position{Event: event, PostMortem: true})
	return &Landing{Position: r.LiveEdge(), Reason: DiedPostMortem}
}

// raisedAt returns the exception event at which a traceback ends, or -1. where holds the
// numbers of an activation and a line. The event is the activation's last exception on that
// line, or its last exception if the line is unknown.
func (r *Recording) raisedAt(where string) int {
	r.mu.Lock()
	acts, count := r.decode.acting, len(r.decode.acts)
	r.mu.Unlock()
	return raisedIn(r.tree, acts, count, where)
}

// raisedIn returns that event of a tree. acts numbers its activations, of which there are count.
func raisedIn(tree *statetree.Tree, acts numbering, count int, where string) int {
	var number uint64
	var line int
	if _, err := fmt.Sscanf(where, "%d %d", &number, &line); err != nil {
		return -1
	}
	act, ok := acts.index(&cursor{}, number, count)
	if !ok {
		return -1
	}
	last := tree.FatalException(act)
	for i := last; i >= 0; i-- {
		if at := tree.At(i); at.Activation == act && at.Event == dsl.Exception && at.Line == line {
			return i
		}
	}
	return last
}
