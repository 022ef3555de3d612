// Package gen generates random trajectories for the tests of formats, with names and values that
// are hard to encode. It also generates trajectories that no program can produce.
package gen

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/dsl"
)

// Nasty holds strings that are hard to encode.
var Nasty = []string{
	"", "..", `".."`, `\u002e\u002e`, "...", "<|frame_sep|>", "<|action_sep|>1|x", "<", "<|", `<\|`, `<\`, `<\\|`, `<<|`, "|>",
	`"`, `\`, `\"`, "\n", "\r\n", "\t", "\x00", "\x1b[2J", "\x7f", "\u0080", "\u2028", "\u202e\u2066x", `\udcff`, "é漢😀", "\ufeff", "\ufffd",
	"null", "{", "}", `{"yield": "1"}`, "1|", "a:1|", "set", "<|reserved_special_token_0|>", `\u003c|`, "\u200b", " ", "''",
}

func text() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(Nasty),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(Nasty), 0, 4).Draw(t, "parts"), "")
		}),
		rapid.String(),
	)
}

func lineText() *rapid.Generator[string] {
	return rapid.Map(text(), func(s string) string { return strings.NewReplacer("\n", "", "\r", "").Replace(s) })
}

func programs() *rapid.Generator[*dsl.Program] {
	return rapid.Custom(func(t *rapid.T) *dsl.Program {
		p := &dsl.Program{}
		named := text().Filter(func(s string) bool { return s != "" })
		names := rapid.SliceOfNDistinct(named, 1, 28, rapid.ID).Draw(t, "names")
		for _, name := range names {
			lines := rapid.SliceOfN(lineText(), 1, 4).Draw(t, "lines")
			p.Files = append(p.Files, dsl.SourceFile{Name: name, Lines: lines})
		}
		if len(p.Files) == 1 {
			p.Files[0].Name = ""
		}
		return p
	})
}

func drawLine(t *rapid.T, p *dsl.Program) (dsl.Location, dsl.SourceFile) {
	file := rapid.IntRange(0, len(p.Files)-1).Draw(t, "file")
	f := p.Files[file]
	return dsl.Location{File: file, Line: rapid.IntRange(1, len(f.Lines)).Draw(t, "line")}, f
}

// drawStop generates any state on any stack. It uses few functions and values, so that frames and
// values often stay the same.
func drawStop(t *rapid.T, p *dsl.Program) *dsl.Stop {
	s := &dsl.Stop{Whole: rapid.IntRange(0, 9).Draw(t, "whole") == 0}
	for range rapid.IntRange(1, 3).Draw(t, "depth") {
		at, f := drawLine(t, p)
		s.Stack = append(s.Stack, dsl.Frame{Function: rapid.SampledFrom([]string{"f", "<|"}).Draw(t, "function"), File: f.Name, Line: at.Line})
		if rapid.IntRange(0, 5).Draw(t, "unknown") == 0 {
			s.Stack[len(s.Stack)-1].Line = 0
		}
	}
	if rapid.Bool().Draw(t, "numbered") {
		for range s.Stack {
			s.Activations = append(s.Activations, rapid.Uint32Range(0, 1).Draw(t, "activation"))
		}
	}
	at, f := drawLine(t, p)
	s.Depth = len(s.Stack) - 1
	top := &s.Stack[s.Depth]
	top.File, top.Line = f.Name, at.Line
	s.Function, s.File, s.Line, s.Source = top.Function, f.Name, at.Line, f.Lines[at.Line-1]
	s.Event = rapid.SampledFrom([]dsl.Event{dsl.Call, dsl.Line, dsl.Return, dsl.Exception}).Draw(t, "event")
	if s.Event == dsl.Return {
		s.Kind = rapid.SampledFrom([]dsl.ReturnKind{dsl.Returned, dsl.Yielded, dsl.Unwound}).Draw(t, "kind")
	}
	if s.Event == dsl.Exception || s.Kind == dsl.Returned || s.Kind == dsl.Yielded {
		value := text().Draw(t, "value")
		s.Value = &value
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y", "<|", ""}), 0, 4, rapid.ID).Draw(t, "names") {
		s.Locals = append(s.Locals, dsl.Local{
			Name: name, Value: text().Draw(t, "local"), Hidden: rapid.IntRange(0, 4).Draw(t, "hidden") == 0,
		})
	}
	return s
}

func drawReply(t *rapid.T, p *dsl.Program, among ...dsl.Outcome) dsl.Reply {
	r := dsl.Reply{Outcome: rapid.SampledFrom(among).Draw(t, "outcome")}
	switch r.Outcome {
	case dsl.Landed:
		r.Stop = drawStop(t, p)
	case dsl.Ended:
		r.Exit = &dsl.Exit{Code: rapid.IntRange(-9, 255).Draw(t, "code")}
		if rapid.Bool().Draw(t, "raised") {
			said := text().Draw(t, "exception")
			r.Exit.Exception = &said
		}
	}
	return r
}

// Trajectories generates any trajectory that nd/1 can express.
func Trajectories() *rapid.Generator[dsl.Trajectory] {
	return rapid.Custom(func(t *rapid.T) dsl.Trajectory {
		p := programs().Draw(t, "program")
		tr := dsl.Trajectory{Program: p, Compacted: rapid.Bool().Draw(t, "compacted")}
		if tr.Compacted {
			for range rapid.IntRange(0, 3).Draw(t, "callers") {
				tr.Steps = append(tr.Steps, dsl.Step{Reply: drawReply(t, p, dsl.Landed)})
			}
		}
		tr.Steps = append(tr.Steps, dsl.Step{Reply: drawReply(t, p, dsl.Landed, dsl.Landed, dsl.Ended)})
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			s := dsl.Step{Action: dsl.Action{Move: dsl.Move(rapid.IntRange(0, int(dsl.InvStepFunction)).Draw(t, "move"))}}
			if s.Action.Move == 0 {
				s.Edit = true
				s.Reply = drawReply(t, p, dsl.Landed)
			} else {
				s.Reply = drawReply(t, p, dsl.Landed, dsl.Landed, dsl.Landed, dsl.Landed, dsl.Ended, dsl.AtStart, dsl.Unknown)
			}
			if s.Action.Move.TakesLines() {
				for range rapid.IntRange(1, 3).Draw(t, "stops") {
					at, _ := drawLine(t, p)
					s.Action.Lines = append(s.Action.Lines, at)
				}
			}
			tr.Steps = append(tr.Steps, s)
		}
		return tr
	})
}
