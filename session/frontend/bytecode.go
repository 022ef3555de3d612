package frontend

import "github.com/npdb/npdb/session"

// bytecode writes the instructions that dis shows.
func (e *encoder) bytecode(b *session.Bytecode) {
	e.key("bytecode").object(func() {
		e.key("function").string(b.Function)
		e.key("file").string(b.File)
		if b.Line > 0 {
			e.key("line").int(b.Line)
		}
		e.key("live").bool(b.Live)
		e.key("left_out").int(b.LeftOut)
		e.key("instructions")
		e.array(len(b.Instructions), func(i int) {
			one := &b.Instructions[i]
			e.object(func() {
				e.key("offset").int(one.Offset)
				e.key("line")
				if one.Line > 0 {
					e.int(one.Line)
				} else {
					e.null()
				}
				e.key("name").string(one.Name)
				e.key("argument")
				if one.HasArgument {
					e.int(one.Argument)
				} else {
					e.null()
				}
				e.key("meaning").string(one.Meaning)
				e.key("target").bool(one.Target)
				e.key("current").bool(one.Current)
			})
		})
	})
}
