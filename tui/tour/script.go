package tour

import (
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// secondHalf is the title of the first step of the second half, which runs nothing.
const secondHalf = "a crash somewhere else"

// atEnd is the text of the panel after the last step.
const atEnd = "That was the tour. {help} lists all keys, {command-line} takes pdb's commands, {quit} ends npdb. " +
	"npdb FILE debugs a program of yours."

// script lists the steps of the tour.
var script = []step{
	{
		title: "step",
		ask: "npdb runs the program only as far as you ask. Press {step} until the program is inside the function load, " +
			"and watch how the panes change.",
		done: func(s stop) bool { return len(s.now.view.Frames) > 1 },
		result: func(s stop) string {
			return fmt.Sprintf("%s. The stack has %d frames.", here(s.now.view), len(s.now.view.Frames))
		},
		lines: commands("s 3"),
	},
	{
		title: "breakpoint",
		ask: fmt.Sprintf("Do not step through all of it: go down to line %d with {down}, where the mean is computed, "+
			"and press {toggle-breakpoint} to set a breakpoint.", fails),
		done: func(s stop) bool { return len(s.now.view.Breakpoints) > 0 },
		result: func(s stop) string {
			return fmt.Sprintf("The breakpoint is set: line %d has a mark.", s.now.view.Breakpoints[0].Line)
		},
		lines: commands(fmt.Sprintf("b %d", fails)),
	},
	{
		title: "continue",
		ask:   "Press {continue}: the program runs to the breakpoint, and npdb records every event on the way.",
		done:  func(s stop) bool { return s.now.view.PostMortem || forwards(s) && atBreakpoint(s.now.view) },
		result: func(s stop) string {
			return fmt.Sprintf("%s. npdb has recorded %d events so far.", here(s.now.view), s.now.view.Place.Events)
		},
		lines: commands("c"),
	},
	{
		title: "the failure",
		ask:   "Press {continue} again. The program fails, and npdb stops it before it ends.",
		done:  func(s stop) bool { return s.now.view.PostMortem },
		result: func(s stop) string {
			return fmt.Sprintf("%s, on line %d. Where did it go wrong?", s.now.view.Raised, s.now.view.State.Line)
		},
		lines: commands("c"),
	},
	{
		title: "back",
		ask:   "You need not start again: press {next-back} to go back one line. Nothing runs: npdb shows what it has recorded.",
		done: func(s stop) bool {
			now, began := s.now.view.Place, s.began.view.Place
			return s.now.view.Mode != session.Predicted && !now.End && (now.Event < began.Event || began.End)
		},
		result: func(s stop) string {
			p := s.now.view.Place
			text := fmt.Sprintf("%s: event %d of %d.", here(s.now.view), p.Event, p.Events-1)
			if p.Live == s.began.view.Place.Live && p.Live > p.Event {
				text += fmt.Sprintf(" The program still waits at event %d.", p.Live)
			}
			return text
		},
		lines: commands("rn"),
	},
	{
		title: "where a value came from",
		ask: "n is the sum of all counts. Why is the last one 0? Press {focus-locals} for the locals, go down to count with {down}, " +
			"and press {provenance}: npdb follows the value back.",
		done: func(s stop) bool { return len(hops(s.now)) > 0 },
		result: func(s stop) string {
			list := hops(s.now)
			return fmt.Sprintf("%s came here in %d hops, the earliest on line %d.", list[0].Expression, len(list), list[len(list)-1].By.Line)
		},
		lines: commands("provenance count"),
	},
	{
		title: "the cause",
		ask: fmt.Sprintf("The list shows the hops, the latest first. Go down to the first one on line %d with {down}, "+
			"and press {show-state} to see the moment before it.", mistake),
		done: func(s stop) bool {
			event := cause(s.began)
			return event >= 0 && s.now.view.State != nil && s.now.view.Place.Event == event
		},
		result: func(s stop) string {
			text := here(s.now.view) + "."
			if local(s.now.view, "count") == "''" {
				text += " count is '', and int(count or 0) turns it into 0: that is the mistake, found backwards."
			}
			return text
		},
		lines: func(t *Tour) string {
			if event := cause(t.began); event >= 0 {
				return fmt.Sprintf("goto %d", event)
			}
			return ""
		},
	},
	{
		title: "a model",
		ask: "npdb also carries a small model that predicts what a line of Python does. Press {focus-source} for the source, " +
			"and {compare}: the model predicts each move beside CPython.",
		done:     func(s stop) bool { return s.now.view.Mode == session.Both },
		result:   func(s stop) string { return s.now.view.Model.Name + " predicts beside CPython now." },
		lines:    commands("mode both"),
		predicts: true,
	},
	{
		title: "a prediction",
		ask:   "Press {next}. The left column is the model's state, the right one CPython's, and npdb marks each value that differs.",
		done: func(s stop) bool {
			b := s.now.view.Beside
			return b != nil && b.Compared && !b.Awaited
		},
		result:   judged,
		lines:    commands("n"),
		predicts: true,
	},
	{
		title: secondHalf,
		ask:   "What if nothing was recorded, and all that is left is a traceback? Press {tour-next} to begin at the traceback of another run.",
		done:  func(s stop) bool { return s.now.view.Mode == session.Predicted && s.now.view.Origin == dsl.Given },
		result: func(s stop) string {
			return here(s.now.view) + ", by the traceback. npdb has run nothing."
		},
		lines:    func(t *Tour) string { return "traceback\n" + t.traceback },
		predicts: true,
	},
	{
		title:    "an inferred past",
		ask:      "Nothing of what came before is recorded. Press {step-back}: the model infers it, and npdb follows the program's text from there to check it.",
		done:     inferred,
		result:   verified,
		lines:    commands("rs"),
		predicts: true,
	},
	{
		title:    "the call",
		ask:      "Press {return-back} to go back to the call of the function. With which arguments does it end like this?",
		done:     func(s stop) bool { return inferred(s) && s.now.view.State.Event == dsl.Call },
		result:   verified,
		lines:    commands("rf"),
		predicts: true,
	},
}

// commands returns a function for step.lines that always returns the same commands.
func commands(lines string) func(*Tour) string { return func(*Tour) string { return lines } }

// here describes where a view's state is.
func here(v *session.View) string {
	if v.State == nil {
		return "The program is over"
	}
	text := fmt.Sprintf("Line %d of %s", v.State.Line, v.State.Function)
	if v.State.Event != dsl.Line {
		text = fmt.Sprintf("The %s of %s, line %d", v.State.Event, v.State.Function, v.State.Line)
	}
	return text
}

// forwards reports whether the session has moved to a later recorded event since the step began.
func forwards(s stop) bool {
	return s.now.view.Mode != session.Predicted && s.now.view.Place.Event > s.began.view.Place.Event
}

// atBreakpoint reports whether a view shows a line with a breakpoint.
func atBreakpoint(v *session.View) bool {
	if v.State == nil || v.State.Event != dsl.Line {
		return false
	}
	for _, b := range v.Breakpoints {
		if b.Line == v.State.Line {
			return true
		}
	}
	return false
}

// local returns the text of a local variable, "" if there is none.
func local(v *session.View, name string) string {
	for _, l := range v.Locals {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

// hops returns the hops that the last command listed, the latest first.
func hops(m moment) []session.Hop {
	for _, a := range slices.Backward(m.answers) {
		if len(a.Provenance) > 0 {
			return a.Provenance
		}
	}
	return nil
}

// cause returns the event of the latest listed hop on the line with the mistake, -1 if there is none.
func cause(m moment) int {
	for _, h := range hops(m) {
		if h.By.Line == mistake {
			return h.By.Event
		}
	}
	return -1
}

// judged describes how a prediction compares with CPython.
func judged(s stop) string {
	return fmt.Sprintf("%s: %s.", s.now.view.Model.Name, s.now.view.Beside.Sentence)
}

// inferred reports whether the session shows a state that a model inferred backwards.
func inferred(s stop) bool {
	v := s.now.view
	return v.State != nil && v.Origin == dsl.Inferred && v.Candidates != nil
}

// verified describes the state that the model inferred, and where that state leads.
func verified(s stop) string {
	v := s.now.view
	text := here(v) + ": inferred."
	if n := len(v.Candidates.List); n > 1 {
		text = fmt.Sprintf("%s: inferred, candidate %d of %d.", here(v), v.Candidate+1, n)
	}
	return text + " Followed forwards, it " + session.VerdictText(v.Candidates.List[v.Candidate].Verification) + "."
}
