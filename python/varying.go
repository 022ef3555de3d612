package python

import (
	"slices"
	"strings"
)

// Varying is what in a source text may have another value at each run: what comes
// from the clock, from random numbers, from addresses and the like, as far as the
// text tells. It is a guess that serves to explain a difference. What it calls
// varying may well be the same each time, and values that come in from outside by
// other ways (files, the network, other modules of the program) it does not know.
type Varying struct {
	scopes []*varyingScope // that of the module first, a function behind the one it is in
}

// varyingScope is a function, or the module. Names and lines have the call that
// their value comes from.
type varyingScope struct {
	first, last int32
	outer       *varyingScope
	name        string   // as it is called: "f", of a method "Account.pay"
	class       string   // of a method
	self        string   // a method's first parameter
	global      []string // names that are the module's
	own         map[string]bool
	names       map[string]string
	lines       map[int32]string
	body        []*stmt
}

// ReadVarying reads a source text. Like Read it never fails, and takes time in
// proportion to the text.
func ReadVarying(source []byte) *Varying {
	text := decodeSource(source)
	p := newParser(text)
	r := &varyingReader{bound: map[string]string{}, calls: map[string]string{}, attributes: map[string]string{}, out: &Varying{}}
	module := r.scope(p.statements(false), nil, "", nil)
	module.first, module.last = 1, int32(len(text))
	// What one function returns another one may use: a few rounds reach as far as
	// programs go.
	const rounds = 5
	for range rounds {
		r.changed = false
		for _, s := range r.out.scopes {
			r.here = s
			r.block(s.body, "")
		}
		if !r.changed {
			break
		}
	}
	return r.out
}

// Name returns the call that the value of a name comes from, "time.time()", in the
// function that a line lies in; "" where nothing is known to vary.
func (v *Varying) Name(line int, name string) string { return v.at(line).from(name) }

// from returns where the value of a name comes from, in a function or around it.
func (s *varyingScope) from(name string) string {
	for ; s != nil; s = s.outer {
		if from := s.names[name]; from != "" || s.own[name] {
			return from
		}
	}
	return ""
}

// Line returns the call that a value comes from which the statement on a line
// evaluates, "" for none.
func (v *Varying) Line(line int) string { return v.at(line).lines[int32(line)] }

// at returns the innermost function around a line.
func (v *Varying) at(line int) *varyingScope {
	found := v.scopes[0]
	for _, s := range v.scopes[1:] {
		if s.first <= int32(line) && int32(line) <= s.last && s.first >= found.first {
			found = s
		}
	}
	return found
}

type varyingReader struct {
	bound      map[string]string // names of imports, and what they are: "now" is "time.time"
	calls      map[string]string // functions and classes of the text that give what varies
	attributes map[string]string // of self
	out        *Varying
	here       *varyingScope
	changed    bool
}

// scope collects functions, each with its body, and the imports.
func (r *varyingReader) scope(body []*stmt, outer *varyingScope, class string, def *definition) *varyingScope {
	s := &varyingScope{
		outer: outer, class: class, own: map[string]bool{}, names: map[string]string{}, lines: map[int32]string{},
		global: globalsOf(body), body: body,
	}
	if def != nil {
		s.name = def.name
		for i, p := range def.params {
			s.own[p.text] = true
			if i == 0 && class != "" {
				s.self, s.name = p.text, class+"."+s.name
			}
		}
	}
	r.out.scopes = append(r.out.scopes, s)
	r.collect(body, s, "")
	return s
}

func (r *varyingReader) collect(body []*stmt, outer *varyingScope, class string) {
	for _, st := range body {
		switch st.kind {
		case stmtImport:
			r.imported(st)
		case stmtDef:
			s := r.scope(st.body, outer, class, st.def)
			s.first, s.last = st.line, st.last
		case stmtClass:
			r.collect(st.body, outer, st.def.name)
		default:
			for _, inner := range st.blocks() {
				r.collect(inner, outer, class)
			}
		}
	}
}

// imported takes note of what the names of an import are.
func (r *varyingReader) imported(s *stmt) {
	for i, bound := range s.names {
		if of := s.imports[0]; of.Names != nil {
			if of.Level == 0 && i < len(of.Names) {
				r.bound[bound] = of.Module + "." + of.Names[i]
			}
			continue
		}
		r.bound[bound] = s.imports[i].Module
		if strings.HasPrefix(s.imports[i].Module, bound+".") { // "import os.path" binds os
			r.bound[bound] = bound
		}
	}
}

// block follows statements. under is what decides whether they run at all.
func (r *varyingReader) block(list []*stmt, under string) {
	for _, s := range list {
		r.stmt(s, under)
	}
}

func (r *varyingReader) stmt(s *stmt, under string) {
	from := ""
	for _, e := range s.exprs {
		from = either(from, r.expr(e))
	}
	switch s.kind {
	case stmtDef:
		return // a scope of its own
	case stmtClass:
		r.block(s.body, under)
		return
	case stmtAugAssign:
		from = either(from, r.expr(s.targets[0]))
	case stmtExpr:
		r.call(s.exprs[0])
	case stmtReturn:
		r.gives(either(from, under))
	case stmtIf, stmtTry, stmtMatch:
		for _, b := range s.branches {
			at := ""
			for _, e := range b.exprs {
				at = either(at, r.expr(e))
			}
			r.line(b.line, at)
			under = either(under, at)
			r.block(b.body, either(from, under))
		}
	}
	r.line(s.line, from)
	switch s.kind {
	case stmtIf, stmtWhile, stmtFor, stmtTry, stmtWith, stmtMatch, stmtBroken:
	default:
		for at := s.line + 1; at <= s.last; at++ {
			r.line(at, from)
		}
	}
	inside := either(under, from)
	switch s.kind {
	case stmtAssign, stmtAugAssign, stmtAnnAssign, stmtFor, stmtWith: // also what does not vary: the name is the function's own
		for _, t := range s.targets {
			r.store(t, inside)
		}
	}
	if s.kind == stmtWith {
		inside = under
	}
	for _, b := range [][]*stmt{s.body, s.orelse, s.final} {
		r.block(b, inside)
	}
}

