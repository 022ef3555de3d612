package python

import (
	"slices"
	"strings"
)

// This file imports modules of the program.

// importsWithin reports whether there is an import among statements, at any depth.
func importsWithin(body []*stmt) bool { return len(importsOf(body)) > 0 }

// importsOwn reports whether a statement contains an import of a module of the program, at any
// depth.
func (in *Interpreter) importsOwn(s *stmt) bool {
	return slices.ContainsFunc(importsOf([]*stmt{s}), func(i Import) bool {
		root, _, _ := strings.Cut(i.Module, ".")
		_, own := in.fileOf(root)
		return i.Level > 0 || own
	})
}

// importOwn executes import number n of a statement; it imports a module of the program. name is
// the index of the next name that the statement binds.
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
	for _, taken := range i.Names { // load all before binding the first name
		if _, has := m.names.vars[taken]; !has {
			in.loadInner(m, taken)
		}
	}
	for _, taken := range i.Names {
		in.store(s.names[*name], in.takenOwn(m, taken), sc)
		*name++
	}
}

// absolute returns the full name of the module in an import.
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

// attribute returns the value that "import a.b as c" binds: the attribute b of the package a, which
// may have bound it to something other than the module.
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

// loadInner imports the module called name of a package, if there is one.
func (in *Interpreter) loadInner(m *module, name string) {
	if m.names.partial {
		panic(refused(name, "is not known of a module"))
	}
	if _, ok := m.names.vars["__getattr__"]; ok {
		panic(refused("__getattr__", "of a module"))
	}
	inner := m.name + "." + name
	if m.names == in.module || m.file != nil && !strings.HasSuffix(m.file.path, "__init__.py") {
		return // m is not a package
	}
	if file, ok := in.fileOf(inner); ok {
		if file != nil || m.file == nil { // a subfolder without an __init__.py may contain only data
			in.importModule(inner)
		}
	}
}

// takenOwn returns the value that "from module import name" binds.
func (in *Interpreter) takenOwn(m *module, name string) pyValue {
	if v, ok := m.names.vars[name]; ok {
		return known(v, name)
	}
	if inner := in.imported(m.name + "." + name); inner != nil {
		return inner
	}
	panic(refused(name, "is not in the module")) // CPython's message contains the file's path
}

// known returns v. It refuses the value ungiven.
func known(v pyValue, name string) pyValue {
	if v == ungiven {
		panic(refused(name, "has a value that was not given"))
	}
	return v
}

// importAll binds the names of "from module import *": those in __all__, or else those that do not
// begin with an underscore.
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
