package embedded

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// spot is a position in a reply that is being written. It accepts one token or byte at a time, if the
// reply can still become complete after it. dsl.Part defines the parts of a reply, and the scene what
// they may contain in this reply. A spot is a value: copies are independent.
type spot struct {
	*scene
	part     dsl.Part
	exactly  string // the part of a name, number or place that was read so far
	word     string // a part of a frame's line was read
	begun    bool   // some of a frame's line was read
	function string // the function name of the last frame
	event    dsl.Event
	form     form
	top      string // the line of the last frame of a whole stack
	lineless bool   // that line is null
	used     []string
	text     text
}

// begin returns the spot at the beginning of a reply.
func (s *scene) begin() spot { return spot{scene: s} }

// done reports whether the reply is complete.
func (p *spot) done() bool { return p.part == dsl.PartDone }

// token reads one token and reports whether it is allowed. If it is not, the spot must not be used
// any more.
func (p *spot) token(v *vocabulary, id int) bool {
	word := v.words[id]
	if v.isMark(id) {
		return p.exactly == "" && p.mark(word)
	}
	for i := range len(word) {
		if p.done() {
			return true // a value for Fill is complete: the rest is ignored
		}
		if !p.byte(word[i]) {
			return false
		}
	}
	return true
}

// mark reads a special token of nd/1 such as <|frame_sep|>, and reports whether it is allowed.
func (p *spot) mark(name string) bool {
	ways := p.part.Rule().Ways
	for i := range ways {
		if t := ways[i].Token; t != 0 && name == dsl.ND1.Name(t) {
			return p.take(&ways[i])
		}
	}
	return false
}

// take follows the transition w to the next part of the reply, and reports whether that is allowed
// in this reply.
func (p *spot) take(w *dsl.Way) bool {
	from, ok := p.part, true
	p.part, p.exactly = w.Next, w.Exact
	switch from {
	case dsl.PartEvent:
		ok = p.outcome(w.Token)
	case dsl.PartStackForm:
		ok = w.Next == dsl.PartFrame || p.form == formPush
		if w.Next == dsl.PartFrame {
			p.form = formWhole
		}
	case dsl.PartStack:
		ok = w.Token != 0 || p.form == formSame
	case dsl.PartNextFrame:
		ok = w.Next == dsl.PartFrame || p.onTop()
	case dsl.PartAction:
		if p.word = ""; p.form == formWhole {
			at, _ := p.frames.find(p.top)
			p.sourceOf(p.top+"|", at)
		}
		return true
	case dsl.PartArgForm:
		ok = w.Next == dsl.PartArgValue || p.event == dsl.Return && (!p.whole || w.Next != dsl.PartYielded)
	}
	p.word, p.begun, p.text = "", false, text{}
	return ok && (w.Next != dsl.PartLocal || p.another())
}

// outcome reads the token with which a reply begins, and reports whether it is allowed.
func (p *spot) outcome(t dsl.Token) bool {
	switch t {
	case dsl.EndSep:
		return p.end
	case dsl.StartSep:
		return p.start
	case dsl.UnknownSep:
		return true
	}
	for p.event = dsl.Call; p.event.Token() != t; {
		p.event++
	}
	p.form = p.forms[p.event]
	return p.events[p.event]
}

// byte reads one byte and reports whether it is allowed.
func (p *spot) byte(b byte) bool {
	if p.exactly != "" {
		ok := p.exactly[0] == b
		p.exactly = p.exactly[1:]
		return ok
	}
	rule := p.part.Rule()
	switch rule.Holds {
	case dsl.AValue:
		return p.valueByte(b, rule)
	case dsl.AName:
		return p.nameByte(b, rule)
	case dsl.FramePlace:
		return p.frameByte(b, rule)
	case dsl.APlace:
		return p.placeByte(b)
	case dsl.ANumber:
		if b != ',' && b != '}' {
			return p.codeByte(b)
		}
		if p.word == "" || p.word == "-" {
			return false
		}
	}
	for i := range rule.Ways {
		switch w := &rule.Ways[i]; {
		case w.On != "" && w.On[0] == b:
			return p.take(w)
		case w.On == "" && w.Token == 0: // an omitted stack
			return p.take(w) && p.byte(b)
		}
	}
	return false
}

