package python

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// locals returns an activation's names with the reprs of their values, as states list them.
func (in *Interpreter) locals(a *activation) []dsl.Local {
	out := []dsl.Local{}
	add := func(name string, v pyValue) {
		if len(out) >= mostFrameNames {
			panic(&LimitError{Reason: fmt.Sprintf("more than %d names", mostFrameNames)})
		}
		text, known := "", v != ungiven
		if known && in.loose {
			text, known = in.tryText(v)
		} else if known {
			text = in.text(v)
		}
		out = append(out, dsl.Local{Name: name, Value: text, Hidden: !known, Unknown: !known})
	}
	if a.code.kind == moduleCode || a.code.kind == classCode {
		if a.names.disordered && !in.loose {
			panic(refused("", "the order of the names"))
		}
		loops := &scope{vars: map[string]pyValue{}} // names of running comprehensions
		for _, s := range a.inlined {
			for _, name := range s.order {
				loops.set(name, s.vars[name])
			}
		}
		for _, name := range a.names.order {
			v := a.names.vars[name]
			if inner, ok := loops.vars[name]; ok {
				v = inner
			}
			if !hiddenValue(name, v) {
				add(name, v)
			}
		}
		if !in.loose && (len(loops.order) > 0 && a.left || len(loops.order) > 1 && a.code.file.code.manyLoops()) {
			panic(refused("", "the order of the names of comprehensions"))
		}
		for _, name := range loops.order {
			if _, ok := a.names.vars[name]; !ok && !hiddenValue(name, loops.vars[name]) {
				add(name, loops.vars[name])
			}
		}
		return out
	}
	if a.code.unordered && !in.loose {
		panic(refused("", "the order of the names of comprehensions"))
	}
	for _, name := range a.code.order {
		if v, ok := a.value(name); ok {
			add(name, v)
		} else if a.names.partial {
			add(name, ungiven)
		}
	}
	return out
}

// valueText returns the repr of an event's value. In a Run or a Routine it returns nil if the
// source does not determine the repr; otherwise it refuses.
func (in *Interpreter) valueText(v pyValue) *string {
	if in.watch == nil && in.watched == nil {
		text := in.text(v)
		return &text
	}
	if text, ok := in.tryText(v); ok {
		return &text
	}
	return nil
}

// text returns the repr of a value, as states show it.
func (in *Interpreter) text(v pyValue) string {
	if l, ok := v.(*pyList); ok && len(l.items) > mostValueText {
		panic(&LimitError{Reason: fmt.Sprintf("a value of more than %d bytes", mostValueText)})
	}
	telling := in.telling
	in.telling = true
	defer func() { in.telling = telling }()
	text := in.ev.repr(v)
	if in.version.Minor < 12 && strings.ContainsFunc(text, addedLate) {
		panic(refused("", "characters that this Python does not know"))
	}
	if len(text) > mostValueText {
		panic(&LimitError{Reason: fmt.Sprintf("a value of more than %d bytes", mostValueText)})
	}
	return text
}

// addedLate reports whether a character is in the block to which Unicode 14 and 15 added emojis. A
// Python with an older Unicode escapes those.
func addedLate(r rune) bool { return r >= 0x1fa70 && r < 0x1fb00 }

// hiddenValue reports whether states of modules and classes leave a name out: it is a dunder, or
// its value is a module, function or class.
func hiddenValue(name string, v pyValue) bool {
	if len(name) > 4 && name[:2] == "__" && name[len(name)-2:] == "__" {
		return true
	}
	switch v := v.(type) {
	case *function:
		return v.kind == ""
	case *module, *class, *pyType:
		return true
	case *pyBuiltin:
		return true
	case *imported:
		return v.hidden
	case opaque:
		return strings.HasPrefix(v.text, "<function ") || strings.HasPrefix(v.text, "<class '") || strings.HasPrefix(v.text, "<built-in function")
	}
	return false
}
