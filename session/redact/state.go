package redact

import (
	"maps"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Program redacts the source of a program. The result has the same files and numbers of lines.
func (r *Redactor) Program(p *dsl.Program) *dsl.Program {
	if r == nil {
		return p
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.callables = map[string]python.Callable{}
	for _, f := range p.Files {
		maps.Copy(r.callables, python.Callables(strings.Join(f.Lines, "\n")))
	}
	for {
		known := len(r.known)
		out := &dsl.Program{}
		r.lines, r.literals = map[string][]string{}, 0
		for _, f := range p.Files {
			s := r.scan(strings.Join(f.Lines, "\n"), place{}, false)
			lines := strings.Split(s.out.String(), "\n")
			if len(f.Lines) == 0 {
				lines = nil
			}
			r.literals += s.literals
			r.lines[f.Name] = lines
			out.Files = append(out.Files, dsl.SourceFile{Name: f.Name, Lines: lines})
		}
		if len(r.known) == known { // repeat: a new secret may occur in earlier lines
			return out
		}
	}
}

// Stop redacts a state. Its source line becomes the line of the redacted program.
func (r *Redactor) Stop(stop *dsl.Stop) *dsl.Stop {
	if r == nil || stop == nil {
		return stop
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop(stop)
}

func (r *Redactor) stop(stop *dsl.Stop) *dsl.Stop {
	out := *stop
	if lines := r.lines[stop.File]; stop.Line >= 1 && stop.Line <= len(lines) {
		out.Source = lines[stop.Line-1]
	} else {
		out.Source = r.text(stop.Source)
	}
	for {
		known := len(r.known)
		out.Locals = slices.Clone(stop.Locals)
		for i, l := range stop.Locals {
			out.Locals[i].Value = r.value(l.Name, l.Value)
		}
		if stop.Value != nil {
			value := *stop.Value
			if stop.Event == dsl.Return {
				value = r.returned(stop.Function, value)
			} else {
				value = r.value("", value)
			}
			out.Value = &value
		}
		if len(r.known) == known { // repeat: a new secret may occur in earlier values
			return &out
		}
	}
}

// Reply redacts the state or the exit that an action led to.
func (r *Redactor) Reply(reply dsl.Reply) dsl.Reply {
	if r == nil {
		return reply
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if reply.Stop != nil {
		reply.Stop = r.stop(reply.Stop)
	}
	if reply.Exit != nil && reply.Exit.Exception != nil {
		exit := *reply.Exit
		exception := r.value("", *exit.Exception)
		exit.Exception = &exception
		reply.Exit = &exit
	}
	return reply
}

// Trajectory redacts the program and all states of a trajectory.
func (r *Redactor) Trajectory(t dsl.Trajectory) dsl.Trajectory {
	if r == nil {
		return t
	}
	t.Program = r.Program(t.Program)
	t.Steps = slices.Clone(t.Steps)
	for i := range t.Steps {
		t.Steps[i].Reply = r.Reply(t.Steps[i].Reply)
	}
	return t
}
