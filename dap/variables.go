package dap

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/tui/values"
)

const (
	firstHandle = 1000
	// mostValue is the maximum length of a variable's value, in bytes. evaluate with the context clipboard
	// or variables returns all of it.
	mostValue = 2000
	// mostVariables is the maximum number of variables in one response.
	mostVariables = 10_000
)

// handles are the numbers of frames and of variables with children. They are valid until the next stop, and
// no number is used twice.
type handles struct {
	next    int
	holders map[int]*holder
	frames  map[int]int           // indexes of frames in the view, by handle
	view    *session.View         // of the selected frame; nil if it is not known
	views   map[int]*session.View // of other frames
	edited  map[place]string      // what the client has assigned at this stop
	typed   int                   // the frame that the debug console asked for last, 0 for none
}

// place is an expression in a frame of the view.
type place struct {
	frame int
	path  string
}

// edit remembers an assigned value: an outer frame's is recorded at the next event only.
func (h *handles) edit(at place, value string) {
	if h.edited == nil {
		h.edited = map[place]string{}
	}
	h.edited[at] = value
}

// forget makes all handles invalid.
func (h *handles) forget() { *h = handles{next: h.next} }

// stale makes the values known so far out of date. Handles stay valid.
func (h *handles) stale() { h.view, h.views = nil, nil }

func (h *handles) hold(one *holder) int {
	if h.holders == nil {
		h.holders = map[int]*holder{}
	}
	h.next++
	h.holders[h.next-1] = one
	return h.next - 1
}

// frameID returns the handle of a frame.
func (h *handles) frameID(frame int) int {
	for id, f := range h.frames {
		if f == frame {
			return id
		}
	}
	if h.frames == nil {
		h.frames = map[int]int{}
	}
	h.next++
	h.frames[h.next-1] = frame
	return h.next - 1
}

// frame returns the index in the view of the frame with a handle.
func (c *client) frame(id int) (int, error) {
	frame, ok := c.handles.frames[id]
	if !ok {
		return 0, fmt.Errorf("there is no frame %d at this stop: ask for the stack again", id)
	}
	return frame, nil
}

// holder has variables: the names of a scope (list), or the elements of a value (node).
type holder struct {
	frame int
	list  []named
	node  *values.Node
	path  string // the expression for the value of node, "" if there is none
}

// named is a variable of a scope.
type named struct {
	name, value string
	path        string  // the expression for it, "" if there is none
	group       *holder // the variables that it groups, nil for none
}

func (c *client) holder(reference int) (*holder, error) {
	h := c.handles.holders[reference]
	if h == nil {
		return nil, fmt.Errorf("there is no variable %d at this stop: ask for the scopes again", reference)
	}
	return h, nil
}

// indexed reports whether the elements are numbered.
func (h *holder) indexed() bool {
	return h.node != nil && h.node.Len() > 0 && h.node.Child(0).Key == ""
}

func (h *holder) len() int {
	if h.node != nil {
		return h.node.Len()
	}
	return len(h.list)
}

// at returns a variable.
func (h *holder) at(k int) named {
	if h.node == nil {
		return h.list[k]
	}
	kid := h.node.Child(k)
	one := named{name: kid.Label, value: kid.Node.Text}
	switch {
	case kid.Note:
		one.name = "…"
	case one.name == "": // an element of a set
		one.name = fmt.Sprint(k)
	case kid.Access != "" && h.path != "":
		one.path = h.path + kid.Access
	}
	return one
}

// pathTo returns the expression for a variable, "" if there is none.
func (h *holder) pathTo(name string) string {
	for k := range h.len() {
		if one := h.at(k); one.name == name {
			return one.path
		}
	}
	return ""
}

// variables returns the variables of a scope, or the elements of a value.
func (c *client) variables(r *request) (any, error) {
	var in dap.VariablesArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	h, err := c.holder(in.VariablesReference)
	if err != nil {
		return nil, err
	}
	body := dap.VariablesResponseBody{Variables: []dap.Variable{}}
	if in.Filter == "indexed" && !h.indexed() || in.Filter == "named" && h.indexed() {
		return body, nil
	}
	start := min(max(in.Start, 0), h.len())
	count := in.Count
	if count <= 0 || count > mostVariables {
		count = mostVariables
	}
	end := min(start+count, h.len())
	for k := start; k < end; k++ {
		body.Variables = append(body.Variables, c.variable(h, h.at(k)))
	}
	if left := h.len() - end; left > 0 && in.Count <= 0 {
		body.Variables = append(body.Variables, dap.Variable{Name: "…", Value: fmt.Sprintf("%d more: evaluate a slice", left)})
	}
	return body, nil
}

// variable returns a variable as the client sees it.
func (c *client) variable(h *holder, one named) dap.Variable {
	if value, ok := c.handles.edited[place{h.frame, one.path}]; ok && one.path != "" {
		one.value = value
	}
	v := dap.Variable{Name: one.name, Value: begin(one.value), EvaluateName: one.path, Type: typeOf(one.value)}
	if one.group != nil {
		v.VariablesReference, v.NamedVariables, v.Type = c.handles.hold(one.group), one.group.len(), ""
		v.PresentationHint = &dap.VariablePresentationHint{Kind: "virtual"}
		return v
	}
	v.VariablesReference, v.NamedVariables, v.IndexedVariables = c.expandable(h.frame, one.value, one.path)
	if one.path == "" {
		v.PresentationHint = &dap.VariablePresentationHint{Attributes: []string{"readOnly"}}
	}
	return v
}

