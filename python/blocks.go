package python

import (
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Blocks holds the basic blocks of a source text, by line. A block ends where control can branch, and
// before a line that control can jump to. A block begins at the first statement of a body (of the
// module, a function, a class, or a branch of a compound statement), at the header of a loop, at elif,
// except and case, after a compound statement, and after return, raise, break and continue. Other
// headers, such as if and with, do not begin a block, but end one. A def or class is a statement of the
// block around it. The lines of its body form blocks of its own code object.
//
// Code on one line is in one block, and the lines of lambdas and comprehensions are in the block of
// their statement.
type Blocks struct {
	Codes []CodeBlocks // one for each code object: the module first, then the others in source order

	parts []blockPart
	lines []int32 // by line number: the index of the line's part plus 1, or 0
}

// CodeBlocks holds the blocks of the module, of a function or of a class body.
type CodeBlocks struct {
	Name     string  // co_name
	QualName string  // "Account.pay", "f.<locals>.g"; "<module>" for the module
	Line     int     // co_firstlineno
	Last     int     // its last line
	Blocks   []Block // in source order
}

// Block holds the first and the last line of a basic block. If the block ends with a def, a class or the
// header of another compound statement, Last is the last line of that header.
type Block struct{ First, Last int }

// BlockPart is a part of a block: a line of simple statements, a simple statement over several
// lines, or the header of a compound statement.
type BlockPart struct {
	First, Last int
	Again       Again
}

// Again says when a line event of a part continues the block after another one of the same part.
type Again uint8

// The values of Again. AgainNever is for a part of one line: its next event begins the block again, in
// the next iteration of a loop. AgainAny is for a part with several lines or a comprehension: its events
// come in any order. AgainForward is for a part that is the whole body of an endless loop, whose header
// has no events: only an event at a later line continues the block.
const (
	AgainNever Again = iota
	AgainAny
	AgainForward
)

type blockPart struct {
	BlockPart
	code, block int32 // indexes into Codes and its Blocks
	begins      bool  // the part is the first of its block
	returns     bool  // control can return to the part from another block
}

// ReadBlocks finds the basic blocks of a source text. Like Read, it never fails and takes linear time.
func ReadBlocks(source []byte) *Blocks { return BlocksOf(decodeSource(source)) }

// BlocksOf finds the basic blocks of a decoded source text. It ignores a declared encoding.
func BlocksOf(text string) *Blocks {
	lines := len(dsl.SplitLines(text))
	r := &blockReader{found: &Blocks{lines: make([]int32, lines+1)}}
	r.enter(CodeBlocks{Name: "<module>", QualName: "<module>", Line: 1, Last: lines}, newParser(text).statements(false), "")
	return r.found
}

// At returns the code object that a line belongs to, and the index of the line's block in it. A def line
// belongs to the code object around the def. ok is false for lines without a statement.
func (b *Blocks) At(line int) (code *CodeBlocks, block int, ok bool) {
	p := b.part(line)
	if p < 0 {
		return nil, 0, false
	}
	part := b.parts[p]
	return &b.Codes[part.code], int(part.block), true
}

// Code returns the blocks of a code object by its co_name and its first line, nil if there is none. The
// module's code is on line 1.
func (b *Blocks) Code(name string, line int) *CodeBlocks {
	for i := range b.Codes {
		if c := &b.Codes[i]; c.Name == name && c.Line == line {
			return c
		}
	}
	return nil
}

// Straight reports whether a line event continues the basic block of the previous line event in the same
// activation. from and to are the lines of the two events. The event continues the block if it is at a
// later statement of the block, or at another line of the same statement. It does not if a loop returns
// to the beginning of the block.
func (b *Blocks) Straight(from, to int) bool {
	p, q := b.part(from), b.part(to)
	if p < 0 || q < 0 || b.parts[p].code != b.parts[q].code || b.parts[p].block != b.parts[q].block {
		return false
	}
	if p != q {
		return p < q
	}
	again := b.parts[p].Again
	return again == AgainAny || again == AgainForward && from < to
}

// Begins reports whether a line event at the line may begin a block, if the event before it is not known.
// It may if the line is in the first part of a block, is in no block, or if control can return to the
// line: to a with statement after its body, or to a return after its finally clause.
func (b *Blocks) Begins(line int) bool {
	p := b.part(line)
	return p < 0 || b.parts[p].begins || b.parts[p].returns
}

// Parts returns the parts of a line's block, in order, or nil if the line is in no block.
func (b *Blocks) Parts(line int) (parts []BlockPart) {
	p := b.part(line)
	if p < 0 {
		return nil
	}
	code, block := b.parts[p].code, b.parts[p].block
	own := func(p int) bool { return b.parts[p].code == code && b.parts[p].block == block }
	for !own(p) || !b.parts[p].begins {
		p--
	}
	for ; p < len(b.parts) && (own(p) || b.parts[p].code != code); p++ {
		if own(p) {
			parts = append(parts, b.parts[p].BlockPart)
		}
	}
	return parts
}

// part returns the index of a line's part, or -1.
func (b *Blocks) part(line int) int {
	if line < 1 || line >= len(b.lines) {
		return -1
	}
	return int(b.lines[line]) - 1
}

type blockReader struct {
	found  *Blocks
	code   int
	begins bool // the next part begins a block
}

// enter reads the body of a code object. prefix is the prefix of qualified names in it.
func (r *blockReader) enter(code CodeBlocks, body []*stmt, prefix string) {
	outer, begins := r.code, r.begins
	r.code = len(r.found.Codes)
	r.found.Codes = append(r.found.Codes, code)
	r.body(body, prefix)
	if own := &r.found.Codes[r.code]; len(own.Blocks) == 0 && len(body) > 0 { // the body is on the def line
		span := lines(body)
		own.Blocks = []Block{{span[0], span[1]}}
	}
	r.code, r.begins = outer, begins
}

// body reads the statements of a body. The first one begins a block, and so does the statement after the body.
func (r *blockReader) body(list []*stmt, prefix string) {
	r.begins = true
	for _, s := range list {
		r.stmt(s, prefix)
	}
	r.begins = true
}

func (r *blockReader) stmt(s *stmt, prefix string) {
	if s.def != nil {
		r.definition(s, prefix)
		return
	}
	compound := slices.ContainsFunc(s.blocks(), func(b []*stmt) bool { return len(b) > 0 })
	switch s.kind {
	case stmtIf: // the headers belong to its branches
	case stmtFor, stmtWhile:
		r.begins = true
		r.part(s.line, int32(headerEnd(s)), slices.Concat(s.exprs, s.targets))
	case stmtTry:
		r.part(s.line, s.line, nil)
	default:
		last := s.last
		if compound || s.kind == stmtMatch {
			last = int32(headerEnd(s))
		}
		r.part(s.line, last, slices.Concat(s.exprs, s.targets))
	}
	leaves := s.kind == stmtReturn || s.kind == stmtRaise || s.kind == stmtBreak || s.kind == stmtContinue
	if leaves || s.kind == stmtWith {
		if p := r.found.part(int(s.line)); p >= 0 {
			r.found.parts[p].returns = true
		}
	}
	switch {
	case leaves:
		r.begins = true
	case compound || len(s.branches) > 0:
		r.branches(s, prefix)
	}
}

// branches reads the bodies of a compound statement.
func (r *blockReader) branches(s *stmt, prefix string) {
	before := len(r.found.parts)
	if len(s.body) > 0 {
		r.body(s.body, prefix)
	}
	if s.kind == stmtWhile && len(r.found.parts) == before+1 {
		known, truth := (&lineMarker{}).truth(s.exprs[0])
		if known && truth && r.found.parts[before].Again == AgainAny {
			r.found.parts[before].Again = AgainForward
		}
	}
	for i, b := range s.branches {
		r.begins = r.begins || i > 0 || s.kind != stmtIf
		last := b.line
		for _, e := range b.exprs {
			if e.kind != nodeError {
				last = max(last, e.last)
			}
		}
		r.part(b.line, headerLast(last, b.body), b.exprs)
		r.body(b.body, prefix)
	}
	for _, list := range [][]*stmt{s.orelse, s.final} {
		if len(list) > 0 {
			r.body(list, prefix)
		}
	}
}

// definition reads a def or class, and the code object of its body.
func (r *blockReader) definition(s *stmt, prefix string) {
	d := s.def
	exprs := slices.Concat(s.exprs, d.decorators, d.typeParams, d.params, d.bases, []*node{d.returns})
	last := s.line
	for _, e := range exprs {
		if e != nil && e.kind != nodeError {
			last = max(last, e.last)
		}
	}
	r.part(firstLine(s), headerLast(last, s.body), exprs)
	code := CodeBlocks{Name: d.name, QualName: prefix + d.name, Line: int(firstLine(s)), Last: int(s.last)}
	inner := code.QualName + "."
	if s.kind == stmtDef {
		inner += "<locals>."
	}
	r.enter(code, s.body, inner)
}

// headerLast returns the last line of a header, without the lines of its body.
func headerLast(last int32, body []*stmt) int32 {
	if len(body) > 0 {
		return min(last, firstLine(body[0])-1)
	}
	return last
}

// part adds a part. If its first line already belongs to a part, it extends that part.
func (r *blockReader) part(first, last int32, exprs []*node) {
	found := r.found
	first = max(first, 1)
	last = min(max(first, last), int32(len(found.lines)-1))
	if first > last {
		return // a placeholder for invalid code has no line
	}
	at := found.lines[first] - 1
	if at < 0 {
		code := &found.Codes[r.code]
		begins := r.begins || len(code.Blocks) == 0
		if begins {
			code.Blocks = append(code.Blocks, Block{First: int(first)})
			r.begins = false
		}
		at = int32(len(found.parts))
		found.parts = append(found.parts, blockPart{BlockPart: BlockPart{First: int(first)}, code: int32(r.code), block: int32(len(code.Blocks) - 1), begins: begins})
	}
	part := &found.parts[at]
	part.Last = max(part.Last, int(last))
	if part.First < part.Last || slices.ContainsFunc(exprs, comprehends) {
		part.Again = AgainAny
	}
	for line := first; line <= last; line++ {
		found.lines[line] = at + 1
	}
	block := &found.Codes[part.code].Blocks[part.block]
	block.Last = max(block.Last, int(last))
}

// comprehends reports whether an expression contains a comprehension.
func comprehends(e *node) bool {
	if e == nil {
		return false
	}
	switch e.kind {
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		return true
	}
	return slices.ContainsFunc(e.kids, comprehends)
}
