package python

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// module is an imported module. imported is a name imported from the standard library.
type (
	module struct {
		name  string
		file  *sourceFile // nil for a module of the standard library, and for a package without __init__.py
		names *scope      // nil for a module of the standard library
		ready bool        // its body has ended
	}
	imported struct {
		text   string // "" if unknown
		hidden bool   // states leave it out
	}
)

// newModule creates a module of the program with the given __name__.
func (in *Interpreter) newModule(name string, file *sourceFile) *module {
	m := &module{name: name, file: file, names: &scope{vars: map[string]pyValue{"__name__": pyStr(name)}}}
	a := &activation{in: in, names: m.names, line: 1}
	if file == nil {
		a.code = &code{kind: moduleCode, name: "<module>", first: 1}
	} else {
		a.code = file.code
	}
	m.names.frame = a
	in.modules = append(in.modules, m)
	return m
}

// begin creates the module that runs as __main__, and returns its activation.
func (in *Interpreter) begin() *activation {
	m := in.newModule("__main__", in.file)
	in.module = m.names
	return m.names.frame
}

// globals returns the scope of the module around s.
func (s *scope) globals() *scope {
	for s.outer != nil {
		s = s.outer
	}
	return s
}

// loaded returns the module that was imported from a file, or nil.
func (in *Interpreter) loaded(file *sourceFile) *module {
	i := slices.IndexFunc(in.modules, func(m *module) bool { return m.file == file })
	if i < 0 {
		return nil
	}
	return in.modules[i]
}

// imported returns the module that was imported under a name, or nil.
func (in *Interpreter) imported(name string) *module {
	i := slices.IndexFunc(in.modules, func(m *module) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return in.modules[i]
}

// moduleOf returns the module of a frame in the state set by Begin. If nothing has imported the
// module yet, the program must have imported it before that state; so moduleOf runs it now, without
// events.
func (in *Interpreter) moduleOf(f dsl.Frame) *module {
	file := in.fileShown(f)
	m := in.loaded(file)
	if m == nil {
		in.silent++
		m = in.importModule(in.nameOf(file))
		in.silent--
	}
	if m.file != file {
		panic(refused("", "which of two files an import means"))
	}
	return m
}

// fileShown returns the file of a frame in a given state.
func (in *Interpreter) fileShown(f dsl.Frame) *sourceFile {
	if f.File == "" {
		return in.file
	}
	file := in.program.file(f.File)
	if file == nil || file.err != nil {
		panic(refused("", "a frame of a file that is not followed"))
	}
	return file
}

// shownModule returns the module of a frame in a state passed to Show. If its import was not
// computed, nothing is known about its names.
func (in *Interpreter) shownModule(f dsl.Frame) *module {
	file := in.fileShown(f)
	m := in.loaded(file)
	if m == nil {
		m = in.newModule(in.nameOf(file), file)
		m.ready = true
		m.names.forgetAll()
	}
	return m
}

// shownImport returns the activation of a module whose import the interpreter has not run, because
// the state passed to Show is already in it. It refuses if that state is not the module's first
// event.
func (in *Interpreter) shownImport(stop *dsl.Stop, f dsl.Frame) *activation {
	file := in.fileShown(f)
	body := file.code.body
	visible := slices.ContainsFunc(stop.Locals, func(l dsl.Local) bool { return !l.Hidden })
	first := stop.Event == dsl.Call || stop.Event == dsl.Line && len(body) > 0 && int32(stop.Line) == firstLine(body[0])
	if in.loaded(file) != nil || !first || visible || stop.File != f.File {
		in.shownModule(f)
		panic(refused("", "a frame of a module"))
	}
	a := in.newModule(in.nameOf(file), file).names.frame
	a.begun, a.line = true, int32(stop.Line)
	if stop.Event == dsl.Line {
		a.target, a.lined, a.told = a.line, true, a.line
	}
	in.arrive(a, false)
	in.settled = true
	return a
}

// nameOf returns the name under which a file is imported.
func (in *Interpreter) nameOf(file *sourceFile) string {
	name := in.program.moduleName(file)
	if name == "" {
		panic(refused("", "the name of a package"))
	}
	return name
}

// fileOf returns the file of the module called name. ok reports whether the program has such a
// module; file is nil for a package without an __init__.py.
func (in *Interpreter) fileOf(name string) (file *sourceFile, ok bool) {
	at := strings.ReplaceAll(name, ".", "/")
	for _, one := range []string{at + "/__init__.py", at + ".py"} {
		if file = in.program.at(one); file != nil {
			return file, true
		}
	}
	if slices.ContainsFunc(in.program.files, func(f *sourceFile) bool { return strings.HasPrefix(f.path, at+"/") }) {
		return nil, true
	}
	return in.elsewhere(at)
}

// elsewhere returns the file of a module outside the program's folder. at is its path without
// ".py". The program has such files only because frames of a given state are in them, so they have
// been imported.
func (in *Interpreter) elsewhere(at string) (file *sourceFile, ok bool) {
	for _, f := range in.program.files {
		if f.outside() && (strings.HasSuffix(f.path, "/"+at+".py") || strings.HasSuffix(f.path, "/"+at+"/__init__.py")) {
			if file != nil {
				panic(refused("", "which of two files an import means"))
			}
			file = f
		}
	}
	return file, file != nil
}

// owns reports whether the module called root belongs to the program. root is the first part of an
// imported name.
func (in *Interpreter) owns(root string) bool {
	_, ok := in.fileOf(root)
	if ok && (standardModules[root] || startupModules[root]) {
		panic(refused("", "a module with the name of one of Python's"))
	}
	return ok
}

// importModule imports a module of the program, and the packages around it, and returns the module.
func (in *Interpreter) importModule(name string) *module {
	if m := in.imported(name); m != nil {
		return m
	}
	if len(name) == 0 {
		panic(refused("", "what an import runs"))
	}
	if outer, _, inside := cutLast(name); inside {
		in.importModule(outer)
	}
	m := in.imported(name) // the package's __init__.py may have imported it
	if m == nil {
		m = in.run(name)
		in.joinPackage(m)
	}
	return m
}

// cutLast splits a dotted name before its last part. inside is false if there is no dot.
func cutLast(name string) (outer, last string, inside bool) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:], i > 0
}

