package python

import (
	"slices"
	"strings"
)

// Import statements that name modules of the program.

// importsWithin reports whether statements have an import, at any depth.
func importsWithin(body []*stmt) bool { return len(importsOf(body)) > 0 }

// importsOwn reports whether a statement has an import of a module of the program, at any depth.
func (in *Interpreter) importsOwn(s *stmt) bool {
	return slices.ContainsFunc(importsOf([]*stmt{s}), func(i Import) bool {
		root, _, _ := strings.Cut(i.Module, ".")
		_, own := in.fileOf(root)
		return i.Level > 0 || own
	})
}

// importOwn runs import number n of a statement, which is one of a module of the program. name is the index of
// the next name that the statement binds.
func (in *Interpreter) importOwn(s *stmt, n int, name *int, sc *scope) {
	i := s.imports[n]
	target := in.absolute(i, sc.globals())
	if len(i.Names) == 0 {
		m := in.importModule(target)
		root, _, _ := strings.Cut(target, ".")
		v := pyValue(in.imported(root))
		if slices.Contains(s.renamed, n) {
			v = in.attribute(target, m)
		}
		in.store(s.names[*name], v, sc)
		*name++
		return
	}
	m := in.importModule(target)
	if slices.Equal(i.Names, []string{"*"}) {
		in.importAll(m, sc)
		return
	}
	for _, taken := range i.Names { // all before the first name is bound
		if _, has := m.names.vars[taken]; !has {
			in.loadInner(m, taken)
		}
	}
	for _, taken := range i.Names {
		in.store(s.names[*name], in.takenOwn(m, taken), sc)
		*name++
	}
}

// absolute returns the full name of the module that an import names.
func (in *Interpreter) absolute(i Import, globals *scope) string {
	if i.Level == 0 {
		return i.Module
	}
	n := slices.IndexFunc(in.modules, func(m *module) bool { return m.names == globals })
	if n < 0 {
		panic(refused("", "what an import runs"))
	}
	m := in.modules[n]
	folder := m.name
	if m.names == in.module {
		folder = in.program.moduleName(m.file)
	}
	if !strings.HasSuffix(m.file.path, "__init__.py") {
		folder, _, _ = cutLast(folder)
	}
	for range i.Level - 1 {
		folder, _, _ = cutLast(folder)
	}
	if folder == "" {
		panic(refused("", "an import from a package that is not known"))
	}
	return strings.TrimSuffix(folder+"."+i.Module, ".")
}

// attribute returns a module as "import a.b as c" finds it: as an attribute of its package, which may have
// bound the name to something else.
func (in *Interpreter) attribute(name string, m *module) pyValue {
	outer, last, inside := cutLast(name)
	if !inside {
		return m
	}
	if v, ok := in.imported(outer).names.vars[last]; ok {
		return known(v, last)
	}
	return m
}

// loadInner imports a module of a package that a "from" takes out of it, if there is one.
func (in *Interpreter) loadInner(m *module, name string) {
	if m.names.partial {
		panic(refused(name, "is not known of a module"))
	}
	if _, ok := m.names.vars["__getattr__"]; ok {
		panic(refused("__getattr__", "of a module"))
	}
	inner := m.name + "." + name
	if m.names == in.module || m.file != nil && !strings.HasSuffix(m.file.path, "__init__.py") {
		return // it is no package
	}
	if file, ok := in.fileOf(inner); ok {
		if file != nil || m.file == nil { // a folder without Python's own files may be data
			in.importModule(inner)
		}
	}
}

// takenOwn returns what "from module import name" binds.
func (in *Interpreter) takenOwn(m *module, name string) pyValue {
	if v, ok := m.names.vars[name]; ok {
		return known(v, name)
	}
	if inner := in.imported(m.name + "." + name); inner != nil {
		return inner
	}
	panic(refused(name, "is not in the module")) // the message has the file's path
}

// known refuses a value that was not given.
func known(v pyValue, name string) pyValue {
	if v == ungiven {
		panic(refused(name, "has a value that was not given"))
	}
	return v
}

// importAll binds what "from module import *" takes: the names in __all__, or those that do not begin with
// an underscore.
func (in *Interpreter) importAll(m *module, sc *scope) {
	if m.names.partial || m.names.disordered || !m.ready {
		panic(refused("", "which names an import binds"))
	}
	if _, ok := m.names.vars["__getattr__"]; ok {
		panic(refused("__getattr__", "of a module"))
	}
	names := slices.DeleteFunc(slices.Clone(m.names.order), func(name string) bool { return strings.HasPrefix(name, "_") })
	if all, ok := m.names.vars["__all__"]; ok {
		in.knows(all)
		names = nil
		if !iterable(all) {
			panic(refused("__all__", "is not computed"))
		}
		for _, item := range in.ev.collect(all) {
			name, isText := item.(pyStr)
			if !isText {
				panic(refused("__all__", "is not computed"))
			}
			if _, has := m.names.vars[string(name)]; !has {
				in.loadInner(m, string(name))
			}
			names = append(names, string(name))
		}
	}
	for _, name := range names {
		in.store(name, in.takenOwn(m, name), sc)
	}
}

// attributeOf returns an attribute of a module of the program.
func (in *Interpreter) attributeOf(m *module, name string) pyValue {
	if v, ok := m.names.vars[name]; ok {
		return known(v, name)
	}
	_, own := m.names.vars["__getattr__"]
	if own || m.names.partial || !m.ready || strings.HasPrefix(name, "__") || m.file == nil {
		panic(refused("."+name, "is not known of a module"))
	}
	if _, ok := in.fileOf(m.name + "." + name); ok && in.straying {
		panic(refused("."+name, "is not known of a module"))
	}
	panic(raised("AttributeError", "module '%s' has no attribute '%s'", m.name, name))
}
