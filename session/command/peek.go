package command

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// peek shows where a move is predicted to lead. It asks for consent first, if the program is then
// sent to a model.
func (i *Interpreter) peek(ctx context.Context, arg string) error {
	m, ok := moveOf(arg)
	if !ok {
		return usage("peek", arg)
	}
	return i.allowed(ctx, func(ctx context.Context) error { return i.Run(ctx, session.Peek{Move: m}) })
}

// infer asks the model for what came before the edge of a hole, by default with the move that has
// just stopped there. It asks for consent first, if the program is then sent to a model.
func (i *Interpreter) infer(ctx context.Context, arg string) error {
	m, ok := moveOf(arg)
	switch {
	case arg == "":
		m = i.LastBack()
	case !ok || !m.Inverse():
		return usage("infer", arg)
	}
	return i.allowed(ctx, func(ctx context.Context) error { return i.Run(ctx, session.Infer{Move: m}) })
}

// why asks a chat model to explain the shown state. It asks for consent first, if the program is then sent to
// the model.
func (i *Interpreter) why(ctx context.Context, arg string) error {
	return i.consented(ctx, i.WhyConsent(), func(ctx context.Context) error { return i.Run(ctx, session.Why{Question: arg}) })
}

// moveOf returns the move that a command makes. ok is false if it is not a command, or if its move has
// no action that a model can be asked for.
func moveOf(word string) (m dsl.Move, ok bool) {
	c := lookup(word)
	if c == nil || c.group != groupForward && c.group != groupBackward || c.parse == nil {
		return 0, false
	}
	parsed, err := c.parse(c.name, "")
	if err != nil {
		return 0, false
	}
	switch made := parsed.(type) {
	case session.Step:
		return made.Move, true
	case session.Continue:
		if made.Inverse {
			return dsl.InvContinue, true
		}
		return dsl.Continue, !made.Unrecorded
	}
	return 0, false
}

// peekable lists the commands whose moves peek can ask for, or infer with inverse.
func peekable(inverse bool) []string {
	var names []string
	for _, c := range commands() {
		if m, ok := moveOf(c.name); ok && (m.Inverse() || !inverse) {
			names = append(names, c.name)
		}
	}
	return names
}
