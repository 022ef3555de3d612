package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
)

// Moving contains the arguments of move.
type Moving struct {
	At
	Action    string `json:"action" jsonschema:"inv_breakpoint and breakpoint go to the last or next time that location runs and condition is true (with one of the two, or both). inv_step_into, inv_step_over, inv_step_return, inv_continue, step_into, step_over, step_return and continue are steps, back and forward; step_block and inv_step_block go to the next or last basic block of the function, step_function and inv_step_function to the next or last call or return. goto goes to an event. wait waits for a command that still runs, interrupt stops it."`
	Location  string `json:"location,omitempty" jsonschema:"FILE:LINE, a LINE of the current file, or a function"`
	Condition string `json:"condition,omitempty" jsonschema:"Python expression"`
	Event     int    `json:"event,omitempty" jsonschema:"number of an event, for goto"`
	Count     int    `json:"count,omitempty" jsonschema:"how often a step is made, 1 by default"`
}

// steps maps the actions that are a single step to their moves.
var steps = map[string]dsl.Move{
	"step_into": dsl.StepInto, "step_over": dsl.StepOver, "step_return": dsl.StepReturn,
	"step_block": dsl.StepBlock, "step_function": dsl.StepFunction,
	"inv_step_into": dsl.InvStepInto, "inv_step_over": dsl.InvStepOver, "inv_step_return": dsl.InvStepReturn,
	"inv_step_block": dsl.InvStepBlock, "inv_step_function": dsl.InvStepFunction,
}

// others are the remaining actions.
var others = []string{"continue", "inv_continue", "breakpoint", "inv_breakpoint", "goto", "wait", "interrupt"}

// mostSteps is the maximum count of steps in one call.
const mostSteps = 10_000

func (s *Server) move(ctx context.Context, _ *sdk.CallToolRequest, in Moving) (*sdk.CallToolResult, *Stop, error) {
	if in.Action == "wait" || in.Action == "interrupt" {
		stop, err := s.waitFor(ctx, in)
		return nil, stop, err
	}
	f, err := in.commands()
	if err != nil {
		return nil, nil, err
	}
	_, _, stop, err := s.do(ctx, in.At, in.words(), f)
	return nil, stop, err
}

// words formats the move for a person who has joined the session.
func (in Moving) words() string {
	text := in.Action
	if in.Location != "" {
		text += " " + in.Location
	}
	if in.Condition != "" {
		text += " if " + in.Condition
	}
	if in.Action == "goto" {
		text += fmt.Sprintf(" %d", in.Event)
	}
	if in.Count > 1 {
		text += fmt.Sprintf(" %d times", in.Count)
	}
	return text
}

// waitFor waits for the current command. With action interrupt it interrupts the command first.
func (s *Server) waitFor(ctx context.Context, in Moving) (*Stop, error) {
	d, err := s.desks.find(in.Session)
	if err != nil {
		return nil, err
	}
	return d.told(d.goOn(ctx, in.Action == "interrupt", patienceOf(in.Seconds, s.cfg.Patience)))
}

// commands returns a function that makes the move, or an error if the arguments are invalid.
func (in Moving) commands() (func(ctx context.Context, i *command.Interpreter) []*session.Answer, error) {
	known := in.Action != "" && (steps[in.Action] != 0 || slices.Contains(others, in.Action))
	breaks := in.Action == "breakpoint" || in.Action == "inv_breakpoint"
	switch {
	case !known:
		var names []string
		for m := range dsl.Moves() {
			names = append(names, m.String())
		}
		return nil, fmt.Errorf("action %q is none of %s, goto, wait, interrupt", in.Action, strings.Join(names, ", "))
	case breaks && in.Location == "" && in.Condition == "":
		return nil, fmt.Errorf("%s needs a location, a condition or both: to go to the program's end use continue, to its start inv_continue", in.Action)
	case !breaks && (in.Location != "" || in.Condition != ""):
		return nil, fmt.Errorf("%s takes no location or condition: use breakpoint (forwards) or inv_breakpoint (backwards)", in.Action)
	case in.Action != "goto" && in.Event != 0:
		return nil, fmt.Errorf("%s takes no event: use goto", in.Action)
	case in.Event < 0:
		return nil, fmt.Errorf("event is %d: events are numbered from 0", in.Event)
	case in.Count < 0 || in.Count > mostSteps:
		return nil, fmt.Errorf("count is %d: it must be between 1 and %d; to go further use breakpoint or goto", in.Count, mostSteps)
	case strings.ContainsAny(in.Location, "\n\r,;") || strings.ContainsAny(in.Condition, "\n\r"):
		return nil, fmt.Errorf("location and condition must be one line each, and a location is FILE:LINE, LINE or a function")
	}
	inverse := strings.HasPrefix(in.Action, "inv_")
	switch m := steps[in.Action]; {
	case m != 0:
		return one(session.Step{Move: m, Count: in.Count}), nil
	case in.Action == "goto":
		return one(session.Goto{Event: in.Event}), nil
	case !breaks:
		return one(session.Continue{Inverse: inverse}), nil
	case in.Location == "":
		return one(session.Find{Expression: in.Condition, Inverse: inverse}), nil
	case in.Condition == "":
		line := "advance " + in.Location
		if inverse {
			line = "reverse-advance " + in.Location
		}
		return func(ctx context.Context, i *command.Interpreter) []*session.Answer { return typed(ctx, i, line) }, nil
	}
	return in.conditional(inverse), nil
}

// conditional returns a function that moves to a location where a condition is true. It sets a temporary
// breakpoint, and deletes it if the move did not reach it.
func (in Moving) conditional(inverse bool) func(ctx context.Context, i *command.Interpreter) []*session.Answer {
	return func(ctx context.Context, i *command.Interpreter) []*session.Answer {
		before := len(i.View().Breakpoints)
		answers := typed(ctx, i, "tbreak "+in.Location+", "+in.Condition)
		list := i.View().Breakpoints
		if failed(answers) || len(list) == before {
			return answers
		}
		number := list[len(list)-1].Number
		answers = append(answers, i.Do(ctx, session.Continue{Inverse: inverse}))
		for _, b := range i.View().Breakpoints {
			if b.Number == number { // the move did not reach it
				answers = append(answers, i.Do(ctx, session.ClearBreakpoints{Numbers: []int{number}}))
			}
		}
		return answers
	}
}

// typed runs a line of npdb's command language.
func typed(ctx context.Context, i *command.Interpreter, line string) (answers []*session.Answer) {
	i.Line(ctx, line, func(a *session.Answer) { answers = append(answers, a) })
	return answers
}

func failed(answers []*session.Answer) bool {
	return slices.ContainsFunc(answers, func(a *session.Answer) bool { return a.Err != nil })
}
