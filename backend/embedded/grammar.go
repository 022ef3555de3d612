package embedded

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// spot is a position within a reply. What was read before it decides what can follow. A
// spot takes one token or byte at a time and accepts only those after which the reply can
// still become complete. It is a value: copies are independent.
type spot struct {
	*scene
	state    state
	exactly  string // bytes that must follow next
	word     string // the part read so far of a name, number, place or character
	function string // the function name of the last frame
	event    dsl.Event
	form     form
	top      string // the place of the top frame of a whole stack
	lineless bool   // the frame's line is null
	used     []string
	text     text
	yielded  bool
}

// state is what a spot expects.
type state uint8

const (
	atEvent       state = iota
	atStack             // a stack, or the locals if the stack may be omitted
	atStackKind         // a function name, or a whole stack
	atFunction          // inside a function's name
	atFrameLine         // the line of a frame, or null
	atFramePlace        // inside it
	atFrameEnd          // the bracket that closes a frame
	atFrameNext         // another frame, or the end of the stack
	atLocals            // the opening brace of the locals
	atFirstLocal        // a name or the other brace
	atName              // inside a local's name
	atLocalValue        // inside it
	atLocalNext         // another local, or the brace
	atAction            // the token before the line
	atPlace             // inside the line's number
	atArg               // the token before the value
	atArgKind           // a value, or null, or a yield
	atArgValue          // inside it
	atYieldEnd          // the closing brace after it
	atCode              // inside an exit code
	atExitValue         // inside the exception of an exit
	atExitEnd           // the closing brace after it
	atEnd               // <|frame_sep|>
	atFilledValue       // inside a value that is asked for by itself
	atDone
)

// begin returns the spot before a reply.
func (s *scene) begin() spot { return spot{scene: s} }

// token takes one token and reports whether it is allowed here. After false the spot must
// not be used.
func (p *spot) token(v *vocabulary, id int) bool {
	word := v.words[id]
	if v.isMark(id) {
		return p.exactly == "" && p.mark(word)
	}
	for i := range len(word) {
		if p.state == atDone {
			return true // ignore the text after a value that is filled in
		}
		if !p.byte(word[i]) {
			return false
		}
	}
	return true
}

// mark consumes a token of nd/1 such as <|frame_sep|>, and reports whether it is allowed here.
func (p *spot) mark(name string) bool {
	is := func(t dsl.Token) bool { return name == dsl.ND1.Name(t) }
	switch p.state {
	case atEvent:
		return p.outcome(is)
	case atStack:
		p.state = atStackKind
		return is(dsl.StackSep)
	case atAction:
		p.state, p.word = atPlace, ""
		if p.form == formWhole {
			p.line(p.top)
		}
		return is(dsl.ActionSep)
	case atArg:
		p.state = atArgKind
		return is(dsl.ArgSep)
	case atEnd:
		p.state = atDone
		return is(dsl.FrameSep)
	}
	return false
}

// outcome takes the token that gives the kind of reply.
func (p *spot) outcome(is func(dsl.Token) bool) bool {
	switch {
	case is(dsl.EndSep):
		p.state, p.exactly = atCode, `{"code": `
		return p.end
	case is(dsl.StartSep):
		p.state = atEnd
		return p.start
	case is(dsl.UnknownSep):
		p.state = atEnd
		return true
	}
	for e := dsl.Call; e <= dsl.Exception; e++ {
		if is(eventTokens[e]) {
			p.state, p.event, p.form = atStack, e, p.forms[e]
			return p.events[e]
		}
	}
	return false
}

// byte takes one byte.
func (p *spot) byte(b byte) bool {
	if p.exactly != "" {
		ok := p.exactly[0] == b
		p.exactly = p.exactly[1:]
		return ok
	}
	switch {
	case p.state <= atFrameNext:
		return p.stackByte(b)
	case p.state <= atLocalNext:
		return p.localsByte(b)
	}
	switch p.state {
	case atPlace:
		can := p.places[p.event]
		if p.form == formPush {
			can = p.own(p.function)
		}
		if b == '|' && can.has(p.word) {
			at, _ := can.find(p.word)
			p.finishLine(p.source(at))
			return true
		}
		return p.grow(b) && can.begins(p.word)
	case atArgKind:
		return p.argByte(b)
	case atCode:
		return p.codeByte(b)
	case atArgValue, atExitValue, atFilledValue:
		return p.valueByte(b)
	case atYieldEnd, atExitEnd:
		p.state = atEnd
		return b == '}'
	}
	return false
}

// grow appends a byte to the word.
func (p *spot) grow(b byte) bool {
	p.word += string([]byte{b})
	return true
}

// line makes the spot expect the rest of a place and its source line.
func (p *spot) line(place string) {
	at, _ := p.frames.find(place)
	p.finishLine(place + "|" + p.source(at))
}

func (p *spot) finishLine(rest string) {
	p.exactly, p.state = rest, atEnd
	if p.event == dsl.Return || p.event == dsl.Exception {
		p.state = atArg
	}
}

