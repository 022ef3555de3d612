package python

import (
	"slices"
	"strings"
	"sync"
)

// exceptionClasses returns the supported built-in exceptions, by name.
var exceptionClasses = sync.OnceValue(func() map[string]*class {
	all := map[string]*class{"object": objectClass}
	for line := range strings.Lines(`BaseException object
		Exception BaseException
		SystemExit BaseException
		KeyboardInterrupt BaseException
		GeneratorExit BaseException
		ArithmeticError Exception
		AssertionError Exception
		AttributeError Exception
		BufferError Exception
		EOFError Exception
		ImportError Exception
		LookupError Exception
		MemoryError Exception
		NameError Exception
		OSError Exception
		ReferenceError Exception
		RuntimeError Exception
		StopIteration Exception
		StopAsyncIteration Exception
		SyntaxError Exception
		SystemError Exception
		TypeError Exception
		ValueError Exception
		Warning Exception
		FloatingPointError ArithmeticError
		OverflowError ArithmeticError
		ZeroDivisionError ArithmeticError
		IndexError LookupError
		KeyError LookupError
		ModuleNotFoundError ImportError
		UnboundLocalError NameError
		FileNotFoundError OSError
		FileExistsError OSError
		PermissionError OSError
		TimeoutError OSError
		ConnectionError OSError
		NotImplementedError RuntimeError
		RecursionError RuntimeError
		UnicodeError ValueError
		UserWarning Warning
		DeprecationWarning Warning
		RuntimeWarning Warning`) {
		fields := strings.Fields(line)
		base := all[fields[1]]
		c := &class{name: fields[0], qual: fields[0], bases: []*class{base}, builtin: true}
		c.mro = append([]*class{c}, base.mro...)
		all[c.name] = c
	}
	delete(all, "object")
	return all
})

func (c *class) isException() bool { return c.is("BaseException") }

// newException creates a built-in exception.
func newException(name string, args ...pyValue) *instance {
	return &instance{class: exceptionClasses()[name], attrs: &scope{vars: map[string]pyValue{}}, args: args}
}

// exceptionOf returns the exception for an error of the evaluation.
func (in *Interpreter) exceptionOf(e *EvalError) *instance {
	if (e.Type == "TypeError" || e.Type == "ValueError" || e.Type == "AttributeError") && in.top().unknown {
		panic(refused(e.Type, "depends on a value of unknown type"))
	}
	if exceptionClasses()[e.Type] == nil {
		panic(refused(e.Type, "is not computed"))
	}
	switch {
	case e.loose, strings.HasPrefix(e.Message, "type."):
		panic(refused(e.Type, "has a message that is not computed"))
	case e.Type == "KeyError":
		if v, reason := in.ev.read(e.Message); reason == "" {
			return newException(e.Type, v)
		}
		panic(refused(e.Type, "is not computed"))
	case e.Message == "":
		return newException(e.Type)
	}
	return newException(e.Type, pyStr(e.message(in.version)))
}

// unknownException is the class of an exception that is defined outside the program.
var unknownException = func() *class {
	c := &class{builtin: true}
	c.mro = []*class{c, exceptionClasses()["BaseException"], objectClass}
	return c
}()

// matches reports whether an except clause catches an exception.
func (in *Interpreter) matches(exc *instance, of pyValue) bool {
	if exc.class == unknownException {
		panic(refused("", "which exception is handled"))
	}
	switch of := of.(type) {
	case *class:
		return slices.Contains(exc.class.mro, of)
	case *pyTuple:
		return slices.ContainsFunc(of.items, func(c pyValue) bool { return in.matches(exc, c) })
	}
	panic(refused("", "what an except clause names"))
}

// readException returns the exception with the given repr.
func (in *Interpreter) readException(text string) *instance {
	name, rest := text, ""
	for i := range text {
		if text[i] == '(' {
			name, rest = text[:i], text[i:]
			break
		}
	}
	c := in.classNamed(name)
	if c == nil && in.program.classes[name] == 0 {
		c = exceptionClasses()[name]
	}
	if c == nil || !c.isException() {
		return &instance{class: unknownException, attrs: &scope{partial: true}, shown: text}
	}
	x := &instance{class: c, attrs: &scope{vars: map[string]pyValue{}, partial: !c.builtin}}
	if len(rest) > 2 && rest[len(rest)-2] != ',' {
		rest = rest[:len(rest)-1] + ",)"
	}
	args, ok := in.read(rest).(*pyTuple)
	if !ok { // in a program with ambiguous reprs, read returns an opaque value
		x.shown, x.attrs.partial = text, true
		return x
	}
	x.args = args.items
	return x
}
