package python

import "slices"

// call reads a call and returns the evidence about its result. The arguments of built-in functions
// and methods get votes.
func (r *usesReader) call(e *node) *Evidence {
	function := e.kids[0]
	var args []*Evidence
	var texts []*node
	for _, a := range e.kids[1:] {
		of := a
		if a.kind == nodeKeyword || a.kind == nodeStarred {
			of = a.kids[0]
		}
		if of.kind == nodeLambda {
			continue
		}
		value := r.expr(of)
		if a.kind != nodeKeyword && a.kind != nodeStarred {
			args, texts = append(args, value), append(texts, of)
		}
	}
	r.lambdas(e, args)
	if function.kind == nodeAttribute {
		return r.method(r.expr(function.kids[0]), function.text, args)
	}
	if name, ok := function.dotted(); ok && len(args) > 0 {
		return r.builtin(name, args, texts)
	}
	r.expr(function)
	return &Evidence{}
}

// lambdas reads lambdas among the arguments. In map(f, xs), filter(f, xs), sorted(xs, key=f) and
// xs.sort(key=f), the parameter of f is an element of xs.
func (r *usesReader) lambdas(e *node, args []*Evidence) {
	var over *Evidence
	switch {
	case len(args) > 0:
		over = args[0].Elements()
	case e.kids[0].kind == nodeAttribute:
		over = r.expr(e.kids[0].kids[0]).Elements()
	}
	for _, a := range e.kids[1:] {
		if a.kind == nodeKeyword && len(a.kids) > 0 {
			a = a.kids[0]
		}
		if a.kind == nodeLambda {
			r.lambda(a, over)
		}
	}
}

// builtin reads the call of a built-in function, and returns the evidence about its result.
func (r *usesReader) builtin(name string, args []*Evidence, texts []*node) *Evidence {
	first := args[0]
	switch name {
	case "len":
		first.vote(2, StrKind, ListKind, DictKind, TupleKind, SetKind)
		return kindEvidence(IntKind)
	case "range":
		for _, a := range args {
			a.vote(4, IntKind)
		}
		out := kindEvidence(ListKind)
		out.Elements().vote(4, IntKind)
		return out
	case "sum":
		first.vote(2, ListKind, DictKind, TupleKind)
		first.Elements().vote(2, IntKind, FloatKind, BoolKind)
		return kindEvidence(IntKind)
	case "sorted", "list", "reversed", "set", "tuple", "frozenset", "deque":
		first.vote(1.5, StrKind, ListKind, DictKind, TupleKind, SetKind)
		out := kindEvidence(map[string]Kind{"set": SetKind, "tuple": TupleKind}[name])
		if out.Votes[OtherKind] > 0 {
			out = kindEvidence(ListKind)
		}
		r.link(out.Elements(), first.Elements())
		return out
	case "max", "min":
		if len(args) > 1 {
			for _, a := range args[1:] {
				r.link(first, a)
			}
			return first
		}
		first.vote(1.5, ListKind, StrKind, DictKind, TupleKind)
		return first.Elements()
	case "isinstance":
		if len(texts) > 1 {
			if k, ok := kindOfName(texts[1].text); ok {
				first.Votes[k] += 2
			}
		}
		return kindEvidence(BoolKind)
	case "zip", "enumerate", "any", "all", "iter", "map", "filter":
		args[len(args)-1].vote(1.5, StrKind, ListKind, DictKind, TupleKind)
		return kindEvidence(ListKind)
	case "dict", "Counter", "collections.Counter", "defaultdict", "OrderedDict":
		out := kindEvidence(DictKind)
		if name == "dict" {
			first.vote(1, DictKind, ListKind)
			r.link(out, first)
		}
		return out
	}
	return r.conversion(name, first)
}

func (r *usesReader) conversion(name string, first *Evidence) *Evidence {
	switch name {
	case "abs", "chr", "bin", "hex", "oct", "round", "divmod", "pow":
		first.vote(4, IntKind, FloatKind)
		if name == "chr" || name == "bin" || name == "hex" || name == "oct" {
			return kindEvidence(StrKind)
		}
		return kindEvidence(IntKind)
	case "ord":
		first.vote(5, StrKind)
		return kindEvidence(IntKind)
	case "int", "float":
		first.vote(1, StrKind, IntKind, FloatKind)
		return kindEvidence(IntKind)
	case "str", "repr":
		return kindEvidence(StrKind)
	case "bool", "callable":
		return kindEvidence(BoolKind)
	}
	return &Evidence{}
}