// stackByte takes a byte of a stack.
func (p *spot) stackByte(b byte) bool {
	switch p.state {
	case atStack:
		p.state = atFirstLocal
		return b == '{' && p.form == formSame
	case atStackKind:
		p.state, p.word = atFunction, ""
		if b == '[' {
			p.form, p.exactly = formWhole, `["`
			return true
		}
		return b == '"' && p.form == formPush
	case atFunction:
		return p.functionByte(b)
	case atFrameLine:
		p.word, p.lineless = "", false
		if b == 'n' {
			p.exactly, p.state, p.lineless = "ull", atFrameEnd, true
			return true
		}
		p.state = atFramePlace
		if p.frames.several() {
			return b == '"'
		}
		return p.grow(b) && p.own(p.function).begins(p.word)
	case atFramePlace:
		if p.own(p.function).has(p.word) && (b == ']' || b == '"') {
			p.state = atFrameNext
			if p.frames.several() {
				p.state = atFrameEnd
			}
			return (b == '"') == p.frames.several()
		}
		return p.grow(b) && p.own(p.function).begins(p.word)
	case atFrameEnd:
		p.state = atFrameNext
		return b == ']'
	case atFrameNext:
		if b == ',' {
			p.exactly, p.state, p.word = ` ["`, atFunction, ""
			return true
		}
		p.top, p.state = p.word, atLocals
		return b == ']' && p.onTop()
	}
	return false
}

// onTop reports whether the last frame can be the top of the stack.
func (p *spot) onTop() bool {
	if p.lineless {
		return false
	}
	at, ok := p.frames.find(p.top)
	return ok && (p.asked == nil || p.event != dsl.Line || p.asked[at])
}

func (p *spot) functionByte(b byte) bool {
	if b == '"' && p.functions.with(p.word, func(name string) bool { return name == p.word }) {
		p.state, p.function = atLocals, p.word
		if p.form == formWhole {
			p.exactly, p.state = ", ", atFrameLine
		}
		return true
	}
	return p.grow(b) && p.functions.with(p.word, func(string) bool { return true })
}

// localsByte takes a byte of the locals.
func (p *spot) localsByte(b byte) bool {
	switch p.state {
	case atLocals:
		p.state = atFirstLocal
		return b == '{'
	case atFirstLocal:
		p.state, p.word = atName, ""
		if b == '}' {
			p.state = atAction
			return true
		}
		return b == '"' && p.another()
	case atName:
		if b == '"' && p.named() && !slices.Contains(p.used, p.word) {
			p.used = append(p.used[:len(p.used):len(p.used)], p.word)
			p.exactly, p.state, p.text = `: "`, atLocalValue, text{}
			return true
		}
		return p.grow(b) && p.another()
	case atLocalValue:
		return p.valueByte(b)
	case atLocalNext:
		if b == '}' {
			p.state = atAction
			return true
		}
		p.exactly, p.state, p.word = ` "`, atName, ""
		return b == ',' && p.another()
	}
	return false
}

// another reports whether a new local can begin with the word.
func (p *spot) another() bool {
	return p.conjured(p.word) && (len(p.word) < longestName || !slices.Contains(p.used, p.word)) ||
		p.locals.with(p.word, func(name string) bool { return !slices.Contains(p.used, name) })
}

// longestName bounds a name that does not occur in the program.
const longestName = 64

// conjured reports whether a text can begin a name that does not occur in the program.
// Mangled names begin with an underscore.
func (p *spot) conjured(name string) bool {
	if name == "" {
		return p.free
	}
	if !p.free && name[0] != '_' || len(name) > longestName {
		return false
	}
	return strings.Trim(name, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && (name[0] < '0' || name[0] > '9')
}

// named reports whether the word is a complete name of a local.
func (p *spot) named() bool {
	return p.word != "" && (p.conjured(p.word) || p.locals.with(p.word, func(name string) bool { return name == p.word }))
}

// valueByte takes a byte of a value, for example of a local or a return.
func (p *spot) valueByte(b byte) bool {
	if b != '"' || !p.text.whole() {
		return p.text.byte(b)
	}
	dots := p.text.dots()
	switch p.state {
	case atLocalValue:
		p.state = atLocalNext
		return !dots || p.form == formSame && p.shown(p.event, p.used[len(p.used)-1])
	case atArgValue:
		p.state = atEnd
		if p.yielded {
			p.state = atYieldEnd
		}
	case atExitValue:
		p.state = atExitEnd
	case atFilledValue:
		p.state = atDone
	}
	return !dots
}

// argByte takes the first byte of the value of a return or exception.
func (p *spot) argByte(b byte) bool {
	p.state, p.text = atArgValue, text{}
	if b == '"' {
		return true
	}
	switch b {
	case 'n':
		p.exactly, p.state = "ull", atEnd
	case '{':
		p.exactly, p.yielded = `"yield": "`, true
	default:
		return false
	}
	return p.event == dsl.Return && (!p.yielded || !p.whole)
}

// codeByte takes a byte of an exit code: up to three digits, negative for a signal.
func (p *spot) codeByte(b byte) bool {
	digits := strings.TrimPrefix(p.word, "-")
	switch {
	case b == '-':
		return p.word == "" && p.grow(b)
	case b >= '0' && b <= '9':
		return len(digits) < 3 && digits != "0" && (b != '0' || p.word != "-") && p.grow(b)
	case b == '}':
		p.state = atEnd
		return digits != ""
	case b == ',':
		p.exactly, p.state, p.text = ` "exception": "`, atExitValue, text{}
		return digits != ""
	}
	return false
}
