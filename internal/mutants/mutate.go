package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// mutant is one small change to a file.
type mutant struct {
	file     string // path of the file
	from, to int    // range of the bytes that are replaced
	now      string // replacement
	kind     string
}

// inverted maps operators to their replacements, by kind of mutant.
var inverted = map[string]map[token.Token]token.Token{
	"negated": {
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ,
		token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	},
	"boundary": {
		token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	},
	"arithmetic": {
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
		token.REM: token.MUL, token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR,
		token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
		token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
		token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
		token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
		token.INC: token.DEC, token.DEC: token.INC,
	},
	"boolean": {token.LAND: token.LOR, token.LOR: token.LAND},
	"loop":    {token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK},
}

// finder collects the mutants of a file. Some of them do not compile; that is checked only when one
// is drawn.
type finder struct {
	path  string
	text  []byte
	base  token.Pos
	found []mutant
}

// find returns all mutants of a file, in the order of its text.
func find(path string, text []byte, file *ast.File) []mutant {
	f := &finder{path: path, text: text, base: file.FileStart}
	ast.Inspect(file, f.visit)
	slices.SortStableFunc(f.found, func(a, b mutant) int { return a.from - b.from })
	return f.found
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.BranchStmt:
		if n.Label == nil {
			f.operator(n.TokPos, n.Tok)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add("boolean", n.OpPos, n.OpPos+1, "")
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.add("boolean", n.Pos(), n.End(), "false")
		case "false":
			f.add("boolean", n.Pos(), n.End(), "true")
		}
	case *ast.BasicLit:
		f.literal(n)
	case *ast.IfStmt:
		f.branch(n)
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.CommClause:
		f.statements(n.Body)
	case *ast.FuncDecl:
		if n.Body != nil {
			f.returns(n.Type, n.Body)
		}
	case *ast.FuncLit:
		f.returns(n.Type, n.Body)
	case *ast.CallExpr:
		// The capacity of a slice or map affects only speed, so tests cannot detect a mutant of it.
		if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "make" && len(n.Args) > 1 {
			_, sliced := n.Args[0].(*ast.ArrayType)
			if last := n.Args[len(n.Args)-1]; !sliced || len(n.Args) == 3 {
				for _, a := range n.Args {
					if a != last {
						ast.Inspect(a, f.visit)
					}
				}
				return false
			}
		}
	}
	return true
}

func (f *finder) add(kind string, from, to token.Pos, now string) {
	f.found = append(f.found, mutant{f.path, int(from - f.base), int(to - f.base), now, kind})
}

func (f *finder) source(from, to token.Pos) string {
	return string(f.text[from-f.base : to-f.base])
}

func (f *finder) operator(at token.Pos, op token.Token) {
	for _, kind := range []string{"negated", "boundary", "arithmetic", "boolean", "loop"} {
		if other, ok := inverted[kind][op]; ok {
			f.add(kind, at, at+token.Pos(len(op.String())), other.String())
		}
	}
}

func (f *finder) literal(l *ast.BasicLit) {
	switch l.Kind {
	case token.INT, token.FLOAT, token.CHAR:
		f.add("constant", l.Pos(), l.End(), "("+l.Value+" + 1)")
		f.add("constant", l.Pos(), l.End(), "("+l.Value+" - 1)")
	}
}

// branch adds a mutant that makes the condition of an if statement false.
func (f *finder) branch(s *ast.IfStmt) {
	kind := "branch removed"
	if c, ok := s.Cond.(*ast.BinaryExpr); ok && c.Op == token.NEQ && f.source(c.Pos(), c.End()) == "err != nil" {
		kind = "error branch removed"
	}
	f.add(kind, s.Cond.Pos(), s.Cond.End(), "false && ("+f.source(s.Cond.Pos(), s.Cond.End())+")")
}

// statements adds a mutant for each statement that can be removed such that the file may still
// compile. If an assignment is removed, its right side is still computed, because it may have side
// effects and use variables.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.IncDecStmt:
			f.add("statement removed", s.Pos(), s.End(), "")
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !isName(e, "_") }) {
				continue
			}
			now := strings.TrimSuffix(strings.Repeat("_, ", len(s.Lhs)), ", ") + " = " + f.source(s.Rhs[0].Pos(), s.End())
			if slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool { return isName(e, "nil") }) {
				now = ""
			}
			f.add("statement removed", s.Pos(), s.End(), now)
		}
	}
}

// returns adds a mutant for each returned value: the zero value of its type replaces it.
func (f *finder) returns(of *ast.FuncType, body *ast.BlockStmt) {
	var zeros []string
	if of.Results != nil {
		for _, r := range of.Results.List {
			for range max(1, len(r.Names)) {
				zeros = append(zeros, "*new("+f.source(r.Type.Pos(), r.Type.End())+")")
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				return false
			}
			if len(n.Results) != len(zeros) {
				f.add("zero returned", n.Results[0].Pos(), n.End(), strings.Join(zeros, ", "))
				return true
			}
			for i, r := range n.Results {
				if !isZero(r) && !isName(r, "true") { // replacing true by false is another kind of mutant
					f.add("zero returned", r.Pos(), r.End(), zeros[i])
				}
			}
		}
		return true
	})
}

func isName(e ast.Expr, name string) bool {
	n, ok := e.(*ast.Ident)
	return ok && n.Name == name
}

func isZero(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false"
	case *ast.BasicLit:
		return e.Value == "0" || e.Value == `""`
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

// applied returns the file's text with the mutant.
func (m mutant) applied(text []byte) []byte {
	return slices.Concat(text[:m.from], []byte(m.now), text[m.to:])
}
