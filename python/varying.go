package python

import (
	"slices"
	"strings"
)

// Varying holds which values in a source file may differ from run to run, because they come from
// the clock, random numbers, addresses and the like. It is a guess from the source, used to explain
// a difference: such a value may be the same in every run, and a value that varies for another
// reason (files, the network, other modules of the program) is not found.
type Varying struct {
	scopes []*varyingScope // the module first; a function comes after the enclosing one
}

// varyingScope is a function or the module. names and lines hold the call from which a value comes.
type varyingScope struct {
	first, last int32
	outer       *varyingScope
	name        string   // name by which it is called: "f", or "Account.pay" for a method
	class       string   // for a method: its class
	self        string   // for a method: its first parameter
	global      []string // names that are declared global
	own         map[string]bool
	names       map[string]string
	lines       map[int32]string
	body        []*stmt
}

// ReadVarying reads a source file. Like Read it never fails, and takes linear time.
func ReadVarying(source []byte) *Varying {
	text := decodeSource(source)
	p := newParser(text)
	r := &varyingReader{bound: map[string]string{}, calls: map[string]string{}, attributes: map[string]string{}, out: &Varying{}}
	module := r.scope(p.statements(false), nil, "", nil)
	module.first, module.last = 1, int32(len(text))
	// A function may use what another one returns. Few programs need more than this number of
	// rounds.
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

// Name returns the call that makes a name's value vary, such as "time.time()", in the function
// around a line. It returns "" if the value is not known to vary.
func (v *Varying) Name(line int, name string) string { return v.at(line).from(name) }

// from returns the call that makes a name's value vary, in this function or an enclosing one.
func (s *varyingScope) from(name string) string {
	for ; s != nil; s = s.outer {
		if from := s.names[name]; from != "" || s.own[name] {
			return from
		}
	}
	return ""
}

// Line returns the call that makes a value of the statement on a line vary, or "".
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
	bound      map[string]string // names of imports, and what they stand for: "now" stands for "time.time"
	calls      map[string]string // functions and classes of the file whose results vary
	attributes map[string]string // attributes of self
	out        *Varying
	here       *varyingScope
	changed    bool
}

// scope collects the functions with their bodies, and the imports.
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

// imported records which module or function each name of an import stands for.
func (r *varyingReader) imported(s *stmt) {
	for i, bound := range s.names {
		if of := s.imports[0]; of.Names != nil {
			if of.Level == 0 && i < len(of.Names) {
				r.bound[bound] = of.Module + "." + of.Names[i]
			}
			continue
		}
		r.bound[bound] = s.imports[i].Module
		if strings.HasPrefix(s.imports[i].Module, bound+".") { // "import os.path" binds only os
			r.bound[bound] = bound
		}
	}
}

// block reads statements. under is the varying call that decides whether they run, or "".
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
		return // it is a separate scope
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
	case stmtAssign, stmtAugAssign, stmtAnnAssign, stmtFor, stmtWith: // a name with a steady value is local too
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

// gives records that the current function returns a value that varies.
func (r *varyingReader) gives(from string) {
	if r.here.name != "" {
		r.set(r.calls, r.here.name, from)
	}
}

// either returns the first text that is not "".
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

// varyingCalls are calls in the standard library whose result differs from run to run. A name with
// a dot at its end stands for all functions of a module.
var varyingCalls = []string{
	"time.", "random.", "secrets.", "tempfile.", "uuid.uuid1", "uuid.uuid4", "uuid.getnode",
	"datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
	"os.urandom", "os.getrandom", "os.getpid", "os.getppid", "os.times", "os.getloadavg",
	"input", "sys.stdin.read", "sys.stdin.readline", "sys.stdin.readlines", // what the user types
	"threading.get_ident", "threading.get_native_id", "socket.gethostname", "id", "hash",
}

// steadyCalls are exceptions in those modules: calls whose result does not vary if they have at
// least this number of arguments.
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

// expr returns the varying call in an expression, or "". It records names that the expression
// binds.
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

// called returns the varying call that a call is, judged by its function only, or "".
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
		return "" // a method of an object
	}
	if varies(name, len(e.kids)-1) {
		return name + "()"
	}
	return ""
}

// ofSelf returns the qualified name of an attribute of self. The second result is false for any
// other expression.
func (r *varyingReader) ofSelf(e *node) (string, bool) {
	base := e.kids[0]
	if r.here.self == "" || !base.is(r.here.self) {
		return "", false
	}
	return r.here.class + "." + e.text, true
}

// store records that a target gets a value that varies: a name, the names in a tuple, or the object
// whose element or attribute is set.
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
			return // the name of the object is not bound here
		}
		if name, ok := r.ofSelf(e); ok {
			r.set(r.attributes, name, from)
			r.set(r.calls, r.here.class, from) // then its objects show it
		}
		r.store(e.kids[0], from)
	case nodeSubscript:
		if from != "" {
			r.store(e.kids[0], from)
		}
	}
}

// call records what a call without a use of its result changes: the object of a method that gets an
// argument that varies, and the arguments of a function such as random.shuffle.
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
				return // a function of a module, not a method
			}
		}
		if from != "" {
			r.store(e.kids[0].kids[0], from)
		}
	}
}
