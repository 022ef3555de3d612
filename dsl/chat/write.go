package chat

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// System is the default system message of a conversation.
//
//go:embed system.txt
var System string

// Message is one message of a conversation. Role is "system", "user" or "assistant".
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// The headings in a user's message.
const (
	programWord    = "PROGRAM"
	fileWord       = "FILE "
	compactedWord  = "COMPACTED: of the states before, only the latest of each frame that is still active"
	stateWord      = "STATE "
	editWord       = "EDIT: the user has changed the state, which is now "
	commandWord    = "COMMAND "
	valuesWord     = "VALUES "
	correctionWord = "That is no answer: "
)

// Messages returns the conversation that requests the result of an action. Decode parses the
// answer. The error is a *dsl.EncodeError if nd/1 cannot express the action.
func Messages(system string, at *dsl.Node, a dsl.Action) ([]Message, error) {
	if _, err := at.Prompt(a); err != nil {
		return nil, err
	}
	messages, open, err := upTo(system, at)
	if err != nil {
		return nil, err
	}
	return append(messages, Message{"user", open + command(at.Program(), a)}), nil
}

// upTo returns the messages up to node at, and the beginning of the user's next message.
func upTo(system string, at *dsl.Node) (messages []Message, open string, err error) {
	messages = []Message{{"system", system}}
	var nodes []*dsl.Node
	for n := at; n.Parent() != nil; n = n.Parent() {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	if open, err = program(at.Program()); err != nil {
		return nil, "", err
	}
	for _, n := range nodes {
		step, ok := n.Step()
		if !ok {
			open += compactedWord + "\n"
			continue
		}
		text, err := answered(n.Parent(), step)
		if err != nil {
			return nil, "", err
		}
		switch {
		case step.Edit:
			open += editWord + text + "\n"
		case step.Action.Move == 0:
			open += stateWord + text + "\n"
		default:
			messages = append(messages, Message{"user", open + command(at.Program(), step.Action)}, Message{"assistant", text})
			open = ""
		}
	}
	return messages, open, nil
}

// command writes an action. In a program of several files each line has its file's letter, even
// lines of the first file.
func command(p *dsl.Program, a dsl.Action) string {
	text := commandWord + a.Move.String()
	for i, at := range a.Lines {
		text += string(" ,"[min(i, 1)]) + place{at, len(p.Files) > 1}.String()
	}
	return text
}

// program writes a program's lines, each preceded by its number.
func program(p *dsl.Program) (string, error) {
	var b strings.Builder
	b.WriteString(programWord + "\n")
	several := len(p.Files) > 1
	for i, f := range p.Files {
		letter := ""
		if several {
			name, err := encode(f.Name)
			if err != nil {
				return "", err
			}
			letter = dsl.FileLetter(i) + ":"
			b.WriteString(fileWord + letter + " " + name + "\n")
		}
		for n, line := range f.Lines {
			fmt.Fprintf(&b, "%s%d|%s\n", letter, n+1, line)
		}
	}
	return b.String(), nil
}

// Encode writes the answer to an action, in the form that a model should use. The error is a
// *dsl.EncodeError.
func Encode(at *dsl.Node, a dsl.Action, r dsl.Reply) (string, error) {
	step := dsl.Step{Action: a, Reply: r}
	if _, err := at.Append(step); err != nil {
		return "", err
	}
	return answered(at, step)
}

// Unknown returns the answer of a model that declines to predict.
func Unknown() string {
	text, err := answered(nil, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Unknown}})
	if err != nil {
		panic(err) // JSON can express all of it
	}
	return text
}

// answered writes the reply of step s, which was requested at node at.
func answered(at *dsl.Node, s dsl.Step) (string, error) {
	w := answer{Outcome: s.Reply.Outcome.String(), Locals: []local{}}
	switch s.Reply.Outcome {
	case dsl.Ended:
		w.ExitCode, w.Value = &s.Reply.Exit.Code, s.Reply.Exit.Exception
	case dsl.Landed:
		w.state(at, s)
	}
	return encode(w)
}

func (w *answer) state(at *dsl.Node, s dsl.Step) {
	stop, p := s.Reply.Stop, at.Program()
	several := len(p.Files) > 1
	line := func(file string, number int) *place {
		i := slices.IndexFunc(p.Files, func(f dsl.SourceFile) bool { return f.Name == file })
		return &place{dsl.Location{File: i, Line: number}, several}
	}
	event := stop.Event.String()
	w.Event, w.Line, w.Value = &event, line(stop.File, stop.Line), stop.Value
	if stop.Event == dsl.Return {
		kind := stop.Kind.String()
		w.Kind = &kind
	}
	o := at.Implied(s)
	switch {
	case o.Stack:
		for _, f := range stop.Stack {
			shown := frame{Function: f.Function}
			if f.Line != 0 {
				shown.Line = line(f.File, f.Line)
			}
			w.Stack = append(w.Stack, shown)
		}
	case o.Function:
		w.Function = &stop.Function
	}
	known, before := map[string]string{}, []string{}
	for _, l := range o.Known {
		known[l.Name] = l.Value
		before = append(before, l.Name)
	}
	names := []string{}
	for _, l := range stop.Locals {
		if l.Hidden {
			continue
		}
		names = append(names, l.Name)
		if old, ok := known[l.Name]; !ok || old != l.Value {
			w.Locals = append(w.Locals, local{l.Name, l.Value})
		}
	}
	if !o.Stack && !o.Function && !slices.Equal(names, before) {
		w.Names = &names
	}
}

// Values returns the conversation that requests the values of some locals of a first state. missing
// are the indexes of these locals. context is the node of the context. DecodeValues parses the
// answer.
func Values(system string, context *dsl.Node, first *dsl.Stop, missing []int) ([]Message, error) {
	known := *first
	known.Locals = nil
	var asked []string
	for i, l := range first.Locals {
		switch {
		case slices.Contains(missing, i):
			asked = append(asked, l.Name)
		default:
			known.Locals = append(known.Locals, l)
		}
	}
	given := dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &known}}
	if _, err := context.Append(given); err != nil {
		return nil, err
	}
	messages, open, err := upTo(system, context)
	if err != nil {
		return nil, err
	}
	state, err := answered(context, given)
	if err != nil {
		return nil, err
	}
	names, err := encode(asked)
	if err != nil {
		return nil, err
	}
	ask := valuesWord + names + " are variables of this state too, with values that are not known. " +
		`Answer with values that they may well have here: {"values": [{"name": …, "value": …}]}, each value a string with Python's repr() of it.`
	return append(messages, Message{"user", open + stateWord + state + "\n" + ask}), nil
}

// Contradiction returns the error for a state that contradicts the program's source. parts are the
// wrong parts, for example "line" or "locals.a".
func Contradiction(parts []string) *Error {
	names := make([]string, len(parts))
	for i, part := range parts {
		if name, local := strings.CutPrefix(part, "locals."); local {
			part = "the local " + name
		}
		names[i] = part
	}
	return &Error{Message: "by the program these parts of it are wrong: " + strings.Join(names, ", ")}
}

// Correction returns the message that tells the model what is wrong with its answer.
func Correction(wrong *Error) Message {
	return Message{"user", correctionWord + wrong.Message + ". Answer the same again, with one whole JSON object and nothing else."}
}
