package serve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
)

const garbage = "Sure! The next state of the program is as follows:\n\nx = 3\n\nLet me know if you want to step further."

// corrupt draws the faults of one choice of an answer. It returns the text with these faults, and
// their names in done. endless reports whether the text must be continued up to the maximum number
// of tokens.
func (m Misbehavior) corrupt(a *answer, d draws) (text string, done []string, endless bool) {
	reply := a.reply
	text = a.text
	alone := "" // the text of the first reply only; a.text may contain several
	if a.node != nil {
		alone, _ = a.written(a.node, a.action, reply) // no error: it was encoded before
	}
	for _, f := range []struct {
		name  string
		p     float64
		wrong func(draws, *answer, dsl.Reply) (dsl.Reply, bool)
	}{
		{"outcome", m.Outcome, wrongOutcome},
		{"event", m.Event, wrongEvent},
		{"line", m.Line, wrongLine},
		{"function", m.Function, wrongFunction},
		{"locals", m.Locals, wrongLocals},
		{"value", m.Value, wrongValue},
	} {
		if !d.hit(f.p) || a.node == nil {
			continue
		}
		changed, ok := f.wrong(d, a, copyOf(reply))
		if !ok {
			continue // the reply has no such field
		}
		if written, ok := a.write(changed); ok && written != alone {
			reply, text, alone = changed, written, written
			done = append(done, f.name)
		}
	}
	unknown, nonsense, endless := d.hit(m.Unknown), d.hit(m.Garbage), d.hit(m.Endless)
	switch {
	case endless:
		return a.endless(), []string{"endless"}, true
	case nonsense:
		return garbage, []string{"garbage"}, false
	case unknown && a.reply.Outcome != dsl.Unknown:
		return a.declined(), []string{"unknown"}, false
	}
	return text, done, false
}

// write encodes a reply to the answer's prompt. The second result is false if a client could not
// decode the result.
func (a *answer) write(r dsl.Reply) (string, bool) {
	text, err := a.written(a.node, a.action, r)
	if err != nil && r.Stop != nil {
		r.Stop.Whole = true
		text, err = a.written(a.node, a.action, r)
	}
	if err != nil {
		return "", false
	}
	return text, a.sound(a.node, a.action, text)
}

// copyOf returns a copy of a reply; changing the copy does not change r.
func copyOf(r dsl.Reply) dsl.Reply {
	if r.Stop != nil {
		stop := *r.Stop
		stop.Locals, stop.Stack = slices.Clone(stop.Locals), slices.Clone(stop.Stack)
		r.Stop = &stop
	}
	if r.Exit != nil {
		exit := *r.Exit
		r.Exit = &exit
	}
	return r
}

func wrongOutcome(d draws, a *answer, r dsl.Reply) (dsl.Reply, bool) {
	switch r.Outcome {
	case dsl.Landed:
		if a.action.Move.Inverse() {
			return dsl.Reply{Outcome: dsl.AtStart}, true
		}
		return dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Code: d.IntN(2)}}, true
	case dsl.Ended:
		r.Exit.Code++
		return r, true
	case dsl.AtStart:
		if now := a.node.Current(); now != nil {
			stop := *now
			stop.Whole = true
			return dsl.Reply{Outcome: dsl.Landed, Stop: &stop}, true
		}
	}
	return r, false
}

func wrongEvent(d draws, _ *answer, r dsl.Reply) (dsl.Reply, bool) {
	if r.Stop == nil {
		return r, false
	}
	others := slices.DeleteFunc([]dsl.Event{dsl.Call, dsl.Line, dsl.Return, dsl.Exception}, func(e dsl.Event) bool { return e == r.Stop.Event })
	r.Stop.Event, r.Stop.Kind, r.Stop.Value = others[d.IntN(len(others))], dsl.NoReturn, nil
	switch value := "None"; r.Stop.Event {
	case dsl.Exception:
		value = "ValueError('wrong')"
		fallthrough
	case dsl.Return:
		r.Stop.Value = &value
		if r.Stop.Event == dsl.Return {
			r.Stop.Kind = dsl.Returned
		}
	}
	return r, true
}

