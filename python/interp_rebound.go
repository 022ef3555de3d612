package python

// mayBind reports whether the code that ran between the previous state and the one passed to Show
// may have bound a name of an activation.
func (in *Interpreter) mayBind(a *activation, name string) bool {
	if in.way == Edited {
		return false
	}
	if in.way != OneEvent {
		return true
	}
	bound := map[string]bool{}
	for _, p := range in.ran() {
		if p.a == a {
			boundAt(a.code.body, p.line, bound)
		}
	}
	return bound[name] || in.rebinds(a, name)
}

// boundAt collects the names that the statements at a line bind.
func boundAt(body []*stmt, line int32, names map[string]bool) {
	var target func(t *node)
	target = func(t *node) {
		switch {
		case t == nil:
		case t.kind == nodeName:
			names[t.text] = true
		case t.kind == nodeTuple || t.kind == nodeList || t.kind == nodeStarred:
			for _, k := range t.kids {
				target(k)
			}
		}
	}
	var walk func(e *node)
	walk = func(e *node) {
		if e == nil {
			return
		}
		if e.kind == nodeNamed {
			target(e.kids[0])
		}
		for _, k := range e.kids {
			walk(k)
		}
	}
	for _, s := range body {
		if !s.covers(line) {
			continue
		}
		for _, t := range s.targets {
			target(t)
		}
		for _, e := range s.exprs {
			walk(e)
		}
		for _, name := range s.names {
			names[name] = true
		}
		if s.def != nil {
			names[s.def.name] = true
			continue
		}
		for _, b := range s.branches {
			names[b.as] = true
			for _, e := range b.exprs {
				walk(e)
			}
		}
		for _, block := range s.blocks() {
			boundAt(block, line, names)
		}
	}
}