// run imports a module by running its body.
func (in *Interpreter) run(name string) *module {
	file, ok := in.fileOf(name)
	switch {
	case !ok:
		panic(refused("", "what an import runs"))
	case in.straying && in.silent == 0 || in.showing > 0:
		panic(refused("", "whether a module has been imported before"))
	case file == nil:
		m := in.newModule(name, nil)
		m.ready = true
		return m
	case file.err != nil:
		panic(refused("", "what an import runs"))
	case in.loaded(file) != nil:
		panic(refused("", "a file that is imported twice"))
	}
	m := in.newModule(name, file)
	in.complete(m)
	return m
}

// complete runs the body of a module to its end. If an exception leaves the body, the module is no
// longer imported.
func (in *Interpreter) complete(m *module) {
	defer func() {
		e := recover()
		switch e.(type) {
		case nil:
			return
		case *thrown:
			in.modules = slices.DeleteFunc(in.modules, func(one *module) bool { return one == m })
		default:
			m.ready = true
			m.names.forgetAll()
		}
		panic(e)
	}()
	a := m.names.frame
	if len(a.code.body) == 0 && !a.called() {
		m.ready = true // it has no events
		return
	}
	if in.approaching {
		in.enter(a)
		for _, s := range a.code.body {
			in.quietly(a, s)
		}
		in.leave()
	} else {
		in.runFrame(a)
	}
	m.ready = true
}

// moduleIn returns the module whose body an activation runs, or nil.
func (in *Interpreter) moduleIn(a *activation) *module {
	i := slices.IndexFunc(in.modules, func(m *module) bool { return m.names.frame == a })
	if i < 0 {
		return nil
	}
	return in.modules[i]
}

// joinPackage sets a module as an attribute of its package, after the module's body has ended.
func (in *Interpreter) joinPackage(m *module) {
	outer, last, inside := cutLast(m.name)
	if parent := in.imported(outer); inside && parent != nil {
		parent.names.set(last, m)
	}
}

// moduleFrames returns the activations of all imported modules of the program.
func (in *Interpreter) moduleFrames() []*activation {
	out := make([]*activation, len(in.modules))
	for i, m := range in.modules {
		out[i] = m.names.frame
	}
	return out
}
