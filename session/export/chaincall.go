package export

import (
	"cmp"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// callText formats a call as an expression with its arguments. stop is the state at the call.
func (c *chains) callText(call int, stop *dsl.Stop) string {
	at := c.tree.At(call)
	code := c.tree.Code(at.Code)
	name := c.qualName(&code)
	if k := strings.LastIndexByte(name, '>'); k >= 0 { // outer.<locals>.inner
		name = strings.TrimPrefix(name[k+1:], ".")
	}
	name = cmp.Or(name, code.Name)
	var args []string
	for _, p := range c.params(at.File, &code) {
		i := slices.IndexFunc(stop.Locals, func(l dsl.Local) bool { return l.Name == p.Name })
		if i < 0 {
			continue
		}
		value := stop.Locals[i].Value
		switch p.Kind {
		case python.VarPositional:
			if value != "()" {
				args = append(args, "*"+value)
			}
		case python.VarKeyword:
			if value != "{}" {
				args = append(args, "**"+value)
			}
		case python.KeywordOnly:
			args = append(args, p.Name+"="+value)
		default:
			args = append(args, value)
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// params returns the parameters of a code object from its def or, if the source has no such def, from the names
// of its arguments.
func (c *chains) params(file int, code *statetree.Code) (params []python.Param) {
	source := c.sources[file]
	if source == nil {
		source = python.Read(c.tree.Files()[file].Source)
		c.sources[file] = source
	}
	for _, f := range source.Functions() {
		// the first line of a decorated function is that of its first decorator
		if f.Name == code.Name && f.Line >= code.FirstLine && f.Line <= max(code.LastLine, code.FirstLine) {
			return f.Params
		}
	}
	for _, name := range code.Names[:min(code.Args, len(code.Names))] {
		params = append(params, python.Param{Name: name, Kind: python.PositionalOrKeyword})
	}
	return params
}