// methodResults holds the result kinds of methods whose result kind does not depend on the object.
var methodResults = map[string]Kind{
	"count": IntKind, "index": IntKind, "find": IntKind, "rfind": IntKind, "rindex": IntKind, "split": ListKind, "rsplit": ListKind,
	"splitlines": ListKind, "partition": TupleKind, "rpartition": TupleKind, "join": StrKind, "format": StrKind,
	"startswith": BoolKind, "endswith": BoolKind,
}

// method reads the use of an attribute. args is nil if the attribute is not called.
func (r *usesReader) method(base *Evidence, name string, args []*Evidence) *Evidence {
	var owners []Kind
	for k := StrKind; k <= DictKind; k++ {
		if hasMethod(k, name) {
			owners = append(owners, k)
		}
	}
	if hasMethod(IntKind, name) {
		owners = append(owners, IntKind, FloatKind)
	}
	if len(owners) > 0 {
		base.vote(5, owners...)
	}
	r.arguments(base, name, args, owners)
	if result, ok := methodResults[name]; ok {
		out := kindEvidence(result)
		if result == ListKind || result == TupleKind {
			out.Elements().vote(4, StrKind)
		}
		return out
	}
	switch {
	case name == "get" || name == "pop" || name == "setdefault":
		return base.Elements()
	case name == "items" || name == "keys" || name == "values":
		out := kindEvidence(ListKind)
		switch name {
		case "keys":
			r.link(out.Elements(), base.Keys())
		case "values":
			r.link(out.Elements(), base.Elements())
		default:
			out.elements = r.pair(base.Keys(), base.Elements())
		}
		return out
	case slices.Equal(owners, []Kind{StrKind}):
		if len(name) > 2 && name[:2] == "is" {
			return kindEvidence(BoolKind)
		}
		return kindEvidence(StrKind)
	case name == "copy" || slices.Contains(owners, SetKind):
		return base
	}
	return &Evidence{}
}

// arguments votes for the types of a method's arguments.
func (r *usesReader) arguments(base *Evidence, name string, args []*Evidence, owners []Kind) {
	if len(args) == 0 {
		return
	}
	first, last := args[0], args[len(args)-1]
	switch name {
	case "append", "remove", "add", "discard", "count", "index":
		if best, ok := base.Best(); ok && best == StrKind {
			first.vote(3, StrKind)
			return
		}
		r.link(base.Elements(), first)
	case "extend":
		first.vote(1, ListKind, StrKind, TupleKind)
		r.link(base.Elements(), first.Elements())
	case "insert":
		first.vote(4, IntKind)
		r.link(base.Elements(), last)
	case "join":
		first.vote(1, ListKind, StrKind, TupleKind, DictKind)
		first.Elements().vote(3, StrKind)
	case "ljust", "rjust", "center", "zfill", "expandtabs":
		first.vote(4, IntKind)
		if len(args) > 1 {
			last.vote(4, StrKind)
		}
	case "update":
		if slices.Contains(owners, DictKind) {
			first.vote(2, DictKind)
			r.link(base, first)
		}
	case "get", "setdefault":
		r.link(base.Keys(), first)
		if len(args) > 1 {
			r.link(base.Elements(), last)
		}
	case "pop":
		if best, _ := base.Best(); best == DictKind {
			r.link(base.Keys(), first)
		} else {
			first.vote(1, IntKind, StrKind)
		}
	case "split", "rsplit", "replace", "find", "rfind", "startswith", "endswith", "strip", "lstrip", "rstrip", "partition", "rpartition",
		"removeprefix", "removesuffix", "rindex":
		for i, a := range args {
			if i == 0 || name == "replace" && i == 1 {
				a.vote(5, StrKind)
			} else {
				a.vote(4, IntKind)
			}
		}
	}
}

// hasMethod reports whether the built-in type of a kind has a method.
func hasMethod(k Kind, name string) bool {
	return methodNames[k.String()][name]
}

// methodNames holds the names of the methods of the built-in types.
var methodNames = func() map[string]map[string]bool {
	names := map[string]map[string]bool{}
	for _, table := range []map[string]map[string]builtinFunc{methodTable(), changeTable()} {
		for of, methods := range table {
			if names[of] == nil {
				names[of] = map[string]bool{}
			}
			for name := range methods {
				names[of][name] = true
			}
		}
	}
	return names
}()