// expandable returns a handle for the elements of a value, 0 if it has none, and how many there are.
func (c *client) expandable(frame int, value, path string) (reference, named, indexed int) {
	h := &holder{frame: frame, node: values.Parse(value), path: path}
	n := h.len()
	switch {
	case n == 0:
		return 0, 0, 0
	case h.indexed():
		return c.handles.hold(h), 0, n
	}
	return c.handles.hold(h), n, 0
}

// begin returns the beginning of a value, with … if something is left out.
func begin(text string) string {
	if len(text) <= mostValue {
		return text
	}
	most := mostValue
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// typeOf returns the type that a value's text shows, "" if it shows none.
func typeOf(text string) string {
	switch {
	case text == "":
		return ""
	case text == "None":
		return "NoneType"
	case text == "True" || text == "False":
		return "bool"
	case strings.HasPrefix(text, "'") || strings.HasPrefix(text, `"`):
		return "str"
	case strings.HasPrefix(text, "b'") || strings.HasPrefix(text, `b"`):
		return "bytes"
	case text[0] == '[':
		return "list"
	case text[0] == '(':
		return "tuple"
	case text[0] == '{':
		if n := values.Parse(text); n.Len() > 0 && n.Child(0).Key == "" && !n.Child(0).Note {
			return "set"
		}
		return "dict"
	case strings.Trim(text, "-0123456789") == "":
		return "int"
	case strings.Trim(text, "+-0123456789.e") == "":
		return "float"
	case strings.HasPrefix(text, "<function "):
		return "function"
	case strings.HasPrefix(text, "<class "):
		return "type"
	case strings.HasPrefix(text, "<module "):
		return "module"
	}
	if name, _, ok := strings.Cut(text, "("); ok && !strings.ContainsAny(name, " <'\"[{") {
		return name
	}
	return ""
}

// variablesOf returns names of a frame as variables. Hidden names are in a group at the end.
func variablesOf(locals []session.ViewLocal, frame int) []named {
	var shown, hidden []named
	for _, l := range locals {
		one := named{name: l.Name, value: l.Value, path: l.Name}
		switch {
		case l.Unknown:
			hidden = append(hidden, named{name: l.Name, value: "(unknown)"})
		case l.Hidden:
			hidden = append(hidden, one)
		default:
			shown = append(shown, one)
		}
	}
	if len(hidden) > 0 {
		shown = append(shown, named{name: "hidden names", value: fmt.Sprintf("%d functions, classes, modules and others", len(hidden)), group: &holder{frame: frame, list: hidden}})
	}
	return shown
}

// localsOf returns the locals of the view's frame, and at its end what it returns or raises.
func localsOf(v *session.View, frame int) []named {
	list := variablesOf(v.Locals, frame)
	if s := v.State; s != nil && s.Value != nil && frame == v.Here {
		return slices.Insert(list, 0, named{name: valueName(s), value: *s.Value})
	}
	return list
}

// valueName names what an event returns or raises.
func valueName(s *dsl.State) string {
	if s.Event == dsl.Exception {
		return "(exception)"
	}
	return "(return value)"
}

// predictedBeside returns the state that the model predicts beside CPython.
func predictedBeside(b *nav.Beside) (list []named) {
	switch {
	case b.Failure != "":
		return []named{{name: "(no prediction)", value: b.Failure}}
	case b.State == nil:
		return nil
	}
	list = append(list, named{name: "(place)", value: fmt.Sprintf("%s:%d %s", b.State.File, b.State.Line, b.State.Function)})
	if b.State.Value != nil {
		list = append(list, named{name: valueName(b.State), value: *b.State.Value})
	}
	for _, l := range b.State.Locals {
		if !l.Hidden {
			list = append(list, named{name: l.Name, value: l.Value})
		}
	}
	return list
}

// divergent returns where a prediction is wrong.
func divergent(all compare.Verdicts) (list []named) {
	for _, v := range all {
		if !v.Kind.Wrong() {
			continue
		}
		name := v.Name
		if name == "" {
			name = "(" + v.Field.String() + ")"
		}
		list = append(list, named{name: name, value: v.String()})
	}
	return list
}

// predicted returns how sure the model is of a predicted state.
func predicted(v *session.View) (list []named) {
	list = append(list, named{name: "(origin)", value: v.Origin.String()})
	if v.Confidence != nil {
		list = append(list, named{name: "(confidence)", value: fmt.Sprintf("%.2f", *v.Confidence)})
	}
	for _, l := range v.Locals {
		if l.Hidden {
			continue
		}
		one := named{name: l.Name, value: l.Value}
		if v.Sureness != nil {
			if p := v.Sureness.Local(l.Name); p != nil {
				one.name = fmt.Sprintf("%s (%.2f)", l.Name, *p)
			}
		}
		list = append(list, one)
	}
	return list
}

// contradicted returns where a predicted state contradicts the program's source.
func contradicted(v *session.View) (list []named) {
	for k, text := range v.Checks.Contradictions() {
		list = append(list, named{name: fmt.Sprint(k), value: text})
	}
	return list
}