// grow appends a byte to the word that is being read. It always returns true.
func (p *spot) grow(b byte) bool {
	p.word += string([]byte{b})
	return true
}

// placeByte reads a byte of a line number.
func (p *spot) placeByte(b byte) bool {
	can := p.places[p.event]
	if p.form == formPush {
		can = p.own(p.function)
	}
	if b == '|' {
		at, has := can.find(p.word)
		if has {
			p.sourceOf("", at)
		}
		return has
	}
	return p.grow(b) && can.begins(p.word)
}

// sourceOf makes the spot expect the text before, followed by the source of the line at.
func (p *spot) sourceOf(before string, at dsl.Location) {
	p.exactly, p.part = before+p.source(at), p.event.After()
}

// frameByte reads a byte of the line of a frame.
func (p *spot) frameByte(b byte, r *dsl.Rule) bool {
	several, own := p.frames.several(), p.own(p.function)
	switch {
	case !p.begun && b == 'n':
		p.top, p.lineless = "", true
		p.part, p.exactly = r.Ways[0].Next, "ull]"
		return true
	case !p.begun && several:
		p.begun = true
		return b == '"'
	case (b == ']' || b == '"') && own.has(p.word):
		p.top, p.lineless = p.word, false
		if p.take(&r.Ways[0]); several {
			p.exactly = "]"
		}
		return (b == '"') == several
	}
	p.begun = true
	return p.grow(b) && own.begins(p.word)
}

// onTop reports whether the last frame that was read can be the top of the stack.
func (p *spot) onTop() bool {
	if p.lineless {
		return false
	}
	at, ok := p.frames.find(p.top)
	return ok && (p.asked == nil || p.event != dsl.Line || p.asked[at])
}

// nameByte reads a byte of the name of a function or a local.
func (p *spot) nameByte(b byte, r *dsl.Rule) bool {
	local := p.part == dsl.PartLocal
	switch {
	case b == '"' && local && p.named() && !slices.Contains(p.used, p.word):
		p.used = append(p.used[:len(p.used):len(p.used)], p.word)
		return p.take(&r.Ways[0])
	case b == '"' && !local && p.functions.with(p.word, func(name string) bool { return name == p.word }):
		p.function = p.word
		return p.take(&r.Ways[0])
	}
	return p.grow(b) && (local && p.another() || !local && p.functions.with(p.word, func(string) bool { return true }))
}

// another reports whether the word that was read so far can be the beginning of one more local.
func (p *spot) another() bool {
	return p.conjured(p.word) && (len(p.word) < longestName || !slices.Contains(p.used, p.word)) ||
		p.locals.with(p.word, func(name string) bool { return !slices.Contains(p.used, name) })
}

// longestName limits the length of a name that does not occur in the program.
const longestName = 64

// conjured reports whether name can be the beginning of a name that does not occur in the program:
// any name if the program uses exec or the like, else only a mangled name, which begins with an
// underscore.
func (p *spot) conjured(name string) bool {
	if name == "" {
		return p.free
	}
	if !p.free && name[0] != '_' || len(name) > longestName {
		return false
	}
	return strings.Trim(name, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && (name[0] < '0' || name[0] > '9')
}

// named reports whether the word that was read is a complete name of a local.
func (p *spot) named() bool {
	return p.word != "" && (p.conjured(p.word) || p.locals.with(p.word, func(name string) bool { return name == p.word }))
}

// valueByte reads a byte of a value, for example of a local or a return.
func (p *spot) valueByte(b byte, r *dsl.Rule) bool {
	if b != '"' || !p.text.whole() {
		return p.text.byte(b)
	}
	dots := p.text.dots()
	if p.part == dsl.PartLocalValue {
		dots = dots && (p.form != formSame || !p.shown(p.event, p.used[len(p.used)-1]))
	}
	return p.take(&r.Ways[0]) && !dots
}

// codeByte reads a byte of an exit code: up to three digits, with a minus for a signal.
func (p *spot) codeByte(b byte) bool {
	digits := strings.TrimPrefix(p.word, "-")
	if b == '-' {
		return p.word == "" && p.grow(b)
	}
	return b >= '0' && b <= '9' && len(digits) < 3 && digits != "0" && (b != '0' || p.word != "-") && p.grow(b)
}
