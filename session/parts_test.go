package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostMethods is the maximum number of methods of a Session. Code that needs the state of
// one part, or of those above it, belongs to that part.
const mostMethods = 70

// TestPartsPointUp checks that the parts of a Session use only parts above them in its
// struct, and that it has few methods of its own.
func TestPartsPointUp(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	structs, methods := map[string]*ast.StructType{}, 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && pointed(d.Recv.List[0].Type) == "Session" {
					methods++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						if fields, ok := s.Type.(*ast.StructType); ok {
							structs[s.Name.Name] = fields
						}
					}
				}
			}
		}
	}
	if methods > mostMethods {
		t.Errorf("Session has %d methods, more than %d", methods, mostMethods)
	}
	var parts []string
	for _, f := range structs["Session"].Fields.List {
		if len(f.Names) == 0 {
			parts = append(parts, pointed(f.Type))
		}
	}
	if len(parts) == 0 {
		t.Fatal("Session has no parts")
	}
	for i, part := range parts {
		for _, f := range structs[part].Fields.List {
			switch other := pointed(f.Type); {
			case other == "Session":
				t.Errorf("%s has the whole Session", part)
			case slices.Index(parts, other) >= i:
				t.Errorf("%s uses %s, which is not above it in Session", part, other)
			}
		}
	}
}

// pointed returns the name of the type that a pointer type points to, or "".
func pointed(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		if id, ok := star.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}