// gives makes the function at hand one that gives what varies.
func (r *varyingReader) gives(from string) {
	if r.here.name != "" {
		r.set(r.calls, r.here.name, from)
	}
}

// either returns the first of the texts that says something.
func either(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func (r *varyingReader) set(m map[string]string, name, from string) {
	if from != "" && m[name] == "" {
		m[name] = from
		r.changed = true
	}
}

func (r *varyingReader) line(at int32, from string) {
	if from != "" && r.here.lines[at] == "" {
		r.here.lines[at] = from
		r.changed = true
	}
}

// varyingCalls are calls of the standard library that give another value at each
// run. One that ends in a dot stands for all of a module.
var varyingCalls = []string{
	"time.", "random.", "secrets.", "tempfile.", "uuid.uuid1", "uuid.uuid4", "uuid.getnode",
	"datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
	"os.urandom", "os.getrandom", "os.getpid", "os.getppid", "os.times", "os.getloadavg",
	"input", "sys.stdin.read", "sys.stdin.readline", "sys.stdin.readlines", // what is typed
	"threading.get_ident", "threading.get_native_id", "socket.gethostname", "id", "hash",
}

// steadyCalls are calls of those modules that do not, if they have so many arguments
// or more.
var steadyCalls = map[string]int{
	"time.sleep": 0, "time.strptime": 0, "time.mktime": 0, "time.gmtime": 1, "time.localtime": 1, "time.ctime": 1, "time.strftime": 2,
	"random.seed": 0, "random.setstate": 0, "random.Random": 1,
}

func varies(call string, arguments int) bool {
	if least, ok := steadyCalls[call]; ok && arguments >= least {
		return false
	}
	module, _, dotted := strings.Cut(call, ".")
	return slices.Contains(varyingCalls, call) || dotted && slices.Contains(varyingCalls, module+".")
}

// expr returns the call that a part of an expression comes from, "" for none. It takes
// note of names that the expression binds.
func (r *varyingReader) expr(e *node) string {
	if e == nil {
		return ""
	}
	from := ""
	switch e.kind {
	case nodeName:
		return r.here.from(e.text)
	case nodeAttribute:
		if name, ok := r.ofSelf(e); ok {
			from = r.attributes[name]
		}
	case nodeCall:
		from = r.called(e)
	case nodeNamed:
		from = r.expr(e.kids[1])
		r.store(e.kids[0], from)
		return from
	}
	for _, k := range e.kids {
		from = either(from, r.expr(k))
	}
	return from
}

// called returns what a call by its function alone gives.
func (r *varyingReader) called(e *node) string {
	name, ok := e.kids[0].dotted()
	if !ok {
		return ""
	}
	head, rest, _ := strings.Cut(name, ".")
	if r.here.self != "" && head == r.here.self {
		return r.calls[r.here.class+"."+rest]
	}
	if from := r.calls[name]; from != "" {
		return from
	}
	if whole, ok := r.bound[head]; ok {
		if name = whole; rest != "" {
			name += "." + rest
		}
	} else if rest != "" {
		return "" // of an object
	}
	if varies(name, len(e.kids)-1) {
		return name + "()"
	}
	return ""
}

// ofSelf returns the name of an attribute of the method's own object.
func (r *varyingReader) ofSelf(e *node) (string, bool) {
	base := e.kids[0]
	if r.here.self == "" || !base.is(r.here.self) {
		return "", false
	}
	return r.here.class + "." + e.text, true
}

// store gives what varies to a target: to a name, to the names of a tuple, and to
// the object whose element or attribute it is.
func (r *varyingReader) store(e *node, from string) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeName:
		name, s := e.text, r.here
		if slices.Contains(s.global, name) {
			s = r.out.scopes[0]
		}
		s.own[name] = true
		r.set(s.names, name, from)
	case nodeTuple, nodeList, nodeStarred:
		for _, k := range e.kids {
			r.store(k, from)
		}
	case nodeAttribute:
		if from == "" {
			return // the object is no name that is bound here
		}
		if name, ok := r.ofSelf(e); ok {
			r.set(r.attributes, name, from)
			r.set(r.calls, r.here.class, from) // its objects show it
		}
		r.store(e.kids[0], from)
	case nodeSubscript:
		if from != "" {
			r.store(e.kids[0], from)
		}
	}
}

// call takes note of what a call that stands alone changes: the object whose method
// is given what varies, and the arguments of a function such as random.shuffle.
func (r *varyingReader) call(e *node) {
	if e.kind != nodeCall {
		return
	}
	if from := r.called(e); from != "" {
		for _, k := range e.kids[1:] {
			r.store(k, from)
		}
	}
	from := ""
	for _, k := range e.kids[1:] {
		from = either(from, r.expr(k))
	}
	if e.kids[0].kind == nodeAttribute {
		if name, ok := e.kids[0].dotted(); ok {
			if head, _, _ := strings.Cut(name, "."); r.bound[head] != "" {
				return // a module's function, not a method
			}
		}
		if from != "" {
			r.store(e.kids[0].kids[0], from)
		}
	}
}