func wrongLine(d draws, a *answer, r dsl.Reply) (dsl.Reply, bool) {
	if r.Stop == nil || len(r.Stop.Stack) == 0 {
		return r, false
	}
	for _, file := range a.node.Program().Files {
		if file.Name != r.Stop.File && len(a.node.Program().Files) > 1 {
			continue
		}
		var others []int
		for i, text := range file.Lines {
			if i+1 != r.Stop.Line && strings.TrimSpace(text) != "" {
				others = append(others, i+1)
			}
		}
		if len(others) == 0 {
			return r, false
		}
		r.Stop.Line = others[d.IntN(len(others))]
		r.Stop.Source = file.Lines[r.Stop.Line-1]
		r.Stop.Stack[len(r.Stop.Stack)-1].Line = r.Stop.Line
		return r, true
	}
	return r, false
}

func wrongFunction(_ draws, _ *answer, r dsl.Reply) (dsl.Reply, bool) {
	if r.Stop == nil || len(r.Stop.Stack) == 0 {
		return r, false
	}
	r.Stop.Function = strings.Trim(r.Stop.Function, "<>") + "_"
	r.Stop.Stack[len(r.Stop.Stack)-1].Function = r.Stop.Function
	r.Stop.Whole = true // otherwise the name is not in the encoded text
	return r, true
}

func wrongLocals(d draws, _ *answer, r dsl.Reply) (dsl.Reply, bool) {
	if r.Stop == nil {
		return r, false
	}
	var shown []int
	for i, l := range r.Stop.Locals {
		if !l.Hidden {
			shown = append(shown, i)
		}
	}
	const drop, invent = 0, 1
	how := d.IntN(4) // changed twice as often as dropped or invented
	if len(shown) == 0 {
		how = invent
	}
	switch how {
	case drop:
		i := shown[d.IntN(len(shown))]
		r.Stop.Locals = slices.Delete(r.Stop.Locals, i, i+1)
	case invent:
		name := "tmp"
		for slices.ContainsFunc(r.Stop.Locals, func(l dsl.Local) bool { return l.Name == name }) {
			name += "_"
		}
		r.Stop.Locals = append(r.Stop.Locals, dsl.Local{Name: name, Value: strconv.Itoa(d.IntN(10))})
	default:
		l := &r.Stop.Locals[shown[d.IntN(len(shown))]]
		l.Value = wrongText(d, l.Value)
	}
	return r, true
}

func wrongValue(d draws, _ *answer, r dsl.Reply) (dsl.Reply, bool) {
	if r.Stop == nil || r.Stop.Value == nil {
		return r, false
	}
	value := wrongText(d, *r.Stop.Value)
	r.Stop.Value = &value
	return r, true
}

// wrongText returns a repr that is similar to the true one: a number that is off by one or two, a
// string with one more letter, a container with one more item.
func wrongText(d draws, repr string) string {
	off := []int64{-2, -1, 1, 2}[d.IntN(4)]
	if n, err := strconv.ParseInt(repr, 10, 62); err == nil {
		return strconv.FormatInt(n+off, 10)
	}
	switch repr {
	case "True":
		return "False"
	case "False":
		return "True"
	case "None":
		return "0"
	case "[]", "set()", "()", "{}":
		return map[string]string{"[]": "[0]", "set()": "{0}", "()": "(0,)", "{}": "{0: 0}"}[repr]
	}
	last := len(repr) - 1
	if last < 1 {
		return repr + "0"
	}
	switch repr[last] {
	case '\'', '"':
		return repr[:last] + string(rune('a'+d.IntN(26))) + repr[last:]
	case ']':
		return repr[:last] + ", 0]"
	case ')':
		return strings.TrimSuffix(repr[:last], ",") + ", 0)"
	case '}':
		return repr[:last] + ", 0}"
	}
	return repr + "0"
}
